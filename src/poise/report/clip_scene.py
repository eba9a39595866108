"""A clip as a scene: its bones as capsules, a ball for the head."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.motion.clip import Clip
from poise.report import palette
from poise.report.scene import Piece, Scene
from poise.rotation import Array

# Metres, of a body whose joints span 1.7 m.
_BODY = 1.7
_BONE_WIDTH = 0.055
_FULL_WIDTH_LENGTH = 0.12  # shorter bones (fingers, face) are thinner
_HEAD_WIDTH = 0.19


def clip_scene(clip: Clip) -> Scene:
    """The figure of a tidied clip (metres, Z up, floor at 0) at all of its frames."""
    points = np.concatenate([clip.world_positions, clip.end_positions()], axis=1)
    scale = float(np.percentile(np.ptp(points[..., 2], axis=1), 90)) / _BODY
    bones = [_bone(points[:, a], points[:, b], name, scale) for a, b, name in _connections(clip)]
    pieces = [piece for piece in (*bones, _head(clip, scale)) if piece is not None]
    return Scene(tuple(pieces), clip.times, facing(clip))


def facing(clip: Clip) -> float:
    """The direction (radians about z) that the figure faces at first: square to the line from right hip and shoulder to left."""
    sides = [palette.side_of(name) for name in clip.skeleton.names]
    # Where a limb leaves the trunk; hands and feet wave about.
    starts = [j for j, p in enumerate(clip.skeleton.parents) if p >= 0 and sides[j] != sides[p]]
    left, right = ([j for j in starts if sides[j] == which] for which in ("left", "right"))
    if not left or not right:
        return 0.0
    x, y, _ = clip.world_positions[0, left].mean(axis=0) - clip.world_positions[0, right].mean(axis=0)
    return float(np.arctan2(-x, y))


def _connections(clip: Clip) -> list[tuple[int, int, str]]:
    """Which points a bone joins, and its name; chain tips are numbered after the joints."""
    skeleton = clip.skeleton
    inside = 0 if _root_is_in_the_body(clip) else 1
    bones = [(p, j, skeleton.names[j]) for j, p in enumerate(skeleton.parents) if p >= inside]
    return bones + [(j, skeleton.njoints + k, skeleton.names[j]) for k, (j, _) in enumerate(skeleton.ends)]


def _root_is_in_the_body(clip: Clip) -> bool:
    """False for an extra root that lies on the floor while the hips, its child, walk about."""
    height = np.median(clip.world_positions[..., 2], axis=0)
    return float(height[0]) > 0.2 * float(height.max())


def _bone(start: Array, end: Array, name: str, scale: float) -> Piece | None:
    along = end - start
    length = np.linalg.norm(along, axis=-1)
    if length.max() < 1e-6:
        return None
    width = _BONE_WIDTH * scale * np.clip(length.mean() / (_FULL_WIDTH_LENGTH * scale), 0.3, 1.0)
    size = np.stack([np.full_like(length, width), np.full_like(length, width), length + width], axis=-1)
    turn = rotation.between(np.broadcast_to([0.0, 0.0, 1.0], along.shape), along)
    return Piece("capsule", size, 0.5 * (start + end), turn, palette.of_part(name), length > 1e-6)


def _head(clip: Clip, scale: float) -> Piece | None:
    """A ball on top of the neck; None where no joint is called a head."""
    head = next((j for j, name in enumerate(clip.skeleton.names) if "head" in name.lower()), None)
    if head is None or clip.skeleton.parents[head] < 0:
        return None
    position = clip.world_positions
    neck = position[:, head] - position[:, clip.skeleton.parents[head]]
    up = neck / np.maximum(np.linalg.norm(neck, axis=-1, keepdims=True), 1e-9)
    width = _HEAD_WIDTH * scale
    size = np.full((clip.nframes, 3), width)
    still = np.broadcast_to(rotation.IDENTITY, (clip.nframes, 4))
    return Piece("sphere", size, position[:, head] + 0.4 * width * up, still, palette.HEAD, np.ones(clip.nframes, bool))
