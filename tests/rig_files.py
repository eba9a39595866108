"""Rigs as glTF files, made from skeletons: bones become closed boxes that are skinned to their joints."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from poise import rotation
from poise.motion.skeleton import Skeleton

# From our axes (z up, facing +x, left +y) to a file's: glTF's (y up, facing +z, left +x), and others that exporters leave.
AXES = {
    "y": np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    "z": np.eye(3),
    "-y": np.array([[0.0, -1, 0], [0, 0, -1], [1, 0, 0]]),
    "x": np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]),
}
_CORNERS = np.array(list(product((-0.5, 0.5), repeat=3)))
_FACES = [
    (0, 1, 3),
    (0, 3, 2),
    (4, 6, 7),
    (4, 7, 5),
    (0, 4, 5),
    (0, 5, 1),
    (2, 3, 7),
    (2, 7, 6),
    (0, 2, 6),
    (0, 6, 4),
    (1, 5, 7),
    (1, 7, 3),
]
BARE = ("root", "PoleTarget.L", "PoleTarget.R")  # handles, which carry no flesh
_KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
_TYPES = {"float32": 5126, "uint16": 5123, "uint8": 5121, "int16": 5122, "uint32": 5125}


@dataclass
class RigFile:
    """A glTF file in the making, open to be spoilt."""

    json: dict = field(default_factory=lambda: {"asset": {"version": "2.0"}, "bufferViews": [], "accessors": [], "scene": 0})
    buffer: bytes = b""

    def accessor(self, values: np.ndarray, *, bounds: bool = False, **more) -> int:
        values = np.ascontiguousarray(values)
        values = values.reshape(len(values), -1)
        self.buffer += b"\0" * (-len(self.buffer) % 4)
        view = {"buffer": 0, "byteOffset": len(self.buffer), "byteLength": values.nbytes}
        self.buffer += values.tobytes()
        self.json["bufferViews"].append(view)
        limits = {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()} if bounds else {}
        part = {"bufferView": len(self.json["bufferViews"]) - 1, "componentType": _TYPES[values.dtype.name]}
        part |= {"count": len(values), "type": _KINDS[values.shape[1]], **limits, **more}
        self.json["accessors"].append(part)
        return len(self.json["accessors"]) - 1

    def glb(self) -> bytes:
        text = json.dumps(self.json | {"buffers": [{"byteLength": len(self.buffer)}]}).encode()
        text += b" " * (-len(text) % 4)
        binary = self.buffer + b"\0" * (-len(self.buffer) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def make_rig(
    skeleton: Skeleton,
    positions: np.ndarray,
    *,
    up: str = "y",
    scale: float = 1.0,
    armature_scale: float = 1.0,
    seed: int = 0,
    posed_deg: float = 0.0,
    mesh: bool = True,
) -> RigFile:
    """A rig of joints at positions (J, 3), metres, our axes.

    Bones have frames turned at random (`seed`), as tools leave them. `posed_deg` turns the joints' nodes away from the bind
    pose. An armature above the joints may have a scale of its own, as files made from FBX do.
    """
    made, random = RigFile(), np.random.default_rng(seed)
    axes = AXES[up]
    place = scale * positions @ axes.T
    frames = rotation.to_matrix(rotation.normalize(random.normal(size=(len(positions), 4))))
    bind = np.tile(np.eye(4), (len(positions), 1, 1))
    bind[:, :3, :3], bind[:, :3, 3] = armature_scale * frames, place
    armature = np.diag([armature_scale] * 3 + [1.0])
    nodes = [{"name": "Armature", "children": [1], "scale": [armature_scale] * 3}]
    for j, name in enumerate(skeleton.names):
        above = armature if skeleton.parents[j] < 0 else bind[skeleton.parents[j]]
        local = np.linalg.inv(above) @ bind[j]
        turn = rotation.from_matrix(local[:3, :3])
        if posed_deg:
            axis = random.normal(size=3)
            away = rotation.from_axis_angle(axis / np.linalg.norm(axis), np.radians(posed_deg))
            turn = rotation.multiply(turn, away)
        below = [c + 1 for c in skeleton.children(j)]
        node = {"name": name, "translation": local[:3, 3].tolist(), "rotation": turn[[1, 2, 3, 0]].tolist()}
        nodes.append(node | ({"children": below} if below else {}))
    made.json |= {"nodes": nodes, "scenes": [{"nodes": [0]}]}
    inverse = np.swapaxes(np.linalg.inv(bind), 1, 2).astype(np.float32)
    skin = {"joints": list(range(1, len(positions) + 1)), "inverseBindMatrices": made.accessor(inverse)}
    made.json["skins"] = [skin]
    if mesh:
        vertices, triangles, owners = boxes(skeleton, positions)
        _add_mesh(made, scale * vertices @ axes.T, triangles if np.linalg.det(axes) > 0 else triangles[:, ::-1], owners)
    return made


def boxes(skeleton: Skeleton, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices (V, 3), triangles and owning joints of a closed box around every bone, our axes, metres."""
    vertices, triangles, owners = [], [], []
    for j, name in enumerate(skeleton.names):
        if name in BARE:
            continue
        for start, end in _bones(skeleton, positions, j):
            length = float(np.linalg.norm(end - start))
            if length < 1e-6:
                continue
            thick = min(0.12, 0.35 * length + 0.02)
            turn = rotation.between([0.0, 0.0, 1.0], end - start)
            corners = 0.5 * (start + end) + rotation.rotate(turn, _CORNERS * [thick, thick, length])
            triangles += [np.array(_FACES) + 8 * len(vertices)]
            vertices.append(corners)
            owners += [j] * 8
    return np.concatenate(vertices), np.concatenate(triangles), np.array(owners)


def _bones(skeleton: Skeleton, positions: np.ndarray, j: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """From a joint to each child; a chain's end goes on as it came, but ends that stand on the floor point forward."""
    below = skeleton.children(j)
    if below:
        return [(positions[j], positions[c]) for c in below]
    parent = skeleton.parents[j]
    came = positions[j] - positions[parent] if parent >= 0 else np.array([0.0, 0.0, 0.1])
    ahead = np.array([0.2, 0.0, -positions[j][2]]) if positions[j][2] < 0.12 else 0.5 * came
    return [(positions[j], positions[j] + ahead)]


def _add_mesh(made: RigFile, vertices: np.ndarray, triangles: np.ndarray, owners: np.ndarray) -> None:
    joints, weights = np.zeros((len(owners), 4), np.uint16), np.zeros((len(owners), 4), np.float32)
    joints[:, 0], weights[:, 0] = owners, 1.0
    attributes = {
        "POSITION": made.accessor(vertices.astype(np.float32), bounds=True),
        "JOINTS_0": made.accessor(joints),
        "WEIGHTS_0": made.accessor(weights),
    }
    primitive = {"attributes": attributes, "indices": made.accessor(triangles.astype(np.uint16).ravel())}
    made.json["meshes"] = [{"primitives": [primitive]}]
    made.json["nodes"].append({"name": "Body", "mesh": 0, "skin": 0})
    made.json["scenes"][0]["nodes"].append(len(made.json["nodes"]) - 1)
