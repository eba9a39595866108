"""Contacts of support limbs, cleaned up as they happen (Çimen section 5, online contacts clean-up).

An effector that comes low and slow is brought to rest on the ground over a moment and stays exactly there while it is in contact.
When it leaves, the way between where it was held and where the actor has it is made up over another moment. Two thresholds, one
for coming and one for leaving, keep noise from switching. Heights and speeds are in leg lengths of the actor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.quaternion import Quat, about_vertical, turn_from, turned_by
from poise.rotation import Array

SWINGS, LANDS, STANDS = 0, 1, 2


class CleanUp(NamedTuple):
    """When an effector is in contact. Heights in leg lengths above its standing height, speeds in leg lengths per second.

    Heights and speeds are the prototype's for a leg of 0.9 m (4 cm, 6 cm, 0.8 m/s); the rest is measured (docs/limbs.md).
    """

    low: float = 0.045  # an effector that is lower and slower than this comes into contact
    slow: float = 0.9
    high: float = 0.067  # and leaves when it is higher or faster than this
    fast: float = 1.5
    landing: float = 0.08  # s from coming low to standing still; with 60 ms simulated feet slid twice as much
    leaving: float = 0.3  # s until the actor's own path is reached again; 150 ms asked for more help
    shortest_stance: float = 0.08  # s
    shortest_swing: float = 0.1  # s
    astray: float = 0.25  # the actor's foot this far, of the character's leg, from where ours is held: take a step there,
    turned_away: float = 1.0  # rad, or its direction; the only foot that stands waits until it is twice as far
    step_height: float = 0.06  # of the character's leg, of such a step
    descent: float = 0.25  # an effector that comes down faster than this, and this share of its speed, lands
    landing_speed: float = 3.0  # already below this speed: runners' feet are still fast when they touch the ground
    shortest_landing: float = 0.04  # s; from fast descents
    still: float = 0.3  # a foot on tiptoe beside one that stands is in contact below this speed, until it is twice as fast,
    tiptoe: float = 0.11  # and below this height of its ankle


DEFAULT = CleanUp()


class Contacts(NamedTuple):
    """The state of E effectors: what each does, for how long, where it is held, and what is left of the way back to the path."""

    phase: NDArray[np.int64]  # (E,)
    since: Array  # (E,) s
    held: Array  # (E, 3)
    held_yaw: Array  # (E,)
    start: Array  # (E, 6) position and velocity when it began to land
    start_turn: Array  # (E, 4)
    offset: Array  # (E, 6) from the path to where it was when it left: a way and a turn
    lift: Array  # (E,) m, of a step that only puts an effector right
    landing: Array  # (E,) s, how long it takes


def contacts(neffectors: int) -> Contacts:
    e = neffectors
    return Contacts(
        np.full(e, -1), np.full(e, 1e3), np.zeros((e, 3)), np.zeros(e), np.zeros((e, 6)), np.zeros((e, 4)), np.zeros((e, 6)),
        np.zeros(e), np.zeros(e),
    )  # fmt: skip


@njit(cache=True)
def clean(
    contacts: Contacts, e: int, rule: CleanUp, leg: float, dt: float, comes: bool, rises: bool, leaves: bool, others: int,
    floor: float, path: Array, path_turn: Quat, position: Array, velocity: Array, turn: Array,
) -> None:  # fmt: skip
    """Advances effector e by `dt` and moves it: `position`, `turn` become the cleaned ones, from the actor's own path.

    `velocity` is that of the cleaned position in the last step; `others` tells how many other effectors stand; `floor` is the
    height of the effector's joint while it stands; `leg` the character's. `rises`: it is high; `leaves`: high or fast.
    """
    if contacts.phase[e] < 0:
        _begin(contacts, e, not leaves, floor, path, path_turn)
    contacts.since[e] += dt
    phase, since = contacts.phase[e], contacts.since[e]
    if phase == SWINGS:
        if comes and since >= rule.shortest_swing:
            _land(contacts, e, rule, floor, path[2], position, velocity, turn, path_turn)
    elif phase == LANDS:
        if rises:
            _leave(contacts, e, path, path_turn, position, turn, 0.0)
        elif since >= contacts.landing[e]:
            contacts.phase[e], contacts.since[e] = STANDS, 0.0
    elif since >= rule.shortest_stance:
        way, turned = _astray(contacts, e, path, path_turn)
        far = way > rule.astray * leg or turned > rule.turned_away if others > 0 else way > 2.0 * rule.astray * leg
        if leaves or far:
            _leave(contacts, e, path, path_turn, position, turn, 0.0 if leaves else rule.step_height * leg)
    _place(contacts, e, rule.leaving, path, path_turn, position, turn)


@njit(cache=True)
def tell_landing(contacts: Contacts, e: int, landing: Array) -> None:
    """Of effector e while it lands: seconds until it is to stand, its height and its rotation then (6,); else zeros."""
    landing[:] = 0.0
    if contacts.phase[e] == LANDS:
        landing[0], landing[1] = contacts.landing[e] - contacts.since[e], contacts.held[e, 2]
        landing[2], landing[3], landing[4], landing[5] = about_vertical(contacts.held_yaw[e])


@njit(cache=True)
def yaw_of(q: Quat) -> float:
    """Where the x axis points, seen from above, radians."""
    w, x, y, z = q
    return np.arctan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))


@njit(cache=True)
def _begin(contacts: Contacts, e: int, stands: bool, floor: float, path: Array, path_turn: Quat) -> None:
    """A performance may start in the middle of a step: what would not leave a contact is in one."""
    contacts.phase[e] = STANDS if stands else SWINGS
    contacts.held[e, 0], contacts.held[e, 1], contacts.held[e, 2] = path[0], path[1], floor
    contacts.held_yaw[e] = yaw_of(path_turn)


@njit(cache=True)
def _land(
    contacts: Contacts, e: int, rule: CleanUp, floor: float, path_height: float, position: Array,
    velocity: Array, turn: Array, path_turn: Quat,
) -> None:  # fmt: skip
    """Where it comes to rest: on the ground, as far on as its speed takes it while it is braked evenly until it is there."""
    height = max(path_height - floor, 0.0)
    landing = min(max(2.0 * height / max(-velocity[2], 1e-6), rule.shortest_landing), rule.landing)
    contacts.phase[e], contacts.since[e], contacts.landing[e] = LANDS, 0.0, landing
    for i in range(3):
        contacts.start[e, i], contacts.start[e, 3 + i] = position[i], velocity[i]
        contacts.held[e, i] = position[i] + 0.5 * landing * velocity[i] if i < 2 else floor
    for i in range(4):
        contacts.start_turn[e, i] = turn[i]
    contacts.held_yaw[e] = yaw_of(path_turn)


@njit(cache=True)
def _leave(contacts: Contacts, e: int, path: Array, path_turn: Quat, position: Array, turn: Array, lift: float) -> None:
    contacts.phase[e], contacts.since[e], contacts.lift[e] = SWINGS, 0.0, lift
    away = turn_from(path_turn, (turn[0], turn[1], turn[2], turn[3]))
    for i in range(3):
        contacts.offset[e, i], contacts.offset[e, 3 + i] = position[i] - path[i], away[i]


@njit(cache=True)
def _astray(contacts: Contacts, e: int, path: Array, path_turn: Quat) -> tuple[float, float]:
    """How far the actor's path has gone from where the effector is held: metres along the ground, radians about the vertical."""
    way = np.hypot(path[0] - contacts.held[e, 0], path[1] - contacts.held[e, 1])
    turn = yaw_of(path_turn) - contacts.held_yaw[e]
    return way, abs(np.arctan2(np.sin(turn), np.cos(turn)))


@njit(cache=True)
def _place(contacts: Contacts, e: int, leaving: float, path: Array, path_turn: Quat, position: Array, turn: Array) -> None:
    if contacts.phase[e] == SWINGS:
        share = min(contacts.since[e] / leaving, 1.0)
        left = 1.0 - share * share * (3.0 - 2.0 * share)
        for i in range(3):
            position[i] = path[i] + left * contacts.offset[e, i]
        position[2] += contacts.lift[e] * np.sin(np.pi * share)
        away = contacts.offset[e, 3:]
        turn[0], turn[1], turn[2], turn[3] = turned_by(path_turn, left * away[0], left * away[1], left * away[2])
        return
    flat = about_vertical(contacts.held_yaw[e])
    if contacts.phase[e] == STANDS:
        position[0], position[1], position[2] = contacts.held[e, 0], contacts.held[e, 1], contacts.held[e, 2]
        turn[0], turn[1], turn[2], turn[3] = flat
        return
    landing = contacts.landing[e]
    t = contacts.since[e] / landing
    stay, pace, arrive = 2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t, 3 * t**2 - 2 * t**3  # Hermite, at rest at its end
    for i in range(3):
        start, speed = contacts.start[e, i], contacts.start[e, 3 + i]
        position[i] = stay * start + pace * landing * speed + arrive * contacts.held[e, i]
    from_q = contacts.start_turn[e]
    start_turn = (from_q[0], from_q[1], from_q[2], from_q[3])
    x, y, z = turn_from(start_turn, flat)
    turn[0], turn[1], turn[2], turn[3] = turned_by(start_turn, arrive * x, arrive * y, arrive * z)
