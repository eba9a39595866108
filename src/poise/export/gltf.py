"""A take as binary glTF: the character as an armature that carries its boxes, the things around it, a piece of ground.

A character that was made from an artist's rig is written as that rig instead, see `poise.export.skin`.

glTF is in metres, Y up, facing +z. There is a joint for every segment, by its role's name, and its frame is aligned with the
world in the rest pose; so the motion can be retargeted by name, and a box is moved by one joint alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise import rotation
from poise.character.character import Character, Segment
from poise.errors import BadInput
from poise.export.glb import INDICES, VERTICES, Glb
from poise.export.skin import change_of
from poise.export.skin import encode as encode_skin
from poise.files import write_whole
from poise.report import palette
from poise.report.mesh import Mesh, rounded_box, soft_radius
from poise.report.palette import Color
from poise.report.resample import resampled, steady_times
from poise.report.sheet import name_of
from poise.report.take_scene import ground, is_ground, prop_piece
from poise.rotation import Array
from poise.take import Prop, Take

USUAL_FPS, FASTEST_FPS = 30.0, 60.0
_FPS_LIMITS = (1.0, 1000.0)
_EDGE = 0.005  # metres, rounding of boxes beside the character
_GROUND_EDGE, _GROUND_THICKNESS = 3.0, 0.02  # metres beyond the path, and down


def write(take: Take, path: str | Path, *, fps: float | None = None) -> str | None:
    """Write the take at `fps` frames per second; None takes the clip's rate up to 60, or 30 where there is no clip.

    Returns what there is to tell about the rig of a character that was made from one.
    """
    write_whole(path, encode(take, fps))
    return change_of(take.character.skin) if take.character.skin else None


def encode(take: Take, fps: float | None = None) -> bytes:
    """The bytes of the file."""
    rate = fps or (min(take.clip.fps, FASTEST_FPS) if take.clip else USUAL_FPS)
    if not _FPS_LIMITS[0] <= rate <= _FPS_LIMITS[1]:
        raise BadInput(f"frame rate {rate:g} must lie between {_FPS_LIMITS[0]:g} and {_FPS_LIMITS[1]:g} frames per second")
    if take.character.skin:
        return encode_skin(take, take.character.skin, rate, name_of(take))
    take = resampled(take, steady_times(take, rate))
    glb = Glb()
    animation = _Animation(glb, take.times - take.times[0])
    roots = _add_character(glb, take, animation)
    roots += [_add_prop(glb, prop, animation) for prop in take.props if not is_ground(prop)]
    roots.append(_add_ground(glb, take))
    animation.finish(name_of(take))
    return glb.to_bytes(roots)


class _Animation:
    """Channels that share one row of times."""

    def __init__(self, glb: Glb, times: Array) -> None:
        self._glb = glb
        self._times = glb.add_array(times.astype(np.float32), bounds=True)
        self._samplers: list[dict[str, Any]] = []
        self._channels: list[dict[str, Any]] = []

    def add(self, node: int, path: str, values: Array, interpolation: str = "LINEAR") -> None:
        """What a node's translation, rotation or scale does, in glTF's axes."""
        output = self._glb.add_array(values.astype(np.float32))
        self._channels.append({"sampler": len(self._samplers), "target": {"node": node, "path": path}})
        self._samplers.append({"input": self._times, "output": output, "interpolation": interpolation})

    def finish(self, name: str) -> None:
        self._glb.add("animations", name=name, samplers=self._samplers, channels=self._channels)


def _add_character(glb: Glb, take: Take, animation: _Animation) -> list[int]:
    """The armature with its animation, and the mesh that it carries; returns their nodes."""
    character = take.character
    children = {k: [c for c, parent in enumerate(character.parents) if parent == k] for k in range(character.nsegments)}
    first = len(glb.parts.get("nodes", []))
    for k, segment in enumerate(character.segments):
        below = {"children": [first + c for c in children[k]]} if children[k] else {}
        glb.add("nodes", name=segment.name, translation=_vectors(character.offsets[k]).tolist(), **below)
    for k, parent in enumerate(character.parents):
        turn = take.rotation[:, k]
        local = turn if parent < 0 else rotation.multiply(rotation.conjugate(take.rotation[:, parent]), turn)
        animation.add(first + k, "rotation", _turns(local))
    animation.add(first, "translation", _vectors(take.position[:, 0]))
    skin = glb.add(
        "skins",
        name=character.name,
        joints=list(range(first, first + character.nsegments)),
        skeleton=first,
        inverseBindMatrices=glb.add_array(_inverse_binds(character)),
    )
    # A node of its own above the root joint is what Blender takes for the armature; without it all else hangs below the bones.
    armature = glb.add("nodes", name=character.name, children=[first])
    return [armature, glb.add("nodes", name=f"{character.name}_boxes", mesh=_add_body(glb, character), skin=skin)]


def _inverse_binds(character: Character) -> NDArray[np.float32]:
    """From rest pose to joint frames (S, 4, 4), column by column as glTF wants it: all that it takes is a shift."""
    binds = np.tile(np.eye(4), (character.nsegments, 1, 1))
    binds[:, 3, :3] = -_vectors(character.joints)
    return binds.astype(np.float32)


def _add_body(glb: Glb, character: Character) -> int:
    """One mesh of all boxes in the rest pose, with a primitive for each colour."""
    by_color: dict[Color, list[int]] = {}
    for k, name in enumerate(character.names):
        by_color.setdefault(palette.of_part(name), []).append(k)
    primitives = []
    for color, numbers in by_color.items():
        meshes = [_box_at_rest(character.segments[k]) for k in numbers]
        owners = np.concatenate([np.full(len(m.vertices), k) for k, m in zip(numbers, meshes, strict=True)])
        primitives.append(_primitive(glb, _joined(meshes), color, owners))
    return glb.add("meshes", name=f"{character.name}_boxes", primitives=primitives)


def _box_at_rest(segment: Segment) -> Mesh:
    box = segment.box
    mesh = rounded_box(box.size, soft_radius(box.size))
    vertices = np.add(segment.joint, box.center) + rotation.rotate(np.array(box.turn), mesh.vertices)
    return Mesh(vertices, rotation.rotate(np.array(box.turn), mesh.normals), mesh.triangles)


def _joined(meshes: list[Mesh]) -> Mesh:
    starts = np.cumsum([0, *(len(m.vertices) for m in meshes)])
    return Mesh(
        np.concatenate([m.vertices for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.triangles + start for m, start in zip(meshes, starts, strict=False)]),
    )


def _primitive(glb: Glb, mesh: Mesh, color: Color, owners: Array | None = None) -> dict[str, Any]:
    """The mesh in one colour; `owners` (V,) are the joints that carry its vertices."""
    attributes = {
        "POSITION": glb.add_array(_vectors(mesh.vertices).astype(np.float32), VERTICES, bounds=True),
        "NORMAL": glb.add_array(_vectors(mesh.normals).astype(np.float32), VERTICES),
    }
    if owners is not None:
        joints, weights = np.zeros((len(owners), 4), np.uint16), np.zeros((len(owners), 4), np.float32)
        joints[:, 0], weights[:, 0] = owners, 1.0
        attributes |= {"JOINTS_0": glb.add_array(joints, VERTICES), "WEIGHTS_0": glb.add_array(weights, VERTICES)}
    indices = glb.add_array(mesh.triangles.astype(np.uint32).ravel(), INDICES)
    return {"attributes": attributes, "indices": indices, "material": _material(glb, color)}


def _material(glb: Glb, color: Color) -> int:
    *rgb, alpha = color
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]  # from sRGB
    surface = {"baseColorFactor": [*linear, alpha], "metallicFactor": 0.0, "roughnessFactor": 0.7}
    return glb.add("materials", pbrMetallicRoughness=surface)


def _add_prop(glb: Glb, prop: Prop, animation: _Animation) -> int:
    """A ball or a box that moves by itself; while it is not there it has no size."""
    piece = prop_piece(prop)
    size = piece.size[0]
    mesh = rounded_box(size, 0.5 * size[0], steps=6) if piece.shape in ("sphere", "capsule") else rounded_box(size, _EDGE)
    solid = glb.add("meshes", name=prop.name, primitives=[_primitive(glb, mesh, piece.color)])
    node = glb.add("nodes", name=prop.name, mesh=solid)
    animation.add(node, "translation", _vectors(piece.position))
    animation.add(node, "rotation", _turns(piece.rotation))
    if not piece.visible.all():
        animation.add(node, "scale", np.repeat(piece.visible.astype(float)[:, None], 3, axis=1), "STEP")
    return node


def _add_ground(glb: Glb, take: Take) -> int:
    """A thin slab of the ground under the path of the character, its top where the ground is."""
    plane = ground(take)
    turn, origin = np.array(plane.rotation), np.array(plane.position)
    along = rotation.rotate(rotation.conjugate(turn), take.com - origin)[:, :2]
    low, high = along.min(axis=0) - _GROUND_EDGE, along.max(axis=0) + _GROUND_EDGE
    mesh = rounded_box((*(high - low), _GROUND_THICKNESS), 0.0, steps=0)
    slab = glb.add("meshes", name="ground", primitives=[_primitive(glb, mesh, palette.GROUND)])
    middle = origin + rotation.rotate(turn, [*(0.5 * (low + high)), -0.5 * _GROUND_THICKNESS])
    return glb.add(
        "nodes", name="ground", mesh=slab, translation=_vectors(middle).tolist(), rotation=_turns(turn[None])[0].tolist()
    )


def _vectors(v: Array) -> Array:
    """Vectors (…, 3) in glTF's axes: our y, z and x."""
    return v[..., [1, 2, 0]]


def _turns(q: Array) -> Array:
    """Rotations over time (N, 4) in glTF's axes and order (x, y, z, w), without jumps of sign."""
    return rotation.normalize(rotation.continuous(q))[..., [2, 3, 1, 0]]
