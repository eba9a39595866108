"""A clip as a live actor: its frames reach the tracker one by one as time passes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise import rotation
from poise.character.character import Character
from poise.character.style import NEUTRAL, Style
from poise.motion.clip import Clip
from poise.reference.actor import Performance, performance_of
from poise.reference.feature_tracker import FeatureTracker
from poise.reference.features import Features

_LAST = 3  # frames from which the velocities at the end are taken


class ClipFeatures:
    """The features of a tidied clip on a character.

    The run starts as much later than the actor as the tracker is behind it, so that time in the run is time in the clip, while
    nothing is ever known of the clip beyond that.
    """

    def __init__(self, clip: Clip | Performance, character: Character, style: Style = NEUTRAL) -> None:
        performance = clip if isinstance(clip, Performance) else performance_of(clip)
        self.tracker = FeatureTracker(performance.actor, character, rate=_rate(performance), style=style)
        self.performance = run_on(performance, self.tracker.delay)
        self._next = 0

    @property
    def delay(self) -> float:
        """How far the run is behind the actor, seconds."""
        return self.tracker.delay

    def sample(self, time: float, features: Features) -> None:
        """Refreshes the features for the run's `time`; going back starts the clip anew."""
        now = time + self.delay
        times = self.performance.times
        while self._next < len(times) and times[self._next] <= now:
            self.tracker.push(self.performance.frame(self._next))
            self._next += 1
        self.tracker.sample(now, features)


def run_on(performance: Performance, seconds: float) -> Performance:
    """The performance with a moment more at its end, in which every joint goes on as it did: actors do not stop dead."""
    n = len(performance.times)
    if n < 2:
        return performance
    back = min(_LAST, n - 1)
    span = float(performance.times[-1] - performance.times[-1 - back])
    velocity = (performance.position[-1] - performance.position[-1 - back]) / span
    spin = rotation.log(rotation.multiply(performance.rotation[-1], rotation.conjugate(performance.rotation[-1 - back]))) / span
    later = np.arange(1, int(np.ceil(seconds * back / span)) + 2) * span / back
    position = performance.position[-1] + later[:, None, None] * velocity
    turns = rotation.multiply(rotation.exp(later[:, None, None] * spin), performance.rotation[-1])
    return replace(
        performance,
        times=np.concatenate([performance.times, performance.times[-1] + later]),
        position=np.concatenate([performance.position, position]),
        rotation=np.concatenate([performance.rotation, turns]),
    )


def _rate(performance: Performance) -> float:
    times = performance.times
    return (len(times) - 1) / float(times[-1] - times[0]) if len(times) > 1 else 30.0
