"""The skinned mesh of a glTF file, and the pose it was bound in.

The bind pose is what the inverse bind matrices say, not the pose that the nodes happen to be in: an exporter leaves any frame
of an animation there. The matrices tell it but for one transform M from the mesh's space to the scene's; the topmost joint's
node gives that, and its turn is taken to one along the axes, because meshes are modelled upright.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from poise.motion.gltf_document import Document, Json
from poise.motion.gltf_nodes import Nodes
from poise.rotation import Array

VERTEX_LIMIT, TRIANGLE_LIMIT = 1_000_000, 2_000_000
_TRIANGLES = 4  # glTF's mode
_SETS = 4  # of four influences each
_NEAR = 0.5  # cosine of 60 degrees
_SINGULAR = 1e-6  # volume of the box that three axes of length one span
Index = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SkinnedMesh:
    """All meshes that the joints carry, in the bind pose and in the scene's space and units.

    `vertices` (V, 3); `triangles` (T, 3) vertex numbers; `owners` and `weights` (V, K): which joints carry a vertex, as positions
    in the list of joints, and how much; weights sum to 1. `texcoords` (V, 2) are where vertices lie on the material's image, from
    its upper left corner; `materials` (T,) are numbers in the file, -1 for none.
    """

    vertices: Array
    triangles: Index
    owners: Index
    weights: Array
    texcoords: Array
    materials: Index


def read_skinned(document: Document, nodes: Nodes, joints: list[int]) -> tuple[Array, SkinnedMesh]:
    """The bind pose of the joints as matrices (J, 4, 4) in the scene's space, and the mesh that they carry."""
    number = {node: j for j, node in enumerate(joints)}
    scene = world_matrices(nodes)
    skins = [_Skin.read(document, skin, number) for skin in document.all("skins")]
    bind, spaces = _bind_pose(document, nodes, joints, scene, skins)
    parts = [_Part.none()]
    for k, node in enumerate(document.all("nodes")):
        if "mesh" not in node:
            continue
        if "skin" in node:
            s = document.whole(node, "skin", below=len(skins))
            parts += [p.placed(spaces[s]) for p in _primitives(document, node, skins[s].joints)] if s in spaces else []
        elif (carrier := _carrier(nodes, number, k)) >= 0:
            place = bind[carrier] @ np.linalg.inv(scene[joints[carrier]]) @ scene[k]
            parts += [p.placed(place) for p in _primitives(document, node, [carrier])]
        if sum(len(p.vertices) for p in parts) > VERTEX_LIMIT or sum(len(p.triangles) for p in parts) > TRIANGLE_LIMIT:
            raise document.bad(f"has more than {VERTEX_LIMIT} vertices or {TRIANGLE_LIMIT} triangles; export a lighter mesh")
    return bind, _joined(parts)


def read_bind_pose(document: Document, nodes: Nodes, joints: list[int]) -> Array:
    """The bind pose of the joints as matrices (J, 4, 4) in the scene's space."""
    number = {node: j for j, node in enumerate(joints)}
    skins = [_Skin.read(document, skin, number) for skin in document.all("skins")]
    return _bind_pose(document, nodes, joints, world_matrices(nodes), skins)[0]


def world_matrices(nodes: Nodes) -> Array:
    """The transforms (N, 4, 4) of all nodes in the pose of the file, in the scene's space."""
    from poise import rotation

    local = np.tile(np.eye(4), (len(nodes.names), 1, 1))
    local[:, :3, :3] = rotation.to_matrix(nodes.rotation) * nodes.scale[:, None, :]
    local[:, :3, 3] = nodes.translation
    world = local.copy()
    level = [k for k, parent in enumerate(nodes.parents) if parent < 0]
    while level := [child for k in level for child in nodes.children[k]]:
        for k in level:
            world[k] = world[nodes.parents[k]] @ local[k]
    return world


@dataclass(frozen=True, eq=False)
class _Skin:
    """A skin's joints by their place in the list of joints (-1: of another body), and its inverse bind matrices (n, 4, 4)."""

    joints: list[int]
    inverse: Array

    @staticmethod
    def read(document: Document, skin: Json, number: dict[int, int]) -> _Skin:
        nodes = document.indices(skin, "joints", len(document.all("nodes")))
        if "inverseBindMatrices" not in skin:
            raise document.bad("a skin has no inverse bind matrices, so nothing tells how it was bound; export it again")
        inverse = document.accessor(document.whole(skin, "inverseBindMatrices"), "MAT4")
        if len(inverse) < len(nodes):
            raise document.bad(f"a skin of {len(nodes)} joints has {len(inverse)} inverse bind matrices; export it again")
        inverse = np.swapaxes(inverse[: len(nodes)].reshape(-1, 4, 4), 1, 2)
        if _flatness(inverse[:, :3, :3]).min(initial=1.0) < _SINGULAR:
            raise document.bad("an inverse bind matrix flattens space; apply the scale of the armature and export again")
        return _Skin([number.get(k, -1) for k in nodes], inverse)


def _flatness(axes: Array) -> Array:
    """The volume (n,) that the axes of matrices (n, 3, 3) span once they have length one; 0 where space is flattened."""
    length = np.linalg.norm(axes, axis=-2).prod(axis=-1)
    return np.abs(np.linalg.det(axes)) / np.where(length > 0.0, length, np.inf)


def _bind_pose(
    document: Document, nodes: Nodes, joints: list[int], scene: Array, skins: list[_Skin]
) -> tuple[Array, dict[int, Array]]:
    """Bind matrices of all joints, and for each skin of this body the transform from its mesh's space to the scene's."""
    known: dict[int, Array] = {}
    spaces: dict[int, Array] = {}
    above = nodes.parents[joints[0]]
    armature = scene[above] if above >= 0 else np.eye(4)
    for s in sorted(range(len(skins)), key=lambda s: -sum(j >= 0 for j in skins[s].joints)):
        inverse = {j: m for j, m in zip(skins[s].joints, skins[s].inverse, strict=True) if j >= 0}
        if not inverse:
            continue
        anchor = min(inverse, key=lambda j: (j not in known, j))
        if anchor not in known:
            known[anchor] = _follow(nodes, joints, scene, known, anchor)
        space = known[anchor] @ inverse[anchor]
        spaces[s] = space if len(spaces) else _along_axes(space, known[anchor][:3, 3], inverse[anchor], armature)
        for j, m in inverse.items():
            if j not in known or not len(spaces) > 1:
                known[j] = spaces[s] @ np.linalg.inv(m)
    if not spaces:
        raise document.bad("its skins have no joints; export the character with its bones")
    for j in range(len(joints)):
        if j not in known:
            known[j] = _follow(nodes, joints, scene, known, j)
    return np.stack([known[j] for j in range(len(joints))]), spaces


def _follow(nodes: Nodes, joints: list[int], scene: Array, known: dict[int, Array], joint: int) -> Array:
    """Where a joint that no matrix tells of is: as its node is to the nearest known one above it."""
    number = {node: j for j, node in enumerate(joints)}
    for above in nodes.lineage(joints[joint])[-2::-1]:
        if number.get(above, -1) in known:
            return known[number[above]] @ np.linalg.inv(scene[above]) @ scene[joints[joint]]
    return scene[joints[joint]]


def _along_axes(space: Array, place: Array, inverse: Array, armature: Array) -> Array:
    """The transform with a turn that a mesh may be modelled in; the anchor joint stays at its place.

    Unturned, or turned as the armature (the node above the joints) is, if one of these is near; else along the nearest axes.
    """
    scale = _scale(space)
    turn = space[:3, :3] / scale
    usual = max((np.eye(3), armature[:3, :3] / _scale(armature)), key=lambda t: float(np.sum(t * turn)))
    near = 0.5 * (float(np.sum(usual * turn)) - 1.0) > _NEAR  # the trace of the turn between them tells its cosine
    straight = space.copy()
    straight[:3, :3] = scale * (usual if near else _nearest_turn(turn))
    straight[:3, 3] = place - straight[:3, :3] @ np.linalg.inv(inverse)[:3, 3]
    return straight


def _scale(matrix: Array) -> float:
    return float(np.cbrt(abs(np.linalg.det(matrix[:3, :3])))) or 1.0


def _nearest_turn(axes: Array) -> Array:
    """The signed permutation (3, 3) that is nearest to given axes; mirrored if they are."""
    found = [np.eye(3)[list(p)] for p in permutations(range(3))]
    signed = [np.where(axes < 0.0, -1.0, 1.0) * p for p in found]
    return max(signed, key=lambda t: float(np.sum(t * axes)))


def _carrier(nodes: Nodes, number: dict[int, int], node: int) -> int:
    """The joint that a mesh without skin hangs from, or -1."""
    return next((number[k] for k in nodes.lineage(node)[::-1] if k in number), -1)


@dataclass(frozen=True, eq=False)
class _Part:
    """One primitive in its mesh's own space."""

    vertices: Array
    triangles: Index
    owners: Index
    weights: Array
    texcoords: Array
    material: int

    @staticmethod
    def none() -> _Part:
        nobody = np.zeros((0, 4), np.int64)
        return _Part(np.zeros((0, 3)), np.zeros((0, 3), np.int64), nobody, np.zeros((0, 4)), np.zeros((0, 2)), -1)

    def placed(self, matrix: Array) -> _Part:
        vertices = self.vertices @ matrix[:3, :3].T + matrix[:3, 3]
        mirrored = np.linalg.det(matrix[:3, :3]) < 0.0
        return replace(self, vertices=vertices, triangles=self.triangles[:, ::-1] if mirrored else self.triangles)


def _primitives(document: Document, node: Json, joints: list[int]) -> list[_Part]:
    """The primitives of a node's mesh; one joint carries them whole, several by their weights."""
    meshes = document.all("meshes")
    mesh = meshes[document.whole(node, "mesh", below=len(meshes))]
    return [_primitive(document, p, np.array(joints)) for p in document.objects(mesh, "primitives")]


def _primitive(document: Document, primitive: Json, joints: Index) -> _Part:
    if "KHR_draco_mesh_compression" in document.object(primitive, "extensions"):
        raise document.bad("its mesh is compressed (KHR_draco_mesh_compression); export it without compression")
    attributes = document.object(primitive, "attributes")
    if "POSITION" not in attributes:
        return _Part.none()
    vertices = document.accessor(document.whole(attributes, "POSITION"), "VEC3")
    owners, weights = _influences(document, attributes, joints, len(vertices))
    triangles = _triangles(document, primitive, len(vertices))
    material = document.whole(primitive, "material", below=len(document.all("materials"))) if "material" in primitive else -1
    return _Part(vertices, triangles, owners, weights, _texcoords(document, attributes, len(vertices)), material)


def _texcoords(document: Document, attributes: Json, nvertices: int) -> Array:
    if "TEXCOORD_0" not in attributes:
        return np.zeros((nvertices, 2))
    found = document.accessor(document.whole(attributes, "TEXCOORD_0"), "VEC2")
    if len(found) != nvertices:
        raise document.bad(f"a mesh of {nvertices} vertices has {len(found)} texture coordinates; export it again")
    return found


def _influences(document: Document, attributes: Json, joints: Index, nvertices: int) -> tuple[Index, Array]:
    """Joints and weights (V, K) of vertices; those of other bodies weigh nothing."""
    sets = [s for s in range(_SETS) if f"JOINTS_{s}" in attributes and f"WEIGHTS_{s}" in attributes]
    if not sets:
        return np.full((nvertices, 4), max(joints[0], 0)), np.tile([1.0, 0.0, 0.0, 0.0], (nvertices, 1))
    slots = np.concatenate([document.accessor(document.whole(attributes, f"JOINTS_{s}"), "VEC4") for s in sets], axis=1)
    weights = np.concatenate([document.accessor(document.whole(attributes, f"WEIGHTS_{s}"), "VEC4") for s in sets], axis=1)
    if slots.shape != weights.shape or len(slots) != nvertices or slots.max(initial=0) >= len(joints):
        raise document.bad(f"a mesh of {nvertices} vertices names joints that its skin of {len(joints)} lacks; export it again")
    owners = joints[slots.astype(np.int64)]
    weights = np.where(owners >= 0, np.maximum(weights, 0.0), 0.0)
    total = weights.sum(axis=1, keepdims=True)
    weights[:, :1] += total == 0.0
    return np.maximum(owners, 0), weights / np.where(total == 0.0, 1.0, total)


def _triangles(document: Document, primitive: Json, nvertices: int) -> Index:
    """Triangles (T, 3) of a primitive; lines, points and strips have none here."""
    if document.whole(primitive, "mode", _TRIANGLES) != _TRIANGLES:
        return np.zeros((0, 3), np.int64)
    if "indices" in primitive:
        corners = document.accessor(document.whole(primitive, "indices"), "SCALAR")[:, 0].astype(np.int64)
    else:
        corners = np.arange(nvertices)
    if corners.max(initial=0) >= max(nvertices, 1):
        raise document.bad(f"a mesh of {nvertices} vertices has a triangle at vertex {corners.max()}; export it again")
    return corners[: len(corners) // 3 * 3].reshape(-1, 3)


def _joined(parts: list[_Part]) -> SkinnedMesh:
    width = max(p.owners.shape[1] for p in parts)
    starts = np.cumsum([0, *(len(p.vertices) for p in parts)])
    pad = [((0, 0), (0, width - p.owners.shape[1])) for p in parts]
    return SkinnedMesh(
        np.concatenate([p.vertices for p in parts]),
        np.concatenate([p.triangles + start for p, start in zip(parts, starts, strict=False)]),
        np.concatenate([np.pad(p.owners, by) for p, by in zip(parts, pad, strict=True)]),
        np.concatenate([np.pad(p.weights, by) for p, by in zip(parts, pad, strict=True)]),
        np.concatenate([p.texcoords for p in parts]),
        np.concatenate([np.full(len(p.triangles), p.material) for p in parts]),
    )
