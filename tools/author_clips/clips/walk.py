"""An easy walk of 1.25 m/s: heel, sole, ball; hips and shoulders turn against each other."""

from __future__ import annotations

import numpy as np
from tools.author_clips.gait import Gait
from tools.author_clips.score import ArmScore, Score, relaxed

GAIT = Gait(
    period=62 / 60,
    cycles=4,
    stride=1.26,
    strike=-20.0,
    settle=0.13,
    push=60.0,
    peel=0.27,
    lift=0.08,
    tuck=-26.0,
    brake=36.0,
    cop=(0.015, 0.165),
)


def walk() -> Score:
    """Four cycles. Hips are lowest while both feet stand, highest over the standing leg; the free hip drops."""
    g, clock = GAIT, GAIT.clock
    hips, slow = g.wave(0.0), 1.0 + 0.06 * clock.wander(9, 2.2, 1.0)
    bob = g.wave(0.06, 2)
    return relaxed(
        clock,
        feet=g.feet(),
        load=g.load(),
        cop=g.pressure(),
        travel=(g.stride * g.cycles, 0.0),
        sink=0.029 + 0.021 * bob,
        pelvis=np.column_stack([-7.0 * hips, 2.5 - 0.8 * g.wave(0.1, 2), 0 * hips]),
        chest=np.column_stack([8.5 * g.wave(0.05) * slow + 0.8, -0.5 + 1.0 * g.wave(0.2, 2), 1.2 * g.wave(0.30)]),
        head=np.column_stack([1.0 + 1.5 * g.wave(0.1), 3.0 - 1.2 * g.wave(0.12, 2), 0.5 + 0 * hips]),
        arms=(_arm(1.0, slow, 22.0), _arm(-1.0, slow, 20.0)),
        breath=clock.breath(1),
        list_by_load=4.5,
        knees_out=1.0,
        seed=7,
        restless=0.5,
    )


def _arm(s: float, slow: np.ndarray, size: float) -> ArmScore:
    """An arm that swings against the leg of its side; the elbow bends in front and opens behind, a little late."""
    g = GAIT
    swing, late = -s * g.wave(0.02) * slow, -s * g.wave(0.09) * slow
    angles = [
        4.0 + size * swing,
        7.0 - 1.5 * late,
        14.0 + 5.0 * late,
        24.0 + 13.0 * late,
        14.0 + 6.0 * late,
        6.0 - 6.0 * -s * g.wave(0.15),
    ]
    return ArmScore(np.column_stack(angles), loose=0.3)
