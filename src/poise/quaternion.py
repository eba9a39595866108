"""Quaternion arithmetic inside compiled laws (wxyz scalars)."""

from __future__ import annotations

import numpy as np
from numba import njit

Quat = tuple[float, float, float, float]


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


@njit(cache=True)
def product(a: Quat, b: Quat) -> Quat:
    """The rotation b followed by a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@njit(cache=True)
def inverse(q: Quat) -> Quat:
    """The rotation back."""
    return q[0], -q[1], -q[2], -q[3]


@njit(cache=True)
def turn_between(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> Quat:
    """The smallest rotation from the direction of a to that of b; vectors that point apart must not be exactly opposite."""
    size = np.sqrt((ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz))
    w = size + ax * bx + ay * by + az * bz
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    norm = max(np.sqrt(w * w + x * x + y * y + z * z), 1e-12)
    return w / norm, x / norm, y / norm, z / norm


@njit(cache=True)
def turned_by(q: Quat, x: float, y: float, z: float) -> Quat:
    """The rotation q followed by the rotation vector (x, y, z), radians, about axes of the parent frame."""
    half = 0.5 * np.sqrt(x * x + y * y + z * z)
    s = 0.5 if half < 1e-9 else 0.5 * np.sin(half) / half
    return product((np.cos(half), s * x, s * y, s * z), q)


@njit(cache=True)
def turn_from(a: Quat, b: Quat) -> tuple[float, float, float]:
    """The rotation vector, in the parent frame, of the short way from a to b: b = turned_by(a, turn)."""
    w, x, y, z = product(b, inverse(a))
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    norm = np.sqrt(x * x + y * y + z * z)
    scale = 2.0 if norm < 1e-12 else 2.0 * np.arctan2(norm, w) / norm
    return scale * x, scale * y, scale * z


@njit(cache=True)
def unit(w: float, x: float, y: float, z: float) -> Quat:
    """The quaternion at length 1."""
    norm = max(np.sqrt(w * w + x * x + y * y + z * z), 1e-12)
    return w / norm, x / norm, y / norm, z / norm


@njit(cache=True)
def about_vertical(angle: float) -> Quat:
    """The rotation by an angle, radians, about z."""
    return np.cos(0.5 * angle), 0.0, 0.0, np.sin(0.5 * angle)
