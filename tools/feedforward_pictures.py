"""Draws the pictures of docs/feedforward.md: `python -m tools.feedforward_pictures [--mocap FOLDER]`.

Each picture is a few filmstrips of the same moments below each other, with the reference as a pale ghost.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tools.gallery import IMAGES, shrink

import poise
from poise.report.filmstrip import draw
from poise.report.take_scene import take_scene
from poise.scenario.events import Ball, Event
from poise.scenario.feedforward import Feedforward

WIDTH, FRAMES = 1200, 9
HIGH = Feedforward(source="none", stiffness_ratio=1.0)
LOW = Feedforward(source="none")
FED = Feedforward()
ROOT = "root-forces"
HITS = (
    Ball(mass=3.0, speed=5.0, target="left_forearm", at=1.0),
    Ball(mass=3.0, speed=5.0, target="head", from_deg=180.0, at=2.4),
)


@dataclass(frozen=True)
class Row:
    """One filmstrip: what it shows, how the controller is put together, what happens."""

    remark: str
    settings: Feedforward
    events: tuple[Event, ...] = ()


@dataclass(frozen=True)
class Picture:
    """Rows of one clip between two moments, seconds, seen from somewhere."""

    name: str
    clip: str
    span: tuple[float, float]
    rows: tuple[Row, ...]
    azimuth_deg: float = -70.0
    real: bool = False  # the clip is one of the mocap folder


def blow(target: str, at: float, expected: bool) -> tuple[Event, ...]:
    """A ball on a leg, expected or not, and at the same time one that never is, from behind, on the head."""
    leg = Ball(mass=3.0, speed=5.0, target=target, at=at, expected=expected)
    return (leg, Ball(mass=3.0, speed=5.0, target="head", from_deg=180.0, at=at))


COMPARED = (Row("high gains", HIGH, HITS), Row("low gains, fed forward", FED, HITS))
PICTURES = (
    Picture("feedforward_head", "stand", (2.3, 3.1), COMPARED),
    Picture(
        "feedforward_expected",
        "punch",
        (1.1, 1.7),
        (
            Row("the blow to the leg is expected", replace(FED, strategy=ROOT), blow("left_shin", 1.2, True)),
            Row("neither blow is expected", replace(FED, strategy=ROOT), blow("left_shin", 1.2, False)),
        ),
        azimuth_deg=70.0,
    ),
    Picture(
        "feedforward_lifted_leg",
        "one_leg_balance",
        (3.4, 4.0),
        (
            Row("the blow to the leg is expected", FED, blow("right_shin", 3.5, True)),
            Row("neither blow is expected", FED, blow("right_shin", 3.5, False)),
        ),
    ),
    Picture(
        "feedforward_three",
        "cmu/143_23.bvh",
        (0.3, 0.9),
        (
            Row("low gains alone", replace(LOW, strategy=ROOT)),
            Row("low gains, fed forward", replace(FED, strategy=ROOT)),
            Row("high gains: the auxiliary", replace(HIGH, strategy=ROOT)),
        ),
        real=True,
    ),
    Picture("feedforward_boxer", "cmu/143_23.bvh", (0.9, 1.7), COMPARED, real=True),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mocap", type=Path, help="the folder of real clips; without it their pictures are left as they are")
    parser.add_argument("--into", type=Path, default=IMAGES, metavar="FOLDER")
    options = parser.parse_args()
    for picture in PICTURES:
        if options.mocap or not picture.real:
            draw_picture(picture, options.mocap / picture.clip if picture.real else picture.clip, options.into)


def draw_picture(picture: Picture, clip: str | Path, folder: Path) -> None:
    """Simulates the rows of a picture and writes them below each other."""
    times = np.linspace(*picture.span, FRAMES)
    path = folder / f"{picture.name}.png"
    with tempfile.TemporaryDirectory() as scratch:
        strips = [Path(scratch) / f"{k}.png" for k in range(len(picture.rows))]
        for row, strip in zip(picture.rows, strips, strict=True):
            take = poise.simulate(
                clip, controller="feedforward", feedforward=row.settings, events=row.events, duration=picture.span[1] + 0.1
            )
            draw(take_scene(take, times, ghost=True), strip, (Path(clip).stem, row.remark), picture.azimuth_deg, WIDTH, None)
        stack(strips, path)
    shrink(path)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def stack(strips: Sequence[Path], path: Path) -> None:
    """Puts pictures below each other."""
    from PIL import Image

    pictures = [Image.open(strip) for strip in strips]
    sheet = Image.new("RGB", (WIDTH, sum(p.height for p in pictures)), "white")
    top = 0
    for picture in pictures:
        sheet.paste(picture, (0, top))
        top += picture.height
    sheet.save(path)


if __name__ == "__main__":
    main()
