"""What lies below a point: the height and the normal of the ground, platform or ramp."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.physics.ground import FIRM_GROUP
from poise.rotation import Array

if TYPE_CHECKING:
    from poise.physics.world import World

_FROM_ABOVE = 0.5  # m: feelers start this far above the point, which may have sunk into the ground a little
_DOWN = np.array([0.0, 0.0, -1.0])
_FIRM = np.array([group == FIRM_GROUP for group in range(6)], np.uint8)


def feel_ground(world: World, points: Array, height: Array, normal: Array) -> None:
    """Writes height (n,) and normal (n, 3) of the firm ground below points (n, 3); where there is none they stay as they are.

    Loose things are no firm ground.
    """
    found = np.zeros(3)
    for k, point in enumerate(points):
        start = point + np.array([0.0, 0.0, _FROM_ABOVE])
        distance = mujoco.mj_ray(world.model, world.data, start, _DOWN, _FIRM, True, -1, None, found)
        if distance >= 0.0:
            height[k], normal[k] = start[2] - distance, found
