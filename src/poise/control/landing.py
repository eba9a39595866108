"""Legs that land: one that should stand, or whose body falls, but hangs in the air keeps the clip's turn in the world.

A pelvis that has turned in the air takes along a leg that only keeps its joint angles: the foot comes down too late, elsewhere
and on its edge. Here hip and ankle make up for the pelvis. Who has jumped lower than the clip comes down before it does; so in
full flight, on the way down, both legs land, whatever the clip says. Nothing from outside helps.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.character.character import Character
from poise.control.support import legs_of
from poise.quaternion import Quat, inverse, product, turn_from, turned_by
from poise.rotation import Array, Mask

_NEGLIGIBLE = 0.01  # share below which a leg follows the clip alone


def hips_of(character: Character) -> NDArray[np.int64]:
    """For each foot the first segment of its leg, -1 where there is no leg above the foot."""
    legs, feet = legs_of(character), [character.index(name) for name in character.feet]
    first = [int(np.flatnonzero(legs == f)[0]) if (legs == f).any() else -1 for f in range(len(feet))]
    return np.array([hip if hip != foot else -1 for hip, foot in zip(first, feet, strict=True)], np.int64)


@njit(cache=True)
def land(
    hold: float,
    rate: float,
    sinks: bool,
    hips: NDArray[np.int64],
    feet: NDArray[np.int64],
    parents: NDArray[np.int64],
    wanted: Mask,
    since: Array,
    rotation: Array,
    ref_rotation: Array,
    landing: Array,
    goal: Array,
) -> None:
    """Turns the joints' goals (S, 4) of hip and ankle of each leg that lands and has not touched for `hold` seconds.

    A leg lands where the clip wants it to stand, and each where no foot touches and the body sinks. `landing` (feet,) is the
    share of it that acts; it moves at `rate` per step, so that nothing jumps.
    """
    falls = sinks and since.min() > hold
    for f in range(hips.shape[0]):
        landing[f] += rate * ((1.0 if (wanted[f] or falls) and since[f] > hold else 0.0) - landing[f])
        if landing[f] < _NEGLIGIBLE or hips[f] < 0:
            continue
        hip, foot = int(hips[f]), int(feet[f])
        pelvis = _row(ref_rotation, parents[hip])
        below, k = _row(goal, foot), int(parents[foot])
        while k != parents[hip]:
            below, k = product(_row(goal, k), below), int(parents[k])
        thigh, sole = product(pelvis, _row(goal, hip)), product(pelvis, below)
        _bring(goal, hip, product(inverse(_row(rotation, parents[hip])), thigh), landing[f])
        _bring(goal, foot, product(inverse(_row(rotation, parents[foot])), sole), landing[f])


@njit(cache=True)
def _row(quaternions: Array, k: int) -> Quat:
    return quaternions[k, 0], quaternions[k, 1], quaternions[k, 2], quaternions[k, 3]


@njit(cache=True)
def _bring(goal: Array, k: int, other: Quat, share: float) -> None:
    """Turns a goal by a share of the way to another."""
    own = _row(goal, k)
    x, y, z = turn_from(own, other)
    goal[k, 0], goal[k, 1], goal[k, 2], goal[k, 3] = turned_by(own, share * x, share * y, share * z)
