"""Keeps simulated time beside the clock on the wall."""

from __future__ import annotations

from dataclasses import dataclass

_MOST = 0.1  # s: more is not caught up with; the simulation is then slower than asked for, and never jumps
_FORGET = 1.0  # s over which the figures are averaged


@dataclass(frozen=True)
class Figures:
    """How well real time is kept: averages over the last second or so, and what was lost since the start."""

    steps_per_s: float = 0.0
    speed: float = 0.0  # simulated seconds per second
    busy: float = 0.0  # share of the time that was spent in simulating
    lost_s: float = 0.0  # simulated seconds that were due and could not be caught up with


class Pace:
    """Tells how many steps are due so that simulated time runs at `speed` times real time."""

    def __init__(self) -> None:
        self.speed = 1.0
        self.figures = Figures()
        self._last: float | None = None
        self._owed = 0.0
        self._busy = 0.0

    def due(self, now: float, dt: float) -> int:
        """The number of steps of `dt` seconds to take at the time `now`, seconds on any steady clock."""
        passed = 0.0 if self._last is None else now - self._last
        self._last = now
        owed = self._owed + passed * self.speed
        lost = max(owed - _MOST, 0.0)
        nsteps = int((owed - lost) / dt)
        self._owed = owed - lost - nsteps * dt
        self._average(passed, nsteps, nsteps * dt, lost)
        return nsteps

    def spent(self, seconds: float) -> None:
        """Takes note of how long the steps took."""
        self._busy += seconds

    def rest(self) -> None:
        """Time that passes from now until the next call of `due` is not owed."""
        self._last, self._owed, self._busy = None, 0.0, 0.0

    def _average(self, passed: float, nsteps: int, given: float, lost: float) -> None:
        if passed <= 0.0:
            return
        share = min(passed / _FORGET, 1.0)
        old, busy = self.figures, self._busy
        self._busy = 0.0
        self.figures = Figures(
            old.steps_per_s + share * (nsteps / passed - old.steps_per_s),
            old.speed + share * (given / passed - old.speed),
            old.busy + share * (busy / passed - old.busy),
            old.lost_s + lost,
        )
