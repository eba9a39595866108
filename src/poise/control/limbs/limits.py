"""Limits of joints and torques, as rows that are added to a problem only when its solution breaks them; compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poise.character.character import Character
from poise.control.limbs.ground_forces import Pushes
from poise.control.limbs.inner import inner
from poise.control.limbs.kinematics import Body, Motion, cross, dot, mass_row
from poise.control.limbs.problem import Problem
from poise.rotation import Array

MOST = 18  # limits that one problem may have to keep at a time
_TOLERANCE = 1e-3  # of a torque limit; and rad/s2 of a joint's acceleration


class Limits(NamedTuple):
    """What the joints can do."""

    torque: float  # Nm, the largest magnitude at any joint
    angle: Array  # (S,) rad from the middle of the joint's range; infinite where there is no limit
    rate: float  # 1/s: how fast a joint may approach its limit
    give: float  # the inverse of the weight with which a joint keeps its limit: not absolutely, or a jolt would follow


def limits_of(character: Character, torque: float, rate: float, give: float, *, angles: bool) -> Limits:
    """The limits of a character's joints, the same torque for all; without `angles` where somebody else keeps them."""
    limited = [np.radians(s.limit.angle_deg) if s.limit and angles else np.inf for s in character.segments]
    return Limits(torque, np.array(limited), rate, give)


@inner
def add_broken(
    body: Body,
    motion: Motion,
    limits: Limits,
    coordinate: Array,
    acceleration: Array,
    force: Array,
    pushes: Pushes,
    count: int,
    problem: Problem,
) -> int:
    """Adds a row for each limit that accelerations u' or joint torques `force` (both 3 + 3 S) break; returns how many.

    A torque is kept below its limit along the direction that it has now. A joint may approach its limit at most so fast that
    it comes to rest there: angle'' <= rate^2 (limit - angle) - 2 rate angle'.
    """
    added = 0
    for k in range(1, body.parent.shape[0]):
        torque, rate = force[3 + 3 * k : 6 + 3 * k], acceleration[3 + 3 * k : 6 + 3 * k]
        size = np.sqrt(dot(torque, torque))
        if size > limits.torque * (1.0 + _TOLERANCE) and _has_room(problem, count):
            direction = torque / size
            mass_row(body, motion, k, direction, problem.rows[problem.used[0]])
            _lever(body, motion, k, direction, pushes, count, problem.effect[problem.used[0]])
            _close(problem, dot(direction, motion.bias[3 + 3 * k : 6 + 3 * k]), limits.torque, 0.0)
            added += 1
        if limits.angle[k] < np.inf and _has_room(problem, count):
            axis, most = _allowed(motion, limits, k, coordinate[k])
            if dot(axis, rate) > most + _TOLERANCE:
                row = problem.rows[problem.used[0]]
                row[:] = 0.0
                for i in range(3):
                    row[3 + 3 * k + i] = axis[i]
                _close(problem, 0.0, most, limits.give)
                added += 1
    return added


@inner
def _allowed(motion: Motion, limits: Limits, k: int, q: Array) -> tuple[Array, float]:
    """The axis, in the world, along which a joint is turned away from its middle, and the largest u' along it."""
    sign = 1.0 if q[0] >= 0.0 else -1.0
    size = np.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    axis = np.zeros(3)
    if size < 1e-9:
        return axis, np.inf
    for i in range(3):
        axis[i] = sign * dot(motion.turn[k, i], q[1:]) / size
    angle, speed = 2.0 * np.arctan2(size, sign * q[0]), dot(axis, motion.joint_spin[k])
    return axis, limits.rate * (limits.rate * (limits.angle[k] - angle) - 2.0 * speed)


@inner
def _lever(body: Body, motion: Motion, k: int, direction: Array, pushes: Pushes, count: int, effect: Array) -> None:
    """What the ground's pushes do to the torque of joint k along a direction."""
    for j in range(count):
        below = pushes.segment[j]
        while below > k:
            below = body.parent[below]
        if below == k:
            effect[j] = dot(direction, np.array(cross(pushes.point[j] - motion.place[k], pushes.edge[j])))


@inner
def _has_room(problem: Problem, npushes: int) -> bool:
    return problem.used[0] < problem.rows.shape[0] and problem.used[1] < npushes + MOST


@inner
def _close(problem: Problem, offset: float, most: float, slack: float) -> None:
    """Ends the row that was just written: its value is one more variable, below a bound."""
    r, x = problem.used[0], problem.used[1]
    problem.offset[r], problem.slack[r] = offset, slack
    problem.effect[r, x] = 1.0
    problem.lower[x], problem.upper[x] = -np.inf, most
    problem.used[0], problem.used[1] = r + 1, x + 1
