"""Triangles of an artist's mesh for a simple drawer: a colour for each, which of them are seen at all, and fewer of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.motion.gltf_materials import Surface
from poise.report.palette import CLAY
from poise.report.scene import Skinned
from poise.rotation import Array, Mask

_FINEST = 1 / 400  # of the mesh's size: vertices that are nearer than that may be taken for one
_COARSER = 1.3  # cells grow by this factor until the triangles are few enough
_OPAQUE = 128  # of 255: less than that of a material with holes is a hole


def seen_triangles(skinned: Skinned) -> Mask:
    """Which triangles (T,) are there: not those in the transparent parts of an image."""
    shown = np.ones(len(skinned.mesh.triangles), bool)
    for number, surface in enumerate(skinned.surfaces):
        if surface.cut:
            these = skinned.mesh.materials == number
            shown[these] = _texels(skinned, surface, these)[:, 3] >= _OPAQUE
    return shown


def triangle_colors(skinned: Skinned) -> Array:
    """Red, green, blue and opacity (T, 4) of the triangles, as their middles have them."""
    colors = np.tile(np.array(skinned.tint or CLAY), (len(skinned.mesh.triangles), 1))
    for number, surface in enumerate(() if skinned.tint else skinned.surfaces):
        these = skinned.mesh.materials == number
        colors[these, :3] = surface.color
        if surface.image is not None:
            colors[these, :3] *= _texels(skinned, surface, these)[:, :3] / 255.0
    return colors


def coarser_triangles(
    vertices: Array, triangles: NDArray[np.int64], shown: Mask, most: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which triangles are kept, and their corners (n, 3), at most `most`: vertices near each other are taken for one."""
    seen = np.flatnonzero(shown)
    kept, corners = seen, triangles[seen]
    cell = _FINEST * float(np.ptp(vertices, axis=0).max(initial=0.0))
    while len(kept) > most and cell > 0.0:
        _, first, cluster = np.unique(np.round(vertices / cell), axis=0, return_index=True, return_inverse=True)
        corners = first[cluster.ravel()][triangles[seen]]
        whole = (corners != np.roll(corners, 1, axis=1)).all(axis=1)
        kept, corners, cell = seen[whole], corners[whole], _COARSER * cell
    return kept, corners


def _texels(skinned: Skinned, surface: Surface, these: Mask) -> NDArray[np.uint8]:
    """The image's pixels (n, 4) under the middles of some triangles; images repeat beyond their edges."""
    assert surface.image is not None
    middle = skinned.mesh.texcoords[skinned.mesh.triangles[these]].mean(axis=1) % 1.0
    height, width, _ = surface.image.shape
    row, column = (middle[:, 1] * height).astype(int), (middle[:, 0] * width).astype(int)
    return surface.image[np.minimum(row, height - 1), np.minimum(column, width - 1)]
