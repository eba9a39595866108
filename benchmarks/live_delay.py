"""From an actor's packet to the pose, and to the VMC packet that shows it: milliseconds, over loopback.

    python benchmarks/live_delay.py [CLIP] [--seconds 20] [--picture delay.png]

A sender in a process of its own sends Axis Neuron frames at 120 frames/s; the system tells when each arrived. A frame has become
a pose when the step that used it is done, plus the time for which frames are held back on a bad line; and a VMC packet when
the system has that one's arrival. Prints one JSON line; ten minutes (--seconds 600) show that no delay grows.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from poise.live.intake import TimedFrame
from poise.live.live_reference import Frames, LiveReference
from poise.live.notices import Notices
from poise.live.performance import Performance, live_run, wait_for_actor
from poise.live.protocols import axis_neuron_protocol
from poise.live.sockets import UdpSocket
from poise.live.vmc_out import VmcOut
from poise.simulation import Stepper

WARM_UP = 1.0  # s that are not counted
TARGETS_MS = {"pose": 10.0, "vmc": 15.0}  # medians


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clip", nargs="?", default="punch")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--controller", default="balance")
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    result, delays = measure(options.clip, options.seconds, options.controller)
    print(json.dumps(result))
    if options.picture:
        draw(delays, options.picture)


class Watched:
    """An intake that remembers which frames it gave."""

    def __init__(self, intake: Frames) -> None:
        self._intake = intake
        self.given: list[TimedFrame] = []

    @property
    def period(self) -> float:
        return self._intake.period

    @property
    def lateness(self) -> float:
        return self._intake.lateness

    def take(self, now: float) -> list[TimedFrame]:
        frames = self._intake.take(now)
        self.given += frames
        return frames

    def forget(self) -> None:
        self._intake.forget()


class Measured:
    """Looks at every step: frames that became poses, poses that became packets."""

    def __init__(self, stepper: Stepper, watched: Watched, listener: UdpSocket) -> None:
        assert isinstance(stepper.reference, LiveReference)
        self._watched, self._listener, self._playout = watched, listener, stepper.reference.playout
        self._out = VmcOut(stepper, "127.0.0.1", listener.port)
        self._shown: list[float] = []  # arrivals of frames that are poses, and not yet sent
        self.pose: list[tuple[float, float]] = []  # arrival, delay, seconds
        self.vmc: list[tuple[float, float]] = []
        self.held: list[float] = []

    def after(self, stepper: Stepper) -> None:
        now, held = time.perf_counter(), self._playout.delay
        arrivals = [timed.arrival for timed in self._watched.given]
        self._watched.given.clear()
        self.pose += [(arrival, now - arrival + held) for arrival in arrivals]
        self.held.append(held)
        self._shown += arrivals
        sent = self._out.sent
        self._out.after(stepper)
        if self._out.sent > sent:
            packets = self._listener.poll(time.perf_counter())
            self.vmc += [(arrival, packets[-1].arrival - arrival + held) for arrival in self._shown if packets]
            self._shown = []


def measure(clip: str, seconds: float, controller: str) -> tuple[dict[str, object], dict[str, np.ndarray]]:
    """The delays of a run of so many seconds."""
    inlet, listener, lines = UdpSocket("127.0.0.1", 0), UdpSocket("127.0.0.1", 0), []
    words = [sys.executable, "-m", "poise", "live", "replay", clip, "--port", str(inlet.port), "--duration", str(seconds + 60.0)]
    sender = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        guest = wait_for_actor(inlet, axis_neuron_protocol(joined=False), Notices(lines.append), patience=60.0)
        watched = Watched(guest.intake)
        run = live_run(replace(guest, intake=watched), name=clip, controller=controller, duration=min(seconds, 30.0))
        show = Performance(run)
        measured = Measured(show.stepper, watched, listener)
        show.perform([measured], lambda time: time > seconds)
    finally:
        sender.kill()
        sender.wait()
        inlet.close()
        listener.close()
    delays = {"pose": _kept(measured.pose), "vmc": _kept(measured.vmc)}
    result = {
        "clip": clip, "controller": controller, "seconds": seconds, "frames": len(measured.pose),
        **{f"packet_to_{kind}_ms": _figures(values) for kind, values in delays.items()},
        "held_back_ms": round(1000 * float(np.median(measured.held)), 2),
        "lost_s": round(show.pace.figures.lost_s, 2), "told": lines,
    }  # fmt: skip
    return result, delays


def _kept(pairs: list[tuple[float, float]]) -> np.ndarray:
    """Delays (n,) in seconds, without those of the first moment."""
    table = np.array(pairs)
    return table[table[:, 0] > table[0, 0] + WARM_UP, 1]


def _figures(values: np.ndarray) -> dict[str, float]:
    """Median and 95th percentile, and the medians of the first and the last fifth: equal where nothing grows."""
    part = max(len(values) // 5, 1)
    figures = {"median": values, "first_fifth": values[:part], "last_fifth": values[-part:]}
    result = {name: round(1000 * float(np.median(part)), 2) for name, part in figures.items()}
    return result | {"p95": round(1000 * float(np.percentile(values, 95)), 2)}


def draw(delays: dict[str, np.ndarray], path: Path) -> None:
    """A histogram of both delays."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 2.8), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for (kind, values), color in zip(delays.items(), ("#2f8f83", "#d8603f"), strict=True):
        axes.hist(1000 * values, bins=[0.5 * k for k in range(60)], alpha=0.65, color=color, label=f"packet to {kind}")
        axes.axvline(TARGETS_MS[kind], color=color, linestyle=":")
    axes.set(xlabel="milliseconds (dotted: what the median must stay below)", ylabel="frames")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    main()
