"""Feedforward from an auxiliary simulation: a second world that follows the clip with high gains (Nunes section 3)."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Protocol

from poise.control.bracing import Brace, Bracing, Expectation
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
    both are braced for it. Only how the main one leans and moves is observed. While they are braced, a third world shows what
    would be without the blow: it is what they hold on to.
    """

    name = "auxiliary"

    def __init__(self, feedback: LocalFeedback, observation: Observation | None = None) -> None:
        self.feedback, self.observation = feedback, observation or Observation()
        self._feedback_unstruck = deepcopy(feedback)
        self.scene: Scene | None = None

    def start(self, world: World, reference: AnyReference) -> None:
        self._main, self._reference = world, reference
        brace = Brace.none(world.character.nsegments)
        self._bracing = Bracing(world.character, world.dt, brace)
        self._model = _Model(self.feedback, self.observation, world, reference, brace)
        self._unstruck: _Model | None = None
        self.world, self.fed = self._model.world, replace(self.feedback.fed, brace=brace)

    def update(self, state: State, target: Target) -> None:
        """Takes the step that begins now; torques are those of its beginning, velocities those of its end."""
        if self.feedback.fallen:
            self._follow_main()
        if self.scene:
            self._brace(self.scene, target)
        self._model.step(target, self.scene)

    def _brace(self, scene: Scene, target: Target) -> None:
        """Braces for what is near; a world without it goes one step ahead, from where this one was when bracing began."""
        bracing = self._bracing
        if not bracing.update(scene, target.time):
            return
        if self._unstruck is None:
            self._unstruck = _Model(self._feedback_unstruck, self.observation, self._main, self._reference)
        if bracing.has_begun:
            self._unstruck.match(self._model)
        state, brace = self._unstruck.world.state, bracing.brace
        brace.coordinate[:], brace.before[:] = state.joint_coordinate, state.joint_velocity
        self._unstruck.step(target)
        brace.velocity[:] = state.joint_velocity
        if self._unstruck.feedback.fallen:
            bracing.end()

    def _follow_main(self) -> None:
        """A model of the body that lies on the floor is of no use: it starts anew from where the body is."""
        self.world.match(self._main)
        self.feedback.get_up()
        self._bracing.end()


class _Model:
    """One auxiliary world, with what drives it."""

    def __init__(
        self, feedback: LocalFeedback, observation: Observation, main: World, reference: AnyReference, brace: Brace | None = None
    ) -> None:
        self.world, self.feedback = main.twin(), feedback
        feedback.start(self.world, reference)
        self._source = NoFeedforward()
        self._source.start(main, reference)
        if brace is not None:
            self._source.fed = replace(self._source.fed, brace=brace)
        self._command = Command(main.character.nsegments)
        self._command.joint_torque = self.world.joint_torque
        self._observed = observation.arguments(self.world, main)

    def match(self, other: _Model) -> None:
        """Goes the way of another from where that one is."""
        self.feedback.match(other.feedback)
        self.world.match(other.world)  # second: dampers are a part of the world

    def step(self, target: Target, scene: Scene | None = None) -> None:
        """Sense, act, advance; what is in the scene happens to it."""
        world, command = self.world, self._command
        state = world.sense()
        self._source.update(state, target)
        self.feedback.act(state, target, command, self._source.fed)
        world.wrench[:] = command.wrench
        observe(*self._observed)
        if scene:
            world.wrench += scene.wrench_at(state, target.time)
        world.let_slide(target.stance)
        world.advance()
