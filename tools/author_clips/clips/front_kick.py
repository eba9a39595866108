"""A front kick with the right leg: guard, weight over to the left, knee first, then the snap, knee again, down."""

from __future__ import annotations

from dataclasses import replace

from tools.author_clips.curves import Clock, Key, ease, scaled
from tools.author_clips.feet import Foot, walk_through
from tools.author_clips.score import LEFT_STAND, RIGHT_STAND, ArmScore, FreeLeg, Score, relaxed

from poise.rotation import Array

OFF, HIT, DOWN = 1.50, 1.98, 2.75  # seconds; the foot leaves, strikes, is back

# Hip flexion, abduction, inward rotation, knee, ankle.
LEG: tuple[Key, ...] = (
    (OFF + 0.05, (28.0, 2.0, 0.0, 72.0, 24.0)),
    (1.78, (86.0, 6.0, 2.0, 118.0, 20.0)),
    (HIT - 0.09, (92.0, 5.0, 2.0, 96.0, 8.0)),
    (HIT + 0.02, (88.0, 3.0, 0.0, 14.0, 2.0)),
    (2.08, (87.0, 3.0, 0.0, 22.0, 4.0)),
    (2.26, (82.0, 5.0, 2.0, 98.0, 20.0)),
    (2.5, (46.0, 3.0, 0.0, 76.0, 6.0)),
    (DOWN - 0.05, (24.0, 2.0, 0.0, 52.0, 0.0)),
)
COIL: tuple[Key, ...] = (
    (0.5, 0.0),
    (1.2, 0.7),
    (1.5, 1.0),
    (1.8, 0.2),
    (2.0, 0.0),
    (2.35, 0.35),
    (2.9, 0.6),
    (3.9, 0.0),
)


def front_kick() -> Score:
    """The hips drive and tip back, the chest holds against them, the right arm swings back as the leg goes out."""
    clock = Clock(5.0)
    still = relaxed(clock)
    guard = clock.curve((0.45, 0.0), (1.15, 1.0), (3.0, 1.0), (4.1, 0.0), soften=0.1)
    coil = clock.curve(*COIL, soften=0.07)
    kick = clock.curve((1.55, 0.0), (HIT, 1.0), (2.08, 0.9), (2.45, 0.15), (2.8, 0.0), soften=0.05)
    late = clock.lag(kick, 0.04)
    return replace(
        still,
        feet=_feet(clock),
        load=clock.curve((0.6, 0.53), (0.9, 0.45), (1.4, 1.0), (2.85, 1.0), (3.4, 0.53), soften=0.07),
        free=(
            None,
            FreeLeg(ease((clock.times - OFF) / 0.26) * ease((DOWN - clock.times) / 0.32), clock.curve(*LEG, soften=0.022)),
        ),
        sink=still.sink + 0.045 * coil + 0.010 * guard,
        pelvis=still.pelvis + scaled(kick, 20.0, -20.0, -4.0) + scaled(coil, -8.0, 5.0, 0.0),
        chest=still.chest + scaled(late, -8.0, 4.0, 0.0) + scaled(coil, -6.0, 6.0, 0.0) + scaled(guard, -4.0, 3.0, 0.0),
        head=still.head + scaled(guard, -3.0, -1.0, 0.0) + scaled(late, 0.0, 4.0, 0.0),
        arms=_arms(still.arms, guard, late),
        breath=clock.curve((0.0, 0.0), (1.4, 1.0), (2.0, 0.0), (2.8, 0.7), (5.0, 0.0)),
        shrug=(4.0 * guard, 4.0 * guard),
        list_by_load=3.0,
        seed=10,
    )


def _feet(clock: Clock) -> tuple[Foot, Foot]:
    leave = replace(RIGHT_STAND, end=OFF, push=42.0, peel=0.32, lift=0.14)
    land = replace(RIGHT_STAND, begin=DOWN, strike=16.0, settle=0.2)
    return walk_through(clock.times, [LEFT_STAND]), walk_through(clock.times, [leave, land])


def _kicking_leg(clock: Clock) -> FreeLeg:
    share = ease((clock.times - OFF) / 0.26) * ease((DOWN - clock.times) / 0.32)
    return FreeLeg(share, clock.curve(*LEG, soften=0.022))


def _arms(arms: tuple[ArmScore, ArmScore], guard: Array, late: Array) -> tuple[ArmScore, ArmScore]:
    left = scaled(guard, 52.0, 12.0, 0.0, 92.0, -4.0, 4.0) + scaled(late, 6.0, 10.0, 0.0, -6.0, 0.0, 0.0)
    right = scaled(guard, 40.0, 10.0, 4.0, 100.0, -8.0, 2.0) + scaled(late, -58.0, 14.0, -10.0, -58.0, 10.0, 0.0)
    tense = 1.0 - 0.7 * guard
    return (
        replace(arms[0], angles=arms[0].angles + left, loose=tense),
        replace(arms[1], angles=arms[1].angles + right, loose=tense),
    )
