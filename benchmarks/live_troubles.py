"""What a live character does on bad networks: one JSON line per trouble and clip.

    python benchmarks/live_troubles.py [CLIP ...] [--form binary|text|vmc] [--seconds 7]

The network and the clock are those of the tests (tests/live_network.py): nothing waits, every run gives the same. Some clips stay
in place, others travel; those that travel are the hard ones when a stream breaks off in the middle of a step.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from live_network import perform, replayed
from poise.live.intake import Packet
from poise.measure import summary

Trouble = Callable[[float, Packet, Any], list[tuple[float, Packet]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="*", default=["punch", "dance", "walk_in_place", "walk"])
    parser.add_argument("--form", default="binary", choices=("binary", "text", "vmc"))
    parser.add_argument("--seconds", type=float, default=7.0)
    options = parser.parse_args()
    for name, trouble in troubles():
        for clip in options.clips:
            source = replayed(clip, options.form, options.seconds + 3.0)
            take, lines = perform(source, options.seconds, options.form, trouble)
            result = summary(take)
            figures = {"fell_at_s": result["fell_at_s"], "joint_error_deg": round(result["joint_error_deg"]["mean"], 1)}
            help_nm = round(result["help"]["torque_mean_nm"])
            print(json.dumps({"trouble": name, "clip": clip, **figures, "help_nm": help_nm, "told": lines[:3]}), flush=True)


def troubles() -> Iterator[tuple[str, Trouble | None]]:
    """Everything that a network and a sender may do, by name."""
    yield "none", None
    yield "10 % lost", lambda _, packet, noise: [] if noise.random() < 0.1 else [(0.0, packet)]
    yield "10 % late by 20 ms in the mean", lambda _, p, noise: [(_late(noise), p)]
    yield "20 % repeated", lambda _, p, noise: [(0.0, p), (0.003, p)] if noise.random() < 0.2 else [(0.0, p)]
    yield "10 % cut in half", lambda _, p, noise: [(0.0, _halved(p) if noise.random() < 0.1 else p)]
    yield "10 % out of order", lambda _, p, noise: [(0.02 if noise.random() < 0.1 else 0.0, p)]
    yield "as much garbage as frames", lambda _, p, noise: [(0.0, p), (0.001, replace(p, data=noise.randbytes(200)))]
    for start in (1.5, 1.65, 1.8, 1.95):
        yield f"5 s of silence from {start} s", lambda seconds, p, _, s=start: [] if s < seconds < s + 5.0 else [(0.0, p)]


def _late(noise: Any) -> float:
    return noise.expovariate(1 / 0.02) if noise.random() < 0.1 else 0.0


def _halved(packet: Packet) -> Packet:
    return replace(packet, data=packet.data[: len(packet.data) // 2])


if __name__ == "__main__":
    main()
