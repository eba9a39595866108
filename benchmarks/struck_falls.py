"""How often characters fall that are struck at many moments: the table of falls in docs/feedforward.md.

    python benchmarks/struck_falls.py CLIP ... [--dt 0.002] [--longest 5]

Balls of 3 kg at 5 m/s hit an arm, and then the head, at fifteen or sixteen moments from two sides, in three patterns of moments,
arms, sides and times between the two blows. Robustness is `plausible`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from poise.measure import fell_at_s
from poise.scenario.events import Ball
from poise.scenario.feedforward import Feedforward
from poise.simulation import Settings, prepare, simulate

FED = Feedforward()
LAWS: dict[str, Settings] = {
    "feedforward": {"controller": "feedforward", "feedforward": FED},
    "high gains": {"controller": "feedforward", "feedforward": replace(FED, source="none", stiffness_ratio=1.0)},
    "balance": {"controller": "balance"},
}
LEFT, RIGHT = "left_upper_arm", "right_upper_arm"
PATTERNS = {  # s from the start to the first moment, s from the last to the end, how many; arm, from where, the head's, s between
    "first": (0.25, 1.2, 16, ((LEFT, 270.0, 0.0, 0.7), (RIGHT, 0.0, 180.0, 0.5))),
    "second": (0.2, 1.5, 15, ((LEFT, 270.0, 0.0, 0.7), (LEFT, 0.0, 180.0, 0.7))),
    "third": (0.22, 1.3, 16, ((RIGHT, 90.0, 0.0, 0.7), (LEFT, 180.0, 90.0, 0.4))),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--dt", type=float, default=0.002)
    parser.add_argument("--longest", type=float, default=5.0, help="seconds of each clip that are run")
    options = parser.parse_args()
    print(f"| law | moments | {' | '.join(Path(clip).stem for clip in options.clips)} |\n|---|---|" + "--:|" * len(options.clips))
    for law, settings in LAWS.items():
        for pattern in PATTERNS:
            cells = [falls(clip, settings, pattern, options.dt, options.longest) for clip in options.clips]
            print(f"| {law} | {pattern} | {' | '.join(cells)} |", flush=True)


def falls(clip: str, settings: Settings, pattern: str, dt: float, longest: float) -> str:
    """How many of the runs of a clip fall."""
    length = min(prepare(clip).duration, longest)
    takes = [simulate(clip, **{**settings, "events": events, "dt": dt, "duration": length}) for events in blows(length, pattern)]
    return f"{sum(fell_at_s(take) is not None for take in takes)} of {len(takes)}"


def blows(length: float, pattern: str) -> Iterator[tuple[Ball, Ball]]:
    """Balls on arm and head for each run of a pattern, in a clip of so many seconds."""
    first, spare, count, sides = PATTERNS[pattern]
    for at in np.linspace(first, max(length - spare, first + 0.25), count):
        for arm, to_arm, to_head, gap in sides:
            yield (
                Ball(mass=3.0, speed=5.0, target=arm, from_deg=to_arm, at=float(at)),
                Ball(mass=3.0, speed=5.0, target="head", from_deg=to_head, at=float(at) + gap),
            )


if __name__ == "__main__":
    main()
