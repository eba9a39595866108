"""Tells left from right: by names, else by shape, from where the feet, the knees or the face point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from poise.character.role_labels import Limb
from poise.character.role_limbs import Pair
from poise.character.role_shape import Shape
from poise.rotation import Array

_SHORTEST_CUE = 0.01  # of the body height: shorter hints are noise
_AHEAD = 0.2  # of the body height: shoulders this far from above the hips tell where the body faces
_STANDS = 0.5  # of the thigh's length: how far the ankles must be below the hips, on average
_LEVEL = 0.1  # of the body height: shoulders may be so much lower than the hips (a quadruped's)
_AGREE = 0.6  # length of a sum of two hints over the sum of their lengths, at least
_CLEAR = 0.25  # cosine of the angle between a hint's left and the line through both hips, at least
_TRUSTED = ("feet", "shoulders")  # hints that can put names in doubt; the knees of many animals point backward
_USUAL_LEFT = np.array([1.0, 0.0, 0.0])  # of a file that faces +z with y up, seen with z up

NOTHING_TELLS = "Nothing tells where the body faces, so left and right may be swapped."
NAMES_AND_SHAPE_DISAGREE = "The names call left what lies on the right of where the {cue} point; the names were believed."


@dataclass(frozen=True)
class Sides:
    """Left and right limbs in order (left leg, right leg, left arm, right arm), and the direction to the left (horizontal)."""

    limbs: tuple[tuple[str, Limb], ...]
    left: Array
    doubts: tuple[str, ...]


def find_sides(shape: Shape, legs: Pair, arms: Pair | None) -> Sides:
    """Which limbs are the left ones."""
    shown = _shown_left(shape, legs, arms)
    left_leg = _named_left(legs)
    doubts = []
    if left_leg is None:
        if shown is None:
            doubts.append(NOTHING_TELLS)
        left_leg = _leftmost(shape, legs, shown[0] if shown else _USUAL_LEFT)
    elif shown is not None and shown[1] in _TRUSTED and _leftmost(shape, legs, shown[0]) is not left_leg:
        doubts.append(NAMES_AND_SHAPE_DISAGREE.format(cue=shown[1]))
    right_leg = _other(legs, left_leg)
    left = _direction(shape, right_leg, left_leg)
    limbs = [("left", left_leg), ("right", right_leg)]
    if arms is not None:
        left_arm = _named_left(arms) or _leftmost(shape, arms, left)
        limbs += [("left", left_arm), ("right", _other(arms, left_arm))]
    return Sides(tuple(limbs), left, tuple(doubts))


def _named_left(pair: Pair) -> Limb | None:
    """The limb that its own name, or its partner's, puts on the left."""
    a, b = pair.limbs
    if a.side == "left" or b.side == "right":
        return a
    return b if b.side == "left" or a.side == "right" else None


def _leftmost(shape: Shape, pair: Pair, left: Array) -> Limb:
    a, b = pair.limbs
    return a if _gap(shape, b, a) @ left > 0.0 else b


def _other(pair: Pair, limb: Limb) -> Limb:
    return pair.limbs[1] if limb is pair.limbs[0] else pair.limbs[0]


def _direction(shape: Shape, right: Limb, left: Limb) -> Array:
    """The horizontal unit vector from one limb to the other."""
    gap = _gap(shape, right, left)
    size = np.linalg.norm(gap)
    return gap / size if size > 0.0 else _USUAL_LEFT


def _gap(shape: Shape, a: Limb, b: Limb) -> Array:
    """From limb a to limb b, horizontally: between their upper joints, or their middles where those coincide."""
    upper = "thigh" if "thigh" in a.joints else "upper_arm"
    gap = _flat(shape.positions[b.joints[upper]] - shape.positions[a.joints[upper]])
    if np.linalg.norm(gap) < _SHORTEST_CUE * shape.height:
        gap = _flat(shape.positions[list(b.path)].mean(axis=0) - shape.positions[list(a.path)].mean(axis=0))
    return gap


def _shown_left(shape: Shape, legs: Pair, arms: Pair | None) -> tuple[Array, str] | None:
    """The direction to the left (unit, horizontal) that the shape shows, and what shows it; None if nothing does."""
    if not _stands(shape, legs, arms):
        return None
    across = _direction(shape, *legs.limbs)
    for cue, shown_by in _cues(shape, legs, arms):
        size = np.linalg.norm(cue)
        if size < _SHORTEST_CUE * shape.height:
            continue
        left = np.array([-cue[1], cue[0], 0.0]) / size
        if abs(left @ across) >= _CLEAR:
            return left, shown_by
    return None


def _together(hints: list[Array]) -> Array:
    """The horizontal sum of two hints, or nothing where they point different ways."""
    flat = [_flat(hint) for hint in hints]
    both = np.sum(flat, axis=0)
    agree = np.linalg.norm(both) >= _AGREE * sum(np.linalg.norm(hint) for hint in flat)
    return both if agree else np.zeros(3)


def _stands(shape: Shape, legs: Pair, arms: Pair | None) -> bool:
    """Whether feet are well below hips and shoulders are not: a body that lies or is upside down does not show where it faces."""
    hips, ankles = _start(shape, legs, "thigh"), _start(shape, legs, "foot")
    thigh = np.mean([shape.bone[shape.way(limb.joints["thigh"], limb.joints["shin"])].sum() for limb in legs.limbs])
    shoulders = _start(shape, arms, "upper_arm") if arms else hips
    return bool(hips[2] - ankles[2] > _STANDS * thigh and shoulders[2] > hips[2] - _LEVEL * shape.height)


def _cues(shape: Shape, legs: Pair, arms: Pair | None) -> Iterator[tuple[Array, str]]:
    """Horizontal vectors that should point forward, the most reliable first."""
    yield _together([_toes(shape, limb) for limb in legs.limbs]), "feet"
    if arms:
        ahead = _flat(_start(shape, arms, "upper_arm") - _start(shape, legs, "thigh"))
        # A body that does not stand upright carries its arms in front.
        if np.linalg.norm(ahead) > _AHEAD * shape.height:
            yield ahead, "shoulders"
    yield _together([_knee(shape, limb) for limb in legs.limbs]), "knees"


def _start(shape: Shape, pair: Pair, part: str) -> Array:
    """The middle between the two joints that start a part."""
    return np.mean([shape.positions[limb.joints[part]] for limb in pair.limbs], axis=0)


def _toes(shape: Shape, limb: Limb) -> Array:
    """From the ankle to the farthest joint or tip of the foot, square to the shin: a lifted foot may point backward."""
    foot = limb.joints["foot"]
    inside = shape.below(foot)
    points = [shape.positions[j] for j in inside]
    if shape.tips is not None:
        points += [shape.tips[e] for e, (j, _) in enumerate(shape.skeleton.ends) if j in inside]
    steps = np.array(points) - shape.positions[foot]
    shin = shape.positions[foot] - shape.positions[limb.joints["shin"]]
    steps -= np.outer(steps @ shin, shin) / max(float(shin @ shin), 1e-12)
    return steps[np.argmax(np.linalg.norm(steps[:, :2], axis=-1))]


def _knee(shape: Shape, limb: Limb) -> Array:
    """How far the knee stands out from the line between hip and ankle."""
    hip, knee, ankle = (shape.positions[limb.joints[part]] for part in ("thigh", "shin", "foot"))
    axis = ankle - hip
    return knee - hip - axis * ((knee - hip) @ axis / max(axis @ axis, 1e-12))


def _flat(v: Array) -> Array:
    return v * [1.0, 1.0, 0.0]
