"""When each frame was taken, on our clock, without the jitter of the way it came; and how late frames come.

Frames that came quickest tell the truth: the line below all points (frame number, arrival). It is drawn through the quickest
frame of every half second. How far a frame lies above it is how late it came.
"""

from __future__ import annotations

from collections import deque

import numpy as np

_SPAN = 0.5  # s for which the quickest frame is remembered
_SPANS = 6  # as many are remembered for the slope,
_RECENT = 3  # and as many for the line itself, so that a way that has become longer for good is believed after 1.5 s
_LONG_ENOUGH = 0.9  # s between two quickest frames whose slope is trusted
_FIRST, _MANY = 12, 60  # frames by which the rate is judged at first, and a faster one later
_SLOWER = ((3, 1.6), (6, 1.25), (12, 1.08))  # so many steps in a row, each so many times too long: a slower sender
_FASTER = 1.0 / 1.3  # of a step
_LONG = 1.3  # times what is usual
_PAUSE = 0.5  # s without frames: measured anew
_PERIOD = 1.0 / 60.0  # s, before anything is known
_PERIODS = (1.0 / 1000.0, 0.5)  # s, shortest and longest that are believed
_LATENESS = (60, 240)  # frames by which lateness is judged, at least and at most
_USUAL = 95.0  # percent of them come no later than `lateness`


class SenderClock:
    """Follows one sender. Its time is its own clock's where it sends that, else the number of frames times a nominal period."""

    def __init__(self, lateness: float = 0.0, period: float = _PERIOD, sure: bool = False) -> None:
        self.period = period  # s from frame to frame
        self.lateness = lateness  # s
        self.spacing = period  # s from the frame before last to the last one
        self._judged = 0
        self._sure = sure  # whether the period has been measured well
        self._begin()

    @property
    def usual(self) -> float:
        """The time between two arrivals, seconds: the median of the last ones, or the mean where they come in bursts."""
        steps = [passed for passed, _, _ in self._steps]
        if len(steps) < _FIRST:
            return self.period
        median, mean = float(np.median(steps)), sum(steps) / len(steps)
        return median if median > 0.5 * mean else max(mean, _PERIODS[0])

    def when(self, arrival: float, frames: int = 1, seconds: float | None = None) -> float:
        """The moment of a frame that arrived just now, `frames` frames (or `seconds`, where known) after the one before."""
        step = frames * self._nominal if seconds is None else seconds
        self.spacing = frames * self.period if seconds is None else seconds
        if self._last is not None:
            passed = arrival - self._last
            self._steps.append((passed, step, frames))
            if seconds is None and passed > _LONG * self.spacing:
                self.spacing = passed  # late, or a slower sender: better to think it slow than three times as fast
            if passed > _PAUSE or self._rate_has_changed():
                self._begin()
            else:
                self._passed, self._told, self._frames = self._passed + passed, self._told + step, self._frames + frames
        self._last = arrival
        self._measure(arrival)
        recent = (*list(self._lows)[-_RECENT:], self._low)
        moment = min(arrival, *(low + (self._told - told) * self._slope for low, told in recent))
        self._judge(arrival - moment)
        return moment

    def _begin(self) -> None:
        self._nominal = self.period
        self._passed, self._told, self._frames = 0.0, 0.0, 0  # since the beginning: our seconds, the sender's, frames
        self._slope = 1.0  # our seconds per second of the sender
        self._last: float | None = None
        self._steps: deque[tuple[float, float, int]] = deque(maxlen=_MANY)  # seconds, ours and told, and frames
        self._lows: deque[tuple[float, float]] = deque(maxlen=_SPANS)  # arrival and told time of the quickest
        self._low = (np.inf, 0.0)  # the quickest of the present one
        self._span_began = -np.inf
        self._late: deque[float] = deque(maxlen=_LATENESS[1])

    def _measure(self, arrival: float) -> None:
        """Takes note of the newest frame: is it the quickest of its half second, and what is the rate?"""
        low, told = self._low
        if arrival - self._span_began > _SPAN:
            if np.isfinite(low):
                self._lows.append(self._low)
            self._low, self._span_began = (arrival, self._told), arrival
        elif arrival - self._told * self._slope < low - told * self._slope:
            self._low = (arrival, self._told)
        if len(self._lows) >= 2 and self._lows[-1][0] - self._lows[0][0] > _LONG_ENOUGH:
            (first, told_first), (last, told_last) = self._lows[0], self._lows[-1]
            self._slope, self._sure = (last - first) / (told_last - told_first), True
            self._set_period(self._slope * self._told / self._frames)
        elif not self._sure and len(self._steps) >= _FIRST:
            self._slope = self._passed / self._told
            self._set_period(self._passed / self._frames)

    def _set_period(self, seconds: float) -> None:
        self.period = min(max(seconds, _PERIODS[0]), _PERIODS[1])

    def _rate_has_changed(self) -> bool:
        """Whether frames come at another rate than before.

        A late frame is followed by quick ones, so some long steps in a row mean a slower sender. A faster one is believed when
        most of the last frames, and all of them together, were quick.
        """
        if not self._sure:
            return False
        paces = np.array([passed / frames for passed, _, frames in self._steps]) / self.period
        slower = next((paces[-n:].min() for n, long in _SLOWER if len(paces) >= n and paces[-n:].min() > long), None)
        faster = len(paces) == _MANY and max(np.median(paces), paces.mean()) < _FASTER
        if slower is not None or faster:
            self._set_period(self.period * float(paces.mean() if slower is None else slower))
            self._sure = False
        return slower is not None or bool(faster)

    def _judge(self, late: float) -> None:
        self._late.append(late)
        self._judged += 1
        if len(self._late) >= _LATENESS[0] and self._judged % 10 == 0:
            self.lateness = float(np.percentile(self._late, _USUAL))
