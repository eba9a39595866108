"""Jab, cross, hook: from the ground through the hips; the shoulder goes before the fist and the fist comes home."""

from __future__ import annotations

from dataclasses import replace

from tools.author_clips.curves import Clock
from tools.author_clips.feet import Foot, Plant, walk_through
from tools.author_clips.score import LEFT_STAND, RIGHT_STAND, ArmScore, Score, relaxed

from poise.rotation import Array

JAB, CROSS, HOOK = 1.90, 2.32, 2.86  # seconds at full reach
FRONT = Plant(0.115, 0.10, -8.0, begin=1.32, end=3.72, strike=8.0, push=22.0, peel=0.15, lift=0.06)
BACK = Plant(-0.36, -0.15, -42.0, begin=0.98, end=4.12, strike=25.0, settle=0.15, push=30.0, peel=0.18, lift=0.06)


def punch() -> Score:
    clock = Clock(5.4)
    still = relaxed(clock)
    guard = clock.curve((0.5, 0.0), (1.35, 1.0), (3.5, 1.0), (4.5, 0.0), soften=0.1)
    # The trunk's turn to the left over the fighting stance, hips first, chest a few hundredths later.
    hips = clock.curve(
        (0.6, 0.0), (1.3, -24.0), (1.72, -20.0), (JAB - 0.02, -30.0), (2.06, -34.0), (CROSS - 0.04, 20.0), (2.46, 27.0),
        (2.58, 29.0), (HOOK - 0.05, -34.0), (2.98, -38.0), (3.3, -24.0), (3.6, -24.0), (4.3, 0.0), soften=0.035,
    )  # fmt: skip
    chest = clock.curve(
        (0.6, 0.0), (1.35, -8.0), (1.74, -2.0), (JAB, -16.0), (2.10, -10.0), (CROSS, 28.0), (2.50, 22.0),
        (2.62, 20.0), (HOOK, -16.0), (3.04, -14.0), (3.4, -8.0), (3.7, -8.0), (4.4, 0.0), soften=0.035,
    )  # fmt: skip
    bounce = 0.008 * clock.curve(
        (1.3, 0.0), (1.5, 1.0), (1.68, -0.2), (1.85, 0.8), (3.2, 0.8), (3.4, -0.2), (3.6, 0.4), (3.9, 0.0), soften=0.05
    )
    crouch = clock.curve(
        (0.5, 0.0), (1.3, 0.060), (2.0, 0.066), (CROSS, 0.075), (2.6, 0.082), (HOOK, 0.070), (3.5, 0.06), (4.4, 0.0)
    )
    turn = (hips[:, None] * [1.0, 0.0, 0.0]) + guard[:, None] * [0.0, 2.0, 0.0]
    return replace(
        still,
        feet=_feet(clock),
        load=clock.curve(
            (0.45, 0.53),
            (0.85, 0.98),
            (1.02, 0.92),
            (1.2, 0.04),
            (1.33, 0.06),
            (1.55, 0.5),
            (JAB, 0.62),
            (2.06, 0.5),
            (CROSS, 0.68),
            (2.58, 0.72),
            (HOOK, 0.5),
            (3.3, 0.5),
            (3.55, 0.1),
            (3.7, 0.03),
            (3.86, 0.05),
            (4.05, 0.95),
            (4.35, 0.95),
            (4.75, 0.53),
            soften=0.05,
        ),  # fmt: skip
        sink=still.sink + crouch + bounce,
        pelvis=still.pelvis + turn,
        chest=still.chest + chest[:, None] * [1.0, 0.0, 0.0] + guard[:, None] * [0.0, 9.0, 0.0] + _dip(clock),
        head=still.head + guard[:, None] * [-3.0, 7.0, 0.0] + clock.lag(chest, 0.05)[:, None] * [-0.12, 0.0, 0.05],
        arms=(_left(clock, still.arms[0], guard), _right(clock, still.arms[1], guard)),
        cop=(0.06, 0.09),
        knees_out=4.0 + 6.0 * guard,
        breath=clock.curve((0.0, 0.0), (1.6, 1.0), (JAB, 0.4), (CROSS, 0.2), (HOOK, 0.0), (3.5, 1.0), (5.4, 0.0)),
        shrug=(5.0 * guard + 6.0 * _pulse(clock, JAB), 5.0 * guard + 6.0 * _pulse(clock, CROSS)),
        list_by_load=1.5,
        seed=11,
    )


def _feet(clock: Clock) -> tuple[Foot, Foot]:
    """A step back into the stance, both balls turning in the cross and the hook, and a step home."""
    left = [replace(LEFT_STAND, end=1.12, push=18.0, peel=0.14, lift=0.06), FRONT, replace(LEFT_STAND, begin=3.94, strike=14.0)]
    right = [replace(RIGHT_STAND, end=0.68, push=30.0, peel=0.2, lift=0.075), BACK, replace(RIGHT_STAND, begin=4.38, strike=15.0)]
    back_heel = clock.curve((2.06, 0.0), (CROSS, 30.0), (2.60, 30.0), (HOOK, 10.0), (3.2, 0.0), soften=0.04)
    back_turn = clock.curve((2.06, 0.0), (CROSS, 34.0), (2.60, 34.0), (HOOK, 8.0), (3.2, 0.0), soften=0.04)
    front_heel = clock.curve((2.62, 0.0), (HOOK, 20.0), (2.98, 18.0), (3.3, 0.0), soften=0.04)
    front_turn = clock.curve((2.62, 0.0), (HOOK, -34.0), (2.98, -34.0), (3.3, 0.0), soften=0.04)
    return walk_through(clock.times, left, front_heel, front_turn), walk_through(clock.times, right, back_heel, back_turn)


def _left(clock: Clock, hang: ArmScore, guard: Array) -> ArmScore:
    home, down = (0.29, 0.09, 0.0), (0.0, 0.45, -1.0)
    wrist = clock.curve(
        (0.5, (0.05, 0.28, -0.5)), (1.3, home), (1.70, (0.26, 0.11, -0.02)), (JAB - 0.09, (0.31, 0.09, 0.0)), (JAB, (0.74, -0.02, 0.03)),
        (JAB + 0.05, (0.72, -0.02, 0.03)), (JAB + 0.22, home), (2.5, (0.24, 0.14, -0.04)), (HOOK - 0.16, (0.26, 0.34, -0.03)),
        (HOOK - 0.06, (0.42, 0.20, 0.0)), (HOOK + 0.01, (0.42, -0.04, 0.03)), (HOOK + 0.08, (0.34, -0.12, 0.03)), (HOOK + 0.32, home),
        (3.6, home), (4.4, (0.05, 0.28, -0.5)), soften=0.022,
    )  # fmt: skip
    pole = clock.curve(
        (0.6, (-1.0, 0.4, -0.4)), (1.3, down), (JAB, (0.0, 0.8, -1.0)), (2.2, down), (HOOK - 0.16, (-0.3, 1.0, -0.15)),
        (HOOK + 0.08, (0.1, 1.0, 0.1)), (HOOK + 0.3, down), (3.6, down), (4.4, (-1.0, 0.4, -0.4)), soften=0.04,
    )  # fmt: skip
    twist = 90.0 * _pulse(clock, JAB) + 30.0 * _pulse(clock, HOOK)
    return _fist(hang, guard, wrist, pole, twist)


def _right(clock: Clock, hang: ArmScore, guard: Array) -> ArmScore:
    home, down = (0.22, -0.08, 0.02), (0.0, -0.45, -1.0)
    wrist = clock.curve(
        (0.5, (0.05, -0.28, -0.5)), (1.35, home), (2.06, (0.19, -0.10, 0.0)), (CROSS - 0.10, (0.26, -0.07, 0.01)), (CROSS, (0.78, 0.03, 0.03)),
        (CROSS + 0.06, (0.75, 0.03, 0.03)), (CROSS + 0.26, home), (3.6, home), (4.5, (0.05, -0.28, -0.5)), soften=0.022,
    )  # fmt: skip
    pole = clock.curve(
        (0.6, (-1.0, -0.4, -0.4)), (1.35, down), (CROSS, (0.0, -0.8, -1.0)), (2.6, down), (3.6, down), (4.5, (-1.0, -0.4, -0.4))
    )
    return _fist(hang, guard, wrist, pole, 90.0 * _pulse(clock, CROSS))


def _fist(hang: ArmScore, guard: Array, wrist: Array, pole: Array, twist: Array) -> ArmScore:
    angles = hang.angles + guard[:, None] * [45.0, 8.0, 20.0, 95.0, -8.0, -4.0]
    angles[:, 4] += twist
    return replace(hang, angles=angles, reach=guard, wrist=wrist, pole=pole, loose=1.0 - guard)


def _pulse(clock: Clock, at: float) -> Array:
    """(F,) 1 at the moment of a punch."""
    return clock.curve((at - 0.14, 0.0), (at, 1.0), (at + 0.06, 1.0), (at + 0.26, 0.0), soften=0.03)


def _dip(clock: Clock) -> Array:
    """(F, 3) the chest leans into each punch."""
    return (
        _pulse(clock, JAB)[:, None] * [0, 3, 2]
        + _pulse(clock, CROSS)[:, None] * [0, 6, -3]
        + _pulse(clock, HOOK)[:, None] * [0, 1, 5]
    )
