"""Jab, cross, hook: from the ground through the hips; the shoulder goes before the fist and the fist comes home."""

from __future__ import annotations

from dataclasses import replace

from tools.author_clips.curves import Clock, Key, scaled
from tools.author_clips.feet import Foot, Plant, walk_through
from tools.author_clips.score import LEFT_STAND, RIGHT_STAND, ArmScore, Score, relaxed

from poise.rotation import Array

JAB, CROSS, HOOK = 1.90, 2.32, 2.86  # seconds at full reach
FRONT = Plant(0.115, 0.10, -8.0, begin=1.34, end=3.72, strike=8.0, push=22.0, peel=0.15, lift=0.07)
BACK = Plant(-0.36, -0.15, -42.0, begin=0.95, end=4.12, strike=25.0, settle=0.15, push=30.0, peel=0.18, lift=0.07)

# fmt: off
# The trunk's turn to the left, degrees: hips first, the chest on top of them a few hundredths later.
HIPS: tuple[Key, ...] = (
    (0.6, 0.0), (1.3, -24.0), (1.72, -20.0), (JAB - 0.02, -30.0), (2.06, -34.0), (CROSS - 0.04, 20.0), (2.46, 27.0),
    (2.58, 29.0), (HOOK - 0.05, -34.0), (2.98, -38.0), (3.3, -24.0), (3.6, -24.0), (4.3, 0.0),
)
CHEST: tuple[Key, ...] = (
    (0.6, 0.0), (1.35, -8.0), (1.74, -2.0), (JAB, -16.0), (2.10, -10.0), (CROSS, 28.0), (2.50, 22.0),
    (2.62, 20.0), (HOOK, -16.0), (3.04, -14.0), (3.4, -8.0), (3.7, -8.0), (4.4, 0.0),
)
LOAD: tuple[Key, ...] = (
    (0.4, 0.53), (0.66, 0.99), (0.96, 0.99), (1.14, 0.03), (1.34, 0.03), (1.55, 0.5), (JAB, 0.62), (2.06, 0.5),
    (CROSS, 0.68), (2.58, 0.72), (HOOK, 0.5), (3.3, 0.5), (3.68, 0.02), (3.94, 0.02), (4.1, 0.99), (4.38, 0.99), (4.75, 0.53),
)
CROUCH: tuple[Key, ...] = (
    (0.5, 0.0), (1.3, 0.060), (1.5, 0.068), (1.68, 0.060), (JAB, 0.072), (CROSS, 0.081), (2.6, 0.088), (HOOK, 0.076),
    (3.2, 0.068), (3.4, 0.060), (3.6, 0.062), (4.4, 0.0),
)
# Wrists, metres forward, left and up from the base of the neck, and where the elbows point.
LEFT_HOME, RIGHT_HOME = (0.29, 0.09, 0.0), (0.26, -0.10, 0.02)
LEFT_WRIST: tuple[Key, ...] = (
    (0.5, (0.05, 0.28, -0.5)), (1.3, LEFT_HOME), (1.70, (0.26, 0.11, -0.02)),
    (JAB - 0.11, (0.30, 0.09, 0.0)), (JAB, (0.73, -0.02, 0.02)), (JAB + 0.05, (0.72, -0.02, 0.02)), (JAB + 0.25, LEFT_HOME),
    (2.5, (0.24, 0.14, -0.04)), (HOOK - 0.16, (0.26, 0.34, -0.03)), (HOOK - 0.06, (0.42, 0.20, 0.0)),
    (HOOK + 0.01, (0.42, -0.04, 0.03)), (HOOK + 0.08, (0.34, -0.12, 0.03)), (HOOK + 0.32, LEFT_HOME),
    (3.6, LEFT_HOME), (4.4, (0.05, 0.28, -0.5)),
)
LEFT_ELBOW: tuple[Key, ...] = (
    (0.6, (-1.0, 0.4, -0.4)), (1.3, (0.0, 0.45, -1.0)), (JAB, (0.0, 0.8, -1.0)), (2.2, (0.0, 0.45, -1.0)),
    (HOOK - 0.16, (-0.3, 1.0, -0.15)), (HOOK + 0.08, (0.1, 1.0, 0.1)), (HOOK + 0.3, (0.0, 0.45, -1.0)),
    (3.6, (0.0, 0.45, -1.0)), (4.4, (-1.0, 0.4, -0.4)),
)
RIGHT_WRIST: tuple[Key, ...] = (
    (0.5, (0.05, -0.28, -0.5)), (1.35, RIGHT_HOME), (2.06, (0.24, -0.12, 0.0)), (CROSS - 0.12, (0.27, -0.09, 0.01)),
    (CROSS, (0.76, 0.03, 0.02)), (CROSS + 0.06, (0.75, 0.03, 0.02)), (CROSS + 0.30, RIGHT_HOME),
    (3.6, RIGHT_HOME), (4.5, (0.05, -0.28, -0.5)),
)
RIGHT_ELBOW: tuple[Key, ...] = (
    (0.6, (-1.0, -0.4, -0.4)), (1.35, (0.0, -0.45, -1.0)), (CROSS, (0.0, -0.8, -1.0)), (2.6, (0.0, -0.45, -1.0)),
    (3.6, (0.0, -0.45, -1.0)), (4.5, (-1.0, -0.4, -0.4)),
)
# fmt: on


def punch() -> Score:
    """A step back into the stance, three punches, a step home."""
    clock = Clock(5.6)
    still = relaxed(clock)
    guard = clock.curve((0.5, 0.0), (1.35, 1.0), (3.5, 1.0), (4.5, 0.0), soften=0.1)
    hips, chest = clock.curve(*HIPS, soften=0.035), clock.curve(*CHEST, soften=0.035)
    jab, cross, hook = (_pulse(clock, at) for at in (JAB, CROSS, HOOK))
    into = scaled(jab, 0.0, 3.0, 2.0) + scaled(cross, 0.0, 6.0, -3.0) + scaled(hook, 0.0, 1.0, 5.0)
    return replace(
        still,
        feet=_feet(clock),
        load=clock.curve(*LOAD, soften=0.05),
        sink=still.sink + clock.curve(*CROUCH, soften=0.05),
        pelvis=still.pelvis + scaled(hips, 1.0, 0.0, 0.0) + scaled(guard, 0.0, 2.0, 0.0),
        chest=still.chest + scaled(chest, 1.0, 0.0, 0.0) + scaled(guard, 0.0, 9.0, 0.0) + into,
        head=still.head + scaled(guard, -3.0, 7.0, 0.0) + scaled(clock.lag(chest, 0.05), -0.12, 0.0, 0.05),
        arms=(
            _fist(still.arms[0], guard, clock, LEFT_WRIST, LEFT_ELBOW, 90.0 * jab + 30.0 * hook),
            _fist(still.arms[1], guard, clock, RIGHT_WRIST, RIGHT_ELBOW, 90.0 * cross),
        ),
        cop=(0.05 + 0.01 * guard, 0.05 + 0.04 * guard),
        knees_out=4.0 + 6.0 * guard,
        breath=clock.curve((0.0, 0.0), (1.6, 1.0), (JAB, 0.4), (CROSS, 0.2), (HOOK, 0.0), (3.5, 1.0), (5.4, 0.0)),
        shrug=(5.0 * guard + 6.0 * jab, 5.0 * guard + 6.0 * cross),
        list_by_load=1.5,
        seed=11,
    )


def _feet(clock: Clock) -> tuple[Foot, Foot]:
    """The back foot turns on its ball in the cross, the front foot in the hook."""
    left = [replace(LEFT_STAND, end=1.14, push=18.0, peel=0.14, lift=0.07), FRONT, replace(LEFT_STAND, begin=3.94, strike=14.0)]
    right = [replace(RIGHT_STAND, end=0.68, push=30.0, peel=0.2, lift=0.085), BACK, replace(RIGHT_STAND, begin=4.38, strike=15.0)]
    front = clock.curve((2.62, 0.0), (HOOK, 1.0), (2.98, 0.95), (3.3, 0.0), soften=0.04)
    back = clock.curve((2.06, 0.0), (CROSS, 1.0), (2.60, 1.0), (HOOK, 0.3), (3.2, 0.0), soften=0.04)
    t = clock.times
    return walk_through(t, left, 20.0 * front, -34.0 * front), walk_through(t, right, 30.0 * back, 34.0 * back)


def _fist(hang: ArmScore, guard: Array, clock: Clock, wrist: tuple[Key, ...], elbow: tuple[Key, ...], twist: Array) -> ArmScore:
    angles = hang.angles + scaled(guard, 45.0, 8.0, 20.0, 95.0, -8.0, -4.0) + scaled(twist, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    path, pole = clock.curve(*wrist, soften=0.022), clock.curve(*elbow, soften=0.04)
    return replace(hang, angles=angles, reach=guard, wrist=path, pole=pole, loose=1.0 - guard)


def _pulse(clock: Clock, at: float) -> Array:
    """(F,) 1 at the moment of a punch."""
    return clock.curve((at - 0.14, 0.0), (at, 1.0), (at + 0.06, 1.0), (at + 0.26, 0.0), soften=0.03)
