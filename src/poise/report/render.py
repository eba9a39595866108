"""Pictures of a scene: drawn off-screen by MuJoCo's renderer, or plainly where no OpenGL can be had.

The only module of export and report that sees MuJoCo, and only while it draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise import rotation
from poise.report import opengl, plain
from poise.report.camera import Camera
from poise.report.mesh import arrow, rounded_box, soft_radius
from poise.report.scene import Ground, Piece, Scene
from poise.rotation import Array

Picture = NDArray[np.uint8]  # (height, width, 3)

NO_OPENGL = "no off-screen OpenGL works here (libegl1 or libosmesa6 would give one); pictures were drawn plainly instead"

_SKY, _HORIZON = [0.76, 0.84, 0.93], [0.93, 0.94, 0.955]
_TILES = [0.83, 0.86, 0.905], [0.77, 0.805, 0.86]
_SUN = np.array([0.30, 0.22, -1.0])  # where sunlight goes: right, away from the viewer, down
_SHADOW_REACH = 3.5  # metres around the figure
_MORE_THAN_ANY_SCENE = 4000  # solids


def pictures(scene: Scene, camera: Camera, width: int, height: int, *, samples: int = 4) -> Iterator[Picture]:
    """Every moment of the scene as RGB pixels, one after the other.

    `samples` per pixel make edges smooth; 0 takes half the time, for pictures that will be shrunk.
    """
    if opengl.backend() is None:
        return plain.pictures(scene, camera, width, height)
    return _pictures(scene, camera, width, height, samples)


def note() -> str | None:
    """What to tell about the pictures: None, or that they are plain because there is no OpenGL."""
    return NO_OPENGL if opengl.backend() is None else None


def _pictures(scene: Scene, camera: Camera, width: int, height: int, samples: int) -> Iterator[Picture]:
    with opengl.context(width, height):
        stage = _Stage(scene, camera, width, height, samples)
        try:
            for frame in range(scene.nframes):
                yield stage.picture(frame)
        finally:
            stage.brush.free()  # while its OpenGL context is still there


class _Stage:
    """A static model (floor, sky, sun, the shapes of boxes) on which the pieces of one moment are put for each picture."""

    def __init__(self, scene: Scene, camera: Camera, width: int, height: int, samples: int) -> None:
        # By name: MuJoCo's bindings carry no types.
        self.mujoco: Any = import_module("mujoco")
        mujoco = self.mujoco
        self.scene, self.camera = scene, camera
        self.model = _model(mujoco, scene, camera, width, height, samples)
        self.data = mujoco.MjData(self.model)
        meshed = [number for number, piece in enumerate(scene.pieces) if piece in _meshed(scene)]
        self.meshes = {number: mesh for mesh, number in enumerate(meshed)}
        self.shown = mujoco.MjvScene(self.model, maxgeom=_MORE_THAN_ANY_SCENE)
        self.brush = mujoco.MjrContext(self.model, mujoco.mjtFontScale.mjFONTSCALE_100.value)
        self.view = mujoco.MjrRect(0, 0, width, height)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, self.brush)

    def picture(self, frame: int) -> Picture:
        self._look(frame)
        for number, piece in enumerate(self.scene.pieces):
            if piece.visible[frame]:
                self._put(number, piece, frame)
        pixels = np.empty((self.view.height, self.view.width, 3), np.uint8)
        self.mujoco.mjr_render(self.view, self.shown, self.brush)
        self.mujoco.mjr_readPixels(pixels, None, self.view, self.brush)
        return pixels[::-1]

    def _look(self, frame: int) -> None:
        """Turns the viewer and the sun to this moment's figure, and empties the stage."""
        mujoco, camera = self.mujoco, self.camera
        eye = mujoco.MjvCamera()
        eye.lookat, eye.distance = camera.target[frame], camera.distance
        eye.azimuth, eye.elevation = camera.azimuth_deg, camera.elevation_deg
        # The sun goes along, so that the map of its shadow always covers the figure.
        self.model.light_pos[0] = camera.target[frame] - 4.0 * self.model.light_dir[0]
        mujoco.mj_forward(self.model, self.data)
        everything = mujoco.mjtCatBit.mjCAT_ALL.value
        mujoco.mjv_updateScene(self.model, self.data, mujoco.MjvOption(), None, eye, everything, self.shown)
        self.shown.flags[mujoco.mjtRndFlag.mjRND_HAZE] = True
        for geom in self.shown.geoms[: self.shown.ngeom]:
            geom.castshadow = 0  # the floor's shadow on itself is noise

    def _put(self, number: int, piece: Piece, frame: int) -> None:
        mujoco = self.mujoco
        kind, size, position, turn = self._shape(number, piece, frame)
        geom = self.shown.geoms[self.shown.ngeom]
        mujoco.mjv_initGeom(geom, kind, size, position, rotation.to_matrix(turn).ravel(), np.array(piece.color, np.float32))
        if number in self.meshes:
            geom.dataid = 2 * self.meshes[number]  # odd numbers are convex hulls
        geom.category = mujoco.mjtCatBit.mjCAT_DYNAMIC  # decoration would cast no shadow
        geom.castshadow = int(piece.color[3] == 1.0)
        geom.specular, geom.shininess = 0.15, 0.3
        self.shown.ngeom += 1

    def _shape(self, number: int, piece: Piece, frame: int) -> tuple[int, Array, Array, Array]:
        """The renderer's kind of solid, its size, position and rotation."""
        kinds = self.mujoco.mjtGeom
        position, turn, (x, _, z) = piece.position[frame], piece.rotation[frame], piece.size[frame]
        if number in self.meshes:
            # The compiler moves a mesh to its centre of mass and turns it to its principal axes.
            mesh = self.meshes[number]
            moved = position + rotation.rotate(turn, self.model.mesh_pos[mesh])
            return kinds.mjGEOM_MESH, np.ones(3), moved, rotation.multiply(turn, self.model.mesh_quat[mesh])
        if piece.shape == "sphere":
            return kinds.mjGEOM_SPHERE, np.full(3, x / 2), position, turn
        return kinds.mjGEOM_CAPSULE, np.array([x / 2, (z - x) / 2, 0.0]), position, turn


def _model(mujoco: Any, scene: Scene, camera: Camera, width: int, height: int, samples: int) -> Any:
    spec = mujoco.MjSpec()
    spec.visual.global_.offwidth, spec.visual.global_.offheight = width, height
    spec.visual.quality.offsamples = samples
    _set_visuals(spec.visual, camera)
    spec.stat.extent = 1.0  # lengths of the visuals are metres
    _add_sky_and_sun(mujoco, spec, camera)
    _add_floor(mujoco, spec, scene.ground)
    for piece in _meshed(scene):
        _add_mesh(spec, piece)
    return spec.compile()


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


def _meshed(scene: Scene) -> list[Piece]:
    """The pieces that are drawn as triangles of ours; the rest are solids that the renderer knows."""
    return [piece for piece in scene.pieces if piece.shape in ("box", "arrow")]


def _add_mesh(spec: Any, piece: Piece) -> None:
    size = piece.size[0]
    solid = arrow(size) if piece.shape == "arrow" else rounded_box(size, soft_radius(size))
    mesh = spec.add_mesh(name=f"mesh {len(spec.meshes)}")
    mesh.uservert, mesh.usernormal, mesh.userface = solid.vertices.ravel(), solid.normals.ravel(), solid.triangles.ravel()
