"""Velocities of the links and momenta of the whole, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.rotation import Array


@njit(cache=True)
def momentum(
    spatial_velocity: Array,
    link_com: Array,
    com: Array,
    inertia_turn: Array,
    inertia: Array,
    mass: Array,
    dt: float,
    link_velocity: Array,
    com_velocity: Array,
    angular_momentum: Array,
    last: Array,
    rate: Array,
) -> None:
    """Fills link velocities (angular, linear), the velocity of the centre of mass, L about it (da Silva 11), and their rates.

    MuJoCo's spatial velocity is (angular, linear) at the whole tree's centre of mass.
    """
    n = link_com.shape[0]
    total = 0.0
    com_velocity[:] = 0.0
    angular_momentum[:] = 0.0
    for k in range(n):
        wx, wy, wz = spatial_velocity[k, 0], spatial_velocity[k, 1], spatial_velocity[k, 2]
        rx, ry, rz = link_com[k, 0] - com[0], link_com[k, 1] - com[1], link_com[k, 2] - com[2]
        vx = spatial_velocity[k, 3] + wy * rz - wz * ry
        vy = spatial_velocity[k, 4] + wz * rx - wx * rz
        vz = spatial_velocity[k, 5] + wx * ry - wy * rx
        link_velocity[k, 0], link_velocity[k, 1], link_velocity[k, 2] = wx, wy, wz
        link_velocity[k, 3], link_velocity[k, 4], link_velocity[k, 5] = vx, vy, vz
        m = mass[k]
        total += m
        com_velocity[0] += m * vx
        com_velocity[1] += m * vy
        com_velocity[2] += m * vz
        # Sum of r x m v about the centre of mass: subtracting its velocity changes nothing, since the m r sum to zero.
        angular_momentum[0] += m * (ry * vz - rz * vy)
        angular_momentum[1] += m * (rz * vx - rx * vz)
        angular_momentum[2] += m * (rx * vy - ry * vx)
        turn = inertia_turn[k]
        for axis in range(3):
            spin = inertia[k, axis] * (turn[0, axis] * wx + turn[1, axis] * wy + turn[2, axis] * wz)
            angular_momentum[0] += spin * turn[0, axis]
            angular_momentum[1] += spin * turn[1, axis]
            angular_momentum[2] += spin * turn[2, axis]
    for i in range(3):
        linear = com_velocity[i]
        com_velocity[i] = linear / total
        rate[i] = 0.0 if np.isnan(last[i]) else (linear - last[i]) / dt
        rate[3 + i] = 0.0 if np.isnan(last[3 + i]) else (angular_momentum[i] - last[3 + i]) / dt
        last[i] = linear
        last[3 + i] = angular_momentum[i]
