"""What an auxiliary world senses of the main one: how its pelvis is turned, and how fast the body moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from poise.control.local_feedback import HUMAN_LEG, HUMAN_MASS
from poise.control.topple_free_foot import FlightRule, steady_in_flight
from poise.physics.world import World
from poise.reference.retarget import leg_length
from poise.rotation import Array


@dataclass(frozen=True)
class Observation:
    """The model goes with the body as an observer does: drawn towards what is sensed, neither at once nor with any force.

    Without it the two lean and land differently after a blow. What holds one against gravity then does not hold the other, and
    arms that are fed for one landing are thrown about in another. Where the body is does not matter: only torques cross over.
    """

    rate: float = 12.0  # rad/s, critically damped; 4 to 20 were compared, docs/feedforward.md
    torque: float = 100.0  # Nm for a 72 kg adult, at most: who is thrown down does not take the model along at once
    force: float = 700.0  # N for a 72 kg adult, at most: about its weight
    gyration: float = FlightRule.gyration  # radius of gyration of the body, of the leg length

    def arguments(self, own: World, main: World) -> tuple[Any, ...]:
        """Those of `observe` for two worlds: gains and limits for this body, and their states, which stay where they are."""
        mass, leg = main.character.mass, leg_length(main.character)
        inertia, size = mass * (self.gyration * leg) ** 2, mass / HUMAN_MASS
        turning = (inertia * self.rate**2, 2.0 * inertia * self.rate, self.torque * size * leg / HUMAN_LEG)
        moving = (2.0 * mass * self.rate, self.force * size)
        states = ((s.rotation[0], s.link_velocity[0], s.com_velocity) for s in (own.state, main.state))
        return (*turning, *moving, *next(states), *next(states), own.wrench[0])


@njit(cache=True)
def observe(
    stiffness: float,
    damping: float,
    most_torque: float,
    drag: float,
    most_force: float,
    rotation: Array,
    spin: Array,
    velocity: Array,
    ref_rotation: Array,
    ref_spin: Array,
    ref_velocity: Array,
    wrench: Array,
) -> None:
    """Adds to the wrench (6,) on the model's root what draws its turn and the velocity of its centre of mass to the body's."""
    steady_in_flight(1.0, stiffness, damping, most_torque, rotation, spin, ref_rotation, ref_spin, wrench)
    x, y, z = ref_velocity[0] - velocity[0], ref_velocity[1] - velocity[1], ref_velocity[2] - velocity[2]
    scale = min(drag, most_force / max(np.sqrt(x * x + y * y + z * z), 1e-9))
    wrench[0] += scale * x
    wrench[1] += scale * y
    wrench[2] += scale * z
