"""The pose in which a scenario lets its character start."""

from __future__ import annotations

import math

import numpy as np

from poise import rotation
from poise.reference.reference import Target
from poise.rotation import Array
from poise.scenario.events import compass
from poise.scenario.start import Start


def first_pose(start: Start, target: Target, seed: int) -> tuple[Array, Array, Array]:
    """Joint rotations (S, 4), the root's place and its velocity, from those of the reference at the start."""
    toward = rotation.rotate(rotation.about_z(rotation.heading(target.rotation[0])), compass(start.lean_toward_deg))
    lean = rotation.from_axis_angle(np.cross([0.0, 0.0, 1.0], toward), math.radians(start.lean_deg))
    joints = _scattered(target.joint_rotation, math.radians(start.scatter_deg), seed)
    joints[0] = rotation.multiply(lean, joints[0])
    below = target.position[0] * [1.0, 1.0, 0.0]
    return joints, below + rotation.rotate(lean, target.position[0] - below), rotation.rotate(lean, target.velocity[0])


def _scattered(joints: Array, angle: float, seed: int) -> Array:
    """Joint rotations (S, 4), each but the root's turned by an angle about an axis that the seed chooses."""
    axis = np.random.default_rng(seed).normal(size=(len(joints), 3))
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    axis[0] = 0.0
    return rotation.multiply(joints, rotation.exp(angle * axis))
