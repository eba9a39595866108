"""A body for streams that send none: the 59 bones of Axis Neuron in a T-pose, with the proportions of an average adult."""

from __future__ import annotations

import numpy as np

from poise.live.axis_neuron import BONES, NBONES, PARENTS
from poise.motion.skeleton import Skeleton
from poise.rotation import Array

_HEIGHT = 175.0  # cm
# Shares of the body height, from Drillis and Contini's table of segment lengths; x left, y up, z forward in the T-pose.
_ANKLE, _KNEE, _HIP, _SHOULDER, _NECK, _CROWN = 0.039, 0.285, 0.530, 0.818, 0.835, 1.0
_HIP_HALF, _SHOULDER_HALF, _CLAVICLE = 0.055, 0.110, 0.020
_UPPER_ARM, _FOREARM, _HAND, _FOOT = 0.186, 0.146, 0.108, 0.10
_HEAD = 0.06  # from the neck to the joint that nods
_SPINE = ("Spine", "Spine1", "Spine2", "Spine3", "Neck")


def stock_skeleton() -> Skeleton:
    """The skeleton in centimetres, Y up, facing +z; the hips at the height they have while standing."""
    offsets = _HEIGHT * _offsets()
    crown = _HEIGHT * (_CROWN - _NECK - _HEAD)
    toes = (0.0, -_HEIGHT * _ANKLE, _HEIGHT * _FOOT)
    ends = [(BONES.index("Head"), (0.0, crown, 0.0))]
    ends += [(BONES.index(f"{side}Foot"), toes) for side in ("Right", "Left")]
    for k, name in enumerate(BONES):
        if name.endswith("3") and "Hand" in name:
            ends.append((k, _three(offsets[k])))
    return Skeleton(BONES, PARENTS, offsets, tuple(ends))


def _offsets() -> Array:
    """Each bone from its parent (59, 3), in body heights."""
    offset = np.zeros((NBONES, 3))
    offset[0, 1] = _HIP
    for name in _SPINE:
        offset[BONES.index(name), 1] = (_NECK - _HIP) / len(_SPINE)
    offset[BONES.index("Head"), 1] = _HEAD
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        offset[BONES.index(f"{side}UpLeg"), 0] = sign * _HIP_HALF
        offset[BONES.index(f"{side}Leg"), 1] = _KNEE - _HIP
        offset[BONES.index(f"{side}Foot"), 1] = _ANKLE - _KNEE
        top = _HIP + 4 * (_NECK - _HIP) / len(_SPINE)  # of Spine3
        offset[BONES.index(f"{side}Shoulder")] = (sign * _CLAVICLE, _SHOULDER - top, 0.0)
        lengths = {"Arm": _SHOULDER_HALF - _CLAVICLE, "ForeArm": _UPPER_ARM, "Hand": _FOREARM}
        for part, length in lengths.items():
            offset[BONES.index(side + part), 0] = sign * length
        _add_fingers(offset, side, sign)
    return offset


def _add_fingers(offset: Array, side: str, sign: float) -> None:
    for k in (1, 2, 3):
        offset[BONES.index(f"{side}HandThumb{k}")] = (sign * 0.2 * _HAND, 0.0, 0.12 * _HAND)
    for f, finger in enumerate(("Index", "Middle", "Ring", "Pinky")):
        offset[BONES.index(f"{side}InHand{finger}")] = (sign * 0.2 * _HAND, 0.0, (0.15 - 0.1 * f) * _HAND)
        for k, share in zip((1, 2, 3), (0.35, 0.2, 0.13), strict=True):
            offset[BONES.index(f"{side}Hand{finger}{k}"), 0] = sign * share * _HAND


def _three(v: Array) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
