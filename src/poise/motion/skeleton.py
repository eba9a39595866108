"""A tree of joints with fixed offsets, as motion files describe it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poise.errors import BadInput, choices
from poise.rotation import Array


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Joints in depth-first order: a parent always comes before its children, joint 0 is the root.

    `offsets[j]` is where joint j sits in its parent's frame when bones keep their length.
    `ends` are the tips of the chains (BVH "End Site"): (joint, offset in that joint's frame).
    """

    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Array
    ends: tuple[tuple[int, tuple[float, float, float]], ...] = field(default=())

    def __post_init__(self) -> None:
        n = len(self.names)
        if n == 0:
            raise BadInput("skeleton has no joints")
        if len(self.parents) != n or self.offsets.shape != (n, 3):
            raise BadInput(f"skeleton: {n} names, {len(self.parents)} parents, offsets {self.offsets.shape} do not match")
        if self.parents[0] != -1 or any(not 0 <= p < j for j, p in enumerate(self.parents) if j):
            raise BadInput("skeleton: joint 0 must be the only root and every parent must come before its children")
        if not np.isfinite(self.offsets).all():
            raise BadInput("skeleton: offsets must be finite numbers")

    @property
    def njoints(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """The joint of that name."""
        try:
            return self.names.index(name)
        except ValueError:
            raise BadInput(f"unknown joint '{name}'{choices(name, self.names)}") from None

    def children(self, joint: int) -> list[int]:
        return [j for j, p in enumerate(self.parents) if p == joint]

    def descendants(self, joint: int) -> list[int]:
        """The joint itself and everything below it."""
        inside = {joint}
        for j in range(joint + 1, self.njoints):
            if self.parents[j] in inside:
                inside.add(j)
        return sorted(inside)

    def ancestors(self, joint: int) -> list[int]:
        """From the joint's parent up to the root."""
        chain = []
        while (joint := self.parents[joint]) >= 0:
            chain.append(joint)
        return chain
