"""Draws the pictures of docs/rigs.md: `python -m tools.rig_pictures RIGS MOCAP [--into docs/images]`.

RIGS and MOCAP are the folders of real rigs and clips. A proposal is what `poise character new RIG -o proposal.png` draws; a strip
shows the rig's own mesh, moved by the simulated segments, every few moments from the side.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from poise import rotation
from poise.character.rig.carried import CarriedMesh, carried_mesh
from poise.character.rig.proposal import propose
from poise.files import whole
from poise.report.proposal import draw_proposal
from poise.rotation import Array
from poise.simulation import simulate
from poise.take import Take

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
COLORS = 64
_CLAY = np.array([0.72, 0.6, 0.47])
_SUN = np.array([0.35, -0.7, 0.7])
_VIEW_DEG = 20.0  # from the side towards the front


@dataclass(frozen=True)
class Strip:
    """A rig, the clip it plays, with which controller, and at which moments (seconds)."""

    rig: str
    clip: str
    controller: str
    name: str
    times: tuple[float, ...]


PROPOSALS = ("Velociraptor", "RobotExpressive", "Casual_man")
STRIPS = (
    Strip("Velociraptor", "cmu/07_01.bvh", "limbs", "rig_raptor_walk", (0.1, 0.5, 0.9, 1.3, 1.7, 2.1)),
    Strip("Velociraptor", "cmu/143_23.bvh", "limbs", "rig_raptor_punch", (0.5, 1.5, 1.9, 2.5, 4.8, 5.6)),
    Strip("RobotExpressive", "cmu/143_23.bvh", "limbs", "rig_robot_punch", (0.5, 1.5, 1.9, 2.5, 3.5, 4.8, 5.6)),
    Strip("Casual_man", "cmu/07_01.bvh", "balance", "rig_man_walk", (0.1, 0.45, 0.8, 1.15, 1.5, 1.85, 2.2)),
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
        _fewer_colors(path)
    for strip in STRIPS:
        character = propose(next(options.rigs.rglob(f"{strip.rig}.glb"))).character
        take = simulate(options.mocap / strip.clip, character=character, controller=strip.controller)
        assert character.skin is not None
        draw_strip(take, carried_mesh(character, character.skin), strip, options.into / f"{strip.name}.png")


def draw_strip(take: Take, mesh: CarriedMesh, strip: Strip, path: Path) -> None:
    """Writes the mesh at the strip's moments, side by side on one floor."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figures = [_seen(take, mesh, k) for k in np.searchsorted(take.times, strip.times)]
    widths = [float(np.ptp(flat[..., 0])) for flat, _ in figures]
    tall = max(float(flat[..., 1].max()) for flat, _ in figures) + 0.1
    gap = 0.12 * tall
    whole_width = sum(widths) + gap * (len(widths) + 1)
    figure = Figure(figsize=(12.0, 12.0 * (tall + 0.2) / whole_width), dpi=110, facecolor="white")
    FigureCanvasAgg(figure)
    panel = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    panel.axis("off")
    panel.set(xlim=(0.0, whole_width), ylim=(-0.2, tall))
    panel.plot([0.0, whole_width], [0.0, 0.0], color="#b8bec8", linewidth=1.0, zorder=0)
    left = gap
    for (flat, colors), width, time in zip(figures, widths, strip.times, strict=True):
        _draw(panel, flat, colors, left, f"{time:.2f} s")
        left += width + gap
    with whole(path) as draft:
        figure.savefig(draft, format="png")
    _fewer_colors(path)


def _draw(panel: Any, flat: Array, colors: Array, left: float, label: str) -> None:
    from matplotlib.collections import PolyCollection

    shift = np.array([left - flat[..., 0].min(), 0.0])
    panel.add_collection(PolyCollection(list(flat + shift), facecolors=colors, edgecolors=colors, linewidths=0.3))
    panel.text(left, -0.05, label, fontsize=8, color="#707886", va="top")


def _seen(take: Take, mesh: CarriedMesh, frame: int) -> tuple[Array, Array]:
    """Triangles (T, 3, 2) as seen from the character's right, far ones first, and their colours (T, 3)."""
    heading = rotation.about_z(-rotation.heading(take.rotation[0, 0]) + np.radians(_VIEW_DEG))
    points = rotation.rotate(heading, mesh.at(take.position[frame], take.rotation[frame]))
    corners = points[mesh.triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-12)
    shade = 0.55 + 0.45 * np.clip(normal @ _SUN / np.linalg.norm(_SUN), 0.0, 1.0)
    order = np.argsort(-corners[..., 1].mean(axis=1), kind="stable")
    return corners[order][..., [0, 2]], np.clip(shade[order, None] * _CLAY, 0.0, 1.0)


def _fewer_colors(path: Path) -> None:
    """Makes a picture small enough for a page that loads quickly."""
    from PIL import Image

    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    with whole(path) as draft:
        small.save(draft, format="PNG", optimize=True)


if __name__ == "__main__":
    main()
