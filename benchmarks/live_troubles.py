"""What a live character does on bad networks and with bad senders: one JSON line per trouble and clip, n of m keep their feet.

    python benchmarks/live_troubles.py [CLIP ...] [--phases 12] [--form binary|text|vmc] [--only silence] [--seconds 9]

The network and the clock are those of the tests (tests/live_network.py): nothing waits, every run gives the same. A phase is
where in the motion the trouble begins: they lie 0.1 s apart, so that twelve of them are spread over a stride. Troubles that last
for the whole run have another seed in each phase, and another start. Clips that travel are the hard ones when a stream breaks
off. A clip that does not repeat itself smoothly must be longer than the run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from live_network import Sources, TakingOver, Trouble, perform, slower
from poise.live.intake import Packet
from poise.measure import summary

CLIPS = ["punch", "dance", "walk_in_place", "march", "walk"]
FIRST, APART = 1.5, 0.1  # s: when the trouble of the first phase begins, and how much later that of the next does
AWAY = 5.0  # s that a sender is silent


@dataclass(frozen=True)
class Case:
    """A trouble that begins at some time: what the network does, or a sender that takes over after a gap."""

    name: str
    trouble: Trouble | None = None
    again: tuple[str, float] | None = None  # name of the sender that takes over, and after how many seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="*", default=CLIPS)
    parser.add_argument("--form", default="binary", choices=("binary", "text", "vmc"))
    parser.add_argument("--phases", type=int, default=12)
    parser.add_argument("--only", default="", help="troubles that have this in their names")
    parser.add_argument("--seconds", type=float, default=9.0)
    parser.add_argument("--controller", default="balance")
    parser.add_argument("--character", default="auto")
    options = parser.parse_args()
    settings = {"controller": options.controller, "character": options.character}
    for clip in options.clips:
        sources = Sources(clip, options.form, options.seconds + 6.0)
        for name in (case.name for case in cases(0.0) if options.only in case.name):
            print(json.dumps({"trouble": name, "clip": Path(clip).stem, **row(sources, name, options, settings)}), flush=True)


def row(sources: Sources, name: str, options: argparse.Namespace, settings: dict[str, Any]) -> dict[str, Any]:
    """How many phases keep their feet, and the mean figures of those."""
    fell, results, told = [], [], []
    for phase in range(options.phases):
        begins = FIRST + phase * APART
        case = next(case for case in cases(begins) if case.name == name)
        source = (
            sources.new() if case.again is None else TakingOver(sources.new(), sources.new(case.again[0]), begins, case.again[1])
        )
        calibration = 0.5 + phase * APART if case.again is None and case.name in LASTING else 0.5
        take, lines = perform(
            source, options.seconds, options.form, case.trouble, calibration=calibration, seed=phase, **settings
        )
        result = summary(take)
        results.append(result)
        told += [line for line in lines if line not in told]
        if result["fell_at_s"] is not None:
            fell.append((phase, round(result["fell_at_s"], 2)))
    error = np.mean([result["joint_error_deg"]["mean"] for result in results])
    help_nm = np.mean([result["help"]["torque_mean_nm"] for result in results])
    slide = np.mean([result["foot_slide_m_s"] for result in results])
    figures = {"joint_error_deg": round(float(error), 1), "help_nm": round(float(help_nm)), "slide_m_s": round(float(slide), 3)}
    return {"keep": options.phases - len(fell), "of": options.phases, "fell": fell, **figures, "told": told[:4]}


LASTING = {"none", "10 % lost", "10 % late by 20 ms in the mean", "20 % repeated", "10 % cut in half", "10 % out of order"}


def cases(begins: float) -> Iterator[Case]:
    """Everything that a network and a sender may do, from `begins` seconds on or all the time."""
    yield Case("none")
    yield Case("10 % lost", lambda _, packet, noise: [] if noise.random() < 0.1 else [(0.0, packet)])
    yield Case("10 % late by 20 ms in the mean", lambda _, p, noise: [(_late(noise), p)])
    yield Case("20 % repeated", lambda _, p, noise: [(0.0, p), (0.003, p)] if noise.random() < 0.2 else [(0.0, p)])
    yield Case("10 % cut in half", lambda _, p, noise: [(0.0, _halved(p) if noise.random() < 0.1 else p)])
    yield Case("10 % out of order", lambda _, p, noise: [(0.02 if noise.random() < 0.1 else 0.0, p)])
    yield Case("as much garbage as frames", lambda _, p, noise: [(0.0, p), (0.001, replace(p, data=noise.randbytes(200)))])
    yield Case("5 s of silence", lambda seconds, p, _: [] if begins < seconds < begins + AWAY else [(0.0, p)])
    yield Case("0.3 s of silence", lambda seconds, p, _: [] if begins < seconds < begins + 0.3 else [(0.0, p)])
    yield Case("from 120 to 40 frames/s", slower(begins, 3))
    yield Case("the sender restarts", again=("actor", 0.5))
    yield Case("a second sender takes over", again=("another", 0.5))


def _late(noise: Any) -> float:
    return noise.expovariate(1 / 0.02) if noise.random() < 0.1 else 0.0


def _halved(packet: Packet) -> Packet:
    return replace(packet, data=packet.data[: len(packet.data) // 2])


if __name__ == "__main__":
    main()
