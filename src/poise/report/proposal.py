"""What was understood of an artist's rig, in one picture: its flesh in the colours of its segments, bones, boxes and doubts."""

from __future__ import annotations

import textwrap
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poise import rotation
from poise.character.limbs import limbs_of
from poise.character.skin import bind_pose
from poise.files import whole
from poise.report import palette
from poise.rotation import Array

if TYPE_CHECKING:
    from poise.character.rig.proposal import Proposal

_SIZE, _DPI = (12.0, 6.6), 110  # inches
_INK, _FAINT = "#262c38", "#707886"
_ROOM = 0.08  # of the height, beside each view
_MOST_TRIANGLES = 30_000
_TOWARDS_LIGHT = np.array([0.35, -0.5, 0.8])
_EDGES = [(a, b) for a, b in product(range(8), repeat=2) if a < b and (a ^ b) in (1, 2, 4)]
_VIEWS = (("from its right", np.array([[1.0, 0, 0], [0, 0, 1.0]]), np.array([0, 1.0, 0])),
          ("from the front", np.array([[0, 1.0, 0], [0, 0, 1.0]]), np.array([-1.0, 0, 0])))  # fmt: skip


def draw_proposal(proposal: Proposal, path: str | Path) -> None:
    """Write a PNG: the rig as it was bound, from the side and from the front, and a table of segments, bones and masses."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE, dpi=_DPI, facecolor="white")
    FigureCanvasAgg(figure)
    panel = figure.add_axes((0.01, 0.2, 0.69, 0.73))
    panel.axis("off")
    right = 0.0
    for label, plane, away in _VIEWS:
        right = _draw(panel, proposal, plane, away, right, label)
    panel.set(xlim=(0.0, right), aspect="equal", anchor="SW")
    character, placed = proposal.character, proposal.placed
    head = f"{character.name}: {placed.height:.2f} m, {character.mass:.0f} kg, {len(placed.rig.joints)} joints"
    figure.text(0.012, 0.955, head, fontsize=13, fontweight="bold", color=_INK, parse_math=False)
    _write_table(figure, proposal)
    lines = [line for doubt in proposal.doubts for line in textwrap.wrap(f"? {doubt}", 150, subsequent_indent="   ")]
    figure.text(0.012, 0.175, "\n".join(lines[:11]), fontsize=7, color=_INK, va="top", parse_math=False)
    with whole(path) as draft:
        figure.savefig(draft, format="png")


def _draw(panel: Any, proposal: Proposal, plane: Array, away: Array, left: float, label: str) -> float:
    """Draws one view to the right of `left`, metres, and returns where it ends."""
    from matplotlib.collections import LineCollection, PolyCollection

    corners, colors = _flesh(proposal, away)
    boxes, bones, joints = _skeleton(proposal)
    points = np.concatenate([corners.reshape(-1, 3), boxes.reshape(-1, 3)]) @ plane.T
    low, high = points.min(axis=0), points.max(axis=0)
    room = _ROOM * proposal.placed.height
    shift = np.array([left + room - low[0], -low[1]])
    flat = [part @ plane.T + shift for part in (corners, boxes, bones, joints)]
    panel.add_collection(PolyCollection(list(flat[0]), facecolors=colors, edgecolors=colors, linewidths=0.3))
    panel.add_collection(LineCollection(list(flat[1]), colors=_INK, linewidths=0.5, alpha=0.55))
    panel.add_collection(LineCollection(list(flat[2]), colors="white", linewidths=3.0))
    panel.add_collection(LineCollection(list(flat[2]), colors=_INK, linewidths=1.4))
    panel.scatter(*flat[3].T, s=14, color="white", edgecolors=_INK, linewidths=0.9, zorder=3)
    end = left + float(high[0] - low[0]) + 2.0 * room
    panel.plot([left, end], [0.0, 0.0], color=_FAINT, linewidth=0.8, zorder=0)
    panel.text(left + room, -0.02 * proposal.placed.height, label, fontsize=8, color=_FAINT, va="top")
    panel.set_ylim(-0.08 * proposal.placed.height, max(panel.get_ylim()[1] if left else 0.0, high[1] - low[1] + room))
    return end


def _flesh(proposal: Proposal, away: Array) -> tuple[Array, list[tuple[float, ...]]]:
    """Triangles (T, 3, 3) in the bind pose, far ones first, and their shaded colours; `away` points from the viewer."""
    placed, resting = proposal.placed, proposal.resting
    triangles = placed.rig.mesh.triangles
    triangles = triangles[:: -(-len(triangles) // _MOST_TRIANGLES) or 1]
    corners = placed.vertices[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-12)
    towards = np.linalg.norm(_TOWARDS_LIGHT)
    shade = 0.72 + 0.28 * np.abs(normal @ _TOWARDS_LIGHT) / towards
    owner = np.maximum(np.array(resting.owner), 0)[placed.rig.main_joint[triangles[:, 0]]]
    tone = np.array([_tone(name, k) for k, name in enumerate(resting.names)])
    order = np.argsort(-(corners.mean(axis=1) @ away), kind="stable")
    colors = [tuple(c) for c in (tone[owner] * shade[:, None])[order]]
    return corners[order], colors


def _tone(name: str, k: int) -> tuple[float, float, float]:
    """A segment's colour: that of its side, every second one lighter so that neighbours differ."""
    rgb = np.array(palette.of_part(name)[:3])
    light = rgb + (0.38 if k % 2 else 0.0) * (1.0 - rgb)
    return float(light[0]), float(light[1]), float(light[2])


def _skeleton(proposal: Proposal) -> tuple[Array, Array, Array]:
    """Edges of boxes (E, 2, 3), bones (B, 2, 3) and joints (S, 3) in the bind pose, where the rig is."""
    character, skin = proposal.character, proposal.character.skin
    assert skin is not None  # a proposal's character is made from a rig
    turns, joints = bind_pose(character, skin)
    joints = joints - np.array(skin.shift)
    edges = []
    for k, segment in enumerate(character.segments):
        half = 0.5 * np.array(segment.box.size)
        corners = np.array([half * sign for sign in product((-1, 1), repeat=3)])
        corners = joints[k] + rotation.rotate(turns[k], segment.box.center + rotation.rotate(segment.box.turn, corners))
        edges += [(corners[a], corners[b]) for a, b in _EDGES]
    bones = [(joints[p], joints[k]) for k, p in enumerate(character.parents) if p >= 0]
    return np.array(edges), np.array(bones).reshape(-1, 2, 3), joints


def _write_table(figure: Any, proposal: Proposal) -> None:
    """Segments with the bones they turn about and their masses, under their limbs."""
    character, y = proposal.character, 0.925
    limbs = limbs_of(character)
    in_limbs = {name for limb in limbs for name in limb.segments}
    groups = [("body", "", [n for n in character.names if n not in in_limbs])]
    groups += [(limb.name.replace("_", " "), limb.kind, list(limb.segments)) for limb in limbs]
    step = min(0.026, 0.8 / (sum(len(names) for *_, names in groups) + 1.3 * len(groups)))
    for title, kind, names in groups:
        figure.text(0.72, y, f"{title}   {kind}", fontsize=7.5, color=_INK, fontweight="bold", parse_math=False)
        for name in names:
            y -= step
            mass = character.segments[character.index(name)].mass
            figure.text(0.725, y, name, fontsize=7, color=palette.of_part(name)[:3], parse_math=False)
            figure.text(0.815, y, proposal.bones[name][:28], fontsize=7, color=_INK, parse_math=False)
            figure.text(0.985, y, f"{mass:.1f} kg", fontsize=7, color=_FAINT, ha="right")
        y -= 1.3 * step
