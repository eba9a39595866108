"""The actor between its frames, without the noise of capture: what a stream has brought so far, low-passed causally.

The last frames are read one frame interval behind the present, so that there is always a next one to interpolate to, and every
joint's position and rotation follow that by a critically damped spring of rate ω:

    ẍ = ω² (x_frame - x) - 2 ω ẋ

solved exactly over a step. Steady motion comes out 2/ω later, evenly for all joints.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.quaternion import turn_from, turned_by, unit
from poise.rotation import Array

KEPT = 8  # frames: enough for those that a stream may bring at once


class Arrived(NamedTuple):
    """The newest frames, oldest first: times (K,), positions (K, R, 3), rotations (K, R, 4), and how many there are (1,)."""

    time: Array
    position: Array
    rotation: Array
    filled: NDArray[np.int64]


class Smoothed(NamedTuple):
    """The low-passed actor: positions (R, 3), rotations (R, 4), velocities (R, 3), spins (R, 3)."""

    position: Array
    rotation: Array
    velocity: Array
    spin: Array


def arrived(nroles: int) -> Arrived:
    return Arrived(np.zeros(KEPT), np.zeros((KEPT, nroles, 3)), np.zeros((KEPT, nroles, 4)), np.zeros(1, np.int64))


def smoothed(nroles: int) -> Smoothed:
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (nroles, 1))
    return Smoothed(np.zeros((nroles, 3)), turns, np.zeros((nroles, 3)), np.zeros((nroles, 3)))


@njit(cache=True)
def follow(frames: Arrived, time: float, dt: float, rate: float, actor: Smoothed) -> None:
    """Moves the low-passed actor by `dt` towards where the frames have it at `time`; beyond the newest frame that one holds."""
    last = frames.filled[0] - 1
    k = max(last - 1, 0)
    while k > 0 and frames.time[k] > time:
        k -= 1
    after = min(k + 1, last)
    span = frames.time[after] - frames.time[k]
    share = float(min(max((time - frames.time[k]) / span, 0.0), 1.0)) if span > 0.0 else 1.0
    decay = np.exp(-rate * dt)
    for r in range(actor.position.shape[0]):
        for i in range(3):
            a, b = frames.position[k, r, i], frames.position[after, r, i]
            goal = a + share * (b - a)
            away = actor.position[r, i] - goal
            pace = actor.velocity[r, i] + rate * away
            actor.position[r, i] = goal + (away + pace * dt) * decay
            actor.velocity[r, i] = (actor.velocity[r, i] - rate * pace * dt) * decay
        _follow_turn(frames.rotation[k, r], frames.rotation[after, r], share, dt, rate, decay, actor.rotation[r], actor.spin[r])


@njit(cache=True)
def _follow_turn(
    before: Array, after: Array, share: float, dt: float, rate: float, decay: float, turn: Array, spin: Array
) -> None:
    sign = 1.0 if before[0] * after[0] + before[1] * after[1] + before[2] * after[2] + before[3] * after[3] >= 0.0 else -1.0
    goal = unit(
        before[0] + share * (sign * after[0] - before[0]),
        before[1] + share * (sign * after[1] - before[1]),
        before[2] + share * (sign * after[2] - before[2]),
        before[3] + share * (sign * after[3] - before[3]),
    )
    away = turn_from(goal, (turn[0], turn[1], turn[2], turn[3]))
    left = np.empty(3)
    for i in range(3):
        pace = spin[i] + rate * away[i]
        left[i] = (away[i] + pace * dt) * decay
        spin[i] = (spin[i] - rate * pace * dt) * decay
    turn[0], turn[1], turn[2], turn[3] = turned_by(goal, left[0], left[1], left[2])
