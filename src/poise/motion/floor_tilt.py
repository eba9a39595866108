"""A floor that leans: capture volumes are levelled by hand, and a degree off lifts a walk by centimetres from end to end.

The places where the lowest point of the body stands still are put on a plane; a lean is believed only if those places lie far
apart, come much closer to the plane than to a level floor, and really lie on one plane (stairs do not).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.rotation import Array

_STILL = 0.3  # m/s
_LEAN_DEG = (0.2, 4.0)  # less does not show, more is a ramp
_APART_M = 1.0  # spread of the places, end to end
_FLATTER = 0.7  # the plane must fit better than a level floor by this factor
_OFF_PLANE_M = 0.015  # typical distance from the plane
_SIDEWAYS_M = 0.3  # places closer together across the walk say nothing about a lean that way
_ROUNDS = 15


@dataclass(frozen=True, eq=False)
class FloorTilt:
    """The turn that makes the floor level, and by how much."""

    turn: Array
    degrees: float = 0.0

    @property
    def repair(self) -> str | None:
        return f"levelled a floor that leans by {self.degrees:.1f}° (--floor keep)" if self.degrees else None


LEVEL = FloorTilt(rotation.IDENTITY)


def find_tilt(points_w: Array, fps: float) -> FloorTilt:
    """How the floor under the points (F, P, 3), metres, Z up, leans."""
    places = _standing_places(points_w, fps)
    if len(places) < 3 or np.ptp(places[:, :2], axis=0).max() < _APART_M:
        return LEVEL
    slope, off_plane, off_level = _plane(places)
    degrees = float(np.degrees(np.arctan(np.linalg.norm(slope))))
    leans = _LEAN_DEG[0] <= degrees <= _LEAN_DEG[1]
    if not leans or off_plane > min(_FLATTER * off_level, _OFF_PLANE_M):
        return LEVEL
    return FloorTilt(rotation.between([-slope[0], -slope[1], 1.0], [0.0, 0.0, 1.0]), degrees)


def _standing_places(points_w: Array, fps: float) -> Array:
    """Where (n, 3) the lowest point of a frame stands still."""
    if len(points_w) < 3:
        return np.empty((0, 3))
    frames, point = np.arange(len(points_w) - 1), points_w[:-1, :, 2].argmin(axis=1)
    here, next_ = points_w[frames, point], points_w[frames + 1, point]
    return here[np.linalg.norm(next_ - here, axis=-1) * fps < _STILL]


def _plane(places: Array) -> tuple[Array, float, float]:
    """Slope (2,) of the plane through most places, and the median distances from it and from a level floor."""
    flat = places[:, :2] - places[:, :2].mean(axis=0)
    height = places[:, 2] - np.median(places[:, 2])
    rows = np.column_stack([flat, np.ones(len(flat))])
    fit = np.zeros(3)
    for _ in range(_ROUNDS):  # least absolute distances, by reweighting: a knee on the floor does not count much
        weight = 1.0 / np.maximum(np.abs(height - rows @ fit), 0.003)
        held = np.diag([_SIDEWAYS_M**2, _SIDEWAYS_M**2, 0.0]) * weight.sum() * 0.05
        fit = np.linalg.solve(rows.T @ (weight[:, None] * rows) + held, rows.T @ (weight * height))
    return fit[:2], float(np.median(np.abs(height - rows @ fit))), float(np.median(np.abs(height)))
