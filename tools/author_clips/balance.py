"""Where the hips must be so that the ground's push goes through the feet."""

from __future__ import annotations

from functools import cache

import numpy as np
from tools.author_clips.body import JOINT, SHIN, SIDES, THIGH, Motion, mass_points
from tools.author_clips.curves import FPS, Clock
from tools.author_clips.dynamics import GRAVITY, center_of_mass, zero_moment_point
from tools.author_clips.limbs import span
from tools.author_clips.perform import perform
from tools.author_clips.score import Score, relaxed

from poise.rotation import Array

PASSES = 30  # the zero-moment point then lies within millimetres of where it should
CAUTION = 0.55  # of each correction that is made; a body that falls towards its feet answers up to twice as strongly
STANDING_KNEE = 7.0  # degrees of bend that a standing leg keeps
END_REST = 0.45  # seconds in which a clip leaves its first pose and comes to rest in its last
HEAVE = 0.05  # seconds; standard deviation of the bell that smooths the rise and fall of the centre of mass
_PENDULUM_HEIGHT = 0.95  # metres; of the centre of mass of most poses


def balanced(score: Score) -> Motion:
    """The motion of a score with the hips moved until the zero-moment point lies where the score puts the load.

    Moving the whole body by c(t) moves that point by c - (h/g) c''; its inverse looks ahead as well as back, which is
    why the weight shifts before a foot leaves the floor. Hips are lowered where a standing leg would not reach, and
    give way where a leg is thrown up, so that the whole is not.
    """
    clock = score.clock
    shift = clock.soften(score.support - score.march[:, :2], 0.3) + score.march[:, :2]
    lower, give = np.zeros((2, len(clock.times)))
    for _ in range(PASSES):
        motion = perform(score, shift, score.sink + lower + give)
        lower = _missing_reach(score, motion, lower)
        give = give + CAUTION * _jolt(clock, motion, give)
        error = score.support - motion_zmp(clock, motion)
        shift = _rest_at_ends(clock, shift + CAUTION * _inverse_pendulum(clock, error))
    return perform(score, shift, score.sink + lower + give)


def motion_zmp(clock: Clock, motion: Motion) -> Array:
    """(F, 2) zero-moment point of the motion on the floor."""
    points, shares = mass_points(*motion.world())
    return zero_moment_point(points, _acceleration(clock, points, motion.travel), shares)


def _acceleration(clock: Clock, points: Array, travel: Array) -> Array:
    """Second differences of points (F, P, 3); a loop's ends see each other across its travel."""
    step = np.array([*travel, 0.0])
    if clock.loop:
        before, after = points[-1:] - step, points[:1] + step
    else:
        before, after = points[:1], points[-1:]
    wide = np.concatenate([before, points, after])
    return (wide[2:] - 2 * wide[1:-1] + wide[:-2]) * FPS**2


def _inverse_pendulum(clock: Clock, error: Array) -> Array:
    """The c (F, 2) of c - (h/g) c'' = error: each error smeared forward and back in time as exp(-|t| sqrt(g/h))."""
    pad = 0 if clock.loop else round(3.0 * FPS)
    wide = np.pad(error, ((pad, pad), (0, 0)), mode="edge")
    omega = 2 * np.pi * np.fft.rfftfreq(len(wide), 1 / FPS)
    gain = 1.0 / (1.0 + _PENDULUM_HEIGHT / GRAVITY * omega**2)
    c = np.fft.irfft(np.fft.rfft(wide, axis=0) * gain[:, None], len(wide), axis=0)
    return c[pad : pad + len(error)]


@cache
def _standing_place() -> Array:
    """(2,) where the hips are in the relaxed stand when its centre of mass is at rest over its support."""
    score = relaxed(Clock(1.0))
    shift = score.support
    for _ in range(PASSES):
        points, shares = mass_points(*perform(score, shift, score.sink).world())
        shift = shift + (score.support - center_of_mass(points, shares)[:, :2])[0]
    return shift[0]


def _rest_at_ends(clock: Clock, shift: Array) -> Array:
    """The shift with its first and last moments held at rest in one place, so that clips join; loops pass unchanged."""
    if clock.loop:
        return shift
    rest = _standing_place()
    return rest + (shift - rest) * clock.middle(END_REST)[:, None]


def _jolt(clock: Clock, motion: Motion, give: Array) -> Array:
    """(F,) how much too high the centre of mass is for a smooth rise and fall, metres; `give` is what the hips gave already."""
    points, shares = mass_points(*motion.world())
    height = center_of_mass(points, shares)[:, 2]
    return height - clock.soften(height + give, HEAVE)


def _missing_reach(score: Score, motion: Motion, lower: Array) -> Array:
    """(F,) how much lower than scored the hips must be so that each standing leg keeps its knee bent.

    `lower` is how much lower they are in this motion.
    """
    position, _ = motion.world()
    longest = span(THIGH, SHIN, STANDING_KNEE)
    missing = np.zeros(len(position))
    for k, side in enumerate(SIDES):
        gap = position[:, JOINT[f"{side}UpLeg"]] - score.feet[k].ankle
        height = np.sqrt(np.maximum(longest**2 - np.sum(gap[:, :2] ** 2, axis=-1), 0.01))
        over = np.where(score.feet[k].standing, gap[:, 2] + lower - height, 0.0)
        missing = np.maximum(missing, over)
    return score.clock.soften(score.clock.widen(missing, 0.08), 0.04)
