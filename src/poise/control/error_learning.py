"""Feedforward by feedback-error learning: on a motion that repeats itself, what feedback had to do becomes feedforward.

Yin et al. 2007, after Kawato; Geijtenbeek et al. 3.3. Each cycle adds a share of its feedback torques, phase by phase.
"""

from __future__ import annotations

import numpy as np

from poise.control.fed import Fed
from poise.control.local_feedback import LocalFeedback
from poise.errors import BadInput
from poise.physics.state import State
from poise.physics.world import World
from poise.reference.reference import AnyReference, Target, bell

_RATE = 100.0  # phases per second that are told apart
_SHARE = 0.3  # of a cycle's feedback that is learned
_SMOOTHING = 0.02  # s over which what was learned is smoothed, or the ripple of the feedback would grow


class ErrorLearning:
    """Torques by the phase of a cycle of `period` seconds, from the feedback of the cycles before."""

    def __init__(self, feedback: LocalFeedback, period: float) -> None:
        if not (np.isfinite(period) and period > 2.0 / _RATE):
            raise BadInput(f"a cycle of {period} s cannot be learned; give the seconds after which the clip repeats itself")
        self.feedback, self.period = feedback, period

    def start(self, world: World, reference: AnyReference) -> None:
        s, phases = world.character.nsegments, max(2, round(self.period * _RATE))
        self.fed = Fed.nothing(s, share=1.0)
        self._learned, self._seen = np.zeros((phases, s - 1, 3)), np.zeros((phases, s - 1, 3))
        self._visits = np.zeros(phases)
        self._cycle, self._phase = 0, -1

    def update(self, state: State, target: Target) -> None:
        """The torques of this phase; the feedback of the step before is remembered."""
        if self._phase >= 0 and not self.feedback.fallen:
            self._seen[self._phase] += self.feedback.fed.share[:, None] * self.feedback.fed.torque
            self._visits[self._phase] += 1.0
        cycle, place = divmod(target.time / self.period, 1.0)
        if cycle > self._cycle:
            self._learn()
            self._cycle = int(cycle)
        self._phase = min(int(place * len(self._visits)), len(self._visits) - 1)
        self.fed.torque[:], self.fed.velocity[:] = self._learned[self._phase], target.joint_velocity

    def _learn(self) -> None:
        """Adds a share of the last cycle's mean feedback to what is fed forward."""
        mean = self._seen / np.maximum(self._visits, 1.0)[:, None, None]
        around = np.concatenate([mean, mean, mean])  # a cycle has no ends
        self._learned += _SHARE * bell(around, _RATE, _SMOOTHING)[len(mean) : 2 * len(mean)]
        self._seen[:], self._visits[:] = 0.0, 0.0
