"""How a character starts: in the pose of its clip, or off balance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from poise import rotation
from poise.rotation import Array
from poise.scenario import checked
from poise.scenario.checked import Interval
from poise.scenario.events import compass

if TYPE_CHECKING:
    from poise.reference.reference import Target


@dataclass(frozen=True)
class Start:
    """The whole body leans about the ground below its pelvis; every joint is turned by `scatter_deg` about a random axis."""

    lean_deg: float = 0.0
    lean_toward_deg: float = 0.0  # on the character's compass: 0 leans forward
    scatter_deg: float = 0.0

    def __post_init__(self) -> None:
        limits = {"lean_deg": Interval(0, 45), "lean_toward_deg": Interval(-360, 360), "scatter_deg": Interval(0, 90)}
        for key, within in limits.items():
            object.__setattr__(self, key, checked.number("start", key, getattr(self, key), within, "degrees"))

    def __bool__(self) -> bool:
        """Whether it differs from the clip's own first pose."""
        return self.lean_deg > 0.0 or self.scatter_deg > 0.0

    def pose(self, target: Target, seed: int) -> tuple[Array, Array, Array]:
        """Joint rotations (S, 4), the root's place and its velocity, from those of the reference at the start."""
        toward = rotation.rotate(rotation.about_z(rotation.heading(target.rotation[0])), compass(self.lean_toward_deg))
        lean = rotation.from_axis_angle(np.cross([0.0, 0.0, 1.0], toward), math.radians(self.lean_deg))
        joints = _scattered(target.joint_rotation, math.radians(self.scatter_deg), seed)
        joints[0] = rotation.multiply(lean, joints[0])
        foot = target.position[0] * [1.0, 1.0, 0.0]
        return joints, foot + rotation.rotate(lean, target.position[0] - foot), rotation.rotate(lean, target.velocity[0])


def _scattered(joints: Array, angle: float, seed: int) -> Array:
    """Joint rotations (S, 4), each but the root's turned by an angle about an axis that the seed chooses."""
    axis = np.random.default_rng(seed).normal(size=(len(joints), 3))
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    axis[0] = 0.0
    return rotation.multiply(joints, rotation.exp(angle * axis))
