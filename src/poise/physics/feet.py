"""What the feet carry and how they grip, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.rotation import Array, Mask


@njit(cache=True)
def foot_loads(sensor: Array, threshold: float, force: Array, load: Array, contact: Mask) -> None:
    """From the feet's contact sensors (feet, 10): the force on each foot, the weight it carries, and whether it carries any.

    The upward part of the force is what counts, whatever the foot stands on: a slope, a turning platform, a stone.
    """
    for f in range(sensor.shape[0]):
        for i in range(3):
            force[f, i] = -sensor[f, 1 + i]
        load[f] = force[f, 2]
        contact[f] = load[f] > threshold


@njit(cache=True)
def set_grip(geom_friction: Array, soles: NDArray[np.int64], standing: Mask, grip: float, slip: float) -> None:
    """Sliding friction `grip` for the soles that stand, `slip` for the others."""
    for f in range(soles.shape[0]):
        geom_friction[soles[f], 0] = grip if standing[f] else slip
