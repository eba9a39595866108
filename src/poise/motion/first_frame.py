"""Tells an added pose in frame 0 from captured motion.

Some converters put the OFFSET pose in front of the take (the CMU conversion does). Such a frame is nearer to the OFFSET pose
than anything later, and the step from it to frame 1 is far larger than the steps that follow. A take that really starts
in a T-pose moves out of it smoothly.
"""

from __future__ import annotations

import numpy as np

from poise.motion.clip import Clip
from poise.rotation import Array

ADDED_POSE = "took off the first frame, an added pose; it is kept for writing the file back (--keep-first-frame)"

_FEWEST_FRAMES = 4
_NEAR_REST_DEG = 5.0  # mean over the joints; the CMU conversion has 3.5 (feet and thumbs are not zero)
_NEARER_THAN_LATER = 0.5  # of the usual distance to the OFFSET pose
_JUMP_DEG, _JUMP_RATIO = 4.0, 3.0  # the first step, mean over the joints; and against the 99th percentile of the others


def is_added_pose(clip: Clip) -> bool:
    """Whether frame 0 was put in front of the motion."""
    if clip.nframes < _FEWEST_FRAMES or clip.skeleton.njoints < 2:
        return False
    steps = turn_steps(clip).mean(axis=1)
    bent = clip.rotations[:, 1:, 0]  # without the root, which may face anywhere
    from_rest = _degrees(bent).mean(axis=1)
    jumps = steps[0] > max(_JUMP_DEG, _JUMP_RATIO * np.percentile(steps[1:], 99.0))
    near = from_rest[0] < min(_NEAR_REST_DEG, _NEARER_THAN_LATER * float(np.median(from_rest[1:])))
    return bool(jumps and near)


def turn_steps(clip: Clip) -> Array:
    """How far every joint turns from frame to frame (F - 1, J), degrees."""
    return _degrees(np.einsum("fjk,fjk->fj", clip.rotations[:-1], clip.rotations[1:]))


def without_first_frame(clip: Clip) -> Clip:
    """The clip from frame 1 on, with frame 0 in its `lead_in`."""
    before = clip.lead_in
    lead_in = clip.with_(
        rotations=np.concatenate([before.rotations if before else clip.rotations[:0], clip.rotations[:1]]),
        translations=np.concatenate([before.translations if before else clip.translations[:0], clip.translations[:1]]),
        lead_in=None,
    )
    return clip.with_(rotations=clip.rotations[1:], translations=clip.translations[1:], lead_in=lead_in)


def _degrees(half_cosine: Array) -> Array:
    """The angle whose half has this cosine; the sign does not matter, since q and -q are one rotation."""
    return np.degrees(2.0 * np.arccos(np.minimum(np.abs(half_cosine), 1.0)))
