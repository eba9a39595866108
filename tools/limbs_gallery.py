"""Draws the pictures of docs/limbs.md: `python -m tools.limbs_gallery [--into docs/images]`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tools.gallery import IMAGES, Strip, draw

from poise.control.limbs.controller import LimbsController
from poise.control.limbs.weights import Settings, Weights

LIMBS: dict[str, Any] = {"controller": "limbs"}
PAPER = LIMBS | {"dynamics": "generalized"}


def strips() -> tuple[Strip, ...]:
    """What is drawn; controllers with settings of their own are made here."""
    without = LimbsController("generalized", settings=Settings(Weights(momentum=0.0)))
    return (
        Strip("walk", "limbs_walk_raptor", 8, PAPER | {"character": "raptor"}),
        Strip("walk", "limbs_walk_alien", 8, LIMBS | {"character": "alien"}),
        Strip("walk", "limbs_walk_sad", 8, PAPER | {"character": "raptor", "style": "sad"}),
        Strip("bow", "limbs_bow_raptor", 8, PAPER | {"character": "raptor"}),
        Strip("bow", "limbs_bow_without", 8, PAPER | {"character": "raptor", "controller": without}),
        Strip("punch", "limbs_pushed_raptor", 8, LIMBS | {"character": "raptor", "pushes": ("chest:0,400,0@1.0+0.2",)}),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=IMAGES, metavar="FOLDER")
    parser.add_argument("names", nargs="*", help="only these")
    options = parser.parse_args()
    for strip in strips():
        if not options.names or strip.name in options.names:
            draw(strip, strip.clip, options.into)


if __name__ == "__main__":
    main()
