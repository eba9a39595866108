"""A hand that holds a segment and drags it about: da Silva et al. (15) with a point that goes wherever it is led."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poise import rotation
from poise.physics.state import State
from poise.rotation import Array

STIFFNESS, DAMPING = 550.0, 50.0  # N/m, N s/m: the paper's
STRONGEST = 1000.0  # N: however far the point is led, a hand does not pull harder


@dataclass(frozen=True, eq=False)
class Grip:
    """A spring and a damper from a spot of a segment to a point of the world."""

    segment: int
    spot: Array  # (3,) from the segment's joint, segment frame
    point: Array  # (3,) world frame
    stiffness: float = STIFFNESS
    velocity: Array = field(default_factory=lambda: np.zeros(3))  # (3,) of the point, world frame

    def held_at(self, state: State) -> Array:
        """Where the spot is now (3,), world frame."""
        return state.position[self.segment] + rotation.rotate(state.rotation[self.segment], self.spot)

    def wrench(self, state: State) -> Array:
        """The force, and its torque about the segment's centre of mass (6,), world frame."""
        k = self.segment
        here = self.held_at(state)
        arm = here - state.link_com[k]
        velocity = state.link_velocity[k, 3:] + np.cross(state.link_velocity[k, :3], arm)
        damping = DAMPING * np.sqrt(self.stiffness / STIFFNESS)
        force = self.stiffness * (self.point - here) + damping * (self.velocity - velocity)
        force *= min(1.0, STRONGEST / max(float(np.linalg.norm(force)), 1e-9))
        return np.concatenate([force, np.cross(arm, force)])


def grip(state: State, segment: int, spot_w: Array, point: Array, stiffness: float = STIFFNESS) -> Grip:
    """A grip at a spot of the world that now belongs to a segment."""
    away = np.asarray(spot_w, float) - state.position[segment]
    return Grip(segment, rotation.rotate(rotation.conjugate(state.rotation[segment]), away), np.asarray(point, float), stiffness)
