"""Capoeira's ginga: low, a foot falls back, the arm of that side guards the face; through the middle to the other side."""

from __future__ import annotations

import numpy as np
from tools.author_clips.curves import Clock
from tools.author_clips.feet import Foot, Plant, repeated, walk_through
from tools.author_clips.score import ArmScore, Score, relaxed

from poise.rotation import Array

PERIOD, CYCLES = 2.4, 2
HALF = PERIOD / 2
AWAY, BACK, LEAVE, HOME = 0.16, 0.46, 0.88, 1.16  # seconds of each half: foot leaves, is behind, leaves again, is home


def ginga() -> Score:
    clock = Clock(PERIOD * CYCLES, loop=True)
    # 1 with the right foot behind, -1 with the left one, 0 between.
    side = _beats(clock, ((0.10, 0.0), (0.48, 1.0), (0.72, 1.0), (1.12, 0.12)), soften=0.07)
    hips = _beats(clock, ((0.04, 0.0), (0.44, 1.0), (0.66, 1.0), (1.06, 0.1)), soften=0.07)
    deep = abs(
        _beats(clock, ((0.02, 0.25), (0.2, 0.0), (0.60, 1.0), (0.78, 0.9), (1.02, 0.0), (1.19, 0.25)), soften=0.085, even=True)
    )
    late = clock.lag(side, 0.06)
    return relaxed(
        clock,
        feet=(_foot(clock, 1.0, HALF), _foot(clock, -1.0, 0.0)),
        load=0.5
        + 0.5
        * _beats(
            clock, ((0.0, -0.35), (0.15, 1.0), (0.42, 0.96), (0.66, 0.30), (0.82, 0.90), (0.90, 1.0), (1.12, 1.0)), soften=0.05
        ),
        cop=(0.06, 0.06),
        sink=0.165 + 0.07 * deep,
        pelvis=np.column_stack([-26.0 * hips, 14.0 + 6.0 * deep, -3.0 * side]),
        chest=np.column_stack([27.0 * late, 12.0 + 6.0 * deep, 9.0 * late]),
        head=np.column_stack([-1.0 * side, -4.0 - 2.0 * deep, 3.0 * late]),
        arms=(_arm(clock, 1.0), _arm(clock, -1.0)),
        knees_out=9.0,
        breath=clock.breath(2),
        list_by_load=2.0,
        seed=12,
        restless=0.8,
    )


def _beats(clock: Clock, keys: tuple[tuple[float, float], ...], soften: float, even: bool = False) -> Array:
    """(F,) keys of the half with the right foot behind, mirrored (or, if even, repeated) in the other half."""
    halves = range(2 * CYCLES)
    sign = [1.0 if even or h % 2 == 0 else -1.0 for h in halves]
    return clock.curve(*((h * HALF + t, sign[h] * v) for h in halves for t, v in keys), soften=soften)


def _foot(clock: Clock, s: float, start: float) -> Foot:
    """The foot that goes back in the half that begins at `start`: behind the other one, on its ball, and home again."""
    out, behind = 0.29, 0.06
    wide = Plant(
        0.0,
        s * out,
        s * 14.0,
        begin=start + HOME - PERIOD,
        end=start + AWAY,
        strike=16.0,
        push=34.0,
        peel=0.2,
        lift=0.095,
        arc=(0.0, -0.04 * s),
    )
    back = Plant(
        -0.60,
        s * behind,
        s * 26.0,
        begin=start + BACK,
        end=start + LEAVE,
        hold=34.0,
        strike=34.0,
        push=50.0,
        peel=0.18,
        lift=0.09,
        arc=(0.0, 0.03 * s),
    )
    return walk_through(clock.times, repeated([wide, back], PERIOD, 0.0, CYCLES))


def _arm(clock: Clock, s: float) -> ArmScore:
    """One arm: up before the face when its own foot is behind, swinging low and back when it is not."""
    guard = (90.0, 12.0 + 3.0 * s, 44.0, 96.0 - 6.0 * s, 20.0, -8.0)
    middle = (34.0, 24.0, 30.0, 70.0, 14.0, 6.0)
    away = (-26.0, 34.0, 0.0, 30.0, 8.0, 16.0)
    own = 0.0 if s < 0 else HALF
    keys = []
    for h in range(-1, CYCLES + 1):
        at = own + h * PERIOD
        keys += [
            (at + 0.06, middle),
            (at + 0.46, guard),
            (at + 0.80, guard),
            (at + HALF + 0.04, middle),
            (at + HALF + 0.50, away),
            (at + HALF + 0.74, away),
        ]
    inside = sorted({round(t % clock.duration, 6): v for t, v in keys}.items())
    return ArmScore(clock.curve(*inside, soften=0.07), loose=0.5, upright=0.5)
