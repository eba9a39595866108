"""Feet that land: they arrive at rest, wherever that is; compiled.

A spring that follows the plan of a landing is late by its own time constant, about as long as the landing itself, and the foot
still moves when it is to stand. So a foot that is to stand in T seconds is asked for what brings it to rest just then. Along the
ground it is braked evenly, -v / T. Height and tilt, which have a way e to go, are led by the cubic that ends there at rest,

    6 / T^2 (e - T v / 2) - v / T,        with at most `_STIFFEST` instead of 6 / T^2.

It stands where it came to rest: the way along the ground that is missing is made up in the air, after the contact.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.control.limbs.kinematics import Motion
from poise.quaternion import log_of_difference, rotate
from poise.rotation import Array

_STIFFEST = 1500.0  # 1/s2: with 400 feet arrive tilted, and slap; measured
_MOST = 300.0  # m/s2, rad/s2: as for everything that is asked


@njit(cache=True)
def land(motion: Motion, position: Array, rotation: Array, k: int, landing: Array, dt: float, wanted: Array) -> None:
    """The rows J u' (6,) of segment k that is to stand in landing[0] s, at a height and with a rotation (6,)."""
    q, left = rotation[k], max(landing[0], dt)
    own = log_of_difference(q[0], q[1], q[2], q[3], landing[2], landing[3], landing[4], landing[5])
    error = rotate(q[0], q[1], q[2], q[3], own[0], own[1], own[2])
    stiff = min(6.0 / left**2, _STIFFEST)
    for i in range(3):
        wanted[i] = -motion.velocity[k, i] / left
        wanted[3 + i] = stiff * (error[i] - 0.5 * left * motion.spin[k, i]) - motion.spin[k, i] / left
    wanted[2] += stiff * (landing[1] - position[k, 2] - 0.5 * left * motion.velocity[k, 2])
    for part in (wanted[:3], wanted[3:]):
        part *= min(_MOST / max(np.sqrt(np.sum(part * part)), 1e-9), 1.0)
    for i in range(3):
        wanted[i] -= motion.drift[k, i]
