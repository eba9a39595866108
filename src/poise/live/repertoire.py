"""The one run that a live page shows, in the place of a repertoire of clips."""

from __future__ import annotations

from dataclasses import replace

from poise.controllers import feedforward_of
from poise.live.limbs_reference import LimbsReference
from poise.live.live_reference import LiveReference
from poise.live.performance import Guest, live_reference, watch
from poise.simulation import Run
from poise.studio.tuning import Tuning, make_controller


class LiveRepertoire:
    """Offers the actor's run, and nothing else to choose."""

    def __init__(self, run: Run, guest: Guest) -> None:
        self._run, self._guest = run, guest
        self._led = run.controller.name == "limbs"  # whether its reference is one for limbs
        self.first: str = run.info["clip"]
        assert isinstance(run.reference, LiveReference | LimbsReference)
        watch(run.reference)

    @property
    def names(self) -> tuple[str, ...]:
        """What can be chosen."""
        return (self.first,)

    def prepare(self, name: str, looped: bool, tuning: Tuning) -> Run:
        """The run with the controller of the tuning; the actor goes on whatever is started over."""
        law = make_controller(tuning)
        if self._led != (law.name == "limbs"):
            reference = live_reference(self._guest, self._run, law)
            watch(reference)
            self._run, self._led = replace(self._run, reference=reference), law.name == "limbs"
        robustness = tuning.robustness.to_dict() if law.tunable else None
        info = self._run.info | {"controller": law.name, "robustness": robustness, "feedforward": feedforward_of(law)}
        return replace(self._run, controller=law, info=info)
