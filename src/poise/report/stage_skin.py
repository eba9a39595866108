"""An artist's mesh on a MuJoCo stage: bones that can be put anywhere, and a skin on them for each material."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.motion.gltf_materials import Surface
from poise.report.palette import CLAY, Color
from poise.report.scene import Skinned
from poise.report.triangle_colors import seen_triangles

_GHOST_INSIDE = -0.006  # metres: a ghost hides inside the body where the two agree
_WHITE = (1.0, 1.0, 1.0, 1.0)


def add_skin(mujoco: Any, spec: Any, skinned: Skinned, name: str) -> None:
    """Adds the bones of a skin, and its surfaces."""
    mesh = skinned.mesh
    bones = [f"{name} bone {k}" for k in range(len(mesh.joints))]
    for bone in bones:
        spec.worldbody.add_body(name=bone, mocap=True)
    shown = seen_triangles(skinned)
    groups = {-1: shown} if skinned.tint else {m: shown & (mesh.materials == m) for m in np.unique(mesh.materials)}
    for number, these in groups.items():
        if these.any():
            skin = _add_surface(spec, skinned, bones, mesh.triangles[these])
            _paint(mujoco, spec, skin, skinned, int(number), f"{name} material {number}")


def _add_surface(spec: Any, skinned: Skinned, bones: list[str], triangles: NDArray[np.int64]) -> Any:
    """A skin of some of the triangles, with the vertices that they need."""
    mesh = skinned.mesh
    used, local = np.unique(triangles, return_inverse=True)
    skin = spec.add_skin()
    skin.vert, skin.face = mesh.vertices[used].ravel(), local.ravel().tolist()
    skin.texcoord = mesh.texcoords[used].ravel()
    weights = mesh.weights[used]
    carried = [np.flatnonzero(weights[:, k] > 0.0) for k in range(len(bones))]
    active = [k for k, vertices in enumerate(carried) if len(vertices)]
    skin.bodyname = [bones[k] for k in active]
    skin.bindpos, skin.bindquat = mesh.joints[active].ravel(), mesh.turns[active].ravel()
    skin.vertid = [carried[k].tolist() for k in active]
    skin.vertweight = [weights[carried[k], k].tolist() for k in active]
    return skin


def _paint(mujoco: Any, spec: Any, skin: Any, skinned: Skinned, number: int, name: str) -> None:
    """Gives a skin the look of a material of the rig: its colour, and its image where it has one."""
    surface = skinned.surfaces[number] if 0 <= number < len(skinned.surfaces) else None
    material = spec.add_material(name=name, rgba=skinned.tint or _color(surface), specular=0.1, shininess=0.2)
    if skinned.tint:
        skin.inflate = _GHOST_INSIDE
    elif surface and surface.image is not None:
        pixels = np.ascontiguousarray(surface.image[..., :3])
        flat = mujoco.mjtTexture.mjTEXTURE_2D
        texture = spec.add_texture(name=name, type=flat, width=pixels.shape[1], height=pixels.shape[0], nchannel=3)
        texture.data = pixels.tobytes()
        material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = name
    skin.material = name


def _color(surface: Surface | None) -> Color:
    return CLAY if surface is None else (*surface.color, 1.0)
