"""Solids as triangles are closed, face outwards and have the size they were asked for."""

from __future__ import annotations

import numpy as np
import pytest

from poise.report.mesh import arrow, rounded_box, soft_radius

ROUNDING = 1e-12  # metres
FACETS = 0.02  # share of a ball's volume that its facets cut off


def volume(mesh):
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles], 1, 0)
    return float(np.sum(a * np.cross(b, c))) / 6.0


def open_edges(mesh):
    """Edges, by the places of their ends, that are not met once from each side."""
    _, place = np.unique(np.round(mesh.vertices, 9), axis=0, return_inverse=True)
    corners = place.reshape(-1)[mesh.triangles]
    edges = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    return {tuple(e) for e in edges.tolist()} ^ {(b, a) for a, b in edges.tolist()}


SOLIDS = {
    "soft box": rounded_box((0.2, 0.3, 0.5), 0.05),
    "sharp box": rounded_box((0.2, 0.3, 0.5), 0.0, steps=0),
    "capsule": rounded_box((0.1, 0.1, 0.5), 0.05, steps=4),
    "ball": rounded_box((0.3, 0.3, 0.3), 0.15, steps=6),
    "arrow": arrow((0.05, 0.05, 0.6)),
    "stub of an arrow": arrow((0.2, 0.2, 0.1)),
}


@pytest.mark.parametrize("mesh", SOLIDS.values(), ids=SOLIDS)
def test_solids_are_closed(mesh):
    assert not open_edges(mesh)


@pytest.mark.parametrize("mesh", SOLIDS.values(), ids=SOLIDS)
def test_triangles_and_normals_face_outwards(mesh):
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles], 1, 0)
    flat = np.cross(b - a, c - a)
    assert (np.linalg.norm(flat, axis=-1) > 0.0).all()
    assert (np.sum(flat * mesh.normals[mesh.triangles].sum(axis=1), axis=-1) > 0.0).all()
    assert np.abs(np.linalg.norm(mesh.normals, axis=-1) - 1.0).max() < ROUNDING
    assert volume(mesh) > 0.0


def test_a_box_has_its_edge_lengths():
    for name in ("soft box", "sharp box"):
        assert np.ptp(SOLIDS[name].vertices, axis=0) == pytest.approx([0.2, 0.3, 0.5], abs=ROUNDING)


def test_a_sharp_box_has_its_volume():
    assert volume(SOLIDS["sharp box"]) == pytest.approx(0.2 * 0.3 * 0.5)


def test_a_fully_rounded_cube_is_a_ball():
    assert volume(SOLIDS["ball"]) == pytest.approx(4.0 / 3.0 * np.pi * 0.15**3, rel=FACETS)
    assert np.linalg.norm(SOLIDS["ball"].vertices, axis=-1) == pytest.approx(0.15)


def test_a_radius_larger_than_the_box_is_cut_to_fit():
    assert np.ptp(rounded_box((0.2, 0.3, 0.5), 9.0).vertices, axis=0) == pytest.approx([0.2, 0.3, 0.5])
    assert soft_radius((0.2, 0.3, 0.5)) == pytest.approx(0.05)


def test_an_arrow_runs_from_the_origin_to_its_length():
    points = arrow((0.05, 0.05, 0.6)).vertices
    assert points[:, 2].min() == 0.0 and points[:, 2].max() == 0.6
    assert points[np.argmax(points[:, 2]), :2] == pytest.approx([0.0, 0.0])
