"""Reaching for something high on the right: eyes first, then weight, then hand; the far heel comes off the floor."""

from __future__ import annotations

from dataclasses import replace

from tools.author_clips.curves import Clock, Key, scaled
from tools.author_clips.score import ArmScore, Score, relaxed, standing_feet

from poise.rotation import Array

# The right wrist, metres forward, left and up from the base of the neck; it settles, then stretches for the last inch.
WRIST: tuple[Key, ...] = (
    (0.6, (0.05, -0.26, -0.50)),
    (1.05, (0.24, -0.26, -0.20)),
    (1.65, (0.44, -0.18, 0.34)),
    (2.05, (0.50, -0.16, 0.38)),
    (2.35, (0.53, -0.14, 0.40)),
    (2.75, (0.43, -0.18, 0.34)),
    (3.3, (0.28, -0.24, -0.10)),
    (3.9, (0.06, -0.26, -0.50)),
)
ELBOW: tuple[Key, ...] = (
    (0.6, (-1.0, -0.4, -0.4)),
    (1.6, (0.1, -1.0, -0.7)),
    (2.8, (0.1, -1.0, -0.8)),
    (3.8, (-1.0, -0.4, -0.4)),
)


def reach() -> Score:
    """The body dips away first, goes up into the reach, and comes back past where it stood."""
    clock = Clock(5.6)
    still = relaxed(clock)
    look = clock.curve((0.35, 0.0), (0.85, 1.0), (2.75, 1.0), (3.5, 0.1), (4.3, 0.0), soften=0.08)
    body = clock.curve((0.4, 0.0), (0.75, -0.12), (1.75, 0.92), (2.2, 1.0), (2.75, 0.95), (3.9, -0.03), (4.5, 0.0), soften=0.1)
    late = clock.lag(body, 0.1)
    left, right = still.arms
    return replace(
        still,
        feet=standing_feet(clock, (30.0 * late.clip(0.0) ** 1.5, 0.0)),
        load=still.load - 0.40 * body,
        sink=still.sink + clock.curve((0.4, 0.0), (0.8, 0.016), (1.7, 0.0), (3.2, 0.0), (3.8, 0.012), (4.5, 0.0)),
        pelvis=still.pelvis + scaled(body, 13.0, 7.0, -1.0),
        chest=still.chest + scaled(late, 15.0, -5.0, -9.0),
        head=still.head + scaled(look, -20.0, -24.0, 2.0),
        arms=(
            replace(left, angles=left.angles + scaled(late, -16.0, 12.0, 0.0, 12.0, 5.0, 4.0)),
            _reaching_arm(clock, right),
        ),
        cop=(0.05 + 0.07 * late, 0.05 + 0.055 * late),
        breath=clock.curve((0.0, 0.0), (1.5, 1.0), (2.6, 0.8), (3.9, 0.0)),
        list_by_load=6.0,
        seed=6,
    )


def _reaching_arm(clock: Clock, hang: ArmScore) -> ArmScore:
    hand = clock.curve((0.5, 0.0), (1.55, 1.0), (2.9, 1.0), (3.9, 0.0), soften=0.12)
    grasp: Array = clock.curve((1.2, 0.0), (1.6, -14.0), (2.1, -24.0), (2.4, 16.0), (2.9, 10.0), (3.7, 0.0), soften=0.06)
    angles = hang.angles + scaled(hand, 95.0, 5.0, -10.0, 5.0, 40.0, 0.0) + scaled(grasp, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    wrist, elbow = clock.curve(*WRIST, soften=0.07), clock.curve(*ELBOW)
    return replace(hang, angles=angles, reach=hand, wrist=wrist, pole=elbow, loose=1.0 - hand)
