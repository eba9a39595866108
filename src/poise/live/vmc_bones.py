"""The bones of VMC (Unity's HumanBodyBones), their tree, and the way between Unity's axes and ours.

Unity: left-handed, Y up, Z forward, metres, quaternions x y z w. A stream frame: right-handed, Y up, Z forward, wxyz.
"""

from __future__ import annotations

import numpy as np

from poise.rotation import Array

_FINGERS = ("Thumb", "Index", "Middle", "Ring", "Little")
_PHALANXES = ("Proximal", "Intermediate", "Distal")


def _tree() -> dict[str, str | None]:
    """Each bone with its parent, parents first."""
    tree: dict[str, str | None] = {"Hips": None, "Spine": "Hips", "Chest": "Spine", "UpperChest": "Chest"}
    tree |= {"Neck": "UpperChest", "Head": "Neck"}
    for side in ("Left", "Right"):
        leg = ("UpperLeg", "LowerLeg", "Foot", "Toes")
        arm = ("Shoulder", "UpperArm", "LowerArm", "Hand")
        tree |= _chain(side, leg, "Hips") | _chain(side, arm, "UpperChest")
        for finger in _FINGERS:
            tree |= _chain(side, tuple(finger + phalanx for phalanx in _PHALANXES), f"{side}Hand")
    return tree


def _chain(side: str, parts: tuple[str, ...], above: str) -> dict[str, str | None]:
    names = [side + part for part in parts]
    return dict(zip(names, [above, *names[:-1]], strict=True))


TREE = _tree()
BONES: tuple[str, ...] = tuple(TREE)
PARENTS: tuple[int, ...] = tuple(-1 if parent is None else BONES.index(parent) for parent in TREE.values())
NBONES = len(BONES)


def from_unity(pose: Array) -> tuple[Array, Array]:
    """Rotations (..., 4, wxyz) and positions (..., 3) of Unity's x y z, qx qy qz qw (..., 7): X mirrored."""
    turn = pose[..., [6, 3, 4, 5]] * np.array([1.0, 1.0, -1.0, -1.0])
    return turn, pose[..., :3] * np.array([-1.0, 1.0, 1.0])


def to_unity(turn: Array, position: Array) -> Array:
    """The other way."""
    flat = np.concatenate([position * [-1.0, 1.0, 1.0], turn[..., [1, 2, 3, 0]] * [1.0, -1.0, -1.0, 1.0]], axis=-1)
    return np.asarray(flat, float)
