"""Rotations as animators say them: degrees about the body's own axes (x forward, y left, z up)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from poise import rotation
from poise.rotation import Array


def turn(axis: str, degrees: ArrayLike) -> Array:
    """Quaternions about one axis: x tips to the right, y tips forward, z turns to the left."""
    return rotation.from_axis_angle(np.eye(3)["xyz".index(axis)], np.radians(degrees))


def attitude(yaw_pitch_roll: Array) -> Array:
    """Quaternions of a trunk (..., 3): yaw to the left, then pitch forward, then roll to the right."""
    yaw, pitch, roll = np.moveaxis(np.asarray(yaw_pitch_roll, float), -1, 0)
    return chain(turn("z", yaw), turn("y", pitch), turn("x", roll))


def chain(*turns: Array) -> Array:
    """The product of rotations, outermost first."""
    product = turns[0]
    for q in turns[1:]:
        product = rotation.multiply(product, q)
    return product


def relative(parent: Array, child: Array) -> Array:
    """The child's world rotation seen from its parent's."""
    return rotation.multiply(rotation.conjugate(parent), child)


def level(q: Array) -> Array:
    """The part of q that turns about the vertical."""
    return rotation.about_z(rotation.heading(q))


def from_axes(x: Array, y: Array, z: Array) -> Array:
    """The rotation whose frame has these axes."""
    return rotation.from_matrix(np.stack([x, y, z], axis=-1))


def unit(v: Array) -> Array:
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12)
