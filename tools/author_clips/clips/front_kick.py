"""A front kick with the right leg: guard, weight over to the left, knee first, then the snap, knee again, down."""

from __future__ import annotations

from dataclasses import replace

from tools.author_clips.curves import Clock, ease
from tools.author_clips.feet import walk_through
from tools.author_clips.score import LEFT_STAND, RIGHT_STAND, FreeLeg, Score, relaxed

OFF, HIT, DOWN = 1.50, 1.98, 2.75  # seconds


def front_kick() -> Score:
    clock = Clock(5.0)
    still = relaxed(clock)
    t = clock.times
    guard = clock.curve((0.45, 0.0), (1.15, 1.0), (3.0, 1.0), (4.1, 0.0), soften=0.1)
    coil = clock.curve(
        (0.5, 0.0), (1.2, 0.7), (1.5, 1.0), (1.8, 0.2), (2.0, 0.0), (2.35, 0.35), (2.9, 0.6), (3.9, 0.0), soften=0.07
    )
    kick = clock.curve((1.55, 0.0), (HIT, 1.0), (2.08, 0.9), (2.45, 0.15), (2.8, 0.0), soften=0.05)
    late = clock.lag(kick, 0.04)
    leg = clock.curve(
        (OFF + 0.05, (28.0, 2.0, 0.0, 72.0, 24.0)),
        (1.78, (86.0, 6.0, 2.0, 118.0, 20.0)),
        (HIT - 0.09, (92.0, 5.0, 2.0, 96.0, 8.0)),
        (HIT + 0.02, (88.0, 3.0, 0.0, 14.0, 2.0)),
        (2.08, (87.0, 3.0, 0.0, 22.0, 4.0)),
        (2.26, (82.0, 5.0, 2.0, 98.0, 20.0)),
        (2.5, (46.0, 3.0, 0.0, 76.0, 6.0)),
        (DOWN - 0.05, (24.0, 2.0, 0.0, 52.0, 0.0)),
        soften=0.022,
    )
    left, right = still.arms
    return replace(
        still,
        feet=(
            walk_through(t, [LEFT_STAND]),
            walk_through(
                t,
                [
                    replace(RIGHT_STAND, end=OFF, push=42.0, peel=0.32, lift=0.14),
                    replace(RIGHT_STAND, begin=DOWN, strike=16.0, settle=0.2),
                ],
            ),
        ),
        load=clock.curve((0.6, 0.53), (0.9, 0.45), (1.4, 1.0), (2.85, 1.0), (3.4, 0.53), soften=0.07),
        free=(None, FreeLeg(ease((t - OFF) / 0.26) * ease((DOWN - t) / 0.32), leg)),
        sink=still.sink + 0.045 * coil + 0.010 * guard,
        pelvis=still.pelvis + kick[:, None] * [20.0, -20.0, -4.0] + coil[:, None] * [-8.0, 5.0, 0.0],
        chest=still.chest
        + late[:, None] * [-8.0, 4.0, 0.0]
        + coil[:, None] * [-6.0, 6.0, 0.0]
        + guard[:, None] * [-4.0, 3.0, 0.0],
        head=still.head + guard[:, None] * [-3.0, -1.0, 0.0] + late[:, None] * [0.0, 4.0, 0.0],
        arms=(
            replace(
                left,
                angles=left.angles
                + guard[:, None] * [50.0, 14.0, 22.0, 84.0, -4.0, 4.0]
                + late[:, None] * [6.0, 10.0, 0.0, -6.0, 0.0, 0.0],
                loose=1.0 - 0.7 * guard,
            ),
            replace(
                right,
                angles=right.angles
                + guard[:, None] * [38.0, 10.0, 24.0, 92.0, -8.0, 2.0]
                + late[:, None] * [-58.0, 14.0, -10.0, -58.0, 10.0, 0.0],
                loose=1.0 - 0.7 * guard,
            ),
        ),
        cop=(0.05, 0.05),
        breath=clock.curve((0.0, 0.0), (1.4, 1.0), (2.0, 0.0), (2.8, 0.7), (5.0, 0.0)),
        shrug=(4.0 * guard, 4.0 * guard),
        list_by_load=3.0,
        seed=10,
    )
