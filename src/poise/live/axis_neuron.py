"""Axis Neuron's BVH broadcast: which number belongs to which bone. Text and binary form have the same numbers."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.live.stream_frame import StreamFrame
from poise.rotation import Array

METRES = 0.01  # per unit of the stream
ROTATION_ORDER = "yxz"  # a setting of the sending program that is not in the stream; this is its default
_LARGEST = 1e5  # cm or degrees: no honest number is larger


def _arm(side: str) -> tuple[str, ...]:
    fingers = ("Index", "Middle", "Ring", "Pinky")
    thumb = tuple(f"{side}HandThumb{k}" for k in (1, 2, 3))
    rest = tuple(name for f in fingers for name in (f"{side}InHand{f}", *(f"{side}Hand{f}{k}" for k in (1, 2, 3))))
    return (f"{side}Shoulder", f"{side}Arm", f"{side}ForeArm", f"{side}Hand", *thumb, *rest)


def _arm_parents(shoulder: int, chest: int) -> tuple[int, ...]:
    hand = shoulder + 3
    thumb = (hand, hand + 1, hand + 2)
    fingers = tuple(p for f in range(4) for p in (hand, *(hand + 4 + 4 * f + k for k in range(3))))
    return (chest, shoulder, shoulder + 1, shoulder + 2, *thumb, *fingers)


BONES: tuple[str, ...] = (
    "Hips",
    *(f"{side}{part}" for side in ("Right", "Left") for part in ("UpLeg", "Leg", "Foot")),
    *("Spine", "Spine1", "Spine2", "Spine3", "Neck", "Head"),
    *_arm("Right"),
    *_arm("Left"),
)
PARENTS: tuple[int, ...] = (-1, 0, 1, 2, 0, 4, 5, 0, 7, 8, 9, 10, 11, *_arm_parents(13, 10), *_arm_parents(36, 10))
NBONES = len(BONES)

# How many numbers come with (displacement, reference bone); the reference bone always has six, in front.
COUNTS = {(True, False): 6 * NBONES, (False, False): 3 + 3 * NBONES, (True, True): 6 + 6 * NBONES, (False, True): 9 + 3 * NBONES}
_FLAGS = {count: flags for flags, count in COUNTS.items()}


def flags_of(count: int) -> tuple[bool, bool] | None:
    """Displacement and reference bone of a frame with so many numbers, for the text form, which has no flags."""
    return _FLAGS.get(count)


def frame_of(numbers: Array, displacement: bool, reference: bool, actor: str, index: int | None) -> StreamFrame | None:
    """The pose that the numbers describe; None where they cannot be one."""
    if len(numbers) != COUNTS[displacement, reference] or not (np.abs(numbers) < _LARGEST).all():  # NaN is not less either
        return None
    numbers = numbers[6:] if reference else numbers
    positions, angles = np.zeros((NBONES, 3)), np.empty((NBONES, 3))
    if displacement:
        both = numbers.reshape(NBONES, 6)
        positions[:], angles[:] = both[:, :3], both[:, 3:]
    else:
        positions[0] = numbers[:3]
        angles[:] = numbers[3:].reshape(NBONES, 3)
    placed = np.full(NBONES, displacement)
    placed[0] = True
    turns = rotation.from_euler(np.radians(angles), ROTATION_ORDER)
    return StreamFrame(actor, turns, positions, np.ones(NBONES, bool), placed, index)


def numbers_of(rotations: Array, positions: Array, displacement: bool) -> Array:
    """The other way: the numbers of a pose, degrees and centimetres, without a reference bone."""
    angles = np.degrees(rotation.to_euler(rotations, ROTATION_ORDER))
    if displacement:
        return np.concatenate([positions, angles], axis=1).ravel()
    return np.concatenate([positions[0], angles.ravel()])
