"""A simulated character as a VMC avatar: its segments as bones that are unturned in the T-pose."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.character.character import Character
from poise.errors import BadInput
from poise.live.vmc_bones import BONES, PARENTS, to_unity
from poise.rotation import Array

_ROLES = {
    "pelvis": "Hips", "abdomen": "Spine", "chest": "Chest", "head": "Head", "upper_arm": "UpperArm", "forearm": "LowerArm",
    "hand": "Hand", "thigh": "UpperLeg", "shin": "LowerLeg", "foot": "Foot",
}  # fmt: skip
_TO_STREAM = rotation.from_matrix([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])  # our x ahead, y left, z up to z, x, y


class Humanoid:
    """The bones of a character. `names` are those it has; a bone between two that it lacks stays unturned."""

    def __init__(self, character: Character) -> None:
        bones = {_bone(name): k for k, name in enumerate(character.names)}
        bones.pop(None, None)
        if "Hips" not in bones:
            raise BadInput(f"character '{character.name}' has no pelvis, so no VMC avatar can follow it; use another --to")
        self.names = tuple(name for name in BONES if name in bones)
        self._rows = np.array([bones[name] for name in self.names])
        self._parents = np.array([_above(name, self.names) for name in self.names])
        self._hanging = np.array([_from_t_pose(name) for name in self.names])
        self._offsets = self._spread(character)

    def poses(self, position: Array, turn: Array) -> Array:
        """Bones (B, 7) in Unity's axes from world positions (S, 3) and rotations (S, 4) of the segments."""
        world = rotation.multiply(turn[self._rows], self._hanging)
        local = world.copy()
        inner = self._parents >= 0
        local[inner] = rotation.multiply(rotation.conjugate(world[self._parents[inner]]), world[inner])
        offsets = self._offsets.copy()
        offsets[0] = position[self._rows[0]]
        axes = _TO_STREAM
        turned = np.concatenate([local[:, :1], rotation.rotate(axes, local[:, 1:])], axis=1)
        return to_unity(turned, rotation.rotate(axes, offsets))

    def _spread(self, character: Character) -> Array:
        """Each bone from its parent (B, 3) in the T-pose, our axes."""
        place = np.zeros((character.nsegments, 3))
        turns = np.tile(rotation.IDENTITY, (character.nsegments, 1))
        for name, row in zip(self.names, self._rows, strict=True):
            turns[row] = rotation.conjugate(_from_t_pose(name))
        for k, p in enumerate(character.parents):
            place[k] = character.offsets[k] if p < 0 else place[p] + rotation.rotate(turns[p], character.offsets[k])
        spots = place[self._rows]
        return spots - np.where(self._parents[:, None] < 0, 0.0, spots[self._parents])


def _bone(segment: str) -> str | None:
    """The bone of a segment's role, or None."""
    for side in ("left", "right"):
        if segment.startswith(f"{side}_"):
            part = _ROLES.get(segment.removeprefix(f"{side}_"))
            return None if part is None else side.capitalize() + part
    return _ROLES.get(segment)


def _above(bone: str, names: tuple[str, ...]) -> int:
    """The nearest bone above that the character has, or -1."""
    k = PARENTS[BONES.index(bone)]
    while k >= 0 and BONES[k] not in names:
        k = PARENTS[k]
    return -1 if k < 0 else names.index(BONES[k])


def _from_t_pose(bone: str) -> Array:
    """The turn that undoes hanging: arms point sideways in a T-pose and hang down in our rest pose."""
    if not bone.endswith(("Arm", "Hand")):
        return rotation.IDENTITY
    down = -np.pi / 2 if bone.startswith("Left") else np.pi / 2
    return rotation.from_axis_angle([1.0, 0.0, 0.0], down)
