"""An artist's rig as it was bound: joints, and the mesh they carry, in the scene's own axes and units."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from poise import rotation
from poise.motion.gltf_document import Document
from poise.motion.gltf_nodes import Nodes, read_nodes, skeleton_nodes
from poise.motion.gltf_skin import Index, SkinnedMesh, read_skinned
from poise.motion.joint_names import usable_names
from poise.motion.skeleton import Skeleton
from poise.rotation import Array

JOINT_LIMIT = 1000
_FAR = 0.95  # of a chain's last flesh, by distance from the joint: its tip lies here


@dataclass(frozen=True, eq=False)
class Rig:
    """Joints in depth-first order, their bind matrices (J, 4, 4), and the mesh in the bind pose; the scene's axes and units."""

    path: Path
    nodes: Nodes
    joints: list[int]  # node numbers
    bind: Array
    mesh: SkinnedMesh

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the joints, no two alike."""
        return usable_names(self.nodes.names[k] for k in self.joints)

    @cached_property
    def parents(self) -> tuple[int, ...]:
        number = {node: j for j, node in enumerate(self.joints)}
        return tuple(number.get(self.nodes.parents[k], -1) for k in self.joints)

    @property
    def positions(self) -> Array:
        return self.bind[:, :3, 3]

    @cached_property
    def main_joint(self) -> Index:
        """For each vertex (V,) the joint that carries it most."""
        return self.mesh.owners[np.arange(len(self.mesh.owners)), np.argmax(self.mesh.weights, axis=1)]

    @cached_property
    def skeleton(self) -> Skeleton:
        """The joints, with the far end of its flesh as the tip of every chain."""
        leaves = [j for j in range(len(self.joints)) if j not in self.parents]
        ends = [(j, self._tip(j)) for j in leaves]
        offsets = self.positions - self.positions[[max(p, 0) for p in self.parents]]
        known = tuple((j, (float(tip[0]), float(tip[1]), float(tip[2]))) for j, tip in ends if tip is not None)
        return Skeleton(self.names, self.parents, offsets, known)

    def tips(self) -> Array:
        """Where the skeleton's tips (E, 3) are; their offsets are along the scene's axes."""
        ends = self.skeleton.ends
        return np.array([self.positions[j] + offset for j, offset in ends]).reshape(-1, 3)

    def _tip(self, joint: int) -> Array | None:
        flesh = self.mesh.vertices[self.main_joint == joint] - self.positions[joint]
        if not len(flesh):
            return None
        distance = np.linalg.norm(flesh, axis=-1)
        return flesh[distance >= _FAR * distance.max()].mean(axis=0)


def load_rig(path: str | Path) -> Rig:
    """Reads the rig of a .glb or .gltf file."""
    document = Document(Path(path))
    nodes = read_nodes(document)
    if not document.all("skins"):
        raise document.bad(
            "has no skin: nothing ties a mesh to its bones; export the character with its skin (armature modifier)"
        )
    if not any(document.indices(skin, "joints", len(nodes.names)) for skin in document.all("skins")):
        raise document.bad("its skins have no joints; export the character with its bones")
    joints = skeleton_nodes(document, nodes, set())
    if len(joints) > JOINT_LIMIT:
        raise document.bad(f"has {len(joints)} joints, a character has at most {JOINT_LIMIT}; export its deforming bones only")
    return Rig(Path(path), nodes, joints, *read_skinned(document, nodes, joints))


def fingerprint(path: Path) -> str:
    """The SHA-256 of a file, by which a character knows the rig it was made from."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def turns(matrices: Array) -> Array:
    """Rotations (…, 4) of matrices (…, 4, 4) or (…, 3, 3) with positive or negative scale in them."""
    axes = matrices[..., :3, :3]
    sign = np.where(np.linalg.det(axes) < 0.0, -1.0, 1.0)
    u, _, v = np.linalg.svd(axes * sign[..., None, None])
    return rotation.from_matrix(u @ v)
