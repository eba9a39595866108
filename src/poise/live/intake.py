"""From datagrams to frames in their order and at their times: which sender is followed, what is left out, what is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from poise.live.notices import Notices
from poise.live.sender_clock import SenderClock
from poise.live.stream_frame import StreamFrame

_FAITHFUL = 0.5  # s without a frame after which another sender may take over
_OUT_OF_ORDER = 200  # frames, and
_OUT_OF_ORDER_S = 1.0  # seconds: a frame that is older by less came late; one older by more is from a sender that began anew
_LONGEST_SKIP = 2000  # frames
_LATE = 0.03  # s
_OTHER_RATE = 1.25  # times the period: told as a change of rate
_RATE_KNOWN = 1.0  # s of frames before a rate is told


class Reader(Protocol):
    """Makes frames of one sender's bytes; `bad` counts what was none."""

    @property
    def bad(self) -> int: ...

    def feed(self, data: bytes) -> list[StreamFrame]: ...


@dataclass(frozen=True)
class Packet:
    """Bytes from a sender, with the time on the wall when they were read."""

    arrival: float
    sender: str
    data: bytes


class Packets(Protocol):
    """Where packets come from; see sockets.py."""

    def poll(self, now: float) -> list[Packet]: ...


@dataclass(frozen=True, eq=False)
class TimedFrame:
    """A frame, when it arrived and when it was taken, as far as can be told; both on our wall clock, seconds.

    `seconds` is the time from the frame before by the sender's own clock or rate, whatever happened on the way.
    """

    frame: StreamFrame
    arrival: float
    moment: float
    seconds: float


class Intake:
    """Follows one sender and one actor: the first from which a frame came, until it is silent and another is not."""

    def __init__(self, packets: Packets, new_reader: Callable[[], Reader], notices: Notices, lossless: bool = False) -> None:
        self._packets, self._new_reader, self._notices, self._lossless = packets, new_reader, notices, lossless
        self._clock = SenderClock()
        self._sender: str | None = None
        self._reader: Reader | None = None
        self._stranger: tuple[str, Reader] | None = None
        self._last: TimedFrame | None = None
        self._rate_since: float | None = None
        self._told_period = 0.0

    @property
    def period(self) -> float:
        """Seconds between two frames, as measured lately."""
        return self._clock.period

    @property
    def lateness(self) -> float:
        """Nearly all frames come no later than this after the quickest, seconds."""
        return self._clock.lateness

    def take(self, now: float) -> list[TimedFrame]:
        """All frames that have come since the last call."""
        timed = []
        for packet in self._packets.poll(now):
            for frame in self._frames_of(packet):
                placed = self._in_time(frame, packet.arrival)
                if placed is not None:
                    timed.append(placed)
        return timed

    def forget(self) -> None:
        """What comes next begins anew: nobody looked for a while."""
        self._packets.poll(0.0)
        self._clock, self._last = SenderClock(self._clock.lateness, self._clock.period, sure=True), None

    def _frames_of(self, packet: Packet) -> list[StreamFrame]:
        if packet.sender == self._sender and self._reader is not None:
            return self._read(self._reader, packet)
        if self._last is not None and packet.arrival - self._last.arrival < _FAITHFUL:
            self._notices.note("second", f"a second sender, {packet.sender}, is ignored", packet.arrival)
            return []
        if self._stranger is None or self._stranger[0] != packet.sender:
            self._stranger = (packet.sender, self._new_reader())
        frames = self._read(self._stranger[1], packet)
        if frames:
            if self._sender is not None:
                self._notices.note("sender", f"{self._sender} is silent; now following {packet.sender}", packet.arrival)
            (self._sender, self._reader), self._stranger = self._stranger, None
            self._begin_anew()
        return frames

    def _read(self, reader: Reader, packet: Packet) -> list[StreamFrame]:
        before = reader.bad
        frames = reader.feed(packet.data)
        if reader.bad > before:
            what = f"{packet.sender} sends bytes that are no frame, or half of one; they are ignored"
            self._notices.note("bad", what, packet.arrival, reader.bad - before)
        return frames

    def _in_time(self, frame: StreamFrame, arrival: float) -> TimedFrame | None:
        last = self._last
        if last is None:
            return self._accept(frame, arrival, 1, None)
        if frame.actor != last.frame.actor:
            if arrival - last.arrival < _FAITHFUL:
                self._notices.note("actor", f"a second actor, '{frame.actor}', is ignored", arrival)
                return None
            self._begin_anew()
            return self._accept(frame, arrival, 1, None)
        step = _step(last, frame, arrival, self._clock.usual, self._lossless)
        if step.what == "again":
            self._notices.note("restart", "the sender began anew", arrival)
            self._begin_anew()
            return self._accept(frame, arrival, 1, None)
        if step.what:
            self._notices.note(step.what, _LEFT_OUT[step.what], arrival)
            return None
        if step.missing and arrival - last.arrival < _FAITHFUL:
            self._notices.note("lost", "frames are missing; the motion is carried over the gaps", arrival, step.missing)
        return self._accept(frame, arrival, step.frames, step.seconds)

    def _accept(self, frame: StreamFrame, arrival: float, frames: int, seconds: float | None) -> TimedFrame:
        moment = self._clock.when(arrival, frames, seconds)
        if arrival - moment > _LATE:
            self._notices.note("late", f"frames come up to {1000 * (arrival - moment):.0f} ms late", arrival)
        self._last = TimedFrame(frame, arrival, moment, self._clock.spacing)
        self._tell_rate(arrival)
        return self._last

    def _tell_rate(self, now: float) -> None:
        """Told when another rate has lasted for a second."""
        period, known = self.period, self._told_period
        if self._rate_since is None or (known and 1.0 / _OTHER_RATE < period / known < _OTHER_RATE):
            self._rate_since = now
        elif now - self._rate_since > _RATE_KNOWN:
            if known:
                self._notices.note("rate", f"the sender went from {1 / known:.0f} to {1 / period:.0f} frames/s", now)
            self._told_period, self._rate_since = period, now

    def _begin_anew(self) -> None:
        self._clock, self._last = SenderClock(self._clock.lateness), None


@dataclass(frozen=True)
class _Step:
    """How a frame follows the one before: frames and, where known, seconds later, some missing; or what is wrong with it."""

    frames: int = 1
    seconds: float | None = None
    missing: int = 0
    what: str = ""


_LEFT_OUT = {
    "repeated": "frames come more than once; repeats are left out",
    "order": "frames come out of order; those that come too late are left out",
}


def _step(last: TimedFrame, frame: StreamFrame, arrival: float, period: float, lossless: bool) -> _Step:
    """`period` is the usual time between two frames that arrive; where nothing is counted, a longer one tells of lost frames."""
    before = last.frame
    if frame.index is not None and before.index is not None:
        frames = frame.index - before.index
        if frames == 0:
            return _Step(what="repeated")
        if frames < 0:
            return _Step(what="order" if frames > -_OUT_OF_ORDER else "again")
        return _Step(frames, missing=frames - 1) if frames < _LONGEST_SKIP else _Step(what="again")
    if frame.stamp is not None and before.stamp is not None and frame.stamp != before.stamp:
        seconds = frame.stamp - before.stamp
        if seconds < 0.0:
            return _Step(what="order" if seconds > -_OUT_OF_ORDER_S else "again")
        missing = max(round(seconds / period) - 1, 0)
        return _Step(1, seconds, missing) if seconds < _OUT_OF_ORDER_S else _Step()
    if arrival - last.arrival < 0.4 * period and _same(before, frame):
        return _Step(what="repeated")
    passed = arrival - last.arrival
    missing = 0 if lossless or passed > _FAITHFUL else max(round(passed / period - 1.2), 0)
    return _Step(1 + missing, missing=missing)


def _same(a: StreamFrame, b: StreamFrame) -> bool:
    return np.array_equal(a.rotations, b.rotations) and np.array_equal(a.positions, b.positions)
