"""Draws the pictures of docs/rigs.md: `python -m tools.rig_pictures RIGS MOCAP [--into docs/images]`.

RIGS and MOCAP are the folders of real rigs and clips. A proposal is what `poise character new RIG -o proposal.png` draws, a strip
what `poise simulate CLIP --skin RIG -o strip.png` does.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from poise.character.rig.proposal import propose
from poise.files import whole
from poise.report.filmstrip import filmstrip
from poise.report.proposal import draw_proposal
from poise.simulation import simulate

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
COLORS = {"proposal": 64, "strip": 96}


@dataclass(frozen=True)
class Strip:
    """A rig, the clip it plays, with which controller, and how many moments of it are shown."""

    rig: str
    clip: str
    controller: str
    name: str
    frames: int


PROPOSALS = ("Velociraptor", "RobotExpressive", "Casual_man")
STRIPS = (
    Strip("Velociraptor", "cmu/07_01.bvh", "limbs", "rig_raptor_walk", 6),
    Strip("Velociraptor", "cmu/143_23.bvh", "limbs", "rig_raptor_punch", 6),
    Strip("RobotExpressive", "cmu/143_23.bvh", "limbs", "rig_robot_punch", 8),
    Strip("Casual_man", "cmu/07_01.bvh", "balance", "rig_man_walk", 9),
    Strip("CesiumMan", "cmu/05_02.bvh", "balance", "rig_cesium_dance", 9),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rigs", type=Path)
    parser.add_argument("mocap", type=Path)
    parser.add_argument("--into", type=Path, default=IMAGES, metavar="FOLDER")
    options = parser.parse_args()
    for name in PROPOSALS:
        path = options.into / f"rig_{name.lower()}.png"
        draw_proposal(propose(next(options.rigs.rglob(f"{name}.glb"))), path)
        _fewer_colors(path, COLORS["proposal"])
    for strip in STRIPS:
        path = options.into / f"{strip.name}.png"
        character = propose(next(options.rigs.rglob(f"{strip.rig}.glb"))).character
        take = simulate(options.mocap / strip.clip, character=character, controller=strip.controller)
        filmstrip(take, path, frames=strip.frames, width=1050)
        _fewer_colors(path, COLORS["strip"])


def _fewer_colors(path: Path, colors: int) -> None:
    """Makes a picture small enough for a page that loads quickly."""
    from PIL import Image

    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(colors, dither=Image.Dither.NONE)
    with whole(path) as draft:
        small.save(draft, format="PNG", optimize=True)


if __name__ == "__main__":
    main()
