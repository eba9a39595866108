"""The stock body with the bones of VMC: for senders that leave out positions, and for what we send ourselves."""

from __future__ import annotations

import numpy as np

from poise.live.stock_skeleton import stock_skeleton
from poise.live.vmc_bones import BONES, PARENTS
from poise.motion.kinematics import world_transforms
from poise.motion.skeleton import Skeleton
from poise.rotation import Array

_SAME = {"Hips": "Hips", "Spine": "Spine", "Chest": "Spine1", "UpperChest": "Spine3", "Neck": "Neck", "Head": "Head"}
_LIMBS = {
    "UpperLeg": "UpLeg", "LowerLeg": "Leg", "Foot": "Foot", "Shoulder": "Shoulder", "UpperArm": "Arm", "LowerArm": "ForeArm",
    "Hand": "Hand",
}  # fmt: skip
_FINGERS = {"Thumb": "Thumb", "Index": "Index", "Middle": "Middle", "Ring": "Ring", "Little": "Pinky"}
_TOES = 0.6  # of the way from the ankle to the tip of the foot


def vmc_skeleton() -> Skeleton:
    """Metres, right-handed, Y up, facing +z, in a T-pose."""
    stock = stock_skeleton()
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (1, stock.njoints, 1))
    place = 0.01 * world_transforms(np.array(stock.parents), turns, stock.offsets[None].copy())[0][0]
    tips = {stock.names[joint]: place[joint] + 0.01 * np.array(tip) for joint, tip in stock.ends}
    spots = np.array([_spot(name, dict(zip(stock.names, place, strict=True)), tips) for name in BONES])
    offsets = spots - np.where(np.array(PARENTS)[:, None] < 0, 0.0, spots[list(PARENTS)])
    ends = [(BONES.index("Head"), tips["Head"] - spots[BONES.index("Head")])]
    for side in ("Left", "Right"):
        ends += [(k, tips[f"{side}Foot"] - spots[k]) for k in (BONES.index(f"{side}Foot"), BONES.index(f"{side}Toes"))]
    return Skeleton(BONES, PARENTS, offsets, tuple((k, (float(x), float(y), float(z))) for k, (x, y, z) in ends))


def _spot(bone: str, place: dict[str, Array], tips: dict[str, Array]) -> Array:
    """Where a bone of VMC is in the stock body."""
    if bone in _SAME:
        return place[_SAME[bone]]
    side = "Left" if bone.startswith("Left") else "Right"
    part = bone.removeprefix(side)
    if part == "Toes":
        foot, tip = place[f"{side}Foot"], tips[f"{side}Foot"]
        return np.array([foot[0], tip[1] + 0.3 * (foot[1] - tip[1]), foot[2] + _TOES * (tip[2] - foot[2])])
    if part in _LIMBS:
        return place[side + _LIMBS[part]]
    finger, number = next((f, k) for f in _FINGERS for k, p in enumerate(_PHALANXES, 1) if part == f + p)
    return place[f"{side}Hand{_FINGERS[finger]}{number}"]


_PHALANXES = ("Proximal", "Intermediate", "Distal")
