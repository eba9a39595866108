"""Tells an added pose in frame 0 from captured motion.

Some converters put the OFFSET pose in front of the take (the CMU conversion does). Such a frame is nearer to the OFFSET pose
than anything later, and the step from it to frame 1 is far larger than the steps that follow. A take that really starts
in a T-pose moves out of it smoothly. Where the file was smoothed after the pose had been added, the frames that follow still
come out of it, in steps that shrink: they belong to it.
"""

from __future__ import annotations

import numpy as np

from poise.motion.clip import Clip
from poise.rotation import Array

_FEWEST_FRAMES = 4
_NEAR_REST_DEG = 5.0  # mean over the joints; the CMU conversion has 3.5 (feet and thumbs are not zero)
_NEARER_THAN_LATER = 0.5  # of the usual distance to the OFFSET pose
_JUMP_DEG, _JUMP_RATIO = 4.0, 3.0  # the first step, mean over the joints; and against the 99th percentile of later ones
_WAKE_RATIO = 1.25  # of the same percentile: smaller steps are motion
_LONGEST_WAKE = 0.1  # s that smoothing may have spread the added pose over


def added_frames(clip: Clip) -> int:
    """How many frames were put in front of the motion: 0, or the added pose and those that smoothing has mixed with it."""
    if not is_added_pose(clip):
        return 0
    steps, large = turn_steps(clip).mean(axis=1), _WAKE_RATIO * _large_step(clip)
    count = 1
    while count < _longest_wake(clip) and large < steps[count] < steps[count - 1]:
        count += 1
    return count


def sentence(count: int) -> str | None:
    """What was taken off."""
    if count == 0:
        return None
    frames = "first frame, an added pose; it is" if count == 1 else f"first {count} frames, an added pose and its wake; they are"
    return f"took off the {frames} kept for writing the file back (--keep-first-frame)"


def is_added_pose(clip: Clip) -> bool:
    """Whether frame 0 was put in front of the motion."""
    if clip.nframes < _FEWEST_FRAMES or clip.skeleton.njoints < 2:
        return False
    steps = turn_steps(clip).mean(axis=1)
    bent = clip.rotations[:, 1:, 0]  # without the root, which may face anywhere
    from_rest = _degrees(bent).mean(axis=1)
    jumps = steps[0] > max(_JUMP_DEG, _JUMP_RATIO * _large_step(clip))
    near = from_rest[0] < min(_NEAR_REST_DEG, _NEARER_THAN_LATER * float(np.median(from_rest[1:])))
    return bool(jumps and near)


def turn_steps(clip: Clip) -> Array:
    """How far every joint turns from frame to frame (F - 1, J), degrees."""
    return _degrees(np.einsum("fjk,fjk->fj", clip.rotations[:-1], clip.rotations[1:]))


def without_first_frames(clip: Clip, count: int) -> Clip:
    """The clip from frame `count` on, with the frames before in its `lead_in`; itself for 0."""
    if count == 0:
        return clip
    before = clip.lead_in
    lead_in = clip.with_(
        rotations=np.concatenate([before.rotations if before else clip.rotations[:0], clip.rotations[:count]]),
        translations=np.concatenate([before.translations if before else clip.translations[:0], clip.translations[:count]]),
        lead_in=None,
    )
    return clip.with_(rotations=clip.rotations[count:], translations=clip.translations[count:], lead_in=lead_in)


def _large_step(clip: Clip) -> float:
    """The 99th percentile of the steps that no added pose can reach, mean over the joints, degrees."""
    return float(np.percentile(turn_steps(clip).mean(axis=1)[_longest_wake(clip) :], 99.0))


def _longest_wake(clip: Clip) -> int:
    """How many frames an added pose and its wake may be, never more than half the clip."""
    return max(1, min(round(_LONGEST_WAKE * clip.fps), clip.nframes // 2))


def _degrees(half_cosine: Array) -> Array:
    """The angle whose half has this cosine; the sign does not matter, since q and -q are one rotation."""
    return np.degrees(2.0 * np.arccos(np.minimum(np.abs(half_cosine), 1.0)))
