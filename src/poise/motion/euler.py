"""Euler angles of whole motions, without jumps, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit

_LOCKED = 1e-8  # cosine of the middle angle below which the outer two cannot be told apart


@njit(cache=True)
def continuous_angles(q, i, j, k):  # noqa: ANN001, ANN201 - numba infers the types
    """Angles (F, 3), radians, of rotations (F, 4, wxyz) as turns about the axes i, then j, then k (0, 1, 2: all different).

    Of the two solutions and their whole turns, each frame takes the one nearest to the frame before, the first frame the
    one nearest to zero. Where the outer axes line up (gimbal lock) the last angle keeps its value.
    """
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    angles = np.empty((len(q), 3))
    before = np.zeros(3)
    candidate = np.empty(3)
    for f in range(len(q)):
        m = _matrix(q[f])
        cosine = np.hypot(m[j, k], m[k, k])
        middle = np.arctan2(sign * m[i, k], cosine)
        if cosine < _LOCKED:
            both = np.arctan2(sign * m[k, j], m[j, j])
            candidate[0] = both - np.copysign(sign, middle) * before[2]
            candidate[1], candidate[2] = middle, before[2]
            _approach(candidate, before, angles[f])
        else:
            candidate[0] = np.arctan2(-sign * m[j, k], m[k, k])
            candidate[1] = middle
            candidate[2] = np.arctan2(-sign * m[i, j], m[i, i])
            distance = _approach(candidate, before, angles[f])
            candidate[0] += np.pi
            candidate[1] = np.pi - middle
            candidate[2] += np.pi
            other = np.empty(3)
            if _approach(candidate, before, other) < distance - 1e-9:
                angles[f] = other
        before = angles[f]
    return angles


@njit(cache=True)
def _approach(angles, target, out):  # noqa: ANN001, ANN202
    """Whole turns are added to the angles until they are nearest to the target; returns how far they stay away."""
    distance = 0.0
    for a in range(3):
        out[a] = angles[a] + 2.0 * np.pi * np.round((target[a] - angles[a]) / (2.0 * np.pi))
        distance += abs(out[a] - target[a])
    return distance


@njit(cache=True)
def _matrix(q):  # noqa: ANN001, ANN202
    w, x, y, z = q[0], q[1], q[2], q[3]
    m = np.empty((3, 3))
    m[0, 0], m[0, 1], m[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    m[1, 0], m[1, 1], m[1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    m[2, 0], m[2, 1], m[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    return m
