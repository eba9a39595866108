"""A clip as a live actor: its frames reach the tracker one by one as time passes."""

from __future__ import annotations

from poise.character.character import Character
from poise.character.style import NEUTRAL, Style
from poise.motion.clip import Clip
from poise.reference.actor import Performance, performance_of
from poise.reference.feature_tracker import FeatureTracker
from poise.reference.features import Features


class ClipFeatures:
    """The features of a tidied clip on a character.

    The run starts as much later than the actor as the tracker is behind it, so that time in the run is time in the clip, while
    nothing is ever known of the clip beyond that.
    """

    def __init__(self, clip: Clip | Performance, character: Character, style: Style = NEUTRAL) -> None:
        self.performance = clip if isinstance(clip, Performance) else performance_of(clip)
        self.tracker = FeatureTracker(self.performance.actor, character, rate=_rate(self.performance), style=style)
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


def _rate(performance: Performance) -> float:
    times = performance.times
    return (len(times) - 1) / float(times[-1] - times[0]) if len(times) > 1 else 30.0
