"""What feet and ground can bear of a virtual wrench; the rest is taken off the wrench, not only off the ankle.

Where an ankle alone gives less than it is asked for, hips and knees go on as if it gave all: they throw leg and trunk against
each other, and a foot that just landed turns over. So a force that friction cannot hold, and a couple that foot and help cannot
hold, are not asked for in the first place.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.rotation import Array, Mask


@njit(cache=True)
def keep_grip(grip: float, held: float, wrench: Array) -> None:
    """Shortens the horizontal force of a wrench (force, torque) to `grip` times the vertical one, or to `held` newtons."""
    across, most = np.sqrt(wrench[0] ** 2 + wrench[1] ** 2), max(grip * wrench[2], held)
    if across > most:
        wrench[0] *= most / across
        wrench[1] *= most / across


@njit(cache=True)
def ease(most: float, part: Array, support: Array, com: Array, wrench: Array) -> float:
    """Scales horizontal force and torque down until the feet receive a couple of at most `most` Nm.

    The couple is that of the wrench at `com` about the point between the soles `support` (feet, 3), each with its `part` of the
    weight. The vertical force stays: where its own lever is too much, the rest is scaled to where the couple is smallest.
    Returns the couple that was asked for, Nm, 0 where nothing had to go or nothing stands (`most` 0).
    """
    x, y, z = -com[0], -com[1], -com[2]
    for f in range(part.shape[0]):
        x, y, z = x + part[f] * support[f, 0], y + part[f] * support[f, 1], z + part[f] * support[f, 2]
    ax, ay = -y * wrench[2], x * wrench[2]  # of the vertical force
    bx, by = wrench[3] + z * wrench[1], wrench[4] - z * wrench[0]  # of the rest
    bz = wrench[5] - x * wrench[1] + y * wrench[0]
    asked = np.sqrt((ax + bx) ** 2 + (ay + by) ** 2 + bz**2)
    if asked <= most or most == 0.0:
        return 0.0
    aa, ab, bb = ax * ax + ay * ay, ax * bx + ay * by, max(bx * bx + by * by + bz * bz, 1e-9)
    inside = ab * ab - bb * (aa - most * most)
    scale = min(max((np.sqrt(max(inside, 0.0)) - ab) / bb, 0.0), 1.0)
    for i in (0, 1, 3, 4, 5):
        wrench[i] *= scale
    return asked


@njit(cache=True)
def bearable(stance: Mask, borne: Array, sole: float, thr_min: float, thr_max: float) -> float:
    """The largest couple, Nm, that help and the ground under the standing feet bear now; `borne` (feet,) are loads, newtons."""
    most = 0.0
    for f in range(stance.shape[0]):
        if stance[f]:
            most += foot_bears(borne[f], sole, thr_min, thr_max)
    return most


@njit(cache=True)
def foot_bears(load: float, sole: float, thr_min: float, thr_max: float) -> float:
    """The same for one foot: help, and its load times the distance to the sole's edge; never less than `thr_max`."""
    return max(thr_max, thr_max - thr_min + sole * load)
