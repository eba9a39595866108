"""Soles on the floor: a standing foot is flat and at floor height, and no sole goes below the floor."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.character.character import Segment
from poise.character.soles import heel_and_ball, sole_corners
from poise.motion.floor import runs
from poise.rotation import Array, Mask

_FLAT, _TILTED = np.radians(6.0), np.radians(16.0)  # a standing foot tilted less is laid flat; one tilted more is rolling
_CLEARANCE = 0.06  # of the foot's length: how far a swinging sole stays off the floor
_SLIDES = 0.3  # of the foot's length
_BLEND = 0.08  # s over which a foot is laid down before its stance and let go after it
_UP = np.array([0.0, 0.0, 1.0])


def plant(turn: Array, ankle: Array, stance: Mask, foot: Segment, fps: float) -> tuple[Array, Array]:
    """New world rotations (F, 4) and ankle positions (F, 3) of a foot that stands flat on z = 0 during its stance.

    Between stances it keeps a little clear of the floor: toes bend in life, but our soles do not, and would drag. For that the
    foot is turned towards flat as far as needed, and lifted only if that is not enough: an ankle gives more easily than a leg.
    """
    corners = sole_corners(foot)
    eased = _eased(stance, fps)
    floor = _CLEARANCE * foot.box.size[0] * (1.0 - eased)
    z_axis = rotation.rotate(turn, _UP)
    tilt = np.arccos(np.clip(z_axis[:, 2], -1.0, 1.0))
    weight = eased * _smoothstep((_TILTED - tilt) / (_TILTED - _FLAT))
    flat = rotation.multiply(rotation.between(z_axis, np.broadcast_to(_UP, z_axis.shape)), turn)
    weight_above = np.maximum(weight, _flattening(turn, flat, ankle[:, 2] - floor, corners))
    turn = rotation.slerp(turn, flat, weight_above)
    lowest = ankle[:, 2] - floor + _reach_down(turn, corners)
    lift = np.where(lowest < 0.0, -lowest, -weight * lowest)
    return turn, ankle + lift[:, None] * _UP


def hold_still(turn: Array, ankle: Array, stance: Mask, foot: Segment, fps: float) -> Array:
    """Ankle positions (F, 3) that keep a standing foot from skating: the lower of heel and ball stays where it is.

    Within a stance the drift of that point is taken out, half of it before the stance's middle and half after; between stances
    the correction fades from one to the next. A foot that slides by more than `_SLIDES` of its length means to.
    """
    if len(ankle) < 2 or not stance.any():
        return ankle
    points = ankle[:, None] + rotation.rotate(turn[:, None], heel_and_ball(foot))
    lower = np.argmin(points[:-1, :, 2], axis=1)
    frames = np.arange(len(lower))
    step = (points[frames + 1, lower] - points[frames, lower])[:, :2]
    shift = np.full((len(ankle), 2), np.nan)
    for start, stop in runs(stance):
        drift = np.concatenate([np.zeros((1, 2)), np.cumsum(step[start : stop - 1], axis=0)])
        drift -= drift[len(drift) // 2]
        far = np.abs(drift).max()
        shift[start:stop] = -drift * min(1.0, _SLIDES * foot.box.size[0] / max(far, 1e-9)) ** 2
    known = np.flatnonzero(~np.isnan(shift[:, 0]))
    held = ankle.copy()
    for i in range(2):
        held[:, i] += np.interp(np.arange(len(ankle)), known, shift[known, i])
    return held


def _flattening(turn: Array, flat: Array, height: Array, corners: Array) -> Array:
    """The least share (F,) of the way from `turn` to `flat` that keeps the sole above the floor, by bisection."""
    low, high = np.zeros(len(turn)), np.ones(len(turn))
    for _ in range(12):
        middle = 0.5 * (low + high)
        sinks = height + _reach_down(rotation.slerp(turn, flat, middle), corners) < 0.0
        low, high = np.where(sinks, middle, low), np.where(sinks, high, middle)
    return np.where(height + _reach_down(turn, corners) < 0.0, high, 0.0)


def _reach_down(turn: Array, corners: Array) -> Array:
    """How far (F,) the lowest corner lies below the ankle, negative."""
    return rotation.rotate(turn[:, None], corners[None])[..., 2].min(axis=1)


def _eased(stance: Mask, fps: float) -> Array:
    """1 while the foot stands, easing in before and out after."""
    half = max(1, round(_BLEND * fps))
    window = np.hanning(2 * half + 1)[1:-1] if half > 1 else np.ones(1)
    padded = np.pad(stance.astype(float), half - 1, mode="edge")
    spread = np.convolve(padded, window / window.sum(), mode="valid")
    return np.maximum(stance, _smoothstep(2.0 * spread))


def _smoothstep(x: Array) -> Array:
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3.0 - 2.0 * x)
