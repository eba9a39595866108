"""A dance to 120 beats a minute: two bars of step and touch, two bars of hips with the arms up."""

from __future__ import annotations

import numpy as np
from tools.author_clips.curves import Clock
from tools.author_clips.feet import Foot, Plant, repeated, walk_through
from tools.author_clips.score import ArmScore, Score, relaxed

from poise.rotation import Array

BEAT, BEATS = 0.5, 16  # seconds; beats in all
STEP = 0.30  # metres to either side that the steps go
TOGETHER = 0.19  # metres between the feet in a touch
AIR = 0.26  # seconds that a step is in the air

# One value per beat. In SIDE and SWAY 1 is left; in TOUCH it is the left foot that touches.
SIDE = (-1, -1, 1, 1, -1, -1, 1, 1, -1, 1, -1, -1, 1, -1, 1, 1)
SWAY = (0, 0, 0, 0, 0, 0, 0, 0, -1, 1, -1, -0.8, 1, -1, 1, 0.8)
TOUCH = (0, 1, 0, -1, 0, 1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0)
LEFT_HEEL_UP = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0)
RIGHT_HEEL_UP = (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0)


def dance() -> Score:
    """Beats 0-7: right step, left touch, left step, right touch, twice.

    Beats 8-15: feet apart, hips right, left, right, right, left, right, left, left.
    """
    clock = Clock(BEAT * BEATS, loop=True)
    side, sway, touch = _beats(clock, SIDE, 0.02, 0.075), _beats(clock, SWAY, 0.03, 0.06), _beats(clock, TOUCH, 0.0, 0.06)
    bounce, nod = (np.cos(2 * np.pi * (clock.times / BEAT - delay)) for delay in (0.18, 0.30))
    late = clock.lag(side, 0.07)
    lean = -3.5 * late + 5.0 * clock.lag(sway, 0.05) - 4.0 * touch
    return relaxed(
        clock,
        feet=_feet(clock),
        load=_load(clock),
        cop=(0.07, 0.07),
        sink=0.062 + 0.014 * bounce,
        pelvis=np.column_stack([7.0 * late - 9.0 * touch, 4.0 + 1.5 * bounce, 11.0 * sway + 2.0 * touch]),
        chest=np.column_stack([-8.0 * late + 16.0 * touch, 2.0 - 2.0 * bounce, lean]),
        head=np.column_stack([10.0 * late + 6.0 * touch, 2.0 + 2.5 * nod, -4.0 * late]),
        arms=(_arm(clock, 1.0), _arm(clock, -1.0)),
        knees_out=5.0 + 4.0 * sway**2,
        breath=clock.breath(3),
        shrug=(3.0 + 3.0 * bounce - 3.0 * late, 3.0 + 3.0 * bounce + 3.0 * late),
        seed=13,
        restless=0.8,
    )


def _beats(clock: Clock, values: tuple[float, ...], lead: float, soften: float) -> Array:
    """(F,) a value per beat, reached `lead` seconds before it and held for a moment."""
    keys = [key for k, v in enumerate(values) for key in ((k * BEAT - lead, v), (k * BEAT + 0.16, 0.96 * v))]
    return clock.curve(*keys, soften=soften)


def _load(clock: Clock) -> Array:
    """(F,) share on the left foot: over to the stepping foot right after its beat, to and fro in the sways."""
    on_beat, after = [0.97, 0.05, 0.03, 0.95] * 2, [0.0, 0.0, 1.0, 1.0] * 2
    keys = [(k * BEAT, v) for k, v in enumerate(on_beat)] + [(k * BEAT + 0.17, v) for k, v in enumerate(after)]
    sways = [0.80, 0.88, 0.12, 0.16, 0.88, 0.12, 0.88, 0.97]
    keys += [((8 + k) * BEAT + delay, v) for k, v in enumerate(sways) for delay in (0.03, 0.14)]
    keys += [(8 * BEAT, 0.97), (8 * BEAT + 0.24, 0.14), (15 * BEAT + 0.22, 1.0)]
    return clock.curve(*sorted(keys), soften=0.04)


def _feet(clock: Clock) -> tuple[Foot, Foot]:
    """Steps land on the beat."""
    left = [_touch(1.0, 1), _step(STEP, 1.0, 2, 5), _touch(1.0, 5), _step(STEP, 1.0, 6, 17)]
    right = [_step(STEP, -1.0, 0, 3), _touch(-1.0, 3), _step(STEP, -1.0, 4, 7), _touch(-1.0, 7), _step(0.14, -1.0, 8, 16)]
    heels = (_heel(clock, LEFT_HEEL_UP), _heel(clock, RIGHT_HEEL_UP))
    return (
        walk_through(clock.times, repeated(left, clock.duration, 0.0, 1), heels[0]),
        walk_through(clock.times, repeated(right, clock.duration, 0.0, 1), heels[1]),
    )


def _step(out: float, s: float, beat: int, until: int) -> Plant:
    """A foot that takes the weight on a beat and stands until it must land on a later one."""
    begin, end = beat * BEAT, until * BEAT - AIR
    return Plant(0.0, s * out, s * 12.0, begin=begin, end=end, strike=16.0, push=34.0, peel=0.2, lift=0.1)


def _touch(s: float, beat: int) -> Plant:
    """A light plant on the ball beside the other foot, a little ahead."""
    begin, end = beat * BEAT, (beat + 1) * BEAT - AIR
    y = s * (TOGETHER - STEP)
    return Plant(0.045, y, s * 8.0, begin=begin, end=end, hold=34.0, strike=34.0, push=42.0, peel=0.1, lift=0.08)


def _heel(clock: Clock, beats: tuple[float, ...]) -> Array:
    """(F,) pitch of a heel that comes up with the sway away from it, and is down for good in between."""
    up = 22.0 * _beats(clock, beats, -0.02, 0.05).clip(0.0)
    return np.where(up < 1e-3, 0.0, up)


def _arm(clock: Clock, s: float) -> ArmScore:
    """One arm: swings open in the steps and snaps up in the touches, then waves high, then pumps at the ribs."""
    out, across = (12.0, 46.0, -6.0, 24.0, 10.0, 14.0), (36.0, 4.0, 34.0, 44.0, 20.0, 10.0)
    snap = (34.0, 26.0, -2.0, 118.0, 10.0, -18.0)
    steps = [out if s < 0 else across, snap, across if s < 0 else out, snap] * 2
    to_left = (148.0, -20.0 + 14.0 * s, -6.0, 30.0 + 16.0 * s, 6.0, 10.0)
    to_right = (148.0, -20.0 - 14.0 * s, -6.0, 30.0 - 16.0 * s, 6.0, -10.0)
    waves = [to_right, to_left, to_right, to_right]
    high, low = (48.0, 44.0, 22.0, 104.0, 24.0, -20.0), (14.0, 46.0, 26.0, 76.0, 24.0, 16.0)
    pumps = [high, low, high, low] if s > 0 else [low, high, low, high]
    keys = [key for k, pose in enumerate(steps + waves + pumps) for key in ((k * BEAT, pose), (k * BEAT + 0.12, pose))]
    return ArmScore(clock.curve(*keys, soften=0.07), loose=0.4, upright=0.4)
