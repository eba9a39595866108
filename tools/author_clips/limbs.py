"""Two-bone legs and arms: from where they should reach to how their joints turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tools.author_clips.body import FOREARM, SHIN, THIGH, UPPER_ARM, side_sign
from tools.author_clips.turns import chain, from_axes, turn, unit

from poise import rotation
from poise.rotation import Array

STRAIGHTEST_KNEE, STRAIGHTEST_ELBOW = 2.0, 8.0  # degrees of bend that are always left
CLOSEST_ELBOW = 142.0  # degrees to which an elbow folds at most


@dataclass(frozen=True, eq=False)
class Leg:
    """World rotations (F, 4) of thigh and shin."""

    thigh: Array
    shin: Array


@dataclass(frozen=True, eq=False)
class Arm:
    """World rotation (F, 4) of the upper arm and the elbow's bend (F,), degrees."""

    upper: Array
    elbow: Array


def leg_to(hip: Array, ankle: Array, hinge: Array, ease_in: Array) -> Leg:
    """The leg from hip to ankle (F, 3) whose knee hinge lies as near as it can to the left-pointing `hinge` (F, 3).

    Over the last `ease_in` (F,) metres of its reach it slows down; a foot that must stay where it is wants little of it.
    """
    down, distance = _apart(hip, ankle)
    bend = _bends(_at_most(distance, span(THIGH, SHIN, STRAIGHTEST_KNEE), ease_in[:, None]), THIGH, SHIN)
    y = unit(hinge - np.sum(hinge * down, axis=-1, keepdims=True) * down)
    forward = np.cross(y, -down)
    thigh = _frame_of_bone(np.cos(bend[0]) * down + np.sin(bend[0]) * forward, y)
    shin = _frame_of_bone(np.cos(bend[1]) * down - np.sin(bend[1]) * forward, y)
    return Leg(thigh, shin)


def leg_by_angles(pelvis: Array, side: str, angles: Array) -> Leg:
    """The leg with hip flexion, hip abduction, inward hip rotation and knee flexion (F, 4), degrees, against the pelvis."""
    s = side_sign(side)
    flexion, abduction, inward, knee = angles.T
    thigh = chain(pelvis, turn("x", s * abduction), turn("y", -flexion), turn("z", -s * inward))
    return Leg(thigh, rotation.multiply(thigh, turn("y", knee)))


def leg_tip(hip: Array, leg: Leg) -> Array:
    """The ankle (F, 3) of a leg that starts at the hip."""
    return hip + rotation.rotate(leg.thigh, [0.0, 0.0, -THIGH]) + rotation.rotate(leg.shin, [0.0, 0.0, -SHIN])


def arm_to(shoulder: Array, wrist: Array, pole: Array, side: str) -> Arm:
    """The arm from shoulder to wrist (F, 3) whose elbow points towards `pole` (F, 3)."""
    s = side_sign(side)
    out, distance = _apart(shoulder, wrist)
    distance = _at_most(distance, span(UPPER_ARM, FOREARM, STRAIGHTEST_ELBOW), 0.02)
    distance = -_at_most(-distance, -span(UPPER_ARM, FOREARM, CLOSEST_ELBOW), 0.008)
    bend = _bends(distance, UPPER_ARM, FOREARM)
    elbow = unit(pole - np.sum(pole * out, axis=-1, keepdims=True) * out)
    bone = np.cos(bend[0]) * out + np.sin(bend[0]) * elbow
    x = np.cross(np.cross(out, elbow), bone) * -1.0  # the way the forearm folds
    return Arm(from_axes(x, s * bone, np.cross(x, s * bone)), np.degrees(bend[0] + bend[1])[:, 0])


def arm_by_angles(frame: Array, side: str, angles: Array) -> Arm:
    """The arm with flexion, abduction, inward rotation and elbow bend (F, 4), degrees, hanging down in `frame` at 0."""
    s = side_sign(side)
    flexion, abduction, inward, elbow = angles.T
    hang = turn("x", -90.0 * s)
    upper = chain(frame, turn("x", s * abduction), turn("y", -flexion), turn("z", -s * inward), hang[None])
    return Arm(upper, np.maximum(elbow, STRAIGHTEST_ELBOW))


def blend_arms(a: Arm, b: Arm, share: Array) -> Arm:
    """From a (share 0) to b (share 1)."""
    return Arm(rotation.slerp(a.upper, b.upper, share), a.elbow + (b.elbow - a.elbow) * share)


def span(first: float, second: float, bend: float) -> float:
    """How far two bones reach with a bend of so many degrees between them."""
    return float(np.sqrt(first**2 + second**2 + 2 * first * second * np.cos(np.radians(bend))))


def _apart(start: Array, stop: Array) -> tuple[Array, Array]:
    """Direction (F, 3) and distance (F, 1) from one place to another."""
    return unit(stop - start), np.linalg.norm(stop - start, axis=-1, keepdims=True)


def _bends(distance: Array, first: float, second: float) -> tuple[Array, Array]:
    """Angles (F, 1), radians, between the straight way and each of two bones that span the distance."""
    a = np.arccos(np.clip((distance**2 + first**2 - second**2) / (2 * distance * first), -1.0, 1.0))
    b = np.arccos(np.clip((distance**2 + second**2 - first**2) / (2 * distance * second), -1.0, 1.0))
    return a, b


def _at_most(x: Array, limit: float, width: Array | float) -> Array:
    """x below the limit, the limit above it, rounded over `width` so that a joint never snaps straight."""
    return limit - width * np.logaddexp(0.0, (limit - x) / width)


def _frame_of_bone(bone: Array, y: Array) -> Array:
    """The frame of a leg bone that points along -z, its hinge along y."""
    return from_axes(np.cross(y, -bone), y, -bone)
