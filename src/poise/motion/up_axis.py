"""Which way is up in a clip, from five kinds of evidence.

Every direction (+x, -x, +y, …) collects points:

* the OFFSET pose, if it is stretched out like a body, points from feet to head that way (weight 1);
* the body points from feet to head that way, averaged over the frames (1.5): a rig that is turned upright by its motion wins
  over its OFFSET pose, while a handstand, which points both ways, does not;
* the lowest points that way keep to one level, as a floor makes them (1);
* that level is near zero, as capture volumes are set up (0.5);
* the lowest point that way is on a foot (0.5).

A small prior breaks ties: most BVH files are Y up, some Z up, hardly any hang head down.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.errors import BadInput, choices
from poise.motion.landmarks import Landmarks, rest_points
from poise.motion.skeleton import Skeleton
from poise.motion.travel import pelvis
from poise.rotation import Array

DIRECTIONS = ("x", "-x", "y", "-y", "z", "-z")
_PRIOR = np.array([0.0, -1.0, 0.25, -1.0, 0.15, -1.0])
_REST, _POSE, _LEVEL, _ZERO, _FOOT = 1.0, 1.5, 1.0, 0.5, 0.5
_LEVEL_BAND = 0.03  # of the body's height: a foot rolls from heel to toe within it
_ZERO_BAND = 0.12  # of the body's height
_STRAIGHT = 0.75  # of the body's height, from feet to head; joint frames that lie as they like make a tangle of the OFFSET pose
_ENOUGH_FRAMES = 500
_CLEAR = 0.4  # the best direction leads by less than this: say that it is a guess


@dataclass(frozen=True)
class UpAxis:
    """The direction that is up in the file, and the next best one if it was close."""

    name: str
    rival: str | None = None

    @property
    def turn(self) -> tuple[float, float, float, float]:
        """The rotation that brings it to +Z."""
        sign = -1.0 if self.name.startswith("-") else 1.0
        w, x, y, z = rotation.between(sign * np.eye(3)["xyz".index(self.name[-1])], [0.0, 0.0, 1.0])
        return float(w), float(x), float(y), float(z)

    @property
    def repair(self) -> str | None:
        return None if self.name == "z" else f"turned the file's {self.name} axis up to z (--up)"

    @property
    def warning(self) -> str | None:
        return f"up was taken as {self.name} but could be {self.rival}; tell with --up" if self.rival else None


def find_up(points: Array, skeleton: Skeleton, marks: Landmarks, height: float) -> UpAxis:
    """The up direction of points (F, P, 3) in world space; `height` is the body's, in the same units."""
    points = _without_handles(points[:: max(len(points) // _ENOUGH_FRAMES, 1)], skeleton)
    lows, on_foot = _lowest(points, marks)
    level = np.percentile(lows, 10.0, axis=0)
    score = _PRIOR + _LEVEL * np.mean(np.abs(lows - level) <= _LEVEL_BAND * height, axis=0)
    score = score + _ZERO * (np.abs(level) < _ZERO_BAND * height) + _FOOT * on_foot
    if marks.head or marks.feet:
        score = score + _POSE * _upright(points, marks)
        rest = rest_points(skeleton)[None]
        if np.linalg.norm(_tall(rest, marks)) > _STRAIGHT * height:
            score = score + _REST * _upright(rest, marks)
    best, second = np.argsort(-score, kind="stable")[:2]
    close = score[best] - score[second] < _CLEAR
    return UpAxis(DIRECTIONS[best], DIRECTIONS[second] if close else None)


def given_up(name: str) -> UpAxis:
    """The direction that the caller names."""
    if name not in DIRECTIONS:
        raise BadInput(f"up axis '{name}' unknown{choices(str(name), DIRECTIONS)}")
    return UpAxis(name)


def _without_handles(points: Array, skeleton: Skeleton) -> Array:
    """The points with all above the pelvis put into it: a handle on the floor is neither a foot nor a head."""
    first = pelvis(skeleton)
    return np.concatenate([points[:, first : first + 1].repeat(first, axis=1), points[:, first:]], axis=1)


def _lowest(points: Array, marks: Landmarks) -> tuple[Array, Array]:
    """The lowest coordinate of each frame along the six directions (F, 6), and how often a foot has it (6,), 0 to 1."""
    ends = np.stack([points.argmin(axis=1), points.argmax(axis=1)], axis=-1).reshape(len(points), 6)
    coordinates = np.take_along_axis(points.repeat(2, axis=-1), ends[:, None], axis=1)[:, 0]
    return coordinates * np.tile([1.0, -1.0], 3), np.isin(ends, marks.feet).mean(axis=0)


def _upright(points: Array, marks: Landmarks) -> Array:
    """How much the body points from feet to head along each of the six directions, 0 to 1, averaged over the frames (6,)."""
    tall = _tall(points, marks)
    tall = tall / np.maximum(np.linalg.norm(tall, axis=-1, keepdims=True), 1e-12)
    both = np.stack([tall, -tall], axis=-1).reshape(len(tall), 6)
    return np.mean(np.maximum(both, 0.0) ** 2, axis=0)


def _tall(points: Array, marks: Landmarks) -> Array:
    """From the feet to the head (F, 3); the root stands in for what is not known."""
    return points[:, marks.head or (0,)].mean(axis=1) - points[:, marks.feet or (0,)].mean(axis=1)
