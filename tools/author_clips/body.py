"""The body that our clips are made for: a skeleton of 1.75 m and the masses that move with it.

World here: metres, Z up, facing +x, left is +y. All joint frames are parallel to the world in the T-pose.
Lengths are Drillis and Contini's shares of the height, masses de Leva's (1996, men).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.motion.kinematics import world_transforms
from poise.motion.skeleton import Skeleton
from poise.rotation import Array

HEIGHT = 1.75
THIGH, SHIN = 0.245 * HEIGHT, 0.246 * HEIGHT
UPPER_ARM, FOREARM, HAND = 0.186 * HEIGHT, 0.146 * HEIGHT, 0.108 * HEIGHT
ANKLE_HEIGHT = 0.039 * HEIGHT
HIP_HALF_WIDTH = 0.05 * HEIGHT
HEEL, BALL, TIP = -0.062, 0.130, 0.204  # along the sole, from under the ankle; together 0.152 of the height
BALL_HEIGHT = 0.018  # of the toe joint over the sole
HIPS_OVER_LEGS = 0.045  # the root sits this much over the hip joints
STANDING_HIPS = ANKLE_HEIGHT + SHIN + THIGH + HIPS_OVER_LEGS  # height of the root over straight legs
SIDES = ("Left", "Right")


def side_sign(side: str) -> float:
    """+1 on the left (+y), -1 on the right."""
    return 1.0 if side == "Left" else -1.0


def _joints() -> list[tuple[str, str | None, tuple[float, float, float]]]:
    """(name, parent, offset) depth first."""
    trunk = [
        ("Hips", None, (0.0, 0.0, 0.0)),
        ("Spine", "Hips", (-0.015, 0.0, 0.09)),
        ("Spine1", "Spine", (-0.01, 0.0, 0.15)),
        ("Neck", "Spine1", (0.0, 0.0, 0.235)),
        ("Head", "Neck", (0.02, 0.0, 0.085)),
    ]
    arms, legs = [], []
    for side in SIDES:
        s = side_sign(side)
        arms += [
            (f"{side}Shoulder", "Spine1", (0.025, 0.03 * s, 0.20)),
            (f"{side}Arm", f"{side}Shoulder", (-0.025, 0.1625 * s, 0.01)),
            (f"{side}ForeArm", f"{side}Arm", (0.0, UPPER_ARM * s, 0.0)),
            (f"{side}Hand", f"{side}ForeArm", (0.0, FOREARM * s, 0.0)),
        ]
        legs += [
            (f"{side}UpLeg", "Hips", (0.0, HIP_HALF_WIDTH * s, -HIPS_OVER_LEGS)),
            (f"{side}Leg", f"{side}UpLeg", (0.0, 0.0, -THIGH)),
            (f"{side}Foot", f"{side}Leg", (0.0, 0.0, -SHIN)),
            (f"{side}ToeBase", f"{side}Foot", (BALL, 0.0, BALL_HEIGHT - ANKLE_HEIGHT)),
        ]
    return trunk + arms + legs


def _skeleton() -> Skeleton:
    joints = _joints()
    names = tuple(name for name, _, _ in joints)
    parents = tuple(-1 if parent is None else names.index(parent) for _, parent, _ in joints)
    head = HEIGHT - STANDING_HIPS - 0.09 - 0.15 - 0.235 - 0.085
    tips = {"Head": (0.0, 0.0, head)}
    for side in SIDES:
        tips[f"{side}Hand"] = (0.0, HAND * side_sign(side), 0.0)
        tips[f"{side}ToeBase"] = (TIP - BALL, 0.0, -BALL_HEIGHT)
    ends = tuple((names.index(name), tip) for name, tip in tips.items())
    return Skeleton(names, parents, np.array([offset for _, _, offset in joints]), tuple(sorted(ends)))


SKELETON = _skeleton()
PARENTS = np.array(SKELETON.parents, np.int64)
JOINT = {name: j for j, name in enumerate(SKELETON.names)}


@dataclass(frozen=True, eq=False)
class Motion:
    """Root positions (F, 3) and joint rotations relative to their parents (F, J, 4), metres, Z up."""

    root: Array
    rotations: Array
    fps: float
    loop: bool
    travel: Array  # (2,) from the first frame of a loop to the first of the next, metres

    def world(self) -> tuple[Array, Array]:
        """World positions (F, J, 3) and rotations (F, J, 4) of all joints."""
        translations = np.broadcast_to(SKELETON.offsets, (*self.rotations.shape[:2], 3)).copy()
        translations[:, 0] = self.root
        return world_transforms(PARENTS, np.ascontiguousarray(self.rotations), translations)


@dataclass(frozen=True)
class Lump:
    """Masses (share of the body) at points of one joint's frame; pairs stand for a segment's inertia."""

    joint: str
    share: float
    center: tuple[float, float, float]
    spread: tuple[float, float, float]  # the share sits half and half at center + spread and center - spread


def _lumps() -> list[Lump]:
    lumps = [
        Lump("Hips", 0.1117, (-0.01, 0.0, 0.01), (0.0, 0.09, 0.0)),
        Lump("Spine", 0.1633, (0.02, 0.0, 0.13), (0.0, 0.10, 0.03)),
        Lump("Spine1", 0.1596, (0.01, 0.0, 0.17), (0.0, 0.12, 0.0)),
        Lump("Head", 0.0694, (0.01, 0.0, 0.10), (0.0, 0.0, 0.07)),
    ]
    for side in SIDES:
        s = side_sign(side)
        lumps += [
            Lump(f"{side}Arm", 0.0271, (0.0, 0.577 * UPPER_ARM * s, 0.0), (0.0, 0.28 * UPPER_ARM, 0.0)),
            Lump(f"{side}ForeArm", 0.0162, (0.0, 0.457 * FOREARM * s, 0.0), (0.0, 0.27 * FOREARM, 0.0)),
            Lump(f"{side}Hand", 0.0061, (0.0, 0.068 * s, 0.0), (0.0, 0.03, 0.0)),
            Lump(f"{side}UpLeg", 0.1416, (0.0, 0.0, -0.41 * THIGH), (0.0, 0.0, 0.329 * THIGH)),
            Lump(f"{side}Leg", 0.0433, (0.0, 0.0, -0.446 * SHIN), (0.0, 0.0, 0.251 * SHIN)),
            Lump(f"{side}Foot", 0.0137, (0.05, 0.0, -0.04), (0.06, 0.0, 0.0)),
        ]
    return lumps


LUMPS = tuple(_lumps())


def mass_points(position: Array, turn: Array) -> tuple[Array, Array]:
    """World places (F, 2 L, 3) and mass shares (2 L,) of the lumps, from the joints' world transforms."""
    joints = [JOINT[lump.joint] for lump in LUMPS]
    center = np.array([lump.center for lump in LUMPS])
    spread = np.array([lump.spread for lump in LUMPS])
    local = np.concatenate([center + spread, center - spread])
    joints = joints + joints
    shares = np.array([0.5 * lump.share for lump in LUMPS] * 2)
    return position[:, joints] + rotation.rotate(turn[:, joints], local), shares
