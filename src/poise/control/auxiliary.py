"""Feedforward from an auxiliary simulation: a second world that follows the clip with high gains (Nunes section 3)."""

from __future__ import annotations

from collections.abc import Callable

from poise.control.controller import Command
from poise.control.feedforward import NoFeedforward
from poise.control.local_feedback import LocalFeedback
from poise.physics.state import State
from poise.physics.world import World
from poise.reference.reference import AnyReference, Target
from poise.rotation import Array

Scene = Callable[[State, float], Array]  # what acts on the segments (S, 6) of a world in this state at this time


class AuxiliarySimulation:
    """Steps a twin of the main world in lockstep; its feedback is the main world's feedforward.

    Nothing that happens to the main character happens to it, unless it is expected: then it is in `scene` (Nunes section 5).
    """

    name = "auxiliary"

    def __init__(self, feedback: LocalFeedback) -> None:
        self.feedback = feedback
        self.scene: Scene | None = None

    def start(self, world: World, reference: AnyReference) -> None:
        self._main = world
        self.world = world.twin()
        self.feedback.start(self.world, reference)
        s = world.character.nsegments
        self._command, self._nothing = Command(s), NoFeedforward()
        self._nothing.start(world, reference)
        self._command.joint_torque = self.world.joint_torque
        self.torque, self.share = self.feedback.torque, self.feedback.share
        self.velocity = self.world.state.joint_velocity
        self._began = False

    def update(self, state: State, target: Target) -> None:
        """Takes a step of its own up to now; torques and velocities are those of now, when the next one begins."""
        if self._began:
            self.world.advance()
        self._began = True
        if self.feedback.fallen:
            self._follow_main()
        own, command = self.world.sense(), self._command
        self._nothing.update(own, target)
        self.feedback.act(own, target, command, self._nothing)
        self.world.wrench[:] = command.wrench
        if self.scene:
            self.world.wrench += self.scene(own, target.time)
        self.world.let_slide(target.stance)

    def _follow_main(self) -> None:
        """A model of the body that lies on the floor is of no use: it starts anew from where the body is."""
        self.world.match(self._main)
        self.feedback.get_up()
