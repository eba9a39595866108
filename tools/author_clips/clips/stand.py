"""Quiet standing: breath, sway, a look aside, a hand that shifts."""

from __future__ import annotations

from dataclasses import replace

from tools.author_clips.curves import Clock, scaled
from tools.author_clips.score import Score, relaxed


def stand() -> Score:
    """Two breaths; the weight drifts to the right and back while the head looks left."""
    clock = Clock(8.0, loop=True)
    still = relaxed(clock)
    look = clock.curve((0.0, 0.0), (2.0, 0.0), (3.1, 1.0), (4.8, 0.9), (6.3, -0.2), soften=0.12)
    turn = clock.curve((0.0, 0.0), (2.2, 0.0), (3.5, 1.0), (5.0, 0.8), (6.8, -0.2), soften=0.2)
    fidget = clock.curve((0.0, 0.0), (4.6, 0.0), (5.3, 1.0), (5.9, 0.6), (6.8, 0.0), soften=0.1)
    load = clock.curve((0.0, 0.55), (1.6, 0.60), (4.3, 0.35), (6.4, 0.47), soften=0.3)
    left, right = still.arms
    return replace(
        still,
        load=load + 0.012 * clock.wander(3, 8.0, 1.5),
        cop=(0.05 + 0.006 * clock.wander(5, 6.0, 0.9), 0.05 + 0.006 * clock.wander(6, 6.0, 0.9)),
        chest=still.chest + scaled(turn, 4.0, 0.3, 0.0),
        head=still.head + scaled(look, 17.0, 1.5, -2.0),
        arms=(left, replace(right, angles=right.angles + scaled(fidget, 5.0, -1.0, 9.0, 10.0, -14.0, 9.0))),
        breath=clock.breath(2),
        list_by_load=9.0,
        seed=1,
    )
