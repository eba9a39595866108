"""Standing on the left leg: arms out, right knee up, a wobble caught with arms and hips, down again."""

from __future__ import annotations

from dataclasses import replace

from tools.author_clips.curves import Clock, ease
from tools.author_clips.feet import walk_through
from tools.author_clips.score import LEFT_STAND, RIGHT_STAND, FreeLeg, Score, relaxed

OFF, DOWN = 1.65, 6.45  # seconds; when the right foot leaves the floor and is back


def one_leg_balance() -> Score:
    clock = Clock(8.0)
    still = relaxed(clock)
    t = clock.times
    up = clock.curve((OFF, 0.0), (2.7, 1.0), (5.2, 0.97), (DOWN, 0.0), soften=0.12)
    poise = clock.curve((0.6, 0.0), (2.0, 1.0), (5.8, 1.0), (7.0, 0.0), soften=0.16)
    wobble = (0.45 * clock.wander(41, 3.0, 0.7) + clock.curve((3.4, 0.0), (3.7, 1.6), (4.05, -1.3), (4.4, 0.6), (4.8, 0.0))) * up
    answer = clock.lag(wobble, 0.08)
    left, right = still.arms
    peeled, raised = (34.0, 4.0, 0.0, 62.0, 8.0), (76.0, 6.0, -4.0, 88.0, 26.0)
    angles = clock.curve((OFF + 0.2, peeled), (2.8, raised), (5.1, raised), (DOWN - 0.2, peeled), soften=0.1)
    angles += wobble[:, None] * [3.0, 2.5, 0.0, -4.0, 5.0]
    return replace(
        still,
        feet=(
            walk_through(t, [LEFT_STAND]),
            walk_through(
                t,
                [
                    replace(RIGHT_STAND, end=OFF, push=32.0, peel=0.4, lift=0.1),
                    replace(RIGHT_STAND, begin=DOWN, strike=24.0, settle=0.35),
                ],
            ),
        ),
        load=clock.curve((0.5, 0.53), (0.8, 0.49), (1.5, 1.0), (6.6, 1.0), (7.4, 0.53), soften=0.1),
        free=(None, FreeLeg(ease((t - OFF) / 0.7) * ease((DOWN - t) / 0.7), angles)),
        sink=still.sink + 0.012 * poise + 0.004 * abs(wobble),
        pelvis=still.pelvis + poise[:, None] * [4.0, -1.0, -3.0] + wobble[:, None] * [0.5, 1.0, 1.2],
        chest=still.chest + poise[:, None] * [-3.0, 1.0, 1.0] + answer[:, None] * [-2.0, -1.5, -3.5],
        head=still.head + poise[:, None] * [-2.0, 6.0, 0.0] + answer[:, None] * [0.0, 0.5, 1.5],
        arms=(
            replace(
                left,
                angles=left.angles + poise[:, None] * [8, 56, -6, 6, 18, -10] + answer[:, None] * [3, 11, 0, -5, 0, -6],
                loose=0.4,
            ),
            replace(
                right,
                angles=right.angles
                + clock.lag(poise, 0.07)[:, None] * [12, 50, -8, 8, 12, -14]
                + answer[:, None] * [-2, -13, 0, 6, 0, 6],
                loose=0.4,
            ),
        ),
        cop=(0.05 + 0.012 * wobble, 0.05),
        breath=clock.breath(2),
        list_by_load=5.0,
        seed=5,
    )
