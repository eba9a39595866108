"""Quaternion arithmetic inside compiled laws (wxyz scalars)."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, inline="always")
def log_of_difference(
    aw: float, ax: float, ay: float, az: float, bw: float, bx: float, by: float, bz: float
) -> tuple[float, float, float]:
    """The rotation vector of conj(a) b by the short way: the turn from a to b, in a's own frame."""
    w = aw * bw + ax * bx + ay * by + az * bz
    x = aw * bx - ax * bw - ay * bz + az * by
    y = aw * by + ax * bz - ay * bw - az * bx
    z = aw * bz - ax * by + ay * bx - az * bw
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    norm = np.sqrt(x * x + y * y + z * z)
    scale = 2.0 if norm < 1e-12 else 2.0 * np.arctan2(norm, w) / norm
    return scale * x, scale * y, scale * z


@njit(cache=True, inline="always")
def rotate(w: float, x: float, y: float, z: float, vx: float, vy: float, vz: float) -> tuple[float, float, float]:
    """The vector v turned by the quaternion."""
    tx, ty, tz = 2.0 * (y * vz - z * vy), 2.0 * (z * vx - x * vz), 2.0 * (x * vy - y * vx)
    return vx + w * tx + y * tz - z * ty, vy + w * ty + z * tx - x * tz, vz + w * tz + x * ty - y * tx
