"""Stepping on the spot, loose and unhurried: ball of the foot first, heel after."""

from __future__ import annotations

import numpy as np
from tools.author_clips.gait import Gait
from tools.author_clips.score import ArmScore, Score, relaxed

from poise.rotation import Array

GAIT = Gait(
    period=66 / 60,
    cycles=4,
    stride=0.0,
    stance=0.60,
    half_width=0.085,
    toe_out=8.0,
    strike=18.0,
    settle=0.14,
    push=34.0,
    peel=0.24,
    lift=0.15,
    tuck=8.0,
    cop=(0.07, 0.06),
)


def walk_in_place() -> Score:
    """The standing hip rises, shoulders turn against the knee that is up, the head wanders a little."""
    g, clock = GAIT, GAIT.clock
    uneven = 1.0 + 0.10 * clock.wander(12, 2.5, 1.1)
    bob = g.wave(0.08, 2)
    return relaxed(
        clock,
        feet=g.feet(),
        load=g.load(),
        cop=g.pressure(),
        sink=0.026 + 0.014 * bob,
        pelvis=np.column_stack([3.0 * g.wave(0.3), 3.0 + 1.0 * bob, 0.0 * bob]),
        chest=np.column_stack([-7.0 * g.wave(0.33) * uneven, 2.0 - 0.8 * g.wave(0.2, 2), -1.8 * g.wave(0.35)]),
        head=np.column_stack([1.5 + 1.5 * clock.wander(14, 4.4, 2.0), 3.0 - 1.0 * g.wave(0.16, 2), 1.0 * g.wave(0.4)]),
        arms=(_arm(1.0, uneven, 13.0, 24.0), _arm(-1.0, uneven, 11.0, 28.0)),
        breath=clock.breath(1),
        seed=8,
    )


def _arm(s: float, uneven: Array, size: float, elbow: float) -> ArmScore:
    """An arm that goes forward while the leg of the other side is up."""
    swing, late, last = (s * GAIT.wave(delay) * uneven for delay in (0.28, 0.36, 0.42))
    upper = [4.0 + size * swing, 8.0 - 1.5 * late, 15.0 + 5.0 * late]
    return ArmScore(np.column_stack([*upper, elbow + 11.0 * late, 14.0 + 4.0 * late, 6.0 - 6.0 * last]), loose=0.5)
