"""Clips at another frame rate, by cubic interpolation."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.errors import BadInput
from poise.motion.clip import Clip
from poise.motion.sampling import FRAME_LIMIT, steady_times
from poise.rotation import Array

RATE_LIMITS = (0.1, 1e4)


def resample(clip: Clip, fps: float) -> Clip:
    """The same motion at another rate; frames that fall on old frames equal them.

    Between frames runs a cubic with the slopes of its neighbours (Catmull-Rom), through the quaternions' components for
    rotations: velocities stay continuous, which slerp does not give. The last frame is the last that fits into the duration.
    """
    low, high = RATE_LIMITS
    if not low <= fps <= high:
        raise BadInput(f"frame rate {fps:g} must lie between {low:g} and {high:g} frames per second")
    if clip.duration * fps >= FRAME_LIMIT:
        raise BadInput(
            f"{clip.duration:.1f} s at {fps:g} frames per second are more than {FRAME_LIMIT:,} frames; take a lower rate"
        )
    at = np.minimum(steady_times(clip.duration, fps) * clip.fps, clip.nframes - 1)
    return clip.with_(
        rotations=rotation.normalize(_cubic(rotation.continuous(clip.rotations), at)),
        translations=_cubic(clip.translations, at),
        fps=float(fps),
        lead_in=clip.lead_in.with_(fps=float(fps)) if clip.lead_in else None,
    )


def _cubic(values: Array, at: Array) -> Array:
    """Values (F, ...) at fractional frames (N,): Catmull-Rom, with one-sided slopes at both ends."""
    near = np.rint(at)
    at = np.where(np.abs(at - near) < 1e-9 * len(values), near, at)  # so that frames which meet are equal to the bit
    first = np.clip(np.floor(at).astype(np.int64), 0, max(len(values) - 2, 0))
    s = (at - first).reshape(-1, *[1] * (values.ndim - 1))
    slopes = np.gradient(values, axis=0) if len(values) > 1 else np.zeros_like(values)
    following = np.minimum(first + 1, len(values) - 1)
    a, b, m, n = values[first], values[following], slopes[first], slopes[following]
    return a + s * (m + s * (3.0 * (b - a) - 2.0 * m - n + s * (2.0 * (a - b) + m + n)))
