"""When each frame was taken, on our clock, without the jitter of the way it came."""

from __future__ import annotations

from collections import deque

_WINDOW = 24  # frames over which the period is measured
_LATE_SHARE, _EARLY_SHARE = 0.05, 0.5  # of the gap between expected and seen arrival that is believed
_LOST_TRACK = 0.06  # s, or four periods: a gap larger than this is a pause, not jitter
_PERIOD = 1.0 / 60.0  # s, before anything is known
_PERIODS = (1.0 / 1000.0, 0.5)  # s, shortest and longest that are believed


class SenderClock:
    """Follows one sender. A frame that comes early proves that the way is short; one that comes late proves nothing."""

    def __init__(self) -> None:
        self.period = _PERIOD
        self._arrivals: deque[tuple[float, int]] = deque(maxlen=_WINDOW)
        self._count = 0
        self._time: float | None = None

    def when(self, arrival: float, frames: int = 1, seconds: float | None = None) -> float:
        """The moment of a frame that arrived just now, `frames` frames (or `seconds`, where known) after the one before."""
        self._count += frames
        self._measure(arrival)
        if self._time is None:
            self._time = arrival
            return arrival
        expected = self._time + (frames * self.period if seconds is None else seconds)
        gap = arrival - expected
        if abs(gap) > max(_LOST_TRACK, 4.0 * self.period):
            moment = arrival
        else:
            moment = expected + (_LATE_SHARE if gap > 0.0 else _EARLY_SHARE) * gap
        self._time = max(min(moment, arrival), self._time + 0.1 * self.period)
        return self._time

    def _measure(self, arrival: float) -> None:
        """The period is the mean over the last frames; a pause begins a new measurement."""
        if self._arrivals and arrival - self._arrivals[-1][0] > max(_LOST_TRACK, 4.0 * self.period):
            self._arrivals.clear()
        self._arrivals.append((arrival, self._count))
        (first, before), frames = self._arrivals[0], len(self._arrivals)
        if frames >= 6 and self._count > before:
            shortest, longest = _PERIODS
            self.period = min(max((arrival - first) / (self._count - before), shortest), longest)
