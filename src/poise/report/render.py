"""Pictures of a scene, drawn off-screen by MuJoCo's renderer. The only module of export and report that sees MuJoCo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise import rotation
from poise.report import opengl
from poise.report.camera import Camera
from poise.report.scene import Piece, Scene

Picture = NDArray[np.uint8]  # (height, width, 3)

NO_OPENGL = "no off-screen OpenGL works here (tried EGL, OSMesa); drew plain boxes with matplotlib instead"


def pictures(scene: Scene, camera: Camera, width: int, height: int) -> Iterator[Picture]:
    """Every frame of the scene as RGB pixels, one after the other."""
    import mujoco

    gl = opengl.context(width, height)
    try:
        stage = _stage(width, height)
        brush = mujoco.MjrContext(stage, mujoco.mjtFontScale.mjFONTSCALE_100.value)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, brush)
        for frame in range(scene.nframes):
            yield _picture(mujoco, stage, brush, scene, camera, frame, (width, height))
    finally:
        gl.free()


def _stage(width: int, height: int) -> Any:
    """The floor, the sky and the lights, without anybody on them."""
    import mujoco

    spec = mujoco.MjSpec()
    spec.visual.global_.offwidth, spec.visual.global_.offheight = width, height
    spec.visual.quality.shadowsize = 4096
    spec.visual.headlight.ambient = [0.5, 0.5, 0.52]
    spec.visual.headlight.diffuse = [0.3, 0.3, 0.3]
    spec.visual.headlight.specular = [0.0, 0.0, 0.0]
    spec.visual.rgba.haze = [*_HORIZON, 1.0]
    spec.visual.map.haze = 0.6
    spec.visual.map.znear, spec.visual.map.zfar = 0.1, 60.0
    spec.visual.map.shadowclip, spec.visual.map.shadowscale = 6.0, 0.9
    spec.stat.extent, spec.stat.center = 1.0, [0.0, 0.0, 0.8]
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=_SKY,
        rgb2=_HORIZON,
        width=512,
        height=3072,
    )
    spec.add_texture(
        name="checker",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        rgb1=[0.80, 0.82, 0.85],
        rgb2=[0.74, 0.765, 0.80],
        width=512,
        height=512,
    )
    floor = spec.add_material(name="floor", texrepeat=[1, 1], texuniform=True, specular=0.0, shininess=0.0, reflectance=0.0)
    floor.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "checker"
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.05], material="floor")
    spec.worldbody.add_light(
        name="sun",
        pos=[0, 0, 6],
        dir=_SUN,
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        castshadow=True,
        diffuse=[0.55, 0.54, 0.52],
        specular=[0.12, 0.12, 0.12],
        ambient=[0, 0, 0],
    )
    return spec.compile()


_SKY = [0.78, 0.85, 0.93]
_HORIZON = [0.93, 0.94, 0.955]
_SUN = [-0.35, 0.25, -1.0]


def _picture(mujoco: Any, stage: Any, brush: Any, scene: Scene, camera: Camera, frame: int, size: tuple[int, int]) -> Picture:
    data = mujoco.MjData(stage)
    shown = mujoco.MjvScene(stage, maxgeom=2000)
    eye = mujoco.MjvCamera()
    eye.lookat, eye.distance = camera.target[frame], camera.distance
    eye.azimuth, eye.elevation = camera.azimuth_deg, camera.elevation_deg
    stage.vis.global_.fovy = camera.fov_deg
    # The sun follows the viewer, so that its shadow map always covers the figure.
    sun = np.array(_SUN) / np.linalg.norm(_SUN)
    stage.light_pos[0] = camera.target[frame] - 4.0 * sun
    mujoco.mj_forward(stage, data)
    mujoco.mjv_updateScene(stage, data, mujoco.MjvOption(), None, eye, mujoco.mjtCatBit.mjCAT_ALL.value, shown)
    shown.geoms[0].castshadow = 0  # the floor's own shadow is only noise
    shown.flags[mujoco.mjtRndFlag.mjRND_HAZE] = True
    shown.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = False
    for piece in scene.pieces:
        if piece.visible[frame]:
            _add(mujoco, shown, piece, frame)
    pixels = np.empty((size[1], size[0], 3), np.uint8)
    view = mujoco.MjrRect(0, 0, *size)
    mujoco.mjr_render(view, shown, brush)
    mujoco.mjr_readPixels(pixels, None, view, brush)
    return pixels[::-1]


def _add(mujoco: Any, shown: Any, piece: Piece, frame: int) -> None:
    kinds = mujoco.mjtGeom
    x, y, z = piece.size[frame]
    kind, size = {
        "box": (kinds.mjGEOM_BOX, [x / 2, y / 2, z / 2]),
        "sphere": (kinds.mjGEOM_SPHERE, [x / 2, x / 2, x / 2]),
        "capsule": (kinds.mjGEOM_CAPSULE, [x / 2, (z - x) / 2, 0.0]),
        "arrow": (kinds.mjGEOM_ARROW, [x / 2, x / 2, z]),
    }[piece.shape]
    geom = shown.geoms[shown.ngeom]
    turn = rotation.to_matrix(piece.rotation[frame]).ravel()
    mujoco.mjv_initGeom(geom, kind, np.array(size), piece.position[frame].astype(float), turn, np.array(piece.color, np.float32))
    # Decoration would cast no shadow.
    geom.category = mujoco.mjtCatBit.mjCAT_DYNAMIC
    geom.specular, geom.shininess = 0.2, 0.4
    shown.ngeom += 1
