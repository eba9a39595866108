"""The space that a mesh encloses, sampled along vertical columns.

Going up a column, a triangle that faces down is an entrance and one that faces up an exit; a point is inside while there were
more entrances than exits. So parts that overlap count once, and a column that never comes out tells of a gap in the mesh.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.rotation import Array

Index = NDArray[np.int64]
_OFF_GRID = 0.3819660113  # of a step: columns keep away from edges that lie on round numbers


def enclosed_points(vertices: Array, triangles: Index, step: float) -> tuple[Array, float]:
    """Points (Q, 3) inside the mesh on a grid of the given step, and the share of columns with a gap."""
    if not len(triangles):
        return np.zeros((0, 3)), 1.0
    low = vertices.min(axis=0) - (1.0 + _OFF_GRID) * step
    shape = np.ceil((vertices.max(axis=0) - low) / step).astype(np.int64) + 1
    columns, heights, signs = _crossings(vertices, triangles, low, step, shape[0], shape[1])
    order = np.lexsort((heights, columns))
    columns, heights, signs = columns[order], heights[order], signs[order]
    if np.sum(signs * heights) < 0.0:  # exits should be higher than entrances; this mesh is inside out
        signs = -signs
    cells, gaps = _between(columns, heights, signs, low[2], step)
    x, y = columns[cells[:, 0]] // shape[1], columns[cells[:, 0]] % shape[1]
    return low + step * np.stack([x, y, cells[:, 1]], axis=-1), gaps


@njit(cache=True)
def _crossings(vertices: Array, triangles: Index, low: Array, step: float, nx: int, ny: int) -> tuple[Index, Array, Index]:
    """Where columns cross triangles: column numbers, heights, and +1 for exits, -1 for entrances."""
    columns, heights, signs = [0 for _ in range(0)], [0.0 for _ in range(0)], [0 for _ in range(0)]  # numba learns the types here
    for t in range(triangles.shape[0]):
        a, b, c = vertices[triangles[t, 0]], vertices[triangles[t, 1]], vertices[triangles[t, 2]]
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if abs(area) < 1e-12 * step * step:
            continue
        i0 = int(np.ceil((min(a[0], b[0], c[0]) - low[0]) / step))
        i1 = int(np.floor((max(a[0], b[0], c[0]) - low[0]) / step))
        j0 = int(np.ceil((min(a[1], b[1], c[1]) - low[1]) / step))
        j1 = int(np.floor((max(a[1], b[1], c[1]) - low[1]) / step))
        for i in range(i0, i1 + 1):
            x = low[0] + i * step
            for j in range(j0, j1 + 1):
                y = low[1] + j * step
                u = ((b[0] - x) * (c[1] - y) - (b[1] - y) * (c[0] - x)) / area
                v = ((c[0] - x) * (a[1] - y) - (c[1] - y) * (a[0] - x)) / area
                w = 1.0 - u - v
                if u >= 0.0 and v >= 0.0 and w >= 0.0:
                    columns.append(i * ny + j)
                    heights.append(u * a[2] + v * b[2] + w * c[2])
                    signs.append(1 if area > 0.0 else -1)
    return np.array(columns), np.array(heights), np.array(signs)


@njit(cache=True)
def _between(columns: Index, heights: Array, signs: Index, floor: float, step: float) -> tuple[Index, float]:
    """Cells inside, as (crossing of their column, number of the step upward); and the share of columns with a gap."""
    first, height = [0 for _ in range(0)], [0 for _ in range(0)]
    ncolumns, leaky, start = 0, 0, 0
    while start < len(columns):
        stop = start
        while stop < len(columns) and columns[stop] == columns[start]:
            stop += 1
        depth = 0
        for k in range(start, stop):
            depth -= signs[k]
            if depth > 0 and k + 1 < stop:
                for z in range(int(np.ceil((heights[k] - floor) / step)), int(np.ceil((heights[k + 1] - floor) / step))):
                    first.append(start)
                    height.append(z)
        ncolumns += 1
        leaky += depth != 0
        start = stop
    cells = np.empty((len(first), 2), np.int64)
    for k in range(len(first)):
        cells[k, 0], cells[k, 1] = first[k], height[k]
    return cells, leaky / max(ncolumns, 1)


@njit(cache=True)
def nearest(points: Array, among: Array) -> Index:
    """For each point (Q, 3) the number of the nearest of others (P, 3)."""
    found = np.zeros(len(points), np.int64)
    for k in range(len(points)):
        best = np.inf
        for p in range(len(among)):
            x, y, z = points[k, 0] - among[p, 0], points[k, 1] - among[p, 1], points[k, 2] - among[p, 2]
            square = x * x + y * y + z * z
            if square < best:
                best, found[k] = square, p
    return found
