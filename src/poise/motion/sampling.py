"""From keys at any times to frames at a steady rate."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.rotation import Array

FRAME_LIMIT = 1_000_000
_ROUNDING = 1e-4  # relative; 24 and 23.976 differ by 1e-3, 1/120 and .0083333 by 4e-6


def whole_rate(fps: float) -> float:
    """The whole number of frames per second that a rounded frame time stood for, or the rate itself if there is none."""
    whole = float(round(fps))
    return whole if abs(whole - fps) <= _ROUNDING * fps else fps


def steady_times(duration: float, fps: float) -> Array:
    """Times from 0 to the last frame at or before the duration; a hundredth of a frame may be missing."""
    return np.arange(int(duration * fps + 1e-2) + 1) / fps


def linear(times: Array, keys: Array, at: Array) -> Array:
    """Keys (K, ...) at growing times (K,), interpolated at other times; held beyond the ends."""
    first, share = _between(times, at)
    share = share.reshape(-1, *[1] * (keys.ndim - 1))
    return keys[first] * (1.0 - share) + keys[np.minimum(first + 1, len(keys) - 1)] * share


def spherical(times: Array, keys: Array, at: Array) -> Array:
    """Rotations (K, ..., 4) at growing times (K,), interpolated along the short arcs at other times; held beyond the ends."""
    first, share = _between(times, at)
    share = share.reshape(-1, *[1] * (keys.ndim - 2))
    return rotation.normalize(rotation.slerp(keys[first], keys[np.minimum(first + 1, len(keys) - 1)], share))


def _between(times: Array, at: Array) -> tuple[np.ndarray, Array]:
    """The key before each time, and how far the time is on the way to the next key, 0 … 1."""
    first = np.clip(np.searchsorted(times, at, side="right") - 1, 0, max(len(times) - 2, 0))
    following = np.minimum(first + 1, len(times) - 1)
    step = times[following] - times[first]
    return first, np.clip((at - times[first]) / np.where(step > 0.0, step, 1.0), 0.0, 1.0)
