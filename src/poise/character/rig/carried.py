"""A rig's mesh as a character's segments carry it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from poise import rotation
from poise.character.character import Character
from poise.character.rig.rig import Rig, load_rig
from poise.character.skin import Skin, bind_pose
from poise.errors import BadFile, choices
from poise.motion.gltf_skin import Index
from poise.rotation import Array


@dataclass(frozen=True, eq=False)
class CarriedMesh:
    """Vertices (V, 3) in the bind pose, our axes, metres; triangles (T, 3); weights (V, S) of the segments.

    `turns` (S, 4) and `joints` (S, 3) are the segments in that pose. What no segment carries is left to the root. `texcoords`
    (V, 2) and `materials` (T,) are those of the rig's file.
    """

    vertices: Array
    triangles: Index
    weights: Array
    turns: Array
    joints: Array
    texcoords: Array
    materials: Index

    def at(self, position: Array, turn: Array) -> Array:
        """The vertices (V, 3) when the segments have these joints (S, 3) and rotations (S, 4): linear blend skinning."""
        away = rotation.to_matrix(rotation.multiply(turn, rotation.conjugate(self.turns)))
        shift = position - np.einsum("sij,sj->si", away, self.joints)
        turned = np.einsum("vs,sij->vij", self.weights, away)
        return np.einsum("vij,vj->vi", turned, self.vertices) + self.weights @ shift


def carried_mesh(character: Character, skin: Skin) -> CarriedMesh:
    """Reads the rig of a character and ties its mesh to the segments."""
    rig = load_rig(skin.file)
    owner = np.maximum(owners(rig.path, rig.names, rig.parents, skin, character), 0)[rig.mesh.owners]
    weights = np.zeros((len(owner), character.nsegments))
    for slot in range(owner.shape[1]):
        np.add.at(weights, (np.arange(len(owner)), owner[:, slot]), rig.mesh.weights[:, slot])
    look = rig.mesh.texcoords, rig.mesh.materials
    return CarriedMesh(_placed(rig, skin), rig.mesh.triangles, weights, *bind_pose(character, skin), *look)


def owners(path: Path, names: tuple[str, ...], parents: tuple[int, ...], skin: Skin, character: Character) -> Index:
    """The segment (J,) that moves each joint of a rig: its own, or that of the joint above it; -1 for none."""
    by_name = {node: character.index(part.segment) for part in skin.parts for node in part.nodes}
    for name in by_name:
        if name not in names:
            raise BadFile(path, f"has no node '{name}', which character '{character.name}' moves{choices(name, names)}")
    owner: list[int] = []
    for name, above in zip(names, parents, strict=True):
        owner.append(by_name.get(name, owner[above] if above >= 0 else -1))
    return np.array(owner)


def _placed(rig: Rig, skin: Skin) -> Array:
    return skin.scale * rotation.rotate(np.array(skin.turn), rig.mesh.vertices) + np.array(skin.shift)
