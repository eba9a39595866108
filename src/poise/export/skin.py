"""A take on the artist's own rig: the rig's file with the simulated motion as its only animation.

In the bind pose a segment k has the rotation A_k and its joint at p_k; simulated they are R_k and x_k. Whatever the segment
carries has moved by D_k: x → x_k + R_k A_k⁻¹ (x − p_k), and so have the rig's nodes. Rotations and places of nodes come from
that and their bind pose; the file's axes, units and floor are kept. Nodes that no segment moves stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from poise import rotation
from poise.character.character import Character
from poise.character.rig.carried import owners
from poise.character.rig.rig import fingerprint, turns
from poise.character.skin import Skin, bind_pose
from poise.character.soles import sole_corners
from poise.errors import BadFile
from poise.export.rewritten import Rewritten
from poise.motion.gltf_document import Document
from poise.motion.gltf_nodes import Nodes, read_nodes, skeleton_nodes
from poise.motion.gltf_skin import read_bind_pose, world_matrices
from poise.motion.joint_names import usable_names
from poise.report.resample import resampled, steady_times
from poise.rotation import Array
from poise.take import Take

_SAME = 1e-4  # relative: a node's own transform that differs less from the bound one is left alone


def encode(take: Take, skin: Skin, rate: float, name: str) -> bytes:
    """The bytes of the rig's file with the take as its animation, at `rate` frames per second."""
    check_rig(take.character, skin)
    document = Document(Path(skin.file))
    rig = _Rig.read(document, skin, take.character)
    take = resampled(take, steady_times(take, rate))
    moved = _moved(take, skin)
    file = Rewritten(document, name)
    times = take.times - take.times[0]
    for j, node in enumerate(rig.joints):
        if rig.owner[j] < 0:
            continue
        local = np.linalg.inv(rig.parent_world(j, moved)) @ rig.world(j, moved)
        if rig.owner[j] == rig.parent_owner(j):
            local = local[:1]
        _animate(file, rig.nodes, node, times[: len(local)], local)
    return file.to_bytes()


def check_rig(character: Character, skin: Skin) -> None:
    """Raises where the rig's file is not there or lacks nodes that the character moves."""
    path = Path(skin.file)
    if not path.is_file():
        raise BadFile(path, f"the rig of character '{character.name}' is not at '{path.parent}'; say where with --skin FILE")
    _Rig.read(Document(path), skin, character)


def change_of(skin: Skin) -> str | None:
    """A sentence where the rig's file is not the one, byte by byte, that the character was made from."""
    if not skin.sha256 or fingerprint(Path(skin.file)) == skin.sha256:
        return None
    return f"{Path(skin.file).name} has changed since the character was made from it; make the character anew if it looks wrong"


@dataclass(frozen=True, eq=False)
class _Rig:
    """Joints of the rig's file, each with its bind matrix (J, 4, 4) and the segment that moves it, -1 for none."""

    nodes: Nodes
    joints: list[int]
    bind: Array
    owner: list[int]
    scene: Array  # (N, 4, 4), all nodes as the file poses them
    number: dict[int, int]  # node: joint

    @staticmethod
    def read(document: Document, skin: Skin, character: Character) -> _Rig:
        nodes = read_nodes(document)
        joints = skeleton_nodes(document, nodes, set())
        number = {node: j for j, node in enumerate(joints)}
        parents = tuple(number.get(nodes.parents[k], -1) for k in joints)
        owner = owners(document.path, usable_names(nodes.names[k] for k in joints), parents, skin, character).tolist()
        return _Rig(nodes, joints, read_bind_pose(document, nodes, joints), owner, world_matrices(nodes), number)

    def parent_owner(self, joint: int) -> int:
        parent = self.number.get(self.nodes.parents[self.joints[joint]], -1)
        return self.owner[parent] if parent >= 0 else -1

    def world(self, joint: int, moved: Array) -> Array:
        """Where a joint is (F, 4, 4), given how the segments have moved (F, S, 4, 4); file's space."""
        return moved[:, self.owner[joint]] @ self.bind[joint]

    def parent_world(self, joint: int, moved: Array) -> Array:
        parent = self.nodes.parents[self.joints[joint]]
        if parent < 0:
            return np.eye(4)[None]
        above = self.number.get(parent, -1)
        return self.scene[parent][None] if above < 0 or self.owner[above] < 0 else self.world(above, moved)


def _moved(take: Take, skin: Skin) -> Array:
    """How the space that each segment carries has moved since the bind pose (F, S, 4, 4), in the file's axes and units."""
    character = take.character
    bound, joints = bind_pose(character, skin)
    turn = rotation.multiply(take.rotation, rotation.conjugate(bound))
    to_file = rotation.conjugate(np.array(skin.turn))
    floor = np.array([0.0, 0.0, _bound_floor(character, bound, joints)])
    # In our axes x' = x_k + D (x - p_k), with x = s T(file's) + shift; the file's floor is where the soles were bound.
    origin = rotation.rotate(turn, np.array(skin.shift) - joints)
    shift = take.position + floor + origin - np.array(skin.shift)
    moved = np.zeros((*turn.shape[:2], 4, 4))
    in_file = rotation.multiply(to_file, rotation.multiply(turn, np.array(skin.turn)))
    moved[..., :3, :3] = rotation.to_matrix(in_file)
    moved[..., :3, 3] = rotation.rotate(to_file, shift) / skin.scale
    moved[..., 3, 3] = 1.0
    return moved


def _bound_floor(character: Character, bound: Array, joints: Array) -> float:
    """The height of the lowest sole in the bind pose, our axes: zero where the rig was bound with straight legs."""
    low = [
        (joints[k] + rotation.rotate(bound[k], sole_corners(character.segments[k])))[:, 2].min()
        for k in (character.index(foot) for foot in character.feet)
    ]
    return float(min(low, default=0.0))


def _animate(file: Rewritten, nodes: Nodes, node: int, times: Array, local: Array) -> None:
    """Channels for a node's transforms (F, 4, 4) relative to its parent; properties that stay as they were get none."""
    scale = np.linalg.norm(local[:, :3, :3], axis=-2) * np.sign(np.linalg.det(local[:, :3, :3]))[:, None]
    turn = rotation.continuous(turns(local))
    move = local[:, :3, 3]
    rest = (nodes.translation[node], nodes.rotation[node], nodes.scale[node])
    file.take_apart(node, rest[0], rest[1][[1, 2, 3, 0]], rest[2])
    size = max(float(np.abs(rest[0]).max()), 1e-9)
    if np.abs(move - rest[0]).max() > _SAME * size:
        file.add(node, "translation", times, move)
    if rotation.angle_between(turn, rest[1]).max() > _SAME:
        file.add(node, "rotation", times, turn[:, [1, 2, 3, 0]])
    if np.abs(scale / np.where(rest[2] == 0.0, 1.0, rest[2]) - 1.0).max() > _SAME:
        file.add(node, "scale", times, scale)
