"""What one world, or a law without a world, feeds forward to the joints of another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.control.bracing import Brace
from poise.rotation import Array


@dataclass(frozen=True, eq=False)
class Fed:
    """Arrays for the S - 1 joints of a body, in the segments' own frames, brought up to date in place.

    `torque` is that of the beginning of a step, with velocities `before`. Where it is damped implicitly, by `brake`, the step
    ends with `velocity` and the torque has changed by brake (velocity - before).
    """

    torque: Array  # (S - 1, 3), Nm
    brake: Array  # (S - 1, 3), Nm s/rad: 0 where the torque does not change within the step
    before: Array  # (S - 1, 3), rad/s
    velocity: Array  # (S, 3), rad/s: what to aim at
    error: Array  # (S - 1, 3), rad: how far its joints are from the clip's; 0 where there is no other world
    share: Array  # (S - 1,): of the torque that acts where it comes from; the rest is the strategy's springs, of the same error
    brace: Brace  # for a blow that is expected

    @classmethod
    def nothing(cls, nsegments: int, share: float) -> Fed:
        """No torque, and velocities to be filled in."""
        joints, velocity = nsegments - 1, np.zeros((nsegments, 3))
        torque, brake, error = np.zeros((3, joints, 3))
        return cls(torque, brake, velocity[1:], velocity, error, np.full(joints, share), Brace.none(nsegments))
