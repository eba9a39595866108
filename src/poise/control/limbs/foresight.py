"""Looking ahead: a run is a moment behind the actor, so the steps to come are known, and the body leans as they ask for.

A law that looks no step ahead cannot lean before a kick as the actor did. Features stay as causal as they were: they are only
used later. What they ask of the centre of mass is replaced by the plan of `pendulum.py`, and the root and all
that it carries go along.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from poise.character.character import Character
from poise.control.limbs import pendulum
from poise.control.limbs.ground_forces import soles_of
from poise.control.limbs.weights import support_length
from poise.reference.features import Features, FeatureSource, effector_limbs
from poise.rotation import Array, Mask

SPACING = 0.02  # s between the moments of a plan
_INNER = 0.5  # share of a sole that is planned with: what is near its rim is left for what was not foreseen


class Foresight:
    """Features of another source, sampled `ahead` seconds before they are given on, with a centre of mass that can be carried.

    The source must be able to tell what is to come: a clip can, an actor live only if the run is so much later. `step` is about
    how many seconds there are between samples.
    """

    def __init__(self, source: FeatureSource, character: Character, ahead: float, step: float, costs: pendulum.Costs) -> None:
        self._source, self._step, self._costs = source, step, costs
        moments = round(ahead / SPACING) + 1
        self._ahead = (moments - 1) * SPACING
        self._leg, self._nsegments = support_length(character), character.nsegments
        limbs = effector_limbs(character)
        self._soles = soles_of(character, limbs, _INNER)
        self._carried = np.array([limb.kind != "support" for limb in limbs])
        self._course = pendulum.course_of(moments, self._soles)
        self._newest = Features(character)
        self._coming: deque[tuple[float, Array, Mask]] = deque()  # times, rows and contacts from now to `ahead`
        self._known = 0  # moments of the run so far, the last of them is that of the course

    def sample(self, time: float, features: Features) -> None:
        """Refreshes the features for the run's `time`, seconds; times must not go back."""
        if not self._coming:
            self._begin(time)
        else:
            self._take(time + self._ahead)
        coming = self._coming
        while len(coming) > 1 and coming[1][0] <= time + 1e-9:
            coming.popleft()
        _, features.row[:], features.contact[:] = coming[0]
        first = (self._known - len(self._course.com)) * SPACING
        pendulum.lead(self._course, time - self._start - first, features.row, self._carried, self._nsegments)

    def _begin(self, time: float) -> None:
        """Takes in all that is to come, and plans from where the actor is."""
        self._start, course, newest = time, self._course, self._newest
        for k in range(int(np.ceil(self._ahead / self._step - 1e-9)) + 1):
            self._remember(time + k * self._step)
            while self._is_moment():
                pendulum.foresee(course, self._known, self._soles, self._leg, newest.row, newest.contact, self._nsegments)
                self._known += 1
        course.state[0], course.state[1] = course.com[0, :2], course.velocity[0, :2]
        pendulum.plan(course, SPACING, self._leg, self._costs)

    def _take(self, time: float) -> None:
        """Takes in what the actor does at a time, and plans anew when the course has come to its next moment."""
        newest = self._newest
        self._remember(time)
        while self._is_moment():
            pendulum.go_on(
                self._course, SPACING, self._soles, self._leg, newest.row, newest.contact, self._nsegments, self._costs
            )
            self._known += 1

    def _remember(self, time: float) -> None:
        self._source.sample(time, self._newest)
        self._coming.append((time, self._newest.row.copy(), self._newest.contact.copy()))

    def _is_moment(self) -> bool:
        """Whether what has come last belongs to the next moment of the course."""
        return self._coming[-1][0] - self._start >= self._known * SPACING - 1e-9
