"""Feet on a ground that nothing but the law knows of: they come to rest within one step, and do not go below it; compiled.

A ground takes the velocity of a foot at once, not by a spring. So a foot that stands is asked for the velocity v+, w+ that it is
to have in the coming step: the part of its sole that touches, at r from its joint, neither slides nor sinks, and the sole turns
about it as it is planned to lie:

    w+ = w_des + k error,    v+ = -k height n - w+ x r,    J u' = (v+ - J u) / dt + c / 2 - J' u

where c is the acceleration along the curve that the integrator follows while its own velocities stay (`_curve`).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.control.limbs.ground_forces import Ground, Soles, place_corner
from poise.control.limbs.kinematics import Body, Motion, cross, dot
from poise.quaternion import log_of_difference, rotate
from poise.rotation import Array

_TURN = 15.0  # 1/s: how fast a sole comes to lie as it is planned to
_SETTLE = 25.0  # 1/s: and how fast it comes to the ground, from above or below
_TOUCHES = 0.003  # m: a corner this much higher than the lowest one counts a third of it


@njit(cache=True)
def touching_point(soles: Soles, ground: Ground, motion: Motion, root: Array, effector: int, point: Array) -> float:
    """The middle of what is lowest of an effector's sole, from the root's joint, into `point` (3,); returns its height, metres.

    It is infinite for an effector that has no sole.
    """
    lowest, corner = np.inf, np.empty(3)
    for c in range(soles.segment.shape[0]):
        if soles.effector[c] == effector:
            lowest = min(lowest, place_corner(soles, ground, motion, root, c, corner))
    total, height = 0.0, 0.0
    point[:] = 0.0
    for c in range(soles.segment.shape[0]):
        if soles.effector[c] == effector:
            high = place_corner(soles, ground, motion, root, c, corner)
            share = np.exp((lowest - high) / _TOUCHES)
            total, height = total + share, height + share * high
            for i in range(3):
                point[i] += share * corner[i]
    if total == 0.0:
        return np.inf
    point /= total
    return height / total


@njit(cache=True)
def stand(
    body: Body, motion: Motion, k: int, rotation: Array, aim_rotation: Array, aim_spin: Array, point: Array, height: float,
    normal: Array, dt: float, wanted: Array,
) -> None:  # fmt: skip
    """The rows J u' (6,) of segment k that stands on `point`; it keeps the direction in which it has landed."""
    q = rotation[k]
    own = log_of_difference(q[0], q[1], q[2], q[3], aim_rotation[0], aim_rotation[1], aim_rotation[2], aim_rotation[3])
    error = np.array(rotate(q[0], q[1], q[2], q[3], own[0], own[1], own[2]))
    aside = dot(error, normal)
    spin, curve = np.empty(3), np.empty(6)
    for i in range(3):
        spin[i] = aim_spin[i] + _TURN * (error[i] - aside * normal[i])
    carried = cross(spin, point - motion.place[k])
    _curve(body, motion, k, curve)
    for i in range(3):
        velocity = -_SETTLE * height * normal[i] - carried[i]
        wanted[i] = (velocity - motion.velocity[k, i]) / dt + 0.5 * curve[i] - motion.drift[k, i]
        wanted[3 + i] = (spin[i] - motion.spin[k, i]) / dt + 0.5 * curve[3 + i]


@njit(cache=True)
def keep_above(motion: Motion, k: int, point: Array, height: float, normal: Array, dt: float, wanted: Array) -> None:
    """Raises what a segment that swings is asked for, J u' (6,), so far that its sole is not below the ground after the step."""
    carried, turned = cross(motion.spin[k], point - motion.place[k]), cross(wanted[3:], point - motion.place[k])
    speed, rate = 0.0, 0.0
    for i in range(3):
        speed += normal[i] * (motion.velocity[k, i] + carried[i])
        rate += normal[i] * (wanted[i] + motion.drift[k, i] + turned[i])
    least = -height / dt if height > 0.0 else -_SETTLE * height
    lift = max((least - speed) / dt - rate, 0.0)
    for i in range(3):
        wanted[i] += lift * normal[i]


@njit(cache=True)
def _curve(body: Body, motion: Motion, k: int, curve: Array) -> None:
    """Linear and angular acceleration (6,) of segment k while the integrator's velocities, spins in the segments' frames, stay.

    In a step of the semi-implicit Euler method half of it, times the step, comes on top of the velocity.
    """
    for i in range(3):
        curve[i], curve[3 + i] = motion.drift[k, i], 0.0
    j = k
    while j >= 0:
        turn = np.array(cross(motion.spin[j], motion.joint_spin[j]))
        along = cross(turn, motion.place[k] - motion.place[j])
        for i in range(3):
            curve[i] += along[i]
            curve[3 + i] += turn[i]
        j = body.parent[j]
