"""The inertia of everything beyond a joint, about that joint: what a controller scales its gains with (Nunes section 4)."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.quaternion import rotate
from poise.rotation import Array


@njit(cache=True)
def outboard_inertias(
    parents: NDArray[np.int64],
    mass: Array,
    principal: Array,
    inertia_turn: Array,
    anchor: Array,
    rotation: Array,
    link_com: Array,
    middle: Array,
    armature: Array,
    memory: Array,
    inertias: Array,
) -> None:
    """Inertia matrices (S, 3, 3), kg m2, of the bodies beyond each joint about it, along the axes of its segment.

    `principal` (S, 3) are the links' moments along the axes of `inertia_turn` (S, 3, 3), `middle` any point near the body, which
    keeps the sums small, `armature` (S,) inertia that a joint has of its own, `memory` (S, 10) room to work in. Sums over
    subtrees of mass, mass times place and inertia about `middle` are moved to each joint by the parallel axis theorem and turned.
    The root's matrix is that of the whole body. These are the diagonal blocks of the mass matrix.
    """
    n = parents.shape[0]
    for k in range(n):
        m = mass[k]
        x, y, z = link_com[k, 0] - middle[0], link_com[k, 1] - middle[1], link_com[k, 2] - middle[2]
        memory[k, 0], memory[k, 1], memory[k, 2], memory[k, 3] = m, m * x, m * y, m * z
        memory[k, 4], memory[k, 5], memory[k, 6] = m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y)
        memory[k, 7], memory[k, 8], memory[k, 9] = -m * x * y, -m * x * z, -m * y * z
        turn = inertia_turn[k]
        for a in range(3):
            moment, ax, ay, az = principal[k, a], turn[0, a], turn[1, a], turn[2, a]
            memory[k, 4] += moment * ax * ax
            memory[k, 5] += moment * ay * ay
            memory[k, 6] += moment * az * az
            memory[k, 7] += moment * ax * ay
            memory[k, 8] += moment * ax * az
            memory[k, 9] += moment * ay * az
    for k in range(n - 1, 0, -1):
        for i in range(10):
            memory[parents[k], i] += memory[k, i]
    for k in range(n):
        x, y, z = anchor[k, 0] - middle[0], anchor[k, 1] - middle[1], anchor[k, 2] - middle[2]
        m, hx, hy, hz = memory[k, 0], memory[k, 1], memory[k, 2], memory[k, 3]
        xx = memory[k, 4] - 2.0 * (y * hy + z * hz) + m * (y * y + z * z)
        yy = memory[k, 5] - 2.0 * (x * hx + z * hz) + m * (x * x + z * z)
        zz = memory[k, 6] - 2.0 * (x * hx + y * hy) + m * (x * x + y * y)
        xy = memory[k, 7] + x * hy + y * hx - m * x * y
        xz = memory[k, 8] + x * hz + z * hx - m * x * z
        yz = memory[k, 9] + y * hz + z * hy - m * y * z
        qw, qx, qy, qz = rotation[k]
        for i in range(3):  # R^T J R: J times each axis of the segment, seen from the segment
            ax, ay, az = rotate(qw, qx, qy, qz, 1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
            bx, by, bz = xx * ax + xy * ay + xz * az, xy * ax + yy * ay + yz * az, xz * ax + yz * ay + zz * az
            inertias[k, i, 0], inertias[k, i, 1], inertias[k, i, 2] = rotate(qw, -qx, -qy, -qz, bx, by, bz)
            inertias[k, i, i] += armature[k]


@njit(cache=True, inline="always")
def times(matrix: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """The product of a matrix (3, 3) and a vector."""
    return (
        matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2] * z,
        matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2] * z,
        matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2] * z,
    )
