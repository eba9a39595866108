"""Joints turned as no body turns them: a foot back to front for half a second is a lost marker, not a motion.

Where a joint is far beyond its range for a part of a clip, that part is bridged from the last possible moment to the next.
A joint that is beyond its range most of the time is left alone: then it is our idea of its rest that is wrong.
"""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.character import anthropometry
from poise.motion.glitches import bridge_turns
from poise.rotation import Array, Mask

_BEYOND = np.radians(35.0)  # past the range of motion
_MOST = 0.75  # of the frames
_MARGIN = 2  # frames to either side


def without_impossible(turns: Array, names: list[str], parents: list[int]) -> Array:
    """World rotations (F, S, 4) of segments with impossible stretches bridged, joint by joint, relative to the parent."""
    result = turns.copy()
    for k, (name, parent) in enumerate(zip(names, parents, strict=True)):
        if parent < 0 or anthropometry.kind(name) not in anthropometry.RANGES:
            continue
        flexion, angle = anthropometry.RANGES[anthropometry.kind(name)]
        local = rotation.multiply(rotation.conjugate(turns[:, parent]), turns[:, k])
        away = rotation.angle_between(rotation.exp([0.0, np.radians(flexion), 0.0]), local)
        bad = _widened(away > np.radians(angle) + _BEYOND)
        if bad.any() and bad.mean() < _MOST:
            local = bridge_turns(rotation.continuous(local), bad)
            result[:, k] = rotation.multiply(result[:, parent], local)
        elif not np.array_equal(result[:, parent], turns[:, parent]):
            result[:, k] = rotation.multiply(result[:, parent], local)
    return result


def _widened(bad: Mask) -> Mask:
    kernel = np.ones(2 * _MARGIN + 1)
    return np.convolve(bad, kernel, mode="same") > 0.5 if len(bad) > len(kernel) else bad
