"""All sensors that are computed every step, in one compiled call."""

from __future__ import annotations

from numba import njit

from poise.physics.feet import foot_loads
from poise.physics.momentum import momentum
from poise.rotation import Array, Mask


@njit(cache=True)
def sense(
    sensor: Array,
    threshold: float,
    foot_force: Array,
    foot_load: Array,
    foot_contact: Mask,
    spatial_velocity: Array,
    link_com: Array,
    com: Array,
    inertia_turn: Array,
    inertia: Array,
    mass: Array,
    dt: float,
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
