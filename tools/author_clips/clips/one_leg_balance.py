"""Standing on the left leg: arms out, right knee up, a wobble caught with arms and hips, down again."""

from __future__ import annotations

from dataclasses import replace

from tools.author_clips.curves import Clock, ease, scaled
from tools.author_clips.feet import Foot, walk_through
from tools.author_clips.score import LEFT_STAND, RIGHT_STAND, ArmScore, FreeLeg, Score, relaxed

from poise.rotation import Array

OFF, DOWN = 1.65, 6.45  # seconds; when the right foot leaves the floor and is back
PEELED, RAISED = (34.0, 4.0, 0.0, 62.0, 8.0), (76.0, 6.0, -4.0, 88.0, 26.0)  # the free leg's angles


def one_leg_balance() -> Score:
    """The wobble starts in the hips; chest and arms answer it a little later and the other way."""
    clock = Clock(8.0)
    still = relaxed(clock)
    up = clock.curve((OFF, 0.0), (2.7, 1.0), (5.2, 0.97), (DOWN, 0.0), soften=0.12)
    poise = clock.curve((0.6, 0.0), (2.0, 1.0), (5.8, 1.0), (7.0, 0.0), soften=0.16)
    slip = clock.curve((3.4, 0.0), (3.7, 1.6), (4.05, -1.3), (4.4, 0.6), (4.8, 0.0))
    wobble = (0.45 * clock.wander(41, 3.0, 0.7) + slip) * up
    answer = clock.lag(wobble, 0.08)
    return replace(
        still,
        feet=_feet(clock),
        load=clock.curve((0.5, 0.53), (0.8, 0.49), (1.5, 1.0), (6.6, 1.0), (7.4, 0.53), soften=0.1),
        free=(None, _free_leg(clock, wobble)),
        sink=still.sink + 0.012 * poise + 0.003 * wobble**2,
        pelvis=still.pelvis + scaled(poise, 4.0, -1.0, -3.0) + scaled(wobble, 0.5, 1.0, 1.2),
        chest=still.chest + scaled(poise, -3.0, 1.0, 1.0) + scaled(answer, -2.0, -1.5, -3.5),
        head=still.head + scaled(poise, -2.0, 6.0, 0.0) + scaled(answer, 0.0, 0.5, 1.5),
        arms=_arms(clock, still.arms, poise, answer),
        cop=(0.05 + 0.012 * wobble, 0.05),
        breath=clock.breath(2),
        seed=5,
    )


def _feet(clock: Clock) -> tuple[Foot, Foot]:
    leave = replace(RIGHT_STAND, end=OFF, push=32.0, peel=0.4, lift=0.1)
    land = replace(RIGHT_STAND, begin=DOWN, strike=24.0, settle=0.35)
    return walk_through(clock.times, [LEFT_STAND]), walk_through(clock.times, [leave, land])


def _free_leg(clock: Clock, wobble: Array) -> FreeLeg:
    angles = clock.curve((OFF + 0.2, PEELED), (2.8, RAISED), (5.1, RAISED), (DOWN - 0.2, PEELED), soften=0.1)
    share = ease((clock.times - OFF) / 0.7) * ease((DOWN - clock.times) / 0.7)
    return FreeLeg(share, angles + scaled(wobble, 3.0, 2.5, 0.0, -4.0, 5.0))


def _arms(clock: Clock, arms: tuple[ArmScore, ArmScore], poise: Array, answer: Array) -> tuple[ArmScore, ArmScore]:
    left = scaled(poise, 8.0, 56.0, -6.0, 6.0, 18.0, -10.0) + scaled(answer, 3.0, 11.0, 0.0, -5.0, 0.0, -6.0)
    late = clock.lag(poise, 0.07)
    right = scaled(late, 12.0, 50.0, -8.0, 8.0, 12.0, -14.0) + scaled(answer, -2.0, -13.0, 0.0, 6.0, 0.0, 6.0)
    return (
        replace(arms[0], angles=arms[0].angles + left, loose=0.4),
        replace(arms[1], angles=arms[1].angles + right, loose=0.4),
    )
