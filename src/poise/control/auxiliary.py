"""Feedforward from an auxiliary simulation: a second world that follows the clip with high gains (Nunes section 3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from poise.control.bracing import Bracing, Expectation
from poise.control.controller import Command
from poise.control.feedforward import NoFeedforward
from poise.control.local_feedback import LocalFeedback
from poise.control.observation import Observation, observe
from poise.physics.state import State
from poise.physics.world import World
from poise.reference.reference import AnyReference, Target
from poise.rotation import Array


class Scene(Expectation, Protocol):
    """What is expected to happen to a character."""

    def wrench_at(self, state: State, time: float) -> Array:
        """What acts on the segments (S, 6) of a world in this state at this time."""
        ...


class AuxiliarySimulation:
    """Steps a twin of the main world in lockstep; its feedback is the main world's feedforward.

    Nothing that happens to the main character happens to it, unless it is expected: then it is in `scene` (Nunes section 5), and
    both are braced for it. Only how the main one leans and moves is observed.
    """

    name = "auxiliary"

    def __init__(self, feedback: LocalFeedback, observation: Observation | None = None) -> None:
        self.feedback, self.observation = feedback, observation or Observation()
        self.scene: Scene | None = None

    def start(self, world: World, reference: AnyReference) -> None:
        self._main = world
        self.world = world.twin()
        self.feedback.start(self.world, reference)
        self._bracing = Bracing(world.character, world.dt)
        self.fed = replace(self.feedback.fed, braced=self._bracing.extent)
        self._command, self._nothing = Command(world.character.nsegments), NoFeedforward()
        self._nothing.start(world, reference)
        self._nothing.fed = replace(self._nothing.fed, braced=self._bracing.extent)
        self._command.joint_torque = self.world.joint_torque
        self._observed = self.observation.arguments(self.world, world)

    def update(self, state: State, target: Target) -> None:
        """Takes the step that begins now; torques are those of its beginning, velocities those of its end."""
        if self.feedback.fallen:
            self._follow_main()
        if self.scene:
            self._bracing.update(self.scene, target.time)
        own, command = self.world.sense(), self._command
        self._nothing.update(own, target)
        self.feedback.act(own, target, command, self._nothing.fed)
        self.world.wrench[:] = command.wrench
        observe(*self._observed)
        if self.scene:
            self.world.wrench += self.scene.wrench_at(own, target.time)
        self.world.let_slide(target.stance)
        self.world.advance()

    def _follow_main(self) -> None:
        """A model of the body that lies on the floor is of no use: it starts anew from where the body is."""
        self.world.match(self._main)
        self.feedback.get_up()
