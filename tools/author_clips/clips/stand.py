"""Quiet standing: breath, sway, a look aside."""

from __future__ import annotations

from dataclasses import replace

from tools.author_clips.curves import Clock
from tools.author_clips.score import Score, relaxed


def stand() -> Score:
    """Eight seconds, two breaths; the weight drifts to the right and back while the head looks left."""
    clock = Clock(8.0, loop=True)
    still = relaxed(clock)
    drift = clock.wander(3, 8.0, 1.5)
    left, right = still.arms
    fidget = clock.curve((0.0, 0.0), (4.6, 0.0), (5.3, 1.0), (5.9, 0.6), (6.8, 0.0), soften=0.1)
    return replace(
        still,
        load=clock.curve((0.0, 0.55), (1.6, 0.60), (4.3, 0.35), (6.4, 0.47), soften=0.3) + 0.012 * drift,
        cop=(0.05 + 0.006 * clock.wander(5, 6.0, 0.9), 0.05 + 0.006 * clock.wander(6, 6.0, 0.9)),
        head=still.head
        + clock.curve(
            (0.0, (0, 0, 0)), (2.0, (0, 0, 0)), (3.1, (17, 2, -2)), (4.8, (15, 1, -2)), (6.3, (-3, -1, 0)), soften=0.12
        ),
        chest=still.chest
        + clock.curve((0.0, (0, 0, 0)), (2.2, (0, 0, 0)), (3.5, (4, 0, 0)), (5.0, (3, 0.5, 0)), (6.8, (-1, 0, 0)), soften=0.2),
        arms=(left, replace(right, angles=right.angles + fidget[:, None] * [5.0, -1.0, 9.0, 10.0, -14.0, 9.0])),
        breath=clock.breath(2),
        restless=1.0,
        list_by_load=9.0,
    )
