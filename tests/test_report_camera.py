"""A camera has everything in view, at one scale, and goes along calmly."""

from __future__ import annotations

import numpy as np
import pytest

from poise.report import camera

EDGE = 1e-9


def projected(view, corners):
    """Where corners (N, K, 3) fall in the picture: x and y in -1 … 1 of its half height."""
    right, up, ahead = camera.axes(view.azimuth_deg, view.elevation_deg)
    eye = view.target - view.distance * ahead
    seen = corners - eye[:, None]
    half = np.tan(np.deg2rad(view.fov_deg) / 2)
    return np.stack([seen @ right, seen @ up], axis=-1) / (seen @ ahead)[..., None] / half


@pytest.fixture
def walk():
    """Corners of a box-like figure that walks five metres and then lies down."""
    rng = np.random.default_rng(3)
    figure = rng.uniform([-0.3, -0.4, 0.0], [0.3, 0.4, 1.8], (20, 3))
    path = np.linspace([0.0, 0.0, 0.0], [4.0, 3.0, 0.0], 60)
    upright = figure[None] + path[:, None]
    return np.concatenate([upright, figure[None, :, [2, 1, 0]] + path[-1:, None]])


@pytest.mark.parametrize("azimuth", [0.0, 40.0, 130.0, 305.0])
@pytest.mark.parametrize("aspect", [0.5, 1.0, 1.8])
def test_nothing_is_cropped_and_something_touches_the_margin(walk, azimuth, aspect):
    seen = projected(camera.fit(walk, azimuth, aspect, margin=0.05), walk)
    used = max(np.abs(seen[..., 0]).max() / aspect, np.abs(seen[..., 1]).max())
    assert used == pytest.approx(0.9, abs=EDGE)


def test_every_frame_is_at_the_same_distance_and_height(walk):
    view = camera.fit(walk, 130.0, 1.0)
    assert np.ptp(view.target[:, 2]) == pytest.approx(0.0, abs=EDGE)


def test_a_calm_camera_still_has_everything_in_view_and_moves_less_suddenly(walk):
    calm, eager = camera.fit(walk, 130.0, 1.0, calm=15), camera.fit(walk, 130.0, 1.0)
    assert np.abs(projected(calm, walk)).max() < 1.0
    jolt = [np.abs(np.diff(view.target, n=2, axis=0)).max() for view in (calm, eager)]
    assert jolt[0] < 0.3 * jolt[1]


def test_the_extent_is_what_a_far_viewer_sees():
    corners = np.array([[[0.0, -0.5, 0.0], [0.0, 0.5, 0.0], [0.0, 0.5, 2.0]]])
    across, upright = camera.extent(corners, 180.0)
    assert across == pytest.approx(1.0)
    assert upright == pytest.approx(2.0 * np.cos(np.deg2rad(camera.ELEVATION_DEG)))


def test_the_axes_are_right_up_and_forward():
    right, up, ahead = camera.axes(90.0, 0.0)
    assert right == pytest.approx([1.0, 0.0, 0.0])
    assert up == pytest.approx([0.0, 0.0, 1.0])
    assert ahead == pytest.approx([0.0, 1.0, 0.0])
