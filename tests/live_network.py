"""A bad network over a replayed clip, on a clock that the test turns: no sockets, no waiting, always the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from poise.live.intake import Packet
from poise.live.notices import Notices
from poise.live.performance import Performance, live_run, wait_for_actor
from poise.live.protocols import axis_neuron_protocol, vmc_protocol
from poise.live.replay import ReplayedPackets, axis_neuron_motion, binary_frames, text_frames, vmc_frames, vmc_motion

FPS = 120.0

Trouble = Callable[[float, Packet, Any], list[tuple[float, Packet]]]


class Clock:
    """Time passes only while somebody sleeps."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


class Network:
    """Packets on their way: each may be changed, dropped, doubled or delayed by `trouble(seconds, packet, random)`.

    `trouble` gives (delay in seconds, packet) for each packet that shall arrive; `seconds` count from the first look.
    """

    def __init__(self, source, trouble: Callable | None = None, seed: int = 0):
        self._source, self._trouble, self._random = source, trouble, random.Random(seed)
        self._began: float | None = None
        self._way: list[tuple[float, Packet]] = []

    def poll(self, now):
        self._began = now if self._began is None else self._began
        for packet in self._source.poll(now):
            on_its_way = [(0.0, packet)]
            if self._trouble:
                on_its_way = self._trouble(now - self._began, packet, self._random)
            self._way += [(now + delay, sent) for delay, sent in on_its_way]
        here = [packet for at, packet in self._way if at <= now]
        self._way = [(at, packet) for at, packet in self._way if at > now]
        return [replace(packet, arrival=now) for packet in here]

    def close(self):
        pass


class Sources:
    """A clip as packets, as often as wanted."""

    def __init__(self, clip, form="binary", seconds=8.0, fps=FPS):
        motion = (vmc_motion if form == "vmc" else axis_neuron_motion)(clip, fps, seconds)
        frame = {"vmc": vmc_frames, "text": text_frames, "binary": binary_frames}[form](motion)
        self._packets = cache(frame), motion.nframes, motion.fps

    def new(self, sender="actor"):
        return ReplayedPackets(*self._packets, sender)


def replayed(clip, form="binary", seconds=8.0, fps=FPS, sender="actor"):
    """A clip as packets."""
    return Sources(clip, form, seconds, fps).new(sender)


class TakingOver:
    """A sender that falls silent `at` some second; another, or the same begun anew, is heard after a `gap`."""

    def __init__(self, first, second, at, gap):
        self._first, self._second, self._at, self._gap = first, second, at, gap
        self._began = None

    def poll(self, now):
        self._began = now if self._began is None else self._began
        seconds = now - self._began
        if seconds < self._at:
            return self._first.poll(now)
        return self._second.poll(now) if seconds > self._at + self._gap else []


def slower(begins, times, fps=FPS):
    """From `begins` seconds on, a sender of Axis Neuron's binary form sends only every so many-th frame, numbered one by one."""
    first = round(begins * fps)

    def trouble(_seconds, packet, _noise):
        index = int.from_bytes(packet.data[46:50], "little")
        if index < first:
            return [(0.0, packet)]
        number, rest = divmod(index - first, times)
        data = packet.data[:46] + (first + number).to_bytes(4, "little") + packet.data[50:]
        return [] if rest else [(0.0, replace(packet, data=data))]

    return trouble


def perform(source, seconds=3.0, form="binary", trouble=None, calibration=0.5, afters=(), seed=0, **settings):
    """The take of a live run, and the lines that it told."""
    clock, lines = Clock(), []
    packets = Network(source, trouble, seed)
    protocol = vmc_protocol() if form == "vmc" else axis_neuron_protocol(joined=False)
    guest = wait_for_actor(packets, protocol, Notices(lines.append), seconds=calibration, clock=clock, sleep=clock.sleep)
    run = live_run(guest, name="live", clock=clock, duration=seconds, **{"controller": "balance"} | settings)
    show = Performance(run, clock=clock, sleep=clock.sleep)
    show.perform(afters, lambda time: time > seconds + 0.005)
    return show.take(), lines
