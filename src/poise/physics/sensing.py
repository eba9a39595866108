"""All sensors that are computed every step, in one compiled call."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.physics.feet import foot_loads
from poise.physics.momentum import momentum
from poise.pinned import views
from poise.rotation import Array, Mask

LAYOUT = "f2 f2 f1 b1 f2 f2 f1 f3 f2 f1 f2 f1 f1 f1"  # of the arrays of `sense`, in order


@njit(cache=True)
def sense_pinned(where: NDArray[np.int64], threshold: float, dt: float) -> None:
    """`sense` with its arrays handed over by address."""
    sense(threshold, dt, *views(where, LAYOUT))


@njit(cache=True)
def sense(
    threshold: float,
    dt: float,
    sensor: Array,
    foot_force: Array,
    foot_load: Array,
    foot_contact: Mask,
    spatial_velocity: Array,
    link_com: Array,
    com: Array,
    inertia_turn: Array,
    inertia: Array,
    mass: Array,
    link_velocity: Array,
    momenta: Array,
    last: Array,
    rate: Array,
) -> None:
    """Loads of the feet, velocities of the links, momenta of the whole and their rates."""
    foot_loads(sensor, threshold, foot_force, foot_load, foot_contact)
    momentum(
        spatial_velocity, link_com, com, inertia_turn, inertia, mass, dt, link_velocity, momenta[:3], momenta[3:], last, rate
    )
