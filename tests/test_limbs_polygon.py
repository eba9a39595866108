"""Convex polygons on the ground, held against what defines them."""

from __future__ import annotations

import numpy as np
import pytest

from poise.control.limbs.polygon import hull, nearest

ROUNDING = 1e-12


def wrapped(points):
    corners = np.zeros((len(points) + 1, 2))
    return corners[: hull(np.array(points, float), corners)]


@pytest.mark.parametrize("seed", range(20))
def test_a_hull_has_every_point_on_its_left_and_only_points_for_corners(seed):
    points = np.random.default_rng(seed).normal(size=(8, 2))
    corners = wrapped(points)
    assert all((np.abs(points - corner).sum(axis=1) < ROUNDING).any() for corner in corners)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along, way = b - a, points - a
        assert (along[0] * way[:, 1] - along[1] * way[:, 0] >= -ROUNDING).all()


def test_no_points_have_no_hull():
    assert len(wrapped(np.zeros((0, 2)))) == 0


def test_equal_points_and_points_in_line_make_no_corners():
    square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    corners = wrapped([*square, *square, (0.5, 0.0), (0.5, 0.5)])
    assert sorted(map(tuple, corners.tolist())) == sorted((float(x), float(y)) for x, y in square)


@pytest.mark.parametrize("points", [[(1, 2)], [(1, 2), (1, 2)], [(0, 0), (2, 0)], [(0, 0), (1, 0), (2, 0)]])
def test_points_without_an_area_still_have_a_nearest_one(points):
    outside, x, y = nearest(wrapped(points), 1.0, 5.0)
    assert outside == 1.0
    assert (x, y) == (1.0, max(p[1] for p in points))


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_point_is_in_the_polygon_and_none_of_it_is_nearer(seed):
    chance = np.random.default_rng(seed)
    corners = wrapped(chance.normal(size=(6, 2)))
    point = 3.0 * chance.normal(size=2)
    outside, x, y = nearest(corners, *point)
    shares = chance.dirichlet(np.ones(len(corners)), size=500)
    distance = np.hypot(x - point[0], y - point[1])
    assert distance <= np.linalg.norm(shares @ corners - point, axis=1).min() + ROUNDING
    assert nearest(corners, x + 1e-9 * (corners.mean(axis=0)[0] - x), y + 1e-9 * (corners.mean(axis=0)[1] - y))[0] == 0.0
    assert (outside == 0.0) == (distance == 0.0)
