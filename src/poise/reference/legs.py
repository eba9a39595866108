"""Two-bone legs: the smallest change of thigh and shin that puts the ankle where it should be."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.rotation import Array

LONGEST_REACH = 0.995  # of the leg; a fully straight knee has no direction to bend


def reach(
    thigh: Array, shin: Array, hip: Array, knee_offset: Array, ankle_offset: Array, target: Array, *, backward: bool = False
) -> tuple[Array, Array]:
    """New world rotations (F, 4) of thigh and shin that bring the ankle to `target` (F, 3), or as near as it goes.

    `hip` (F, 3) is the hip joint; `knee_offset` and `ankle_offset` (3,) lie in the thigh's and the shin's frame. The knee
    keeps its bending plane; first it bends to the right distance, `backward` like a bird's or forward, then the whole leg swings
    to the right direction.
    """
    upper, lower = rotation.rotate(thigh, knee_offset), rotation.rotate(shin, ankle_offset)
    a, b = float(np.linalg.norm(knee_offset)), float(np.linalg.norm(ankle_offset))
    distance = np.clip(np.linalg.norm(target - hip, axis=-1), 1.02 * abs(a - b) + 1e-6, LONGEST_REACH * (a + b))
    axis = _bending_axis(upper, lower, thigh)
    now = np.arctan2(np.sum(np.cross(upper, lower) * axis, axis=-1), np.sum(upper * lower, axis=-1))
    want = np.pi - np.arccos(np.clip((a * a + b * b - distance**2) / (2 * a * b), -1.0, 1.0))
    bent = rotation.multiply(rotation.from_axis_angle(axis, (-want if backward else want) - now), shin)
    ankle = upper + rotation.rotate(bent, ankle_offset)
    swing = rotation.between(ankle, target - hip)
    return rotation.multiply(swing, thigh), rotation.multiply(swing, bent)


def _bending_axis(upper: Array, lower: Array, thigh: Array) -> Array:
    """The knee's axis (F, 3): square to both bones; the thigh's own sideways axis where the leg is nearly straight."""
    sideways = rotation.rotate(thigh, [0.0, 1.0, 0.0])
    bend = np.cross(upper, lower)
    size = np.linalg.norm(bend, axis=-1, keepdims=True)
    sine = size / np.maximum(np.linalg.norm(upper, axis=-1) * np.linalg.norm(lower, axis=-1), 1e-12)[..., None]
    weight = np.clip((sine - 0.05) / 0.15, 0.0, 1.0)  # trusts the bones' own plane from about 10 degrees of bend
    axis = weight * bend / np.maximum(size, 1e-12) + (1.0 - weight) * sideways
    # A bend that looks backwards is still a bend about the same axis, with a negative angle.
    axis = np.where(np.sum(axis * sideways, axis=-1, keepdims=True) < 0.0, -axis, axis)
    axis -= np.sum(axis * upper, axis=-1, keepdims=True) * upper / np.maximum(np.sum(upper**2, axis=-1, keepdims=True), 1e-12)
    return axis / np.maximum(np.linalg.norm(axis, axis=-1, keepdims=True), 1e-12)
