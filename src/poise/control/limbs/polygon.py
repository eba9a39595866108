"""Convex polygons on the ground: around some points, and how near a point is; compiled."""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.rotation import Array


@njit(cache=True)
def hull(points: Array, corners: Array) -> int:
    """Wraps the points (P, 2) by Andrew's chains: `corners` (at least P + 1, 2) get the hull's, counter-clockwise. How many."""
    count = points.shape[0]
    order = _in_order(points)
    n = 0
    for chain in range(2):
        start = n
        for i in range(count):
            p = points[order[i if chain == 0 else count - 1 - i]]
            while n - start > 1 and _turn(corners[n - 2], corners[n - 1], p) <= 0.0:
                n -= 1
            corners[n, 0], corners[n, 1] = p[0], p[1]
            n += 1
        n = max(n - 1, start)  # the end of a chain is the beginning of the other
    return min(max(n, 1), count)


@njit(cache=True)
def nearest(corners: Array, x: float, y: float) -> tuple[float, float, float]:
    """1 and the point of a polygon (C, 2) that is nearest to one outside of it; 0 and the point itself, where it is inside."""
    count, outside = corners.shape[0], corners.shape[0] < 3
    best, near_x, near_y = np.inf, x, y
    for i in range(count):
        a, b = corners[i], corners[(i + 1) % count]
        along_x, along_y, dx, dy = b[0] - a[0], b[1] - a[1], x - a[0], y - a[1]
        outside = outside or along_x * dy - along_y * dx < 0.0
        length = along_x * along_x + along_y * along_y
        share = min(max((along_x * dx + along_y * dy) / length, 0.0), 1.0) if length > 0.0 else 0.0
        qx, qy = a[0] + share * along_x, a[1] + share * along_y
        distance = (x - qx) ** 2 + (y - qy) ** 2
        if distance < best:
            best, near_x, near_y = distance, qx, qy
    return (1.0, near_x, near_y) if outside else (0.0, x, y)


@njit(cache=True)
def _turn(a: Array, b: Array, c: Array) -> float:
    """Positive where the way from a over b to c turns left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@njit(cache=True)
def _in_order(points: Array) -> Array:
    """The points' numbers (P,) by x, then y."""
    order = np.arange(points.shape[0])
    for i in range(1, points.shape[0]):
        j, moving = i, order[i]
        while j > 0 and _before(points[moving], points[order[j - 1]]):
            order[j] = order[j - 1]
            j -= 1
        order[j] = moving
    return order


@njit(cache=True)
def _before(a: Array, b: Array) -> bool:
    return a[0] < b[0] or (a[0] == b[0] and a[1] < b[1])
