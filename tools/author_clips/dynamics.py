"""Centre of mass and zero-moment point of a motion: what the ground would have to do."""

from __future__ import annotations

import numpy as np

from poise.rotation import Array

GRAVITY = 9.81


def center_of_mass(points: Array, shares: Array) -> Array:
    """(F, 3) of mass points (F, P, 3) with shares (P,) that sum to 1."""
    return np.einsum("fpk,p->fk", points, shares)


def zero_moment_point(points: Array, acceleration: Array, shares: Array) -> Array:
    """(F, 2) where on the floor a single ground force would hold the motion, from mass points and their accelerations.

    x_zmp = sum m ((z'' + g) x - x'' z) / sum m (z'' + g), likewise y; the floor is at 0.
    """
    weight = shares * (acceleration[..., 2] + GRAVITY)
    level = weight[..., None] * points[..., :2] - (shares * points[..., 2])[..., None] * acceleration[..., :2]
    return level.sum(axis=1) / weight.sum(axis=1)[:, None]
