"""A parade march: knees high, arms straight and far, each pose held a moment."""

from __future__ import annotations

import numpy as np
from tools.author_clips.gait import Gait
from tools.author_clips.score import ArmScore, Score, relaxed

from poise.rotation import Array

GAIT = Gait(
    period=1.15,
    cycles=4,
    stride=0.84,
    stance=0.57,
    half_width=0.075,
    strike=-6.0,
    settle=0.08,
    push=38.0,
    peel=0.2,
    lift=0.31,
    tuck=-4.0,
    reach=0.25,
    brake=12.0,
    cop=(0.02, 0.13),
)


def march() -> Score:
    """The arm of the other side comes up with each knee; head and chest stay proud."""
    g, clock = GAIT, GAIT.clock
    bob, snap = g.wave(0.05, 2), _held(0.20)
    return relaxed(
        clock,
        feet=g.feet(),
        load=g.load(),
        cop=g.pressure(),
        travel=(g.stride * g.cycles, 0.0),
        sink=0.026 + 0.014 * bob,
        pelvis=np.column_stack([4.0 * g.wave(0.27), 0.5 + 1.5 * g.wave(0.3, 2), 0.0 * bob]),
        chest=np.column_stack([-6.0 * snap - 3.0 * g.wave(0.30), -3.5 - 1.0 * g.wave(0.3, 2), 0.8 * g.wave(0.3)]),
        head=np.column_stack([0.5 * clock.wander(3), 0.5 - 1.0 * g.wave(0.12, 2), 0.0 * bob]),
        arms=(_arm(1.0, 42.0, 16.0), _arm(-1.0, 39.0, 19.0)),
        breath=clock.breath(1),
        list_by_load=3.0,
        knees_out=1.0,
        seed=9,
        restless=0.4,
    )


def _held(delay: float) -> Array:
    """(F,) 1 after the left foot has landed, -1 after the right one, `delay` periods later; quick, then held a moment."""
    keys = []
    for step in range(2 * GAIT.cycles):
        at, value = (step / 2 + delay) * GAIT.period, 1.0 - 2.0 * (step % 2)
        keys += [(at, value), (at + 0.14 * GAIT.period, 0.93 * value)]
    return GAIT.clock.curve(*keys, soften=0.05)


def _arm(s: float, size: float, elbow: float) -> ArmScore:
    swing, late = s * _held(0.16), s * _held(0.21)
    still = np.zeros(len(swing))
    upper = [6.0 + size * swing, still + 7.0, 16.0 + 4.0 * late]
    return ArmScore(np.column_stack([*upper, elbow + 6.0 * late, 24.0 + 6.0 * late, still + 2.0]), loose=0.15, upright=1.0)
