"""The shape of a skeleton in an upright pose: branches, lengths, heights. World frame, Z up, metres."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.motion.skeleton import Skeleton
from poise.rotation import Array

_TINY = 1e-9


@dataclass(frozen=True, eq=False)
class Shape:
    """A skeleton with joint positions (J, 3) and, where known, positions of its chain tips (E, 3)."""

    skeleton: Skeleton
    positions: Array
    tips: Array | None
    children: tuple[tuple[int, ...], ...]
    bone: Array  # (J,) distance to the parent
    reach: Array  # (J,) longest way along the bones below the joint
    low: Array  # (J,) height of the lowest joint at or below the joint
    floor: float
    height: float

    def above(self, joint: int) -> list[int]:
        """The joint and everything above it, up to the root."""
        return [joint, *self.skeleton.ancestors(joint)]

    def below(self, joint: int) -> list[int]:
        """The joint and everything below it."""
        found, waiting = [], [joint]
        while waiting:
            found.append(waiting.pop())
            waiting.extend(self.children[found[-1]])
        return found

    def meeting(self, joints: list[int]) -> int:
        """The lowest joint that all of these hang from (or are)."""
        common = self.above(joints[0])
        for joint in joints[1:]:
            line = set(self.above(joint))
            common = [j for j in common if j in line]
        return common[0]

    def way(self, top: int, bottom: int) -> list[int]:
        """Joints from one (left out) down to another below it (included)."""
        line = self.above(bottom)
        return line[: line.index(top)][::-1]

    def distance(self, a: int, b: int) -> float:
        return float(np.linalg.norm(self.positions[a] - self.positions[b]))


def measure(skeleton: Skeleton, positions: Array, tips: Array | None) -> Shape:
    """The shape of a skeleton whose joints stand at `positions`."""
    children: list[list[int]] = [[] for _ in skeleton.names]
    bone, reach = np.zeros(skeleton.njoints), np.zeros(skeleton.njoints)
    low = positions[:, 2].copy()
    for j in range(skeleton.njoints - 1, 0, -1):
        p = skeleton.parents[j]
        children[p].append(j)
        bone[j] = np.linalg.norm(positions[j] - positions[p])
        reach[p] = max(reach[p], bone[j] + reach[j])
        low[p] = min(low[p], low[j])
    floor = float(positions[:, 2].min())
    height = max(float(positions[:, 2].max()) - floor, _TINY)
    return Shape(skeleton, positions, tips, tuple(tuple(reversed(c)) for c in children), bone, reach, low, floor, height)


def alike(shape: Shape, a: list[int], b: list[int]) -> float:
    """How well two chains match bone by bone, 0 to 1, whatever their pose."""
    la, lb = shape.bone[a[1:]], shape.bone[b[1:]]
    n = max(len(la), len(lb))
    if n == 0:
        return 1.0
    la, lb = np.pad(la, (0, n - len(la))), np.pad(lb, (0, n - len(lb)))
    longest = np.maximum(la, lb).sum()
    return float(np.minimum(la, lb).sum() / longest) if longest > _TINY else 1.0


def limb_fit(shape: Shape, chain: list[int], i: int, j: int, k: int) -> float:
    """How much a chain looks like a limb whose upper bone runs from its joint i to j and whose lower one from j to k, 0 to 1.

    Two bones of like length make up most of a limb. Joints inside a bone (twist bones) lie on the straight line and
    nothing branches off there; fingers do not branch off an elbow.
    """
    upper, lower = shape.distance(chain[i], chain[j]), shape.distance(chain[j], chain[k])
    whole = float(shape.bone[chain].sum())
    if min(upper, lower) < _SHORTEST_BONE * whole + _TINY:
        return 0.0
    inside = _inside(shape, chain[i : j + 1]) * _inside(shape, chain[j : k + 1])
    fan = _FAN_AT_ELBOW if _branches(shape, chain[j]) >= _FINGERS else 1.0
    return min(upper, lower) / max(upper, lower) * (upper + lower) / whole * inside * fan


def bone_fit(shape: Shape, chain: list[int], i: int, j: int) -> float:
    """How much the part of a chain from its joint i to j looks like one long bone, 0 to 1."""
    whole = float(shape.bone[chain].sum())
    return shape.distance(chain[i], chain[j]) / whole * _inside(shape, chain[i : j + 1]) if whole > _TINY else 0.0


_SHORTEST_BONE = 0.02  # of the chain
_ON_THE_LINE = 0.03  # of the bone's length: how far off a twist bone may be
_TWIST_BONE, _BEND = 0.8, 0.6  # what a joint inside a bone costs when on the line, and when not or when it branches
_FINGERS, _FAN_AT_ELBOW = 3, 0.5  # so many chains fan out at a hand; what it costs to call that an elbow


def _inside(shape: Shape, bone: list[int]) -> float:
    """The factor for joints strictly inside one bone; those that coincide with an end are free."""
    points = shape.positions[bone]
    axis = points[-1] - points[0]
    length = _length(axis)
    factor = 1.0
    for joint, point in zip(bone[1:-1], points[1:-1], strict=True):
        if min(_length(point - points[0]), _length(point - points[-1])) < 1e-3 * length:
            continue
        off = _length(np.cross(point - points[0], axis)) / length**2
        factor *= _TWIST_BONE if off < _ON_THE_LINE and len(shape.children[joint]) < 2 else _BEND
    return factor


def _branches(shape: Shape, joint: int) -> int:
    """Chains of several joints that start at a joint."""
    return sum(bool(shape.children[c]) for c in shape.children[joint])


def _length(v: Array) -> float:
    return float(np.sqrt(v @ v))
