"""Feedforward from an auxiliary simulation: a second world that follows the clip with high gains (Nunes section 3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from poise.character.character import Character
from poise.control.bracing import Bracing, Expectation
from poise.control.controller import Command
from poise.control.feedforward import NoFeedforward
from poise.control.local_feedback import HUMAN_LEG, HUMAN_MASS, LocalFeedback
from poise.control.topple_free_foot import FlightRule, steady_in_flight
from poise.physics.state import State
from poise.physics.world import World
from poise.reference.reference import AnyReference, Target
from poise.reference.retarget import leg_length
from poise.rotation import Array


class Scene(Expectation, Protocol):
    """What is expected to happen to a character."""

    def wrench_at(self, state: State, time: float) -> Array:
        """What acts on the segments (S, 6) of a world in this state at this time."""
        ...


@dataclass(frozen=True)
class Observation:
    """How the model's pelvis is turned to that of the body: as an observer, by a spring towards what is sensed.

    Without it the two lean differently after a hard landing, and what holds one against gravity does not hold the other.
    """

    rate: float = 12.0  # rad/s, critically damped; 4 to 20 were compared, docs/feedforward.md
    most: float = 100.0  # Nm for a 72 kg adult: who is thrown down does not take the model along at once
    gyration: float = FlightRule.gyration  # radius of gyration of the body, of the leg length

    def spring(self, character: Character) -> tuple[float, float, float]:
        """Stiffness, Nm/rad, damping, Nm s/rad, and the largest torque, Nm, for this body."""
        inertia = character.mass * (self.gyration * leg_length(character)) ** 2
        most = self.most * character.mass * leg_length(character) / (HUMAN_MASS * HUMAN_LEG)
        return inertia * self.rate**2, 2.0 * inertia * self.rate, most


class AuxiliarySimulation:
    """Steps a twin of the main world in lockstep; its feedback is the main world's feedforward.

    Nothing that happens to the main character happens to it, unless it is expected: then it is in `scene` (Nunes section 5), and
    both are braced for it. Only how the main one's pelvis is turned is observed.
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
        own, main, spring = self.world.state, world.state, self.observation.spring(world.character)
        turns = (own.rotation[0], own.link_velocity[0], main.rotation[0], main.link_velocity[0])
        self._observed = (1.0, *spring, *turns, self.world.wrench[0])

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
        steady_in_flight(*self._observed)
        if self.scene:
            self.world.wrench += self.scene.wrench_at(own, target.time)
        self.world.let_slide(target.stance)
        self.world.advance()

    def _follow_main(self) -> None:
        """A model of the body that lies on the floor is of no use: it starts anew from where the body is."""
        self.world.match(self._main)
        self.feedback.get_up()
