"""Solids as triangles: boxes with soft edges, and arrows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from poise.rotation import Array


@dataclass(frozen=True, eq=False)
class Mesh:
    """Vertices (V, 3) with outward unit normals (V, 3), and triangles (T, 3) that run anticlockwise seen from outside."""

    vertices: Array
    normals: Array
    triangles: NDArray[np.int64]


def rounded_box(size: tuple[float, ...] | Array, radius: float, steps: int = 2) -> Mesh:
    """A box of full edge lengths `size` around the origin, its edges rounded with `radius` in `steps` facets per 45 degrees.

    With a radius of half the shortest edges this is a capsule, or a sphere.
    """
    half = np.asarray(size, float) / 2.0
    radius = min(radius, float(half.min()))
    faces = [_face(axis, sign, half - radius, radius, steps) for axis in range(3) for sign in (-1.0, 1.0)]
    count = len(faces[0].vertices)
    vertices = np.concatenate([f.vertices for f in faces])
    triangles = np.concatenate([f.triangles + k * count for k, f in enumerate(faces)])
    return Mesh(vertices, np.concatenate([f.normals for f in faces]), triangles[_areas(vertices, triangles) > 0.0])


def arrow(size: tuple[float, ...] | Array, sides: int = 24) -> Mesh:
    """An arrow from the origin along z: shaft of width `size[0]`, length `size[2]`, and a head 2.4 times as wide."""
    width, _, length = size
    neck = max(length - 2.2 * width, 0.4 * length)
    return _lathe([(0.0, 0.0), (0.5 * width, 0.0), (0.5 * width, neck), (1.2 * width, neck), (0.0, length)], sides)


def soft_radius(size: tuple[float, ...] | Array) -> float:
    """How far to round a body part: a quarter of its thinnest side."""
    return 0.25 * float(np.min(size))


def _face(axis: int, sign: float, core: Array, radius: float, steps: int) -> Mesh:
    """One side of the box and the half of its roundings that belongs to it, as a grid.

    Along each direction of the side the grid turns from -45° to 0, runs straight along the core, and turns on to 45°.
    """
    turn = np.tan(np.linspace(0.0, np.pi / 4, steps + 1))
    slope = np.concatenate([-turn[::-1], turn])
    corner = np.repeat([-1.0, 1.0], steps + 1)
    u, v = (axis + 1) % 3, (axis + 2) % 3
    n = len(slope)
    normals = np.empty((n, n, 3))
    normals[..., axis], normals[..., u], normals[..., v] = sign, sign * slope[:, None], slope[None, :]
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    centres = np.empty((n, n, 3))
    centres[..., axis], centres[..., u], centres[..., v] = sign, sign * corner[:, None], corner[None, :]
    vertices = centres * core + radius * normals
    return Mesh(vertices.reshape(-1, 3), normals.reshape(-1, 3), _grid_triangles(n))


def _grid_triangles(n: int) -> NDArray[np.int64]:
    """Two triangles per cell of an n x n grid of vertices."""
    a = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    b, c, d = a + n, a + n + 1, a + 1
    return np.concatenate([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)])


def _lathe(profile: list[tuple[float, float]], sides: int) -> Mesh:
    """A profile of (radius, height) turned about z, sharp at its corners."""
    angle = np.linspace(0.0, 2.0 * np.pi, sides + 1)
    round_ = np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=-1)
    vertices, normals, triangles = [], [], []
    for k, ((r0, z0), (r1, z1)) in enumerate(pairwise(profile)):
        outward = np.array([z1 - z0, r0 - r1]) / np.hypot(z1 - z0, r1 - r0)
        vertices += [r0 * round_ + [0.0, 0.0, z0], r1 * round_ + [0.0, 0.0, z1]]
        normals += 2 * [outward[0] * round_ + [0.0, 0.0, outward[1]]]
        a = np.arange(sides) + 2 * k * (sides + 1)
        c = a + sides + 1
        triangles += [np.stack([a, a + 1, c + 1], axis=-1), np.stack([a, c + 1, c], axis=-1)]
    points, faces = np.concatenate(vertices), np.concatenate(triangles)
    return Mesh(points, np.concatenate(normals), faces[_areas(points, faces) > 0.0])


def _areas(vertices: Array, triangles: NDArray[np.int64]) -> Array:
    """Areas (T,), with those that are nothing but rounding error set to 0, as where a capsule has no straight part."""
    a, b, c = np.moveaxis(vertices[triangles], 1, 0)
    areas = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=-1)
    return np.where(areas > 1e-9 * areas.max(), areas, 0.0)
