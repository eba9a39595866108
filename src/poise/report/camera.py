"""Where the viewer stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.rotation import Array

FOV_DEG = 22.0  # vertical; narrow, so that panels side by side show no distortion
ELEVATION_DEG = -9.0


@dataclass(frozen=True, eq=False)
class Camera:
    """A viewer that looks at `target` (N, 3) from `distance` metres, along azimuth and elevation (degrees).

    Azimuth is the direction of sight about z (90 looks along +y); elevation is negative from above.
    """

    target: Array
    distance: float
    azimuth_deg: float
    elevation_deg: float = ELEVATION_DEG
    fov_deg: float = FOV_DEG


def axes(azimuth_deg: float, elevation_deg: float) -> Array:
    """Right, up and forward of the view as rows, world frame."""
    a, e = np.deg2rad(azimuth_deg), np.deg2rad(elevation_deg)
    forward = np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])
    right = np.array([np.sin(a), -np.cos(a), 0.0])
    return np.stack([right, np.cross(right, forward), forward])


def extent(corners: Array, azimuth_deg: float) -> tuple[float, float]:
    """Width and height (metres, seen from far away) that hold every frame of corners (N, K, 3), each centred."""
    view = axes(azimuth_deg, ELEVATION_DEG)
    seen = _seen(corners, _middles(corners, view), view)
    return 2.0 * float(np.abs(seen[..., 0]).max()), float(np.ptp(seen[..., 1]))


def fit(corners: Array, azimuth_deg: float, aspect: float, *, calm: int = 0, margin: float = 0.05) -> Camera:
    """The nearest camera that has every frame's corners (N, K, 3) in view, each frame centred, all at one scale.

    `aspect` is width over height of the picture; `calm` evens out the camera's way over that many frames before and after;
    `margin` is the free share at each edge.
    """
    view = axes(azimuth_deg, ELEVATION_DEG)
    middle = _calmed(_middles(corners, view), calm)
    seen = _seen(corners, middle, view)
    # One height for all frames, so that the floor line stays level.
    height = 0.5 * (seen[..., 1].min() + seen[..., 1].max())
    half = np.tan(np.deg2rad(FOV_DEG) / 2) * (1.0 - 2.0 * margin)
    across = np.abs(seen[..., 0]) / (half * aspect)
    upright = np.abs(seen[..., 1] - height) / half
    distance = np.max(np.maximum(across, upright) - seen[..., 2])
    return Camera(middle + height * view[1], float(distance), azimuth_deg)


def _middles(corners: Array, view: Array) -> Array:
    """The floor under the middle of each frame's corners (N, 3), as the view sees the middle."""
    ahead = np.array([-view[0, 1], view[0, 0], 0.0])
    ground = np.stack([view[0], ahead])
    flat = corners @ ground.T
    return 0.5 * (flat.min(axis=1) + flat.max(axis=1)) @ ground


def _seen(corners: Array, middle: Array, view: Array) -> Array:
    """Corners in the view's axes (N, K, 3), from each frame's middle."""
    return (corners - middle[:, None]) @ view.T


def _calmed(path: Array, reach: int) -> Array:
    """A path (N, 3) averaged over neighbours up to `reach` frames away, the nearer the more; its ends stand still."""
    if reach == 0:
        return path
    weights = np.hanning(2 * reach + 3)[1:-1]
    padded = np.pad(path, ((reach, reach), (0, 0)), mode="edge")
    return np.stack([np.convolve(column, weights / weights.sum(), mode="valid") for column in padded.T], axis=-1)
