"""What a living body adds to its score: breath, drift, overlap, and arms that drag behind."""

from __future__ import annotations

import numpy as np
from tools.author_clips.curves import Clock
from tools.author_clips.score import STAND_LOAD, Score
from tools.author_clips.turns import relative

from poise import rotation
from poise.rotation import Array

ARM_PENDULUM = 0.45  # metres; of a hanging arm, from shoulder to where its mass seems to be
ARM_STIFFNESS, ARM_DAMPING = 5.5, 0.45  # rad/s and share of critical: a heavy, relaxed arm
WRIST_DRAG = 22.0  # degrees; the most a hand trails behind its forearm


def pelvis_angles(score: Score) -> Array:
    """(F, 3) the score's pelvis, dropped towards the unloaded side, with drift."""
    angles = score.pelvis + _drift(score, 10, (0.5, 0.3, 0.3))
    listing = score.clock.soften(2.0 * (score.load - STAND_LOAD), 0.12) * score.list_by_load
    return angles + listing[:, None] * [0.0, 0.0, 1.0]


def chest_angles(score: Score, pelvis: Array) -> Array:
    """(F, 3) the chest in the world: it takes over the pelvis' turn and lean a little late, counters its drop, breathes."""
    follow = score.clock.lag(pelvis, 0.09) * [0.75, 1.0, -0.35]
    angles = follow + score.chest + _drift(score, 20, (0.7, 0.5, 0.4))
    return angles - score.breath[:, None] * [0.0, 1.6, 0.0]


def head_angles(score: Score, chest: Array) -> Array:
    """(F, 3) the head in the world: its gaze, stirred a little and late by the chest."""
    stir = score.clock.lag(chest, 0.08) * [0.2, 0.15, 0.25]
    return score.head + stir + _drift(score, 30, (1.0, 0.6, 0.5)) + score.breath[:, None] * [0.0, 0.4, 0.0]


def shoulder_raise(score: Score, side: int) -> Array:
    """(F,) degrees a shoulder is raised by score and breath."""
    return score.shrug[side] + 2.2 * score.breath


def arm_drag(clock: Clock, shoulder: Array, chest: Array) -> Array:
    """(F, 2) flexion and swing to the left, degrees, of an arm left behind by its shoulder (F, 3) in the chest's heading.

    In a loop the shoulder is seen from a frame that travels evenly with it.
    """
    push = clock.difference(clock.difference(clock.soften(shoulder, 0.03)))
    back = rotation.rotate(rotation.conjugate(rotation.about_z(rotation.heading(chest))), push)
    lean = np.degrees(-back[:, :2] / (ARM_PENDULUM * ARM_STIFFNESS**2))
    return clock.spring(np.clip(lean, -25.0, 25.0), ARM_STIFFNESS, ARM_DAMPING)


def wrist_drag(clock: Clock, forearm: Array, loose: Array) -> Array:
    """(F, 4) the turn of a hand against its forearm (F, 4, world) because it trails behind, less so in a tense arm."""
    steady = rotation.continuous(forearm)
    trail = rotation.normalize(clock.lag(steady, 0.035))
    behind = rotation.log(relative(forearm, trail))
    angle = np.linalg.norm(behind, axis=-1, keepdims=True)
    most = np.radians(WRIST_DRAG) * (0.2 + 0.8 * loose[:, None])
    return rotation.exp(behind * most * np.tanh(angle / most) / np.maximum(angle, 1e-9))


def _drift(score: Score, seed: int, degrees: tuple[float, float, float]) -> Array:
    waves = [score.clock.wander(100 * score.seed + seed + axis) for axis in range(3)]
    return np.stack(waves, axis=-1) * degrees * score.restless
