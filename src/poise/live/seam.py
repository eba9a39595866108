"""What was before a break in the stream, going on for a moment while the stream takes over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.live.live_pose import BodyPose, Legs
from poise.rotation import Array

_COMES_TO_REST = 0.1  # s, time constant


@dataclass(frozen=True, eq=False)
class Seam:
    """A pose and its motion at the wall time `began`; over `seconds` something else takes its place."""

    began: float
    seconds: float
    pose: BodyPose
    spin: Array  # (S, 3)
    velocity: Array  # (3,)

    def old(self, now: float, legs: Legs) -> BodyPose:
        """Where the old motion would be by now, slowing down."""
        lead = _COMES_TO_REST * (1.0 - np.exp(-(now - self.began) / _COMES_TO_REST))
        turns = rotation.multiply(rotation.exp(lead * self.spin), self.pose.turns)
        root = self.pose.root + lead * self.velocity
        return BodyPose(turns, root, legs.ankles(turns, root))

    def ankle_velocities(self, legs: Legs) -> Array:
        """How fast the ankles move (feet, 3), metres per second."""
        moment = 1e-3  # s
        turns = rotation.multiply(rotation.exp(moment * self.spin), self.pose.turns)
        return (legs.ankles(turns, self.pose.root + moment * self.velocity) - self.pose.ankles) / moment
