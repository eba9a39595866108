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
_FASTEST_TURN, _FASTEST_WAY = 35.0, 25.0  # rad/s, m/s: what turns or moves faster from one frame to the next is a glitch
_LONGEST_GLITCH = 0.15  # s: after this it is believed
_CARRIED_ON = 0.3  # s, time constant by which an actor of whom no news comes slows down
_LAST = 3  # frames over which its velocity is taken then
_FASTEST_SPIN = 20.0  # rad/s that the low-passed actor turns at most


class Arrived(NamedTuple):
    """The newest frames, oldest first: times (K,), positions (K, R, 3), rotations (K, R, 4), and how many there are (1,).

    `doubted` (R, 2) holds since when, in seconds before the newest frame, a role's place and turn have been kept for a glitch.
    """

    time: Array
    position: Array
    rotation: Array
    filled: NDArray[np.int64]
    doubted: Array


class Smoothed(NamedTuple):
    """The low-passed actor: positions (R, 3), rotations (R, 4), velocities (R, 3), spins (R, 3)."""

    position: Array
    rotation: Array
    velocity: Array
    spin: Array


def arrived(nroles: int) -> Arrived:
    return Arrived(
        np.zeros(KEPT), np.zeros((KEPT, nroles, 3)), np.zeros((KEPT, nroles, 4)), np.zeros(1, np.int64), np.zeros((nroles, 2))
    )


def smoothed(nroles: int) -> Smoothed:
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (nroles, 1))
    return Smoothed(np.zeros((nroles, 3)), turns, np.zeros((nroles, 3)), np.zeros((nroles, 3)))


@njit(cache=True)
def take_in(time: float, position: Array, rotation: Array, frames: Arrived) -> None:
    """Adds a frame that is newer than all others; where a role jumps, it stays as it was until the jump is over.

    A frame that repeats the last one to the last bit is none: a sender that has lost its actor.
    """
    n = frames.filled[0]
    if n > 0 and _is_same(position, frames.position[n - 1]) and _is_same(rotation, frames.rotation[n - 1]):
        return
    if n == KEPT:
        for k in range(KEPT - 1):
            frames.time[k] = frames.time[k + 1]
            _copy(frames.position[k + 1], frames.position[k])
            _copy(frames.rotation[k + 1], frames.rotation[k])
        n -= 1
    frames.time[n], frames.filled[0] = time, n + 1
    _copy(position, frames.position[n])
    _copy(rotation, frames.rotation[n])
    if n == 0:
        return
    dt = time - frames.time[n - 1]
    for r in range(position.shape[0]):
        way, cosine = 0.0, 0.0
        for i in range(3):
            way += (position[r, i] - frames.position[n - 1, r, i]) ** 2
        for i in range(4):
            cosine += rotation[r, i] * frames.rotation[n - 1, r, i]
        way, cosine = np.sqrt(way), min(abs(cosine), 1.0)
        for i, fast in enumerate((way > _FASTEST_WAY * dt, 2.0 * np.arccos(cosine) > _FASTEST_TURN * dt)):
            doubted = fast and frames.doubted[r, i] < _LONGEST_GLITCH
            frames.doubted[r, i] = frames.doubted[r, i] + dt if doubted else 0.0
            if doubted and i == 0:
                _copy(frames.position[n - 1, r : r + 1], frames.position[n, r : r + 1])
            elif doubted:
                _copy(frames.rotation[n - 1, r : r + 1], frames.rotation[n, r : r + 1])


@njit(cache=True)
def _is_same(a: Array, b: Array) -> bool:
    for k in range(a.shape[0]):
        for i in range(a.shape[1]):
            if a[k, i] != b[k, i]:
                return False
    return True


@njit(cache=True)
def _copy(source: Array, target: Array) -> None:
    for k in range(source.shape[0]):
        for i in range(source.shape[1]):
            target[k, i] = source[k, i]


@njit(cache=True)
def follow(
    times: Array, positions: Array, rotations: Array, filled: NDArray[np.int64], time: float, dt: float, rate: float,
    actor: Smoothed,
) -> None:  # fmt: skip
    """Moves the low-passed actor by `dt` towards where the frames have it at `time`.

    Beyond the newest frame joints go on as they did, slower and slower: actors do not stop dead.
    """
    last = filled[0] - 1
    back = max(last - _LAST, 0)
    age = time - times[last]
    ahead = _CARRIED_ON * (1.0 - np.exp(-age / _CARRIED_ON)) / (times[last] - times[back]) if age > 0.0 and last > 0 else 0.0
    k = max(last - 1, 0)
    while k > 0 and times[k] > time:
        k -= 1
    after = min(k + 1, last)
    span = times[after] - times[k]
    share = float(min(max((time - times[k]) / span, 0.0), 1.0)) if span > 0.0 else 1.0
    decay = np.exp(-rate * dt)
    for r in range(actor.position.shape[0]):
        for i in range(3):
            a, b = positions[k, r, i], positions[after, r, i]
            goal = a + share * (b - a) + ahead * (positions[last, r, i] - positions[back, r, i])
            away = actor.position[r, i] - goal
            pace = actor.velocity[r, i] + rate * away
            actor.position[r, i] = goal + (away + pace * dt) * decay
            actor.velocity[r, i] = (actor.velocity[r, i] - rate * pace * dt) * decay
        _follow_turn(rotations[k, r], rotations[after, r], share, dt, rate, decay, actor.rotation[r], actor.spin[r])


@njit(cache=True)
def _follow_turn(
    before: Array, after: Array, between: float, dt: float, rate: float, decay: float, turn: Array, spin: Array
) -> None:
    sign = 1.0 if before[0] * after[0] + before[1] * after[1] + before[2] * after[2] + before[3] * after[3] >= 0.0 else -1.0
    goal = unit(
        before[0] + between * (sign * after[0] - before[0]),
        before[1] + between * (sign * after[1] - before[1]),
        before[2] + between * (sign * after[2] - before[2]),
        before[3] + between * (sign * after[3] - before[3]),
    )
    away = turn_from(goal, (turn[0], turn[1], turn[2], turn[3]))
    left, rates = np.empty(3), np.empty(3)
    for i in range(3):
        pace = spin[i] + rate * away[i]
        left[i] = (away[i] + pace * dt) * decay
        rates[i] = (spin[i] - rate * pace * dt) * decay
    fast = np.sqrt(rates[0] * rates[0] + rates[1] * rates[1] + rates[2] * rates[2])
    slower = min(_FASTEST_SPIN / max(fast, 1e-9), 1.0)
    was = (turn[0], turn[1], turn[2], turn[3])
    x, y, z = turn_from(was, turned_by(goal, left[0], left[1], left[2]))
    share = min(_FASTEST_SPIN * dt / max(np.sqrt(x * x + y * y + z * z), 1e-12), 1.0)
    for i in range(3):
        spin[i] = slower * rates[i]
    turn[0], turn[1], turn[2], turn[3] = turned_by(was, share * x, share * y, share * z)
