"""The target that a live reference hands out: followed smoothly to now, remembered shortly before, guessed ahead."""

from __future__ import annotations

from collections import deque

from poise.character.character import Character
from poise.live.follower import Follower
from poise.reference.reference import Columns, Target
from poise.rotation import Array

_REMEMBERED = 0.02  # s that can be asked about afterwards, and by which changes of speed are measured
_HISTORY = 11  # steps: the last 20 ms at the usual step


class LiveTarget:
    """A follower with what it gave lately. `now` is the target of the last step."""

    def __init__(self, character: Character) -> None:
        self._columns, self._nfeet = Columns(character.nsegments), len(character.feet)
        self.now = self.fresh()
        self.follower = Follower(character, self.now)
        self._time = 0.0
        self._history: deque[tuple[float, Array]] = deque(maxlen=_HISTORY)

    def fresh(self) -> Target:
        """A fresh Target to sample into."""
        return Target(self._columns, self._nfeet)

    def start_over(self, time: float) -> None:
        """Time has been set anew, to `time`; everything stays where it is."""
        self.follower.shift(time - self._time)
        self._time = time
        self._history.clear()

    def advance(self, dt: float, time: float, delay: float, period: float) -> None:
        """Follows the goals to the simulated `time`, `dt` after the step before and `delay` behind."""
        self._time = time
        self.follower.advance(dt, time - delay, period)
        self._history.append((time, self.now.row.copy()))

    def sample(self, time: float, target: Target) -> None:
        """Refreshes `target` for the present moment, for one shortly before, or for one ahead, as far as can be guessed."""
        target.row[:] = self.now.row
        target.stance[:], target.near_stance[:] = self.now.stance, self.now.near_stance
        target.time = time
        if time < self._time:
            target.row[:] = next((row for at, row in reversed(self._history) if at <= time + 1e-6), self._history[0][1])
        elif time > self._time:
            self._guess(time - self._time, target)

    def _guess(self, lead: float, target: Target) -> None:
        """Everything goes on as it does now; speeds change as lately, for a moment."""
        target.position += lead * target.velocity
        target.com += lead * target.com_velocity
        at, row = self._history[0]
        if self._time > at:
            speeds = self._columns.parts["joint_velocity"][0].start
            change = (self.now.row[speeds:] - row[speeds:]) / (self._time - at)
            target.row[speeds:] += min(lead, _REMEMBERED) * change
