"""The contract of a controller, and what it may set each step."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from poise.physics.state import State
from poise.physics.world import World
from poise.reference.reference import AnyReference, Target
from poise.rotation import Array


class Command:
    """What a controller sets: joint torques, and artificial help where it uses any. S segments.

    `joint_torque` (S - 1, 3) acts between a segment and its parent, in the segment's own frame. `wrench` (S, 6), force then
    torque at the segment's centre of mass in the world frame, is help from outside. Damping that MuJoCo integrates
    implicitly is not in either; `felt_torque` and `help` hold what really acts, damping included, for the receipt.
    """

    def __init__(self, nsegments: int) -> None:
        self.joint_torque = np.zeros((nsegments - 1, 3))
        self.wrench = np.zeros((nsegments, 6))
        self.felt_torque = np.zeros((nsegments - 1, 3))
        self.help = np.zeros((nsegments, 6))


class Controller(Protocol):
    """A control law with its gains. `start` prepares it for one character; `act` is called once per step."""

    @property
    def name(self) -> str: ...

    @property
    def tunable(self) -> bool:
        """Whether the dial of robustness means anything to it."""
        ...

    def start(self, world: World, reference: AnyReference) -> None:
        """Gets ready: scales gains to the character and sets the world's implicit damping."""
        ...

    def act(self, state: State, target: Target, command: Command) -> None:
        """Sets the command for this step from the present state and the reference at the present time."""
        ...


def damping_of_joints(world: World) -> Array:
    """The world's implicit damping of the joints (S - 1, 3), Nm s/rad."""
    return world.damping[6:].reshape(-1, 3)
