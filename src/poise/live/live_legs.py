"""Two-bone legs, compiled: what reference/legs.py does for clips, for one frame and in place."""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.quaternion import product, rotate, turn_between
from poise.rotation import Array

_LONGEST_REACH = 0.995  # of the leg; a fully straight knee has no direction to bend


@njit(cache=True)
def reach(thigh: Array, shin: Array, hip: Array, knee_offset: Array, ankle_offset: Array, target: Array) -> None:
    """Turns thigh and shin (world rotations (4,), in place) so that the ankle comes to `target` (3,), or as near as it goes."""
    u = rotate(thigh[0], thigh[1], thigh[2], thigh[3], knee_offset[0], knee_offset[1], knee_offset[2])
    v = rotate(shin[0], shin[1], shin[2], shin[3], ankle_offset[0], ankle_offset[1], ankle_offset[2])
    a, b = _norm(u), _norm(v)
    to = (target[0] - hip[0], target[1] - hip[1], target[2] - hip[2])
    distance = min(max(_norm(to), 1.02 * abs(a - b) + 1e-6), _LONGEST_REACH * (a + b))
    axis = _bending_axis(u, v, thigh)
    cross = _cross(u, v)
    now = np.arctan2(_dot(cross, axis), _dot(u, v))
    want = np.pi - np.arccos(min(max((a * a + b * b - distance**2) / (2.0 * a * b), -1.0), 1.0))
    s = np.sin(0.5 * (want - now))
    bend = (np.cos(0.5 * (want - now)), s * axis[0], s * axis[1], s * axis[2])
    bent = product(bend, (shin[0], shin[1], shin[2], shin[3]))
    v = rotate(bent[0], bent[1], bent[2], bent[3], ankle_offset[0], ankle_offset[1], ankle_offset[2])
    swing = turn_between(u[0] + v[0], u[1] + v[1], u[2] + v[2], to[0], to[1], to[2])
    thigh[0], thigh[1], thigh[2], thigh[3] = product(swing, (thigh[0], thigh[1], thigh[2], thigh[3]))
    shin[0], shin[1], shin[2], shin[3] = product(swing, bent)


@njit(cache=True)
def _bending_axis(u: tuple, v: tuple, thigh: Array) -> tuple[float, float, float]:
    """The knee's axis: square to both bones; the thigh's own sideways axis where the leg is nearly straight."""
    side = rotate(thigh[0], thigh[1], thigh[2], thigh[3], 0.0, 1.0, 0.0)
    bend = _cross(u, v)
    size = max(_norm(bend), 1e-12)
    sine = size / max(_norm(u) * _norm(v), 1e-12)
    weight = min(max((sine - 0.05) / 0.15, 0.0), 1.0)  # trusts the bones' own plane from about 10 degrees of bend
    own = (weight if _dot(bend, side) >= 0.0 else -weight) / size  # a bend that looks backwards is one by a negative angle
    x = own * bend[0] + (1.0 - weight) * side[0]
    y = own * bend[1] + (1.0 - weight) * side[1]
    z = own * bend[2] + (1.0 - weight) * side[2]
    along = _dot((x, y, z), u) / max(_dot(u, u), 1e-12)
    x, y, z = x - along * u[0], y - along * u[1], z - along * u[2]
    norm = max(_norm((x, y, z)), 1e-12)
    return x / norm, y / norm, z / norm


@njit(cache=True)
def _cross(a: tuple, b: tuple) -> tuple[float, float, float]:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def _dot(a: tuple, b: tuple) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True)
def _norm(a: tuple) -> float:
    return np.sqrt(a[0] ** 2 + a[1] ** 2 + a[2] ** 2)
