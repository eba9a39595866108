"""The artist's mesh of a character that was made from a rig, as one skinned node whose bones are the segments."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.character.character import Character
from poise.errors import PoiseError
from poise.rotation import Array

_CLAY = (150, 126, 100)


class SkinDrawing:
    """The mesh of the present character, if it has one."""

    def __init__(self, scene: Any, below: str) -> None:
        self._scene, self._name = scene, f"{below}/skin"
        self._node: Any = None

    def cast(self, character: Character) -> None:
        """Takes the mesh of another character; one whose rig is not there any more has none."""
        if self._node is not None:
            self._node.remove()
        self._node = None if character.skin is None else self._made(character)

    def show(self, position: Array, turn: Array, *, visible: bool) -> bool:
        """Brings the bones to joints (S, 3) and rotations (S, 4); returns whether there is a mesh to be seen."""
        if self._node is None:
            return False
        self._node.visible = visible
        for bone, place, wxyz in zip(self._node.bones, position, turn, strict=True):
            bone.position, bone.wxyz = place, wxyz
        return visible

    def _made(self, character: Character) -> Any:
        from poise.character.rig.carried import carried_mesh

        assert character.skin is not None
        try:
            mesh = carried_mesh(character, character.skin)
        except PoiseError as problem:
            print(f"studio: no mesh, only boxes: {problem}")
            return None
        return self._scene.add_mesh_skinned(
            self._name,
            mesh.vertices.astype(np.float32),
            mesh.triangles.astype(np.uint32),
            bone_wxyzs=mesh.turns,
            bone_positions=mesh.joints,
            skin_weights=mesh.weights.astype(np.float32),
            color=_CLAY,
            side="double",
            flat_shading=True,
        )
