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
from poise.report.scene import Piece, Scene
from poise.report.stage import build_stage, has_mesh, put_bones
from poise.rotation import Array

Picture = NDArray[np.uint8]  # (height, width, 3)

NO_OPENGL = "no off-screen OpenGL works here (libegl1 or libosmesa6 would give one); pictures were drawn plainly instead"

_MORE_THAN_ANY_SCENE = 4000  # solids


def pictures(scene: Scene, camera: Camera, width: int, height: int, *, samples: int = 4) -> Iterator[Picture]:
    """Every moment of the scene as RGB pixels, one after the other.

    `samples` per pixel make edges smooth; 0 takes half the time, for pictures that will be shrunk.
    """
    if opengl.backend() is None:
        return plain.pictures(scene, camera, width, height)
    return _pictures(scene, camera, width, height, samples)


def note(scene: Scene) -> str | None:
    """What to tell about the pictures: what they do not show, and that they are plain because there is no OpenGL."""
    told = [scene.note, NO_OPENGL if opengl.backend() is None else None]
    return "; ".join(sentence for sentence in told if sentence) or None


def _pictures(scene: Scene, camera: Camera, width: int, height: int, samples: int) -> Iterator[Picture]:
    with opengl.context(width, height):
        stage = _Stage(scene, camera, width, height, samples)
        try:
            for frame in range(scene.nframes):
                yield stage.picture(frame)
        finally:
            stage.brush.free()  # while its OpenGL context is still there


class _Stage:
    """A static model on which the pieces of one moment are put for each picture."""

    def __init__(self, scene: Scene, camera: Camera, width: int, height: int, samples: int) -> None:
        # By name: MuJoCo's bindings carry no types.
        self.mujoco: Any = import_module("mujoco")
        mujoco = self.mujoco
        self.scene, self.camera = scene, camera
        self.model = build_stage(mujoco, scene, camera, (width, height), samples)
        self.data = mujoco.MjData(self.model)
        meshed = [number for number, piece in enumerate(scene.pieces) if has_mesh(piece)]
        self.meshes = {number: mesh for mesh, number in enumerate(meshed)}
        self.shown = mujoco.MjvScene(self.model, maxgeom=_MORE_THAN_ANY_SCENE)
        self.brush = mujoco.MjrContext(self.model, mujoco.mjtFontScale.mjFONTSCALE_100.value)
        self.view = mujoco.MjrRect(0, 0, width, height)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN.value, self.brush)

    def picture(self, frame: int) -> Picture:
        put_bones(self.data, self.scene, frame)
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
        self.shown.flags[mujoco.mjtRndFlag.mjRND_CULL_FACE] = False  # cloth and hair are seen from both sides
        for geom in self.shown.geoms[: self.shown.ngeom]:
            # The floor's shadow on itself is noise.
            geom.castshadow = int(geom.type == mujoco.mjtGeom.mjGEOM_SKIN.value and geom.rgba[3] == 1.0)

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
