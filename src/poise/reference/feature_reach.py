"""Reach: feet stay where hips can reach them, and hips where they can reach the feet that stand."""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.quaternion import Quat, product
from poise.reference.contact_cleanup import STANDS, SWINGS
from poise.reference.feature_memory import SUPPORT, Memory, Plan, eased, quat, set_turn, turned
from poise.rotation import Array

REACH = 0.98  # of a stretched limb, as in the prototype: a straight leg has no direction to bend

_HEEL_LIFT, _HEEL_RATE = 0.8, 5.0  # rad, rad/s
_BEHIND = (0.1, 0.3)  # sine of the leg's lean: from here on a heel lifts, and from there on as far as it is asked to


@njit(cache=True)
def reach_feet(plan: Plan, leaving: float, memory: Memory, dt: float, last: Array) -> None:
    """Keeps feet within reach of the hips.

    A foot that stands first lifts its heel, as walkers do: it tilts about the front edge of its sole, which stays where it is.
    What that does not give the root gives, smoothly. Feet that swing give way to the root.
    """
    turn = quat(last[0, 3:])
    for k in range(plan.kind.shape[0]):
        if plan.kind[k] == SUPPORT and memory.contacts.phase[k] == STANDS:
            _lift_heel(plan, memory, k, turn, dt, last)
        else:
            memory.heel[k] = 0.0
    asked = last[0, :3].copy()
    for _ in range(3):
        for k in range(plan.kind.shape[0]):
            if plan.kind[k] == SUPPORT and memory.contacts.phase[k] != SWINGS:
                x, y, z, excess = _beyond(plan, k, turn, last)
                last[0, 0], last[0, 1], last[0, 2] = last[0, 0] - excess * x, last[0, 1] - excess * y, last[0, 2] - excess * z
    for i in range(3):
        last[0, i] = asked[i] + eased(memory.shift[i], last[0, i] - asked[i], dt)
    last[0, 2] = max(last[0, 2], plan.lowest[0])
    for k in range(plan.kind.shape[0]):
        if plan.kind[k] == SUPPORT and memory.contacts.phase[k] == SWINGS:
            x, y, z, excess = _beyond(plan, k, turn, last)
            excess *= min(memory.contacts.since[k] / leaving, 1.0)  # little by little, after it has left
            last[1 + k, 0] += excess * x
            last[1 + k, 1] += excess * y
            last[1 + k, 2] += excess * z


@njit(cache=True)
def _lift_heel(plan: Plan, memory: Memory, k: int, root_turn: Quat, dt: float, last: Array) -> None:
    """Tilts a standing foot behind the hips about the front edge of its sole until the limb reaches it, or as far as heels go."""
    flat = last[1 + k].copy()
    x, y, _, excess = _beyond(plan, k, root_turn, last)
    ahead, aside, _ = turned(quat(flat[3:]), np.array([1.0, 0.0, 0.0]))
    lean = min(max((x * ahead + y * aside - _BEHIND[0]) / (_BEHIND[1] - _BEHIND[0]), 0.0), 1.0)
    low, high = 0.0, _HEEL_LIFT if excess > 0.0 and lean > 0.0 else 0.0
    while high - low > 1e-4:
        middle = 0.5 * (low + high)
        _tilt(flat, plan.edge[k], middle, last[1 + k])
        if _beyond(plan, k, root_turn, last)[3] > 0.0:
            low = middle
        else:
            high = middle
    fastest = _HEEL_RATE * dt
    memory.heel[k] += min(max(lean * high - memory.heel[k], -fastest), fastest)
    _tilt(flat, plan.edge[k], memory.heel[k], last[1 + k])


@njit(cache=True)
def _tilt(flat: Array, edge: Array, angle: float, entry: Array) -> None:
    """A foot (position, rotation) that stood flat, tilted forward about an edge of its sole that stays where it is."""
    if angle == 0.0:
        for i in range(flat.shape[0]):
            entry[i] = flat[i]
        return
    turn = product(quat(flat[3:]), (np.cos(0.5 * angle), 0.0, np.sin(0.5 * angle), 0.0))
    fx, fy, fz = turned(quat(flat[3:]), edge)
    x, y, z = turned(turn, edge)
    entry[0], entry[1], entry[2] = flat[0] + fx - x, flat[1] + fy - y, flat[2] + fz - z
    set_turn(entry, turn)


@njit(cache=True)
def _beyond(plan: Plan, k: int, turn: Quat, last: Array) -> tuple[float, float, float, float]:
    """The direction from an effector to its limb's base, and by how much it is too far away."""
    hx, hy, hz = turned(turn, plan.base[k] - plan.root)
    x, y, z = last[0, 0] + hx - last[1 + k, 0], last[0, 1] + hy - last[1 + k, 1], last[0, 2] + hz - last[1 + k, 2]
    far = max(np.sqrt(x * x + y * y + z * z), 1e-9)
    return x / far, y / far, z / far, max(far - REACH * plan.length[1 + k], 0.0)
