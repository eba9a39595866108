"""Feedforward control: low gains that follow a clip faithfully and give way when hit (Nunes et al.)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from poise.control.controller import Command
from poise.control.fed import Fed
from poise.control.local_feedback import LocalFeedback
from poise.physics.state import State
from poise.physics.world import World
from poise.reference.reference import AnyReference, Target


class Source(Protocol):
    """Where feedforward comes from."""

    fed: Fed

    def start(self, world: World, reference: AnyReference) -> None:
        """Gets ready for one character."""
        ...

    def update(self, state: State, target: Target) -> None:
        """Brings torques and velocities up to the present moment."""
        ...


class NoFeedforward:
    """Feedback alone, towards the reference's own velocities; standing legs are as soft as with an auxiliary world."""

    def start(self, world: World, reference: AnyReference) -> None:
        self.fed = Fed.nothing(world.character.nsegments, share=0.0)

    def update(self, state: State, target: Target) -> None:
        self.fed.velocity[:] = target.joint_velocity


class FeedforwardController:
    """Low-gain feedback plus feedforward torques, on top of a balance strategy."""

    name = "feedforward"

    def __init__(self, feedback: LocalFeedback, source: Source, settings: Mapping[str, Any] | None = None) -> None:
        """`settings` are what it was made from, JSON-able, for the record of a run."""
        self.feedback, self.source, self.settings = feedback, source, settings

    @property
    def tunable(self) -> bool:
        return self.strategy.tunable

    @property
    def strategy(self) -> Any:
        """What keeps the balance of the main character."""
        return self.feedback.strategy

    @property
    def thr_min(self) -> float:
        return self.strategy.thr_min

    @thr_min.setter
    def thr_min(self, value: float) -> None:
        for feedback in self._feedbacks:
            feedback.strategy.thr_min = value

    @property
    def thr_max(self) -> float:
        return self.strategy.thr_max

    @thr_max.setter
    def thr_max(self, value: float) -> None:
        for feedback in self._feedbacks:
            feedback.strategy.thr_max = value

    def start(self, world: World, reference: AnyReference) -> None:
        self.feedback.start(world, reference)
        self.source.start(world, reference)

    def act(self, state: State, target: Target, command: Command) -> None:
        self.source.update(state, target)
        self.feedback.act(state, target, command, self.source.fed)

    def get_up(self) -> None:
        """Tracks and balances again after a fall; with root forces, which never give up, nothing changes."""
        if hasattr(self.strategy, "get_up"):
            self.feedback.get_up()

    def retune(self, other: FeedforwardController) -> None:
        """Goes on with the gains of another controller of the same make; both worlds stay as they are."""
        self.settings = other.settings
        for own, new in zip(self._feedbacks, other._feedbacks, strict=True):
            own.retune(new.gains)
            if own.strategy.tunable:
                own.strategy.thr_min, own.strategy.thr_max = new.strategy.thr_min, new.strategy.thr_max
                own.strategy.retune(new.strategy.gains)

    @property
    def _feedbacks(self) -> list[LocalFeedback]:
        """Of both worlds, where there are two."""
        other = getattr(self.source, "feedback", self.feedback)
        return [self.feedback, *([other] if other is not self.feedback else [])]
