"""A chain of joints as a limb: which of its joints could be the ends of the two long bones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from poise.character.role_shape import Shape
from poise.rotation import Array

_TINY = 1e-9
_SHORTEST_BONE = 0.02  # of the chain
_ON_THE_LINE = 0.03  # of the bone's length: how far off a twist bone may be
_TWIST_BONE, _BEND = 0.8, 0.6  # what a joint inside a bone costs when on the line, and when not or when it branches
_ENDS_COINCIDE = 1e-3  # of the bone's length: a joint so near an end is at that end
_FINGERS, _FAN_AT_ELBOW = 3, 0.5  # so many chains fan out at a hand; what it costs to call that an elbow


@dataclass(frozen=True, eq=False)
class Chain:
    """Joints one below the other, and the bones that run from any of them to any later one."""

    shape: Shape
    joints: list[int]
    lengths: Array  # (n, n) distances
    straight: dict[tuple[int, int], float]  # from, to -> how much the joints between look like one bone, 0 to 1

    @cached_property
    def whole(self) -> float:
        """Length along the chain, from the trunk on."""
        return float(self.shape.bone[self.joints].sum()) + _TINY

    def bone_fit(self, i: int, j: int) -> float:
        """How much the part from joint i to j looks like one long bone, 0 to 1."""
        return float(self.lengths[i, j]) / self.whole * self.straight[i, j]

    def limb_fit(self, i: int, j: int, k: int) -> float:
        """How much the chain looks like a limb whose upper bone runs from joint i to j and whose lower one from j to k, 0 to 1.

        Two bones of like length make up most of a limb, and fingers do not branch off an elbow.
        """
        upper, lower = float(self.lengths[i, j]), float(self.lengths[j, k])
        if min(upper, lower) < _SHORTEST_BONE * self.whole:
            return 0.0
        fan = _FAN_AT_ELBOW if _branches(self.shape, self.joints[j]) >= _FINGERS else 1.0
        one_bone_each = self.straight[i, j] * self.straight[j, k]
        return min(upper, lower) / max(upper, lower) * (upper + lower) / self.whole * one_bone_each * fan


def make_chain(shape: Shape, joints: list[int]) -> Chain:
    """The chain of these joints."""
    points = shape.positions[joints]
    lengths = np.linalg.norm(points[:, None] - points, axis=-1)
    straight = {(i, j): _straightness(shape, joints[i : j + 1]) for i, j in combinations(range(len(joints)), 2)}
    return Chain(shape, joints, lengths, straight)


def _straightness(shape: Shape, bone: list[int]) -> float:
    """1 for a bone without joints inside it; less for each twist bone, and less still for one off the line or with branches."""
    points = shape.positions[bone] - shape.positions[bone[0]]
    axis, length2 = points[-1], float(points[-1] @ points[-1]) + _TINY
    factor = 1.0
    for joint, point in zip(bone[1:-1], points[1:-1], strict=True):
        along = float(point @ axis) / length2
        off2 = float(point @ point) / length2 - along**2
        if off2 < _ENDS_COINCIDE**2 and min(abs(along), abs(1.0 - along)) < _ENDS_COINCIDE:
            continue
        factor *= _TWIST_BONE if off2 < _ON_THE_LINE**2 and len(shape.children[joint]) < 2 else _BEND
    return factor


def _branches(shape: Shape, joint: int) -> int:
    """Chains of several joints that start at a joint."""
    return sum(bool(shape.children[c]) for c in shape.children[joint])
