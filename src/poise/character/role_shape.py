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
    for j in range(skeleton.njoints - 1, 0, -1):
        p = skeleton.parents[j]
        children[p].append(j)
        bone[j] = np.linalg.norm(positions[j] - positions[p])
        reach[p] = max(reach[p], bone[j] + reach[j])
    floor = float(positions[:, 2].min())
    height = max(float(positions[:, 2].max()) - floor, _TINY)
    return Shape(skeleton, positions, tips, tuple(tuple(reversed(c)) for c in children), bone, reach, floor, height)


def alike(shape: Shape, a: list[int], b: list[int]) -> float:
    """How well two chains match bone by bone, 0 to 1, whatever their pose."""
    la, lb = shape.bone[a[1:]], shape.bone[b[1:]]
    n = max(len(la), len(lb))
    if n == 0:
        return 1.0
    la, lb = np.pad(la, (0, n - len(la))), np.pad(lb, (0, n - len(lb)))
    longest = np.maximum(la, lb).sum()
    return float(np.minimum(la, lb).sum() / longest) if longest > _TINY else 1.0
