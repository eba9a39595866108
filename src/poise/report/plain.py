"""Pictures of a scene without OpenGL: flat-shaded faces, far ones first, drawn by Matplotlib. Same camera, no shadows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import rotation
from poise.report.camera import Camera, axes
from poise.report.mesh import Mesh, arrow, rounded_box
from poise.report.scene import Ground, Piece, Scene, Skinned
from poise.report.triangle_colors import coarser_triangles, seen_triangles, triangle_colors
from poise.rotation import Array

_SKY, _TILES = (0.90, 0.925, 0.955), ((0.845, 0.86, 0.885), (0.785, 0.805, 0.84))
_SUN = np.array([-0.4, 0.8, -0.45])  # towards the light: left, up, back to the viewer; the view's axes
_DARKEST = 0.55
_FLOOR_TILES = 8  # metres of floor to each side of the figure
_MOST_TRIANGLES = 8_000  # of an artist's mesh
_FLAT = 1e-12  # square metres
_NEAR = 0.2  # metres in front of the viewer


def pictures(scene: Scene, camera: Camera, width: int, height: int) -> Iterator[NDArray[np.uint8]]:
    """Every moment of the scene as RGB pixels (height, width, 3)."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure

    coats = [_coat(skin) for skin in scene.skins]
    for frame in range(scene.nframes):
        figure = Figure(figsize=(width / 100, height / 100), dpi=100, facecolor=_SKY)
        canvas = FigureCanvasAgg(figure)
        plot = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        plot.axis("off")
        half = np.tan(np.deg2rad(camera.fov_deg) / 2)
        plot.set(xlim=(-half * width / height, half * width / height), ylim=(-half, half))
        polygons, colors = _faces(scene, coats, camera, frame)
        plot.add_collection(
            PolyCollection(polygons, facecolors=colors, edgecolors=colors, linewidths=[0.4 * (c[3] == 1.0) for c in colors])
        )
        canvas.draw()
        yield np.asarray(canvas.buffer_rgba())[..., :3].copy()


@dataclass(frozen=True, eq=False)
class _Coat:
    """A skin, those of its triangles (T, 3) that are drawn, and their colours (T, 4)."""

    skin: Skinned
    triangles: NDArray[np.int64]
    colors: Array


def _faces(scene: Scene, coats: list[_Coat], camera: Camera, frame: int) -> tuple[list[Array], list[tuple[float, ...]]]:
    """Polygons (K, 2) on the picture plane at distance 1 and their colours, far ones first."""
    view = axes(camera.azimuth_deg, camera.elevation_deg)
    eye = camera.target[frame] - camera.distance * view[2]
    floor = list(_floor(scene.ground, camera.target[frame]))
    solids = [face for piece in scene.pieces if piece.visible[frame] for face in _solid(piece, frame, view)]
    solids += [face for coat in coats for face in _skin(coat, frame, view)]
    seen = [((corners - eye) @ view.T, color) for corners, color in floor]
    near_last = sorted((((corners - eye) @ view.T, color) for corners, color in solids), key=lambda face: -face[0][:, 2].mean())
    visible = [(corners, color) for corners, color in seen + near_last if corners[:, 2].min() > _NEAR]
    return [corners[:, :2] / corners[:, 2:] for corners, _ in visible], [color for _, color in visible]


def _floor(ground: Ground, around: Array) -> Iterator[tuple[Array, tuple[float, ...]]]:
    """Tiles of a metre near a point, in the world, with their colours."""
    turn = np.array(ground.rotation)
    middle = np.round(rotation.rotate(rotation.conjugate(turn), around - ground.position)).astype(int)
    for i in range(-_FLOOR_TILES, _FLOOR_TILES):
        for j in range(-_FLOOR_TILES, _FLOOR_TILES):
            x, y = int(middle[0]) + i, int(middle[1]) + j
            tile = np.array([[x, y, 0], [x + 1, y, 0], [x + 1, y + 1, 0], [x, y + 1, 0]], float)
            yield ground.position + rotation.rotate(turn, tile), (*_TILES[(x + y) % 2], 1.0)


def _solid(piece: Piece, frame: int, view: Array) -> Iterator[tuple[Array, tuple[float, ...]]]:
    """The triangles of a piece that look at the viewer, in the world, with their shaded colours."""
    mesh = _mesh(piece.shape, piece.size[frame])
    corners = piece.position[frame] + rotation.rotate(piece.rotation[frame], mesh.vertices[mesh.triangles])
    yield from _lit(corners, np.tile(np.array(piece.color), (len(corners), 1)), view)


def _coat(skin: Skinned) -> _Coat:
    """An artist's mesh as it is drawn: coarser where it has very many triangles."""
    kept, triangles = coarser_triangles(skin.mesh.vertices, skin.mesh.triangles, seen_triangles(skin), _MOST_TRIANGLES)
    return _Coat(skin, triangles, triangle_colors(skin)[kept])


def _skin(coat: _Coat, frame: int, view: Array) -> Iterator[tuple[Array, tuple[float, ...]]]:
    """The triangles of an artist's mesh that look at the viewer."""
    vertices = coat.skin.mesh.at(coat.skin.position[frame], coat.skin.rotation[frame])
    yield from _lit(vertices[coat.triangles], coat.colors, view)


def _lit(corners: Array, colors: Array, view: Array) -> Iterator[tuple[Array, tuple[float, ...]]]:
    """Triangles (T, 3, 3) that look at the viewer, with their colours (T, 4) in the light."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal = normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), _FLAT) @ view.T
    light = _DARKEST + (1.0 - _DARKEST) * np.clip(normal @ _SUN / np.linalg.norm(_SUN), 0.0, 1.0)
    for triangle, shade, away, color in zip(corners, light, normal[:, 2], colors, strict=True):
        if away < 0.2:  # a little round the edge, as perspective shows some of that
            yield triangle, (*(shade * color[:3]), color[3])


def _mesh(shape: str, size: Array) -> Mesh:
    if shape == "arrow":
        return arrow(size, sides=8)
    return rounded_box(size, 0.0, steps=0) if shape == "box" else rounded_box(size, 0.5 * size[0], steps=3)
