"""The underside of a foot."""

from __future__ import annotations

from itertools import product

import numpy as np

from poise import rotation
from poise.character.character import UNTURNED, Segment
from poise.rotation import Array

_HEEL, _BALL = 0.1, 0.72  # of the foot's length from its back end


def sole_corners(foot: Segment) -> Array:
    """The four lower corners of a foot's box in the foot's frame (4, 3), or all eight where the box is turned."""
    half = 0.5 * np.array(foot.box.size)
    corners = np.array([half * s for s in product((-1, 1), (-1, 1), (-1, 1))])
    corners = np.array(foot.box.center) + rotation.rotate(foot.box.turn, corners)
    return corners if foot.box.turn != UNTURNED else corners[corners[:, 2] < foot.box.center[2]]


def heel_and_ball(foot: Segment) -> Array:
    """The points of the sole that carry weight, in the foot's frame (2, 3)."""
    length, bottom = foot.box.size[0], foot.box.center[2] - 0.5 * foot.box.size[2]
    back, y = foot.box.center[0] - 0.5 * length, foot.box.center[1]
    return np.array([[back + _HEEL * length, y, bottom], [back + _BALL * length, y, bottom]])
