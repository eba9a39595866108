"""Knees and elbows: joints between the ends of a limb turn about one axis, and not past straight. Compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.character.character import Character
from poise.character.limbs import limbs_of
from poise.control.limbs.kinematics import Body, Motion, cross, dot
from poise.rotation import Array

_BENT = 0.2  # sine of the bend at rest from which on the bones themselves tell the axis
_STRAIGHT = 0.26  # sine of the bend, 15°, below which a limb is too straight
_BENDING = 20.0  # 1/s: how fast a limb that is too straight bends again
_LATERAL = np.array([0.0, 1.0, 0.0])


class Hinges(NamedTuple):
    """H hinges; directions are unit vectors at rest, where all segments' frames are aligned with the world."""

    segment: NDArray[np.int64]  # (H,) the segment below the hinge
    axis: Array  # (H, 3) a positive turn bends the limb further
    bone: Array  # (H, 3) along the segment below
    above: Array  # (H, 3) along the segment above
    twists: Array  # (H,) 1 where the segment may turn about its bone, as a forearm does


def hinges_of(character: Character) -> Hinges:
    """The hinges of the limbs that follow legs and arms."""
    found: list[tuple[int, Array, Array, Array, bool]] = []
    joints = character.joints
    for limb in limbs_of(character):
        if limb.follows in (None, "head"):
            continue
        for names in zip(limb.segments, limb.segments[1:], limb.segments[2:], strict=False):
            above, k, below = (character.index(name) for name in names)
            first, second = _unit(joints[k] - joints[above]), _unit(joints[below] - joints[k])
            found.append((k, _axis(first, second, limb.follows), second, first, limb.follows.endswith("arm")))
    axis, bone, before = (np.array([hinge[i] for hinge in found]).reshape(-1, 3) for i in (1, 2, 3))
    segment, twists = np.array([hinge[0] for hinge in found], np.int64), np.array([hinge[4] for hinge in found], float)
    return Hinges(segment, axis, bone, before, twists)


@njit(cache=True)
def stiffen(body: Body, motion: Motion, hinges: Hinges, weight: float, wanted: Array, form: Array, linear: Array) -> None:
    """Weighs what is asked of hinges (S, 3) about other directions than their axis, and bends limbs that have come straight.

    Near straight, root and tip hardly tell which way a limb bends: left alone, knees would give way backward and sideways.
    """
    for h in range(hinges.segment.shape[0]):
        k = hinges.segment[h]
        axis, bone = _turned(motion.turn[k], hinges.axis[h]), _turned(motion.turn[k], hinges.bone[h])
        above = _turned(motion.turn[body.parent[k]], hinges.above[h])
        bend = dot(np.array(cross(above, bone)), axis)
        _add(3 + 3 * k, np.array(cross(axis, bone)), weight, wanted[k], form, linear)
        _add(3 + 3 * k, bone, weight * (1.0 - hinges.twists[h]), wanted[k], form, linear)
        if bend < _STRAIGHT:
            spin = motion.joint_spin[k]
            unbent = _BENDING**2 * (_STRAIGHT - bend) - 2.0 * _BENDING * dot(axis, spin)
            unbent += dot(axis, np.array(cross(motion.spin[body.parent[k]], spin)))
            share = min(1.0 - bend / _STRAIGHT, 1.0)
            _add(3 + 3 * k, axis, weight * share, axis * max(unbent, dot(axis, wanted[k])), form, linear)


@njit(cache=True)
def _add(at: int, direction: Array, weight: float, wanted: Array, form: Array, linear: Array) -> None:
    """Adds w (d.u' - d.b)² of one joint, in the upper triangle."""
    if weight == 0.0:
        return
    along = weight * dot(direction, wanted)
    for i in range(3):
        linear[at + i] += along * direction[i]
        for j in range(i, 3):
            form[at + i, at + j] += weight * direction[i] * direction[j]


@njit(cache=True)
def _turned(turn: Array, vector: Array) -> Array:
    return np.array([dot(turn[0], vector), dot(turn[1], vector), dot(turn[2], vector)])


def _axis(first: Array, second: Array, follows: str) -> Array:
    """Across both bones; where they lie in one line at rest, across the body: knees bend backward, elbows forward."""
    across = np.cross(first, second)
    if np.linalg.norm(across) > _BENT:
        return _unit(across)
    return _unit(_LATERAL - second * second[1]) * (-1.0 if follows.endswith("arm") else 1.0)


def _unit(vector: Array) -> Array:
    return vector / np.linalg.norm(vector)
