"""The one run that a live page shows, in the place of a repertoire of clips."""

from __future__ import annotations

from dataclasses import replace

from poise.simulation import Run
from poise.studio.tuning import Tuning, make_controller


class LiveRepertoire:
    """Offers the actor's run, and nothing else to choose."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.first: str = run.info["clip"]

    @property
    def names(self) -> tuple[str, ...]:
        """What can be chosen."""
        return (self.first,)

    def prepare(self, name: str, looped: bool, tuning: Tuning) -> Run:
        """The run with the controller of the tuning; the actor goes on whatever is started over."""
        info = self._run.info | {"controller": tuning.controller, "robustness": tuning.robustness.to_dict()}
        return replace(self._run, controller=make_controller(tuning), info=info)
