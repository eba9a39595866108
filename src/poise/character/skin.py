"""How a character's segments move an artist's rig, so that its mesh can be written with the simulated motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from poise import rotation
from poise.errors import BadCharacter, choices
from poise.rotation import Array

if TYPE_CHECKING:
    from poise.character.character import Character, Quat, Vec3


@dataclass(frozen=True)
class SkinPart:
    """The rig's nodes that a segment moves, with all below them that no other segment moves.

    `turn` takes the segment from the character's rest pose to the pose that the rig was bound in.
    """

    segment: str
    nodes: tuple[str, ...]
    turn: Quat


@dataclass(frozen=True)
class Skin:
    """A rig file and how the character lies in it: x_ours = scale * turn(x_file) + shift, in the bind pose.

    The shift is such that the root's joint has the same place in the bind pose as in the rest pose.
    """

    file: str
    sha256: str
    scale: float
    turn: Quat
    shift: Vec3
    parts: tuple[SkinPart, ...]

    def part(self, segment: str) -> SkinPart | None:
        return next((part for part in self.parts if part.segment == segment), None)


def bind_pose(character: Character, skin: Skin) -> tuple[Array, Array]:
    """Rotations (S, 4) and joints (S, 3) of the segments in the bind pose, our axes; one without a part follows its parent."""
    turns, joints = np.empty((character.nsegments, 4)), character.joints.copy()
    for k, (segment, parent) in enumerate(zip(character.segments, character.parents, strict=True)):
        part = skin.part(segment.name)
        turns[k] = part.turn if part else turns[parent] if parent >= 0 else rotation.IDENTITY
        if parent >= 0:
            joints[k] = joints[parent] + rotation.rotate(turns[parent], character.offsets[k])
    return turns, joints


def check_skin(where: str, skin: Skin, segments: Sequence[str]) -> None:
    """Refuses a skin whose parts name unknown segments, or nodes twice, or whose scale is none."""
    if not (np.isfinite([skin.scale, *skin.shift, *skin.turn]).all() and skin.scale > 0.0):
        raise BadCharacter(f"{where}, rig: scale {skin.scale} must be greater than zero, all numbers finite")
    owner: dict[str, str] = {}
    for part in skin.parts:
        if part.segment not in segments:
            raise BadCharacter(f"{where}, rig: '{part.segment}' is no segment{choices(part.segment, segments)}")
        for node in part.nodes:
            if node in owner:
                raise BadCharacter(f"{where}, segment '{part.segment}': node '{node}' moves with '{owner[node]}' already")
            owner[node] = part.segment
