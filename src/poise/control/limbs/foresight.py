"""Looking ahead: a run is a moment behind the actor, so the steps to come are known, and the body leans as they ask for.

A law that looks no step ahead cannot lean before a kick as the actor did. Features stay as causal as they were: they are only
used later. What they ask of the centre of mass is replaced by the plan of `pendulum.py`, and the root goes along.
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
_FIRST_STEP = 0.002  # s between the features that are taken in before the start


class Foresight:
    """Features of another source, sampled `ahead` seconds before they are given on, with a centre of mass that can be carried.

    The source must be able to tell what is to come: a clip can, an actor live only if the run is so much later.
    """

    def __init__(self, source: FeatureSource, character: Character, ahead: float, costs: pendulum.Costs) -> None:
        self._source, self._costs = source, costs
        self._moments = round(ahead / SPACING)
        self._ahead = self._moments * SPACING
        self._leg, self._nsegments = support_length(character), character.nsegments
        self._soles = soles_of(character, effector_limbs(character), _INNER)
        self._course = pendulum.course_of(self._moments + 1, self._soles)
        self._newest = Features(character)
        self._coming: deque[tuple[float, Array, Mask]] = deque()  # times, rows and contacts from now to `ahead`
        self._first = 0  # of the course's moments: its number, counted from the start of the run
        self._com = np.zeros((3, 2))  # as planned: position, velocity, acceleration

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
        pendulum.swing_on(self._course, time - self._start - self._first * SPACING, self._com)
        self._lead(features)

    def _begin(self, time: float) -> None:
        """Takes in all that is to come, and plans from where the actor is."""
        self._start = time
        for k in range(round(self._ahead / _FIRST_STEP) + 1):
            self._source.sample(time + k * _FIRST_STEP, self._newest)
            self._remember(time + k * _FIRST_STEP)
            if k % round(SPACING / _FIRST_STEP) == 0:
                self._foresee(k // round(SPACING / _FIRST_STEP))
        course = self._course
        course.state[0], course.state[1] = course.com[0, :2], course.velocity[0, :2]
        pendulum.plan(course, SPACING, self._leg, self._costs)

    def _take(self, time: float) -> None:
        """Takes in what the actor does at a time, and plans anew when the course has come to its next moment."""
        self._source.sample(time, self._newest)
        self._remember(time)
        if time - self._start >= (self._first + self._moments + 1) * SPACING - 1e-9:
            self._first += 1
            pendulum.go_on(self._course, SPACING)
            self._foresee(self._moments)
            pendulum.plan(self._course, SPACING, self._leg, self._costs)

    def _remember(self, time: float) -> None:
        self._coming.append((time, self._newest.row.copy(), self._newest.contact.copy()))

    def _foresee(self, moment: int) -> None:
        newest = self._newest
        pendulum.foresee(self._course, moment, self._soles, self._leg, newest.row, newest.contact, self._nsegments)

    def _lead(self, features: Features) -> None:
        """The centre of mass as planned, and the root as far beside the actor's as that is."""
        place, velocity, _ = self._com
        features.root_position[:2] += place - features.com[:2]
        features.root_velocity[:2] += velocity - features.com_velocity[:2]
        features.com[:2], features.com_velocity[:2] = place, velocity
