"""What stays the same in every picture, as a MuJoCo model: floor, sky, sun, the shapes of the pieces, and skins on bones."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.report.camera import Camera
from poise.report.mesh import arrow, rounded_box, soft_radius
from poise.report.scene import Ground, Piece, Scene
from poise.report.stage_skin import add_skin

_SKY, _HORIZON = [0.76, 0.84, 0.93], [0.93, 0.94, 0.955]
_TILES = [0.83, 0.86, 0.905], [0.77, 0.805, 0.86]
_SUN = np.array([0.30, 0.22, -1.0])  # where sunlight goes: right, away from the viewer, down
_SHADOW_REACH = 3.5  # metres around the figure


def build_stage(mujoco: Any, scene: Scene, camera: Camera, size: tuple[int, int], samples: int) -> Any:
    """A MuJoCo model for pictures of that size (width, height) in pixels, with that many samples per pixel.

    Its meshes are those of the scene's pieces that have one, in the scene's order; its bodies the bones of the scene's skins.
    """
    spec = mujoco.MjSpec()
    spec.visual.global_.offwidth, spec.visual.global_.offheight = size
    spec.visual.quality.offsamples = samples
    _set_visuals(spec.visual, camera)
    spec.stat.extent = 1.0  # lengths of the visuals are metres
    _add_sky_and_sun(mujoco, spec, camera)
    _add_floor(mujoco, spec, scene.ground)
    for piece in scene.pieces:
        if has_mesh(piece):
            _add_mesh(spec, piece)
    for number, skin in enumerate(scene.skins):
        add_skin(mujoco, spec, skin, f"figure {number}")
    return spec.compile()


def put_bones(data: Any, scene: Scene, frame: int) -> None:
    """Brings the bones of all skins to where they are in a frame."""
    if scene.skins:
        data.mocap_pos[:] = np.concatenate([skin.position[frame] for skin in scene.skins])
        data.mocap_quat[:] = np.concatenate([skin.rotation[frame] for skin in scene.skins])


def has_mesh(piece: Piece) -> bool:
    """Whether a piece is drawn as triangles of ours; the rest are solids that the renderer knows."""
    return piece.shape in ("box", "arrow")


def _set_visuals(visual: Any, camera: Camera) -> None:
    visual.global_.fovy = camera.fov_deg
    visual.quality.shadowsize = 4096
    visual.headlight.ambient, visual.headlight.diffuse, visual.headlight.specular = [0.5] * 3, [0.26] * 3, [0.0] * 3
    visual.rgba.haze, visual.map.haze = [*_HORIZON, 1.0], 0.6
    visual.map.znear, visual.map.zfar = 0.1, 100.0
    visual.map.shadowclip, visual.map.shadowscale = _SHADOW_REACH, 0.9


def _add_sky_and_sun(mujoco: Any, spec: Any, camera: Camera) -> None:
    gradient, skybox = mujoco.mjtBuiltin.mjBUILTIN_GRADIENT, mujoco.mjtTexture.mjTEXTURE_SKYBOX
    spec.add_texture(name="sky", type=skybox, builtin=gradient, rgb1=_SKY, rgb2=_HORIZON, width=256, height=1536)
    a = np.deg2rad(camera.azimuth_deg)
    right, ahead = np.array([np.sin(a), -np.cos(a), 0.0]), np.array([np.cos(a), np.sin(a), 0.0])
    light = _SUN[0] * right + _SUN[1] * ahead + [0.0, 0.0, _SUN[2]]
    spec.worldbody.add_light(
        dir=light,
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        castshadow=True,
        ambient=[0.0] * 3,
        diffuse=[0.46, 0.46, 0.45],
        specular=[0.2] * 3,
    )


def _add_floor(mujoco: Any, spec: Any, ground: Ground) -> None:
    checker = mujoco.mjtBuiltin.mjBUILTIN_CHECKER
    flat = mujoco.mjtTexture.mjTEXTURE_2D
    spec.add_texture(name="tiles", type=flat, builtin=checker, rgb1=_TILES[0], rgb2=_TILES[1], width=512, height=512)
    floor = spec.add_material(name="floor", texrepeat=[1, 1], texuniform=True, specular=0.0, shininess=0.0)
    floor.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "tiles"
    plane = mujoco.mjtGeom.mjGEOM_PLANE
    spec.worldbody.add_geom(type=plane, size=[0, 0, 0.05], pos=ground.position, quat=ground.rotation, material="floor")


def _add_mesh(spec: Any, piece: Piece) -> None:
    size = piece.size[0]
    solid = arrow(size) if piece.shape == "arrow" else rounded_box(size, soft_radius(size))
    mesh = spec.add_mesh(name=f"mesh {len(spec.meshes)}")
    mesh.uservert, mesh.usernormal, mesh.userface = solid.vertices.ravel(), solid.normals.ravel(), solid.triangles.ravel()
