"""Draws the filmstrip of docs/live.md: `python -m tools.live_pictures [--into docs/images]`.

A clip is replayed as an actor's stream, on a clock that nobody waits for, and leads a human that is pushed on the way.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from poise.files import whole
from poise.live.notices import Notices
from poise.live.performance import Performance, live_run, wait_for_actor
from poise.live.protocols import axis_neuron_protocol
from poise.live.replay import ReplayedPackets, axis_neuron_motion, binary_frames
from poise.scenario.shorthand import parse_push

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
SECONDS, FPS, COLORS = 4.0, 120.0, 128


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=IMAGES, metavar="FOLDER")
    folder = parser.parse_args().into
    draw("dance", folder / "live_dance.png", pushes=("chest:0,250,0@1.5+0.2",))


def draw(clip: str, path: Path, pushes: tuple[str, ...]) -> None:
    """A filmstrip of a character that follows a replayed clip live."""
    clock, motion = Clock(), axis_neuron_motion(clip, FPS, SECONDS + 3.0)
    packets = ReplayedPackets(binary_frames(motion), motion.nframes, motion.fps)
    guest = wait_for_actor(packets, axis_neuron_protocol(joined=False), Notices(print), clock=clock, sleep=clock.sleep)
    events = [parse_push(push) for push in pushes]
    run = live_run(guest, name=f"live {clip}", clock=clock, duration=SECONDS, character="human", events=events)
    show = Performance(run, clock=clock, sleep=clock.sleep)
    show.perform([], lambda time: time > SECONDS)
    show.take().save(path)
    _fewer_colors(path)


def _fewer_colors(path: Path) -> None:
    from PIL import Image

    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(COLORS)
    with whole(path) as draft:
        small.save(draft, optimize=True)


if __name__ == "__main__":
    main()
