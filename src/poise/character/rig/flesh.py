"""Which part of a rig's mesh is which segment's flesh: samples of the surface, and of what it encloses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from poise.character.rig.enclosed import enclosed_points, nearest
from poise.motion.gltf_skin import Index, SkinnedMesh
from poise.rotation import Array, Mask

_SPACING = 1 / 160  # of the height: how fine the inside is sampled
_PATCH = 0.03  # of the height: larger triangles are sampled at several points
_BATCH = 20_000  # triangles
_MOST_PATCHES = 8  # along an edge
_MOST_INSIDE = 40_000  # samples of the inside
_MOST_SAMPLES = 6_000  # of the surface, to find the nearest
LEAKY = 0.25  # of the columns: a mesh with more gaps encloses nothing that could be measured


@dataclass(frozen=True, eq=False)
class Flesh:
    """Samples of a mesh in the bind pose, our axes, metres.

    Surface: points (P, 3), the area of each (P,), its segment (P,). Inside: points (Q, 3), the volume of each, its segment (Q,).
    `gaps` is the share of columns through the mesh that enter it and never come out.
    """

    surface: Array
    area: Array
    surface_owner: Index
    inside: Array
    volume: float
    inside_owner: Index
    gaps: float

    @property
    def is_closed(self) -> bool:
        return len(self.inside) > 0 and self.gaps < LEAKY


def measure_flesh(mesh: SkinnedMesh, vertices: Array, joint_owner: tuple[int, ...], nsegments: int, height: float) -> Flesh:
    """Samples of the mesh; `joint_owner` (J,) is the segment of each joint, -1 for joints that carry nothing."""
    share = _segment_weights(mesh, joint_owner, nsegments)
    points, area, owner = _surface(vertices, mesh.triangles, share, _PATCH * height)
    if not len(points):
        return Flesh(points, area, owner, np.zeros((0, 3)), 0.0, np.zeros(0, np.int64), 1.0)
    step = max(_SPACING * height, float(np.cbrt(_volume(vertices, mesh.triangles) / _MOST_INSIDE)))
    inside, gaps = enclosed_points(vertices, mesh.triangles, step)
    few = slice(None, None, -(-len(points) // _MOST_SAMPLES))
    inside_owner = owner[few][nearest(inside, points[few])] if len(inside) else np.zeros(0, np.int64)
    return Flesh(points, area, owner, inside, step**3, inside_owner, gaps)


def _volume(vertices: Array, triangles: Index) -> float:
    """The volume within a closed mesh, by the divergence theorem; about right where it has gaps."""
    a, b, c = np.moveaxis(vertices[triangles] - vertices.mean(axis=0), 1, 0)
    return abs(float(np.sum(a * np.cross(b, c)))) / 6.0


def _segment_weights(mesh: SkinnedMesh, joint_owner: tuple[int, ...], nsegments: int) -> Array:
    """How much (V, S) each segment carries each vertex; what no segment carries goes with the root."""
    owner = np.maximum(np.array(joint_owner), 0)[mesh.owners]
    share = np.zeros((len(owner), nsegments))
    for slot in range(owner.shape[1]):
        np.add.at(share, (np.arange(len(owner)), owner[:, slot]), mesh.weights[:, slot])
    return share


def _surface(vertices: Array, triangles: Index, share: Array, patch: float) -> tuple[Array, Array, Index]:
    """Points of the triangles, the area that each stands for, and the segment that carries it most."""
    corners = vertices[triangles]
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=-1).max(axis=1, initial=0.0)
    area = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=-1)
    cuts = np.clip(np.ceil(edges / patch), 1, _MOST_PATCHES).astype(int)
    points, areas, owners = [np.zeros((0, 3))], [np.zeros(0)], [np.zeros(0, np.int64)]
    for n, these in _batches(cuts, area > 0.0):
        mix = _barycentric(n)
        points.append(np.einsum("pc,tcd->tpd", mix, corners[these]).reshape(-1, 3))
        owners.append(np.argmax(np.einsum("pc,tcs->tps", mix, share[triangles[these]]), axis=-1).ravel())
        areas.append(np.repeat(area[these] / len(mix), len(mix)))
    return np.concatenate(points), np.concatenate(areas), np.concatenate(owners)


def _batches(cuts: Index, real: Mask) -> Iterator[tuple[int, Index]]:
    """Triangles by how finely they are cut, not too many at once."""
    for n in np.unique(cuts):
        these = np.flatnonzero((cuts == n) & real)
        for start in range(0, len(these), _BATCH):
            yield int(n), these[start : start + _BATCH]


def _barycentric(n: int) -> Array:
    """The centroids (n², 3) of the pieces of a triangle whose edges are cut in n."""
    up = [(3 * i + 1, 3 * j + 1) for i in range(n) for j in range(n - i)]
    down = [(3 * i + 2, 3 * j + 2) for i in range(n - 1) for j in range(n - 1 - i)]
    ab = np.array(up + down, float).reshape(-1, 2) / (3 * n)
    return np.column_stack([ab, 1.0 - ab.sum(axis=1)])
