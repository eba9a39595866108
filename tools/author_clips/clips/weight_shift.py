"""Standing at ease: the weight goes over to one leg, then to the other."""

from __future__ import annotations

from dataclasses import replace

from tools.author_clips.curves import Clock, Key, scaled
from tools.author_clips.score import Score, relaxed, standing_feet

# 1 is over the left leg, -1 over the right one.
SIDE: tuple[Key, ...] = (
    (0.4, 0.0),
    (0.85, -0.18),
    (1.7, 1.0),
    (3.0, 0.94),
    (3.35, 1.0),
    (4.5, -1.0),
    (5.6, -0.93),
    (6.7, 0.0),
)


def weight_shift() -> Score:
    """A small sway the other way first; then the loaded hip rises, the free knee folds, the shoulders tilt against it."""
    clock = Clock(7.5)
    still = relaxed(clock)
    side = clock.curve(*SIDE, soften=0.14)
    late = clock.lag(side, 0.12)
    free_right, free_left = late.clip(0.0), (-late).clip(0.0)
    left, right = still.arms
    return replace(
        still,
        feet=standing_feet(clock, (14.0 * free_left**2, 17.0 * free_right**2)),
        load=still.load + 0.42 * side,
        sink=still.sink + 0.004 * side**2,
        pelvis=still.pelvis + scaled(side, 5.0, 1.0, 1.5),
        chest=still.chest + scaled(late, -6.0, -1.5, -3.5),
        head=still.head + scaled(clock.lag(side, 0.25), 9.0, 1.0, 3.5),
        arms=(
            replace(left, angles=left.angles + scaled(late, -3.0, -1.0, 4.0, 5.0, 6.0, 4.0)),
            replace(right, angles=right.angles - scaled(late, -3.0, -1.5, 5.0, 8.0, 6.0, 4.0)),
        ),
        shrug=(-2.0 * late, 2.0 * late),
        breath=clock.breath(2),
        list_by_load=7.5,
        seed=2,
    )
