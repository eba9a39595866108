"""What there is to draw: coloured solids, posed in every frame. Says nothing about how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.motion.clip import Clip
from poise.report import palette
from poise.report.palette import Color
from poise.rotation import Array

_BONE_WIDTH = 0.055  # m, of a body 1.75 m tall
_HEAD_WIDTH = 0.17


@dataclass(frozen=True, eq=False)
class Piece:
    """One solid in N frames: "box", "sphere", "capsule" (along its z) or "arrow" (from its origin along its z).

    `size` (N, 3) holds full edge lengths of the bounding box, metres; a box keeps its first size.
    A piece that does not count for `framed` never makes the camera step back.
    """

    shape: str
    size: Array
    position: Array  # (N, 3)
    rotation: Array  # (N, 4)
    color: Color
    visible: Array  # (N,) bool
    framed: bool = True


@dataclass(frozen=True, eq=False)
class Scene:
    """Pieces over N frames on a floor at height 0, with the direction (radians about z) the figure faces first."""

    pieces: tuple[Piece, ...]
    times: Array
    facing: float
    floor: bool = True

    @property
    def nframes(self) -> int:
        return len(self.times)

    def at(self, frames: Array) -> Scene:
        """The same scene at some of its frames."""
        picked = tuple(
            Piece(p.shape, p.size[frames], p.position[frames], p.rotation[frames], p.color, p.visible[frames], p.framed)
            for p in self.pieces
        )
        return Scene(picked, self.times[frames], self.facing, self.floor)

    def corners(self) -> Array:
        """Corners of the framed pieces' boxes (N, K, 3); hidden pieces repeat a corner of a visible one."""
        pieces = [p for p in self.pieces if p.framed]
        signs = np.array(np.meshgrid([-0.5, 0.5], [-0.5, 0.5], [-0.5, 0.5])).reshape(3, 8).T
        corners = [
            p.position[:, None]
            + rotation.rotate(p.rotation[:, None], (signs + [0.0, 0.0, 0.5 * (p.shape == "arrow")]) * p.size[:, None])
            for p in pieces
        ]
        return np.concatenate(corners, axis=1)


def of_clip(clip: Clip) -> Scene:
    """The bones of a tidied clip (metres, Z up, floor at 0) as capsules, with a ball for the head."""
    position = np.concatenate([clip.world_positions, clip.end_positions()], axis=1)
    bones = [
        (p, j, clip.skeleton.names[j]) for j, p in enumerate(clip.skeleton.parents) if p > 0 or (p == 0 and _root_is_body(clip))
    ]
    ends = [(j, clip.skeleton.njoints + k, clip.skeleton.names[j]) for k, (j, _) in enumerate(clip.skeleton.ends)]
    scale = np.ptp(position[0], axis=0).max() / 1.75
    pieces = [_bone(position[:, a], position[:, b], name, scale) for a, b, name in bones + ends]
    return Scene(tuple(p for p in pieces if p is not None), clip.times, clip_facing(clip))


def clip_facing(clip: Clip) -> float:
    """The direction (radians about z) a clip's figure faces at first: square to the line from its right to its left."""
    sides = [palette.side_of(name) for name in clip.skeleton.names]
    left = [j for j, side in enumerate(sides) if side == "left"]
    right = [j for j, side in enumerate(sides) if side == "right"]
    if not left or not right:
        return 0.0
    x, y, _ = clip.world_positions[0, left].mean(axis=0) - clip.world_positions[0, right].mean(axis=0)
    return float(np.arctan2(-x, y))


def _root_is_body(clip: Clip) -> bool:
    """False for a static extra root on the floor below the hips."""
    return float(np.median(clip.world_positions[:, 0, 2])) > 0.2 * float(np.median(clip.world_positions[..., 2].max(axis=1)))


def _bone(start: Array, end: Array, name: str, scale: float) -> Piece | None:
    along = end - start
    length = np.linalg.norm(along, axis=-1)
    if length.max() < 1e-6:
        return None
    width = _BONE_WIDTH * scale * np.clip(length.mean() / (0.12 * scale), 0.3, 1.0)
    size = np.stack([np.full_like(length, width), np.full_like(length, width), length + width], axis=-1)
    turn = rotation.between(np.broadcast_to([0.0, 0.0, 1.0], along.shape), along)
    return Piece("capsule", size, 0.5 * (start + end), turn, palette.of_part(name), length > 1e-6)
