"""A bad network over a replayed clip, on a clock that the test turns: no sockets, no waiting, always the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from poise.live.intake import Packet
from poise.live.notices import Notices
from poise.live.performance import Performance, live_run, wait_for_actor
from poise.live.protocols import axis_neuron_protocol, vmc_protocol
from poise.live.replay import ReplayedPackets, axis_neuron_motion, binary_frames, text_frames, vmc_frames, vmc_motion

FPS = 120.0


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


def replayed(clip, form="binary", seconds=8.0, fps=FPS, sender="actor"):
    """A clip as packets."""
    if form == "vmc":
        motion = vmc_motion(clip, fps, seconds)
        return ReplayedPackets(vmc_frames(motion), motion.nframes, motion.fps, sender)
    motion = axis_neuron_motion(clip, fps, seconds)
    frames = (text_frames if form == "text" else binary_frames)(motion)
    return ReplayedPackets(frames, motion.nframes, motion.fps, sender)


def perform(source, seconds=3.0, form="binary", trouble=None, calibration=0.5, afters=(), **settings):
    """The take of a live run, and the lines that it told."""
    clock, lines = Clock(), []
    packets = Network(source, trouble)
    protocol = vmc_protocol() if form == "vmc" else axis_neuron_protocol(joined=False)
    guest = wait_for_actor(packets, protocol, Notices(lines.append), seconds=calibration, clock=clock, sleep=clock.sleep)
    run = live_run(guest, name="live", clock=clock, duration=seconds, **{"controller": "balance"} | settings)
    show = Performance(run, clock=clock, sleep=clock.sleep)
    show.perform(afters, lambda time: time > seconds + 0.005)
    return show.take(), lines
