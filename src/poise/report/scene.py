"""What there is to draw: coloured solids, posed in every frame. Says nothing about how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise import rotation
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


@dataclass(frozen=True)
class Ground:
    """An endless plane through a point, level before it is turned."""

    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    rotation: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)


LEVEL = Ground()


@dataclass(frozen=True, eq=False)
class Scene:
    """Pieces at N moments, the direction (radians about z) that the figure faces at first, and the ground they are on."""

    pieces: tuple[Piece, ...]
    times: Array
    facing: float
    ground: Ground = LEVEL

    @property
    def nframes(self) -> int:
        return len(self.times)

    def corners(self) -> Array:
        """Corners of the bounding boxes of all framed pieces (N, K, 3); a hidden piece has them in the middle of the first."""
        framed = [piece for piece in self.pieces if piece.framed]
        middle = framed[0].position[:, None]
        return np.concatenate([np.where(p.visible[:, None, None], _corners(p), middle) for p in framed], axis=1)


def picked(scene: Scene, frames: NDArray[np.int64]) -> Scene:
    """The same scene at some of its frames."""

    def pick(piece: Piece) -> Piece:
        at = {name: getattr(piece, name)[frames] for name in ("size", "position", "rotation", "visible")}
        return replace(piece, **at)

    return replace(scene, pieces=tuple(pick(p) for p in scene.pieces), times=scene.times[frames])


def _corners(piece: Piece) -> Array:
    start = np.array([0.0, 0.0, 0.5 if piece.shape == "arrow" else 0.0])
    local = (_CORNERS + start) * piece.size[:, None]
    return piece.position[:, None] + rotation.rotate(piece.rotation[:, None], local)
