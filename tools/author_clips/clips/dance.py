"""A dance to 120 beats a minute: two bars of step and touch, two bars of hips with the arms up."""

from __future__ import annotations

import numpy as np
from tools.author_clips.curves import Clock
from tools.author_clips.feet import Foot, Plant, repeated, walk_through
from tools.author_clips.score import ArmScore, Score, relaxed

from poise.rotation import Array

BEAT = 0.5
BEATS = 16
SIDE = 0.30  # metres to either side that the steps go
TOGETHER = 0.19  # between the feet in a touch


def dance() -> Score:
    """Beats 0-7: right step, left touch, left step, right touch, twice. Beats 8-15: wide stance, right left right-right, left right left-left."""
    clock = Clock(BEAT * BEATS, loop=True)
    side = _beats(clock, (-1, -1, 1, 1, -1, -1, 1, 1, -1, 1, -1, -1, 1, -1, 1, 1), lead=0.02, soften=0.075)  # 1 is left
    sway = _beats(clock, (0, 0, 0, 0, 0, 0, 0, 0, -1, 1, -1, -0.8, 1, -1, 1, 0.8), lead=0.03, soften=0.06)
    touch = _beats(clock, (0, 1, 0, -1, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0), lead=0.0, soften=0.06)  # 1 is the left foot
    bounce = np.cos(2 * np.pi * (clock.times / BEAT - 0.18))
    late = clock.lag(side, 0.07)
    return relaxed(
        clock,
        feet=_feet(clock),
        load=_load(clock),
        cop=(0.07, 0.07),
        sink=0.062 + 0.014 * bounce,
        pelvis=np.column_stack([7.0 * late - 9.0 * touch, 4.0 + 1.5 * bounce, 11.0 * sway + 2.0 * touch]),
        chest=np.column_stack(
            [-8.0 * late + 16.0 * touch, 2.0 - 2.0 * bounce, -3.5 * late + 5.0 * clock.lag(sway, 0.05) - 4.0 * touch]
        ),
        head=np.column_stack(
            [10.0 * late + 6.0 * touch, 2.0 + 2.5 * np.cos(2 * np.pi * (clock.times / BEAT - 0.3)), -4.0 * late]
        ),
        arms=(_arm(clock, 1.0), _arm(clock, -1.0)),
        knees_out=5.0 + 4.0 * sway**2,
        breath=clock.breath(3),
        shrug=(3.0 + 3.0 * bounce - 3.0 * late, 3.0 + 3.0 * bounce + 3.0 * late),
        list_by_load=5.0,
        seed=13,
        restless=0.8,
    )


def _beats(clock: Clock, values: tuple[float, ...], lead: float, soften: float) -> Array:
    """(F,) a value per beat, reached on the beat (or `lead` seconds before) and held for a moment."""
    keys = [key for k, v in enumerate(values) for key in ((k * BEAT - lead, v), (k * BEAT + 0.16, 0.96 * v))]
    return clock.curve(*keys, soften=soften)


def _load(clock: Clock) -> Array:
    """(F,) share on the left foot: over to the stepping foot on its beat, to and fro in the sways."""
    steps = [0.5, 0.06, 0.5, 0.94] * 2
    after = [0.0, 0.0, 1.0, 1.0] * 2
    keys = [(k * BEAT, v) for k, v in enumerate(steps)] + [(k * BEAT + 0.17, v) for k, v in enumerate(after)]
    sways = [0.42, 0.88, 0.12, 0.16, 0.88, 0.12, 0.88, 0.97]
    keys += [(key + 8 * BEAT, v) for k, v in enumerate(sways) for key in (k * BEAT + 0.03, k * BEAT + 0.14)]
    keys += [(8 * BEAT + 0.22, 0.14), (15 * BEAT + 0.26, 1.0)]
    return clock.curve(*sorted(keys), soften=0.04)


def _feet(clock: Clock) -> tuple[Foot, Foot]:
    """Steps land on the beat; a touch is a light plant on the ball."""
    up = 0.26  # seconds that a step is in the air
    step = {"strike": 16.0, "settle": 0.12, "push": 34.0, "peel": 0.2, "lift": 0.085}
    tap = {"strike": 34.0, "hold": 34.0, "push": 42.0, "peel": 0.1, "lift": 0.08}
    right = [
        Plant(0.0, -SIDE, -12.0, begin=0.0, end=3 * BEAT - up, **step),
        Plant(0.05, SIDE - TOGETHER, -8.0, begin=3 * BEAT, end=4 * BEAT - up, **tap),
        Plant(0.0, -SIDE, -12.0, begin=4 * BEAT, end=7 * BEAT - up, **step),
        Plant(0.05, SIDE - TOGETHER, -8.0, begin=7 * BEAT, end=8 * BEAT - up, **tap),
        Plant(-0.02, -0.14, -14.0, begin=8 * BEAT, end=16 * BEAT - up, **step),
    ]
    left = [
        Plant(0.04, -SIDE + TOGETHER, 8.0, begin=1 * BEAT, end=2 * BEAT - up, **tap),
        Plant(0.0, SIDE, 12.0, begin=2 * BEAT, end=5 * BEAT - up, **step),
        Plant(0.04, -SIDE + TOGETHER, 8.0, begin=5 * BEAT, end=6 * BEAT - up, **tap),
        Plant(0.0, SIDE, 12.0, begin=6 * BEAT, end=17 * BEAT - up, **step),
    ]
    heel_right = 22.0 * _beats(clock, (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0), lead=-0.02, soften=0.05).clip(0.0)
    heel_left = 22.0 * _beats(clock, (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0), lead=-0.02, soften=0.05).clip(0.0)
    heel_right[heel_right < 1e-3] = 0.0
    heel_left[heel_left < 1e-3] = 0.0
    period = clock.duration
    return (
        walk_through(clock.times, repeated(left, period, 0.0, 1), heel_left),
        walk_through(clock.times, repeated(right, period, 0.0, 1), heel_right),
    )


def _arm(clock: Clock, s: float) -> ArmScore:
    """One arm: swings open in the steps and snaps up in the touches, then waves high, then pumps at the ribs."""
    out, across, snap = (
        (12.0, 46.0, -6.0, 24.0, 10.0, 14.0),
        (36.0, 4.0, 34.0, 44.0, 20.0, 10.0),
        (34.0, 26.0, -2.0, 118.0, 10.0, -18.0),
    )
    steps = [out if s < 0 else across, snap, across if s < 0 else out, snap] * 2
    left, right = (
        (148.0, -20.0 + 14.0 * s, -6.0, 30.0 + 16.0 * s, 6.0, 10.0),
        (148.0, -20.0 - 14.0 * s, -6.0, 30.0 - 16.0 * s, 6.0, -10.0),
    )
    high, low = (48.0, 44.0, 22.0, 104.0, 24.0, -20.0), (14.0, 46.0, 26.0, 76.0, 24.0, 16.0)
    waves = [right, left, right, right]
    pumps = [high, low, high, low] if s > 0 else [low, high, low, high]
    keys = [key for k, pose in enumerate(steps + waves + pumps) for key in ((k * BEAT, pose), (k * BEAT + 0.12, pose))]
    return ArmScore(clock.curve(*keys, soften=0.07), loose=0.4, upright=0.4)
