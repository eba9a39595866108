"""An easy walk of 1.21 m/s: heel, sole, ball; hips and shoulders turn against each other."""

from __future__ import annotations

import numpy as np
from tools.author_clips.gait import Gait
from tools.author_clips.score import ArmScore, Score, relaxed

from poise.rotation import Array

GAIT = Gait(
    period=62 / 60,
    cycles=4,
    stride=1.25,
    strike=-20.0,
    settle=0.13,
    push=60.0,
    peel=0.27,
    lift=0.08,
    tuck=-26.0,
    brake=34.0,
    half_width=0.065,
    cop=(0.04, 0.175),
)


def walk() -> Score:
    """Hips are lowest while both feet stand, highest over the standing leg; the free hip drops."""
    g, clock = GAIT, GAIT.clock
    uneven = 1.0 + 0.06 * clock.wander(9, 2.2, 1.0)
    level = np.zeros(len(clock.times))
    return relaxed(
        clock,
        feet=g.feet(),
        load=g.load(),
        cop=g.pressure(),
        travel=(g.stride * g.cycles, 0.0),
        sink=0.027 + 0.031 * g.wave(0.06, 2),
        pelvis=np.column_stack([-7.0 * g.wave(), 1.5 - 0.8 * g.wave(0.1, 2), level]),
        chest=np.column_stack([0.8 + 8.5 * g.wave(0.05) * uneven, -1.0 + 1.0 * g.wave(0.2, 2), 1.2 * g.wave(0.30)]),
        head=np.column_stack([1.0 + 1.5 * g.wave(0.1), 3.0 - 1.2 * g.wave(0.12, 2), level + 0.5]),
        arms=(_arm(1.0, uneven, 22.0, 22.0), _arm(-1.0, uneven, 20.0, 26.0)),
        breath=clock.breath(1),
        list_by_load=4.5,
        knees_out=1.0,
        seed=7,
        restless=0.5,
    )


def _arm(s: float, uneven: Array, size: float, elbow: float) -> ArmScore:
    """An arm that swings against the leg of its side; the elbow bends in front and opens behind, a little late."""
    swing, late, last = (-s * GAIT.wave(delay) * uneven for delay in (0.02, 0.09, 0.15))
    upper = [4.0 + size * swing, 7.0 - 1.5 * late, 14.0 + 5.0 * late]
    return ArmScore(np.column_stack([*upper, elbow + 13.0 * late, 14.0 + 6.0 * late, 6.0 - 6.0 * last]), loose=0.3)
