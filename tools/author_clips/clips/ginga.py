"""Capoeira's ginga: low, a foot falls back, the arm of that side guards the face; through the middle to the other side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tools.author_clips.curves import Clock, Key
from tools.author_clips.feet import Foot, Plant, repeated, walk_through
from tools.author_clips.score import ArmScore, Score, relaxed

from poise.rotation import Array

PERIOD, CYCLES = 2.4, 2
HALF = PERIOD / 2
AWAY, BACK, LEAVE, HOME = 0.16, 0.46, 0.88, 1.16  # seconds of a half: the foot leaves, is behind, leaves again, is home

# Keys of the half with the right foot behind; the other half mirrors them (DEPTH repeats).
SIDE: tuple[Key, ...] = ((0.10, 0.0), (0.48, 1.0), (0.72, 1.0), (1.12, 0.12))
HIPS: tuple[Key, ...] = ((0.04, 0.0), (0.44, 1.0), (0.66, 1.0), (1.06, 0.1))
DEPTH: tuple[Key, ...] = ((0.02, 0.25), (0.2, 0.0), (0.60, 1.0), (0.78, 0.9), (1.02, 0.0), (1.19, 0.25))
LOAD: tuple[Key, ...] = ((0.0, -0.35), (0.15, 1.0), (0.42, 0.96), (0.66, 0.30), (0.82, 0.90), (0.90, 1.0), (1.12, 1.0))


def ginga() -> Score:
    """Hips turn with the leg that falls back, the chest against them; head and eyes stay on the other player."""
    clock = Clock(PERIOD * CYCLES, loop=True)
    side, hips = _halves(clock, SIDE, 0.07), _halves(clock, HIPS, 0.07)
    deep = _halves(clock, DEPTH, 0.085, mirrored=False)
    late = clock.lag(side, 0.06)
    return relaxed(
        clock,
        feet=(_foot(clock, 1.0, HALF), _foot(clock, -1.0, 0.0)),
        load=0.5 + 0.5 * _halves(clock, LOAD, 0.05),
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


def _halves(clock: Clock, keys: tuple[Key, ...], soften: float, mirrored: bool = True) -> Array:
    """(F,) keys of one half, over and over, with the sign turned in every other one if mirrored."""
    halves = [(h * HALF, -1.0 if mirrored and h % 2 else 1.0) for h in range(2 * CYCLES)]
    return clock.curve(*((at + t, sign * np.asarray(v)) for at, sign in halves for t, v in keys), soften=soften)


def _foot(clock: Clock, s: float, start: float) -> Foot:
    """The foot that goes back in the half that begins at `start`: behind the other one, on its ball, and home again."""
    wide = Plant(0.0, s * 0.29, s * 14.0, strike=16.0, push=34.0, peel=0.2, lift=0.105, arc=(0.0, -0.04 * s))
    back = Plant(-0.60, s * 0.06, s * 26.0, hold=34.0, strike=34.0, push=50.0, peel=0.18, lift=0.1, arc=(0.0, 0.03 * s))
    wide = replace(wide, begin=start + HOME - PERIOD, end=start + AWAY)
    back = replace(back, begin=start + BACK, end=start + LEAVE)
    return walk_through(clock.times, repeated([wide, back], PERIOD, 0.0, CYCLES))


def _arm(clock: Clock, s: float) -> ArmScore:
    """One arm: up before the face when its own foot is behind, swinging low and back when it is not."""
    guard = (90.0, 12.0 + 3.0 * s, 44.0, 96.0 - 6.0 * s, 20.0, -8.0)
    middle, away = (34.0, 24.0, 30.0, 70.0, 14.0, 6.0), (-26.0, 34.0, 0.0, 30.0, 8.0, 16.0)
    own = [(0.06, middle), (0.46, guard), (0.80, guard)]
    other = [(0.04, middle), (0.50, away), (0.74, away)]
    first, second = (own, other) if s < 0 else (other, own)
    halves = [first, second] * CYCLES
    keys = [(h * HALF + t, pose) for h, half in enumerate(halves) for t, pose in half]
    return ArmScore(clock.curve(*keys, soften=0.07), loose=0.5, upright=0.5)
