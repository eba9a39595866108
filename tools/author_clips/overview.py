"""Draws all clips on one sheet: `python -m tools.author_clips.overview PICTURE.png`."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from poise.report import camera, render
from poise.report.take_scene import take_scene
from poise.rotation import Array
from poise.simulation import build_reference
from poise.take import Take

FRAMES = 11
PANEL, GAP, MARGIN, TITLE = (92, 132), 4, 12, 22  # pixels
COLORS = 96  # of the palette; keeps the file small
# Of each clip: from and to, seconds, and where the viewer stands, degrees; 0 is in front of the figure, -90 on its right.
MOMENTS = {
    "stand": (0.0, 8.0, -25.0),
    "weight_shift": (0.4, 6.8, -15.0),
    "bow": (0.4, 4.6, -60.0),
    "reach": (0.4, 4.4, -40.0),
    "punch": (1.66, 3.06, -60.0),
    "front_kick": (1.1, 2.9, -60.0),
    "one_leg_balance": (0.8, 7.2, -30.0),
    "squat": (0.4, 4.2, -60.0),
    "walk_in_place": (0.0, 1.1, -40.0),
    "walk": (0.0, 31 / 30, -65.0),
    "march": (0.0, 1.15, -65.0),
    "dance": (0.0, 6.0, -20.0),
    "ginga": (0.0, 2.4, -50.0),
}


def main(path: Path) -> None:
    """Write the sheet: a row of moments for each clip."""
    row = TITLE + PANEL[1] + GAP
    width = 2 * MARGIN + FRAMES * (PANEL[0] + GAP) - GAP
    sheet = Image.new("RGB", (width, len(MOMENTS) * row + MARGIN), "white")
    pen = ImageDraw.Draw(sheet)
    for number, (name, (begin, end, azimuth_deg)) in enumerate(MOMENTS.items()):
        y = number * row + GAP
        pen.text((MARGIN, y), f"{name}   {begin:.1f} to {end:.1f} s", "#262c38", ImageFont.load_default(13))
        for k, pixels in enumerate(_panels(name, np.linspace(begin, end, FRAMES), azimuth_deg)):
            picture = Image.fromarray(pixels).resize(PANEL, Image.Resampling.LANCZOS)
            sheet.paste(picture, (MARGIN + k * (PANEL[0] + GAP), y + TITLE - GAP))
    sheet.quantize(COLORS, dither=Image.Dither.NONE).save(path, optimize=True)


def _panels(name: str, times: Array, azimuth_deg: float) -> list[NDArray[np.uint8]]:
    scene = take_scene(_posed(name), times)
    sight = float(np.rad2deg(scene.facing)) + azimuth_deg + 180.0
    view = camera.fit(scene.corners(), sight, PANEL[0] / PANEL[1])
    return list(render.pictures(scene, view, 2 * PANEL[0], 2 * PANEL[1]))


def _posed(name: str) -> Take:
    """A take in which the character does exactly what the clip says."""
    reference, _ = build_reference(name)
    n, feet = len(reference.table), len(reference.character.feet)
    position, turn, com = (reference.column(part) for part in ("position", "rotation", "com"))
    nothing = np.zeros(n)
    return Take(
        character=reference.character,
        clip=reference.clip,
        times=np.arange(n) / reference.fps,
        position=position,
        rotation=turn,
        velocity=np.zeros((*position.shape[:2], 6)),
        ref_position=position,
        ref_rotation=turn,
        com=com,
        ref_com=com,
        contact=np.zeros((n, feet)),
        stance=reference.stance,
        joint_torque=nothing,
        help_torque=nothing,
        help_force=nothing,
        help_peak=np.zeros((n, 2)),
        help_root=np.zeros((n, 2)),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
