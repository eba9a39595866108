"""Soles on the floor, causally: when a foot stands, laid flat, held in place. What reference/feet.py does with hindsight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from poise.character.character import Segment
from poise.character.soles import heel_and_ball, sole_corners
from poise.quaternion import product, rotate, turn_between
from poise.reference.stance import StanceRule
from poise.rotation import Array

_FLAT, _TILTED = np.radians(6.0), np.radians(16.0)  # a standing foot tilted less is laid flat; one tilted more is rolling
_CLEARANCE = 0.06  # of the foot's length: how far a swinging sole stays off the floor


@dataclass(frozen=True)
class FootRule:
    """Times of a live foot."""

    smooth: float = 0.02  # s, of the speed of heel and ball
    soon: float = 0.08  # s: a foot that will be down by then is near its stance, and so is one that was so lately
    lay: float = 0.08  # s over which a foot is laid down and let go
    let_go: float = 0.15  # s over which a held foot finds back to where the actor's is
    slides: float = 0.3  # of the foot's length: a foot that is dragged farther follows


class LiveFoot:
    """One foot from frame to frame. After `update`: `turn` and `ankle` are placed, `stance` and `near` say how it stands."""

    def __init__(self, foot: Segment, leg: float, stance: StanceRule | None = None, rule: FootRule | None = None) -> None:
        rule, stance = rule or FootRule(), stance or StanceRule()
        self.stance, self.near = False, False
        self.turn, self.ankle = np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(3)
        self._corners, self._points = sole_corners(foot), heel_and_ball(foot)
        self._law = np.array(
            [
                stance.low * leg, stance.high * leg, stance.slow * leg, stance.fast * leg, stance.shortest_stance,
                rule.smooth, rule.soon, rule.lay, rule.let_go, rule.slides * foot.box.size[0], _CLEARANCE * foot.box.size[0],
            ]
        )  # fmt: skip
        # For heel and ball: place, velocity, whether it stands. Then: since when this foot stands or not, since when it stood
        # last, how far it is laid down, shift of the foot held in place, where the held point is, which point that is.
        self._memory = np.full(2 * 7 + 3 + 2 + 2 + 1, np.nan)

    def forget(self) -> None:
        """After a jump in place: speeds and holds of before mean nothing."""
        self._memory[:] = np.nan

    def update(self, dt: float, turn: Array, ankle: Array) -> None:
        """The next frame, `dt` seconds after the one before: the foot's world rotation (4,) and its ankle (3,)."""
        self.turn[:], self.ankle[:] = turn, ankle
        self.stance, self.near = step_foot(dt, self._law, self._points, self._corners, self._memory, self.turn, self.ankle)


@njit(cache=True)
def step_foot(
    dt: float, law: Array, points: Array, corners: Array, memory: Array, turn: Array, ankle: Array
) -> tuple[bool, bool]:
    """Moves `turn` and `ankle` (in place); returns whether the foot stands, and whether it does, did or will within a moment."""
    first = np.isnan(memory[0])
    if first:
        memory[:] = 0.0
        memory[14], memory[15] = 1.0, 1.0
    places = np.empty((2, 3))
    for p in range(2):
        arm = rotate(turn[0], turn[1], turn[2], turn[3], points[p, 0], points[p, 1], points[p, 2])
        for i in range(3):
            places[p, i] = ankle[i] + arm[i]
    stance, near = _stands(dt, first, law, places, memory)
    lay = memory[16] = _eased(dt, law[7], near, memory[16]) if not first else (1.0 if near else 0.0)
    _lay_down(_smooth(lay), law[10], corners, turn, ankle)
    _hold(dt, law, stance, first, points, memory, turn, ankle)
    return stance, near


@njit(cache=True)
def _stands(dt: float, first: bool, law: Array, places: Array, memory: Array) -> tuple[bool, bool]:
    """Low and slow, with hysteresis for heel and ball apart; see reference/stance.py."""
    low, high, slow, fast, shortest, smooth, soon = law[0], law[1], law[2], law[3], law[4], law[5], law[6]
    share = 1.0 - np.exp(-dt / smooth)
    coming = False
    for p in range(2):
        m = memory[7 * p : 7 * p + 7]
        for i in range(3):
            if not first and dt > 0.0:
                m[3 + i] += share * ((places[p, i] - m[i]) / dt - m[3 + i])
            m[i] = places[p, i]
        speed = np.sqrt(m[3] ** 2 + m[4] ** 2 + m[5] ** 2)
        if m[2] > high or speed > fast:
            m[6] = 0.0
        elif m[2] < low and speed < slow:
            m[6] = 1.0
        coming = coming or (m[5] < 0.0 and m[2] + soon * m[5] < low)
    before = memory[14] > 0.0  # times that it stands count up, times that it does not count down
    wanted = memory[6] > 0.0 or memory[13] > 0.0
    now = wanted if first or abs(memory[14]) >= shortest else before
    memory[14] = (memory[14] + dt if now else memory[14] - dt) if now == before else (1e-9 if now else -1e-9)
    memory[15] = 0.0 if now else memory[15] + dt
    return now, now or memory[15] < soon or coming


@njit(cache=True)
def _eased(dt: float, seconds: float, on: bool, value: float) -> float:
    return min(1.0, value + dt / seconds) if on else max(0.0, value - dt / seconds)


@njit(cache=True)
def _smooth(x: float) -> float:
    return x * x * (3.0 - 2.0 * x)


@njit(cache=True)
def _lay_down(eased: float, clearance: float, corners: Array, turn: Array, ankle: Array) -> None:
    """Flat while it stands; turned towards flat, then lifted, as far as its sole would sink below its clearance."""
    floor = clearance * (1.0 - eased)
    up = rotate(turn[0], turn[1], turn[2], turn[3], 0.0, 0.0, 1.0)
    tilt = np.arccos(min(max(up[2], -1.0), 1.0))
    weight = eased * _smooth(min(max((_TILTED - tilt) / (_TILTED - _FLAT), 0.0), 1.0))
    flat = turn_between(up[0], up[1], up[2], 0.0, 0.0, 1.0)
    start = (turn[0], turn[1], turn[2], turn[3])
    share = weight
    if ankle[2] - floor + _reach_down(_part(flat, weight, start), corners) < 0.0:
        below, above = weight, 1.0
        for _ in range(12):
            share = 0.5 * (below + above)
            if ankle[2] - floor + _reach_down(_part(flat, share, start), corners) < 0.0:
                below = share
            else:
                above = share
        share = above
    turned = _part(flat, share, start)
    turn[0], turn[1], turn[2], turn[3] = turned
    lowest = ankle[2] - floor + _reach_down(turned, corners)
    ankle[2] += -lowest if lowest < 0.0 else -weight * lowest


@njit(cache=True)
def _part(flat: tuple, share: float, start: tuple) -> tuple:
    """A share of the turn `flat`, after `start`."""
    size = np.sqrt(flat[1] ** 2 + flat[2] ** 2 + flat[3] ** 2)
    half = share * np.arctan2(size, flat[0])
    s = np.sin(half) / max(size, 1e-12)
    return product((np.cos(half), s * flat[1], s * flat[2], s * flat[3]), start)


@njit(cache=True)
def _reach_down(turn: tuple, corners: Array) -> float:
    lowest = 1e9
    for c in range(corners.shape[0]):
        z = rotate(turn[0], turn[1], turn[2], turn[3], corners[c, 0], corners[c, 1], corners[c, 2])[2]
        lowest = min(lowest, z)
    return lowest


@njit(cache=True)
def _hold(dt: float, law: Array, stance: bool, first: bool, points: Array, memory: Array, turn: Array, ankle: Array) -> None:
    """While the foot stands, the lower of heel and ball stays where it was put; the shift this takes fades afterwards."""
    shift, spot = memory[17:19], memory[19:21]
    lower, height = 0, 1e9
    place = np.empty((2, 2))
    for p in range(2):
        arm = rotate(turn[0], turn[1], turn[2], turn[3], points[p, 0], points[p, 1], points[p, 2])
        place[p, 0], place[p, 1] = ankle[0] + arm[0], ankle[1] + arm[1]
        if arm[2] < height - 0.005:  # a foot that lies flat keeps its heel
            lower, height = p, arm[2]
    held = memory[21]  # 0: not held; 1 heel, 2 ball
    if not stance:
        memory[21] = 0.0
        for i in range(2):
            shift[i] *= np.exp(-dt / law[8])
    else:
        if held != lower + 1.0:  # begins to stand, or rolls over to the other point, which stays where it is now
            memory[21] = lower + 1.0
            for i in range(2):
                spot[i] = place[lower, i] + shift[i]
        far = 0.0
        for i in range(2):
            shift[i] = spot[i] - place[lower, i]
            far += shift[i] ** 2
        far = np.sqrt(far)
        if far > law[9]:
            for i in range(2):
                shift[i] *= law[9] / far
                spot[i] = place[lower, i] + shift[i]
    ankle[0] += shift[0]
    ankle[1] += shift[1]
