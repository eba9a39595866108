"""Draws the pictures of README.md and docs/gallery.md: `python -m tools.gallery [--mocap FOLDER] [--into docs/images]`.

Without a folder of real clips only our own are drawn. Pictures are those that `poise simulate CLIP -o CLIP.png` writes, with
fewer colours, so that a page loads quickly.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import poise
from poise.files import whole
from poise.motion import library
from poise.scenario.shorthand import parse_push

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
COLORS = 256


@dataclass(frozen=True)
class Strip:
    """A filmstrip to draw: the clip, the picture's name, how many moments, and how the run is set up."""

    clip: str
    name: str
    frames: int
    settings: dict[str, Any] = field(default_factory=dict)


OWN = tuple(Strip(name, f"own_{name}", 11) for name in library.names())
SCENES = (
    Strip("march", "march_pushed", 8, {"pushes": ("chest:0,250,0@1.0+0.2", "chest:250,0,0@2.6+0.2")}),
    Strip("walk", "raptor_walk", 8, {"controller": "limbs", "character": "raptor"}),
    Strip("walk", "walk_ragdoll", 8, {"root_forces": False, "duration": 2.0}),
)
_POSE = {"controller": "pose"}
REAL = (
    Strip("axis_neuron/displacement.bvh", "real_suit_walk", 10, _POSE),
    Strip("cmu/135_07.bvh", "real_roundhouse_kick", 12, _POSE),
    Strip("three_js/pirouette.bvh", "real_pirouette", 12, _POSE),
    Strip("cmu/118_01.bvh", "real_jump", 12, _POSE),
    Strip("cmu/85_05.bvh", "real_handstand", 12, _POSE),
    Strip("cmu/90_28.bvh", "real_breakdance", 12, _POSE),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mocap", type=Path, help="the folder of real clips; without it they are left as they are")
    parser.add_argument("--into", type=Path, default=IMAGES, metavar="FOLDER")
    options = parser.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    for strip in (*SCENES, *OWN):
        draw(strip, strip.clip, options.into)
    for strip in REAL if options.mocap else ():
        draw(strip, options.mocap / strip.clip, options.into)


def draw(strip: Strip, clip: str | Path, folder: Path) -> None:
    """Simulates the clip and writes its strip into the folder."""
    settings = dict(strip.settings)
    events = [parse_push(push) for push in settings.pop("pushes", ())]
    path = folder / f"{strip.name}.png"
    poise.simulate(clip, events=events, **settings).save(path, frames=strip.frames)
    shrink(path)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def shrink(path: Path) -> None:
    """Rewrites a picture with a palette of its own: half for the wide smooth areas, half for the colours of small things."""
    from PIL import Image

    with Image.open(path) as picture:
        full = picture.convert("RGB")
    ways = (Image.Quantize.MEDIANCUT, Image.Quantize.MAXCOVERAGE)
    palette = Image.new("P", (1, 1))
    palette.putpalette([c for way in ways for c in (full.quantize(COLORS // 2, way).getpalette() or [])[: 3 * COLORS // 2]])
    with whole(path) as draft:
        full.quantize(palette=palette, dither=Image.Dither.NONE).save(draft, format="PNG", optimize=True)


if __name__ == "__main__":
    main()
