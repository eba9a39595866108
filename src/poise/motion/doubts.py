"""Things in a tidied clip that cannot be repaired but should be known."""

from __future__ import annotations

import numpy as np

from poise.motion.clip import Clip
from poise.motion.first_frame import turn_steps
from poise.motion.landmarks import Landmarks, landmarks, points
from poise.motion.travel import pelvis

_HEAD_DOWN = 0.75  # of the frames: cartwheels and handstands are shorter
_LONG_BONES, _LONG_BONE = 5, 4.0  # no bone is so many times as long as the fifth longest: both legs and an arm of a body
_STRETCH = 0.02  # of a bone's usual length
_SHORT_BONE_M = 0.01  # shorter bones stretch by rounding
_POP_DEG, _POP_DEG_S = 30.0, 3000.0  # more than both within one frame: no limb turns so fast
_POP_M, _POP_M_S = 0.1, 15.0
_RATE_LIMITS = (10.0, 500.0)


def doubts(clip: Clip) -> list[str]:
    """One sentence for each doubt about a clip in metres."""
    found = [_length(clip), _rate(clip), _fixed(clip), *_about_bones(clip), _stretching(clip), _popping(clip)]
    return [sentence for sentence in found if sentence]


def _length(clip: Clip) -> str | None:
    return "the file holds a single frame: a pose, not a motion" if clip.nframes == 1 else None


def _rate(clip: Clip) -> str | None:
    low, high = _RATE_LIMITS
    if clip.nframes == 1 or low <= clip.fps <= high:
        return None
    return f"{clip.fps:g} frames per second is unusual; give the true rate with --fps"


def _fixed(clip: Clip) -> str | None:
    if clip.nframes == 1 or np.ptp(clip.translations, axis=0).max() > 0.0:
        return None
    return f"'{clip.skeleton.names[0]}' is fixed in place: the body turns but does not travel"


def _about_bones(clip: Clip) -> tuple[str | None, str | None]:
    marks = landmarks(clip)
    return _head_down(clip, marks), _long_bone(clip, marks)


def _head_down(clip: Clip, marks: Landmarks) -> str | None:
    if not (marks.head and marks.feet):
        return None
    height = points(clip)[..., 2]
    share = float(np.mean(height[:, marks.head].mean(axis=1) < height[:, marks.feet].mean(axis=1)))
    if share < _HEAD_DOWN:
        return None
    return f"the head is below the feet in {100 * share:.0f} % of the frames: a handstand, or up is another axis; tell with --up"


def _long_bone(clip: Clip, marks: Landmarks) -> str | None:
    worst = int(np.argmax(marks.lengths))
    length, usual = float(marks.lengths[worst]), float(np.sort(marks.lengths)[-_LONG_BONES:][0])
    if len(marks.lengths) < _LONG_BONES or usual == 0.0 or length < _LONG_BONE * usual:
        return None
    names = clip.skeleton.names
    bone = f"to '{names[worst]}'" if worst < len(names) else f"from '{names[marks.parents[worst]]}' to its end"
    return f"the bone {bone} is {length:.3g} m long, other long bones only {usual:.2g} m; see its OFFSET"


def _stretching(clip: Clip) -> str | None:
    lengths = np.linalg.norm(clip.translations, axis=-1)
    usual, low, high = np.median(lengths, axis=0), lengths.min(axis=0), lengths.max(axis=0)
    bones = np.arange(len(usual)) > pelvis(clip.skeleton)  # joints down to the pelvis may carry the travel
    stretch = np.where(bones & (usual > _SHORT_BONE_M), (high - low) / np.maximum(usual, _SHORT_BONE_M), 0.0)
    count, worst = int(np.sum(stretch > _STRETCH)), int(np.argmax(stretch))
    if not count:
        return None
    bones_stretch = "1 bone stretches" if count == 1 else f"{count} bones stretch"
    return (
        f"{bones_stretch} by more than {100 * _STRETCH:.0f} %; "
        f"'{clip.skeleton.names[worst]}' most, from {low[worst]:.3f} to {high[worst]:.3f} m"
    )


def _popping(clip: Clip) -> str | None:
    if clip.nframes < 2:
        return None
    turns = turn_steps(clip)
    moves = np.linalg.norm(np.diff(clip.translations[:, 0], axis=0), axis=-1)
    joint = int(np.argmax(turns.max(axis=0)))
    turns_far, moves_far = max(_POP_DEG, _POP_DEG_S / clip.fps), max(_POP_M, _POP_M_S / clip.fps)
    frames = np.flatnonzero((turns > turns_far).any(axis=1) | (moves > moves_far))
    if not len(frames):
        return None
    worst = f"'{clip.skeleton.names[joint]}' turns by up to {turns[:, joint].max():.0f}°"
    if moves.max() > moves_far:
        worst = f"the root moves by up to {moves.max():.2f} m"
    times = "once" if len(frames) == 1 else f"{len(frames)} times"
    return f"the motion jumps {times}, first at {frames[0] / clip.fps:.2f} s: {worst} within one frame"
