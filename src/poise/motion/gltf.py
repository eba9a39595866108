"""glTF 2.0 files (.glb, .gltf): the animation of a skeleton, in the space of the file's scene.

The skeleton is what the skins name, see `gltf_nodes`. Transforms of nodes above it become part of its root, scales become
part of the translations, so that world positions are those of the scene. Meshes are not read.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise import rotation
from poise.motion.clip import Clip
from poise.motion.gltf_animation import Track, frame_times, pick, read_tracks
from poise.motion.gltf_document import VALUES_LIMIT, Document
from poise.motion.gltf_nodes import Nodes, read_nodes, skeleton_nodes, tips
from poise.motion.joint_names import usable_names
from poise.motion.skeleton import Skeleton
from poise.rotation import Array


def read(path: str | Path, animation: str | None = None) -> Clip:
    """The first animation, or the one of that name; without any, one frame of the pose the nodes are in."""
    document = Document(Path(path))
    nodes = read_nodes(document)
    picked = pick(document, animation)
    tracks = read_tracks(document, picked[1]) if picked else []
    joints = skeleton_nodes(document, nodes, {track.node for track in tracks})
    moving = {*joints, *nodes.lineage(joints[0])}
    tracks = [track for track in tracks if track.node in moving]
    times, fps = frame_times(document, tracks)
    if len(times) * len(moving) * 12 > VALUES_LIMIT:
        raise document.bad(f"has {len(times)} frames of {len(moving)} nodes, which is too much; cut the clip")
    rotations, translations = _motion(nodes, joints, tracks, times)
    _, rest = _motion(nodes, joints, [], times[:1])
    several = picked is not None and len(document.all("animations")) > 1
    name = f"{document.path.stem}_{picked[0]}" if picked and several else document.path.stem
    return Clip(name, _skeleton(nodes, joints, rest[0]), rotations, translations, fps, up="y")


def _motion(nodes: Nodes, joints: list[int], tracks: list[Track], times: Array) -> tuple[Array, Array]:
    """Local rotations (F, J, 4) and translations (F, J, 3), the root's in the scene's space.

    Places come from full affine matrices, scales included; rotations are products of the nodes' rotations alone. The
    translation is then what leads from the parent's place to the joint's, in the parent's rotation.
    """
    affine: dict[int, tuple[Array, Array]] = {}  # node: matrix (F, 3, 3) with scale, place (F, 3)
    turned: dict[int, Array] = {}
    local = {(track.node, track.path): track.at(times) for track in tracks}
    for k in [*nodes.lineage(joints[0])[:-1], *joints]:
        turn, move, scale = (_local(nodes, local, k, path, len(times)) for path in ("rotation", "translation", "scale"))
        above, origin = affine.get(nodes.parents[k], (np.eye(3)[None], np.zeros((1, 3))))
        affine[k] = above @ (rotation.to_matrix(turn) * scale[:, None, :]), origin + (above @ move[:, :, None])[:, :, 0]
        turned[k] = rotation.multiply(turned.get(nodes.parents[k], rotation.IDENTITY), turn)
    rotations, translations = [turned[joints[0]]], [affine[joints[0]][1]]
    for k in joints[1:]:
        back = rotation.conjugate(turned[nodes.parents[k]])
        rotations.append(rotation.multiply(back, turned[k]))
        translations.append(rotation.rotate(back, affine[k][1] - affine[nodes.parents[k]][1]))
    return rotation.normalize(np.stack(rotations, axis=1)), np.stack(translations, axis=1)


def _local(nodes: Nodes, local: dict[tuple[int, str], Array], node: int, path: str, nframes: int) -> Array:
    """A node's own rotation, translation or scale in every frame: animated, or at rest."""
    rest: Array = getattr(nodes, path)[node]
    return local.get((node, path), np.broadcast_to(rest, (nframes, len(rest))))


def _skeleton(nodes: Nodes, joints: list[int], offsets: Array) -> Skeleton:
    """Joints with their rest offsets (J, 3); bare nodes at the ends of chains become their tips."""
    index = {k: j for j, k in enumerate(joints)}
    parents = (-1, *(index[nodes.parents[k]] for k in joints[1:]))
    names = usable_names(nodes.names[k] for k in joints)
    below = tips(nodes, joints)
    ends: tuple[tuple[int, tuple[float, float, float]], ...] = ()
    if below:
        _, rest = _motion(nodes, [*joints, *(tip for _, tip in below)], [], np.zeros(1))
        x_y_z = rest[0, len(joints) :].tolist()
        ends = tuple((index[joint], (x, y, z)) for (joint, _), (x, y, z) in zip(below, x_y_z, strict=True))
    return Skeleton(names, parents, offsets, ends)
