"""What there is to draw: coloured solids, posed in every frame. Says nothing about how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise import rotation
from poise.character.rig.carried import CarriedMesh
from poise.motion.gltf_materials import Surface
from poise.report.palette import Color
from poise.rotation import Array

# Corners of a box of edge 1 around the origin.
_CORNERS = np.stack(np.meshgrid([-0.5, 0.5], [-0.5, 0.5], [-0.5, 0.5]), axis=-1).reshape(8, 3)


@dataclass(frozen=True, eq=False)
class Piece:
    """One solid in N frames: "box", "sphere", "capsule" (along its z) or "arrow" (from its origin along its z).

    `size` (N, 3) holds the full edge lengths of its bounding box, metres; a box keeps the size of its first frame.
    The camera steps back for `framed` pieces only.
    """

    shape: str
    size: Array
    position: Array  # (N, 3)
    rotation: Array  # (N, 4)
    color: Color
    visible: NDArray[np.bool_]  # (N,)
    framed: bool = True


@dataclass(frozen=True, eq=False)
class Skinned:
    """An artist's mesh in N frames, carried by segments with joints (N, S, 3) and rotations (N, S, 4).

    `surfaces` are the looks of the mesh's materials; `tint`, where given, is the colour of all of it.
    """

    mesh: CarriedMesh
    surfaces: tuple[Surface, ...]
    position: Array
    rotation: Array
    tint: Color | None = None

    def outline(self) -> Array:
        """Some of the vertices in all frames (N, K, 3): those that stick out most from each segment."""
        few = self._outermost()
        thin = replace(self.mesh, vertices=self.mesh.vertices[few], weights=self.mesh.weights[few])
        return np.stack([thin.at(place, turn) for place, turn in zip(self.position, self.rotation, strict=True)])

    def _outermost(self) -> NDArray[np.int64]:
        owner = np.argmax(self.mesh.weights, axis=1)
        found = [
            mine[np.argmax(self.mesh.vertices[mine] @ direction)]
            for mine in (np.flatnonzero(owner == k) for k in range(self.mesh.weights.shape[1]))
            if len(mine)
            for direction in _CORNERS
        ]
        return np.unique(found)


@dataclass(frozen=True)
class Ground:
    """An endless plane through a point, level before it is turned."""

    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    rotation: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)


LEVEL = Ground()


@dataclass(frozen=True, eq=False)
class Scene:
    """Pieces and skins at N moments, the direction (radians about z) that the figure faces at first, the ground they are on."""

    pieces: tuple[Piece, ...]
    times: Array
    facing: float
    ground: Ground = LEVEL
    skins: tuple[Skinned, ...] = ()
    note: str | None = None  # what could not be shown

    @property
    def nframes(self) -> int:
        return len(self.times)

    def corners(self) -> Array:
        """Outlines of skins and corners of all framed pieces' boxes (N, K, 3); a hidden piece has them in the figure's middle."""
        framed = [piece for piece in self.pieces if piece.framed]
        outlines = [skin.outline() for skin in self.skins if skin.tint is None]
        middle = (outlines[0].mean(axis=1) if outlines else framed[0].position)[:, None]
        return np.concatenate([*outlines, *(np.where(p.visible[:, None, None], _corners(p), middle) for p in framed)], axis=1)


def picked(scene: Scene, frames: NDArray[np.int64]) -> Scene:
    """The same scene at some of its frames."""

    def pick(piece: Piece) -> Piece:
        at = {name: getattr(piece, name)[frames] for name in ("size", "position", "rotation", "visible")}
        return replace(piece, **at)

    skins = tuple(replace(s, position=s.position[frames], rotation=s.rotation[frames]) for s in scene.skins)
    return replace(scene, pieces=tuple(pick(p) for p in scene.pieces), skins=skins, times=scene.times[frames])


def _corners(piece: Piece) -> Array:
    start = np.array([0.0, 0.0, 0.5 if piece.shape == "arrow" else 0.0])
    local = (_CORNERS + start) * piece.size[:, None]
    return piece.position[:, None] + rotation.rotate(piece.rotation[:, None], local)
