"""A clip: a skeleton and its motion, sampled at a steady rate."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from poise import rotation
from poise.errors import BadInput
from poise.motion.skeleton import Skeleton
from poise.rotation import Array


@dataclass(frozen=True)
class BvhLayout:
    """What a BVH file says beyond the motion, so that it can be written back in its own dialect.

    `channels[j]` are joint j's channel names in file order. `adds_offset[j]` tells that the joint's position
    channels are added to its OFFSET (MakeHuman); otherwise they replace it (Axis Neuron, most roots).
    """

    channels: tuple[tuple[str, ...], ...]
    adds_offset: tuple[bool, ...]


@dataclass(frozen=True)
class Placement:
    """How a tidied clip (metres, Z up, floor at 0) lies in its file: p_clip = scale * turn(p_file) + shift."""

    scale: float = 1.0
    turn: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Clip:
    """Rotations (F, J, 4) and translations (F, J, 3) of every joint relative to its parent, at `fps` frames per second.

    A reader returns a clip in the file's own units and axes; `tidy` turns it into metres, Z up, floor at 0.
    Where bones are rigid, translations of all but the travelling joint equal the skeleton's offsets.
    """

    name: str
    skeleton: Skeleton
    rotations: Array
    translations: Array
    fps: float
    layout: BvhLayout | None = None
    placement: Placement = field(default_factory=Placement)
    up: str | None = None  # the axis that the file's format fixes as up; None where it must be found
    lead_in: Clip | None = None  # frames that tidy took off the front (an added T-pose); written back to BVH

    def __post_init__(self) -> None:
        shape = (self.nframes, self.skeleton.njoints)
        if self.rotations.shape != (*shape, 4) or self.translations.shape != (*shape, 3):
            raise BadInput(
                f"clip '{self.name}': rotations {self.rotations.shape} and translations {self.translations.shape} "
                f"do not fit {shape[0]} frames of {shape[1]} joints"
            )
        if self.nframes == 0:
            raise BadInput(f"clip '{self.name}' has no frames")
        if not (np.isfinite(self.fps) and self.fps > 0):
            raise BadInput(f"clip '{self.name}': frame rate {self.fps} must be a positive number")
        if not (np.isfinite(self.rotations).all() and np.isfinite(self.translations).all()):
            raise BadInput(f"clip '{self.name}': motion holds NaN or infinity")
        if np.abs(np.sum(self.rotations**2, axis=-1) - 1.0).max() > 1e-6:
            raise BadInput(f"clip '{self.name}': rotations must be unit quaternions (wxyz)")

    @property
    def nframes(self) -> int:
        return len(self.rotations)

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return (self.nframes - 1) / self.fps

    @property
    def times(self) -> Array:
        return np.arange(self.nframes) / self.fps

    def with_(self, **changes: Any) -> Clip:
        """A copy with some fields changed."""
        return replace(self, **changes)

    @cached_property
    def world(self) -> tuple[Array, Array]:
        """World positions (F, J, 3) and rotations (F, J, 4) of all joints."""
        from poise.motion.kinematics import world_transforms

        parents = np.array(self.skeleton.parents, np.int64)
        return world_transforms(parents, self.rotations, self.translations)

    @property
    def world_positions(self) -> Array:
        return self.world[0]

    @property
    def world_rotations(self) -> Array:
        return self.world[1]

    def end_positions(self) -> Array:
        """World positions (F, E, 3) of the chain tips."""
        if not self.skeleton.ends:
            return np.empty((self.nframes, 0, 3))
        joints = [joint for joint, _ in self.skeleton.ends]
        offsets = np.array([offset for _, offset in self.skeleton.ends], float)
        position, turn = self.world
        return position[:, joints] + rotation.rotate(turn[:, joints], offsets)
