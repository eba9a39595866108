"""What retargeting knows beforehand and what it remembers, and the small arithmetic on rows that its steps share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.quaternion import Quat, about_vertical, rotate
from poise.reference.contact_cleanup import Contacts
from poise.rotation import Array

SUPPORT, REACHING, CARRIED = 0, 1, 2  # kinds of effectors: on the ground, at the end of a limb, moved by the trunk alone

_GIVE_WAY = 30.0  # rad/s, of the critically damped springs by which the root gives way and sways


class Plan(NamedTuple):
    """What stays the same: roles of the actor, rest poses of both. E effectors; index -1 where the actor lacks the part."""

    kind: NDArray[np.int64]  # (E,) SUPPORT, REACHING or CARRIED
    roles: NDArray[np.int64]  # (E, 3) base of the limb, its tip, and what carries the base
    trunk: NDArray[np.int64]  # (1,) the pelvis
    actor_root: Array  # (3,) at rest, as all that follows
    actor_base: Array  # (E, 3)
    actor_tip: Array  # (E, 3)
    root: Array  # (3,)
    base: Array  # (E, 3)
    tip: Array  # (E, 3)
    root_turn: Array  # (4,)
    tip_turn: Array  # (E, 4)
    scale: Array  # (1 + E,) of root and support limbs, then of each targeted limb
    length: Array  # (1 + E,) leg of the actor, then each limb of the character stretched out
    stance_width: Array  # (2,) between the feet: the actor's, the character's
    lowest: Array  # (1 + E,) height that the root keeps above the floor, then height of each effector while it stands
    corners: Array  # (E, 8, 3) of the soles, in the effectors' frames
    edge: Array  # (E, 3) the middle of the front edge of the soles
    likeness: NDArray[np.int64]  # (S, 2) the actor's roles that each segment and its parent have too; -1 for none
    style: Array  # (S, 4) the style pose


class Memory(NamedTuple):
    """What is carried from step to step."""

    contacts: Contacts
    standing: Array  # (E,) height of the actor's effector while it stands, as learnt so far
    sole: Array  # (E, 4) from the actor's foot as it comes to one that is level while it stands
    foot: Array  # (E, 4) rotation of the actor's effector as it was used last
    heading: Array  # (1,) radians
    heel: Array  # (E,) how far each heel is lifted, radians
    sway: Array  # (2,) how far the root sways from foot to foot beyond the actor's own sway, m, and how fast
    shift: Array  # (3, 2) how far the root gives way for the legs to reach, m, and how fast


@njit(cache=True)
def eased(value: Array, goal: float, dt: float) -> float:
    """Moves a value and its rate (2,) towards a goal by a critically damped spring; returns the value."""
    away = value[0] - goal
    pace, decay = value[1] + _GIVE_WAY * away, np.exp(-_GIVE_WAY * dt)
    value[0], value[1] = goal + (away + pace * dt) * decay, (value[1] - _GIVE_WAY * pace * dt) * decay
    return value[0]


@njit(cache=True)
def headed(heading: float, v: Array) -> tuple[float, float, float]:
    """A vector turned about the vertical."""
    return turned(about_vertical(heading), v)


@njit(cache=True)
def quat(q: Array) -> Quat:
    """The quaternion in a row of four."""
    return q[0], q[1], q[2], q[3]


@njit(cache=True)
def turned(q: Quat, v: Array) -> tuple[float, float, float]:
    """A vector turned by a quaternion."""
    return rotate(q[0], q[1], q[2], q[3], v[0], v[1], v[2])


@njit(cache=True)
def set_turn(entry: Array, q: Quat) -> None:
    """Writes the rotation of an entry (7,) of position and rotation."""
    entry[3], entry[4], entry[5], entry[6] = q
