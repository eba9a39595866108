"""Cutting, turning, looping and joining clips: pure functions from clip to clip.

They take tidied clips (metres, Z up). An edited clip keeps its skeleton, layout and placement; a pose that `tidy` took off the
front (`lead_in`) is dropped, since it belongs to the file and not to the edited motion.
"""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.errors import BadInput
from poise.motion.clip import Clip
from poise.motion.mirror import mirror
from poise.motion.resample import resample
from poise.motion.sampling import FRAME_LIMIT
from poise.motion.travel import moved, pelvis, travel
from poise.rotation import Array

__all__ = ["blend", "cut", "loop", "mirror", "resample", "turn"]

_SAME_OFFSET_M = 0.001
_SLOPE_SECONDS = 0.03  # over which the speeds at a seam are measured


def cut(clip: Clip, start: float, end: float) -> Clip:
    """The part from start to end, seconds, both frames included; two cuts that meet share the frame where they meet."""
    if not 0.0 <= start <= end <= clip.duration + 0.5 / clip.fps:
        raise BadInput(f"cut from {start:g} to {end:g} s must lie in order within 0 and {clip.duration:.3f} s")
    return _frames(clip, round(start * clip.fps), min(round(end * clip.fps), clip.nframes - 1) + 1)


def turn(clip: Clip, degrees: float) -> Clip:
    """The clip turned about the vertical through the place where it starts, counter-clockwise seen from above."""
    if not np.isfinite(degrees):
        raise BadInput(f"turn by {degrees} degrees must be a finite number")
    angle = np.radians(degrees)
    start = travel(clip)[0][0]
    return moved(clip, angle, start - rotation.rotate(rotation.about_z(angle), start)).with_(lead_in=None)


def loop(clip: Clip, times: int, blend_s: float = 0.2) -> Clip:
    """The clip played several times in a row; travel and heading go on from cycle to cycle.

    The last frame of a cycle is the first of the next. What differs between them is blended out during the first
    `blend_s` seconds of the next cycle.
    """
    if times < 1 or times * clip.nframes > FRAME_LIMIT:
        raise BadInput(f"loop {times} times must lie between 1 and {FRAME_LIMIT // clip.nframes} for {clip.nframes} frames")
    parts = [clip]
    for _ in range(times - 1):
        parts.append(_continued(parts[-1], clip, blend_s))
    return _joined(parts)


def blend(a: Clip, b: Clip, seconds: float = 0.3) -> Clip:
    """Clip a, then clip b from where a ends, in the direction in which a ends, at a's frame rate.

    The first frame of b falls on the last of a; what differs is blended out during the first seconds of b.
    """
    _check_same_skeleton(a, b)
    return _joined([a, _continued(a, resample(b, a.fps), seconds)])


def _frames(clip: Clip, start: int, stop: int) -> Clip:
    return clip.with_(rotations=clip.rotations[start:stop], translations=clip.translations[start:stop], lead_in=None)


def _joined(parts: list[Clip]) -> Clip:
    """Clips in a row; the first frame of each but the first is left out, it is the last of the one before."""
    return parts[0].with_(
        rotations=np.concatenate([parts[0].rotations, *(part.rotations[1:] for part in parts[1:])]),
        translations=np.concatenate([parts[0].translations, *(part.translations[1:] for part in parts[1:])]),
        lead_in=None,
    )


def _continued(a: Clip, b: Clip, seconds: float) -> Clip:
    """Clip b, moved and turned so that its start fits the end of a, and with what still differs blended out."""
    if not 0.0 <= seconds <= b.duration:
        raise BadInput(f"a blend of {seconds:g} s must lie between 0 and the clip's {b.duration:.3f} s")
    b = _aligned(a, b)
    gap = rotation.log(rotation.multiply(a.rotations[-1], rotation.conjugate(b.rotations[0])))
    rotations_gap = _faded(gap, _turning(a, -1) - _turning(b, 0), b, seconds)
    gap = a.translations[-1] - b.translations[0]
    translations_gap = _faded(gap, _moving(a, -1) - _moving(b, 0), b, seconds)
    return b.with_(
        rotations=rotation.normalize(rotation.multiply(rotation.exp(rotations_gap), b.rotations)),
        translations=b.translations + translations_gap,
    )


def _aligned(a: Clip, b: Clip) -> Clip:
    """Clip b with its pelvis, in its first frame, at the place and heading where a's last frame has it."""
    joint = pelvis(a.skeleton)
    between = rotation.multiply(a.world_rotations[-1, joint], rotation.conjugate(b.world_rotations[0, joint]))
    angle = 2.0 * np.arctan2(between[3], between[0])  # the part of the turn that is about the vertical
    shift = a.world_positions[-1, joint] - rotation.rotate(rotation.about_z(angle), b.world_positions[0, joint])
    return moved(b, angle, shift * [1.0, 1.0, 0.0])


def _faded(gap: Array, step: Array, clip: Clip, seconds: float) -> Array:
    """A difference in value and in step per frame (J, 3) that fades to nothing within some seconds, over the clip (F, J, 3)."""
    n = max(round(seconds * clip.fps), 1)
    s = np.minimum(np.arange(clip.nframes) / n, 1.0)[:, None, None]
    return (1.0 - s) ** 2 * ((1.0 + 2.0 * s) * gap + n * s * step)


def _turning(clip: Clip, frame: int) -> Array:
    """Rotation vectors per frame (J, 3), in the parents' frames, at the first (0) or last (-1) frame."""
    start, stop = _end_frames(clip, frame)
    turned = rotation.log(rotation.multiply(clip.rotations[stop], rotation.conjugate(clip.rotations[start])))
    return turned / max(stop - start, 1)


def _moving(clip: Clip, frame: int) -> Array:
    """Steps per frame (J, 3) at the first (0) or last (-1) frame."""
    start, stop = _end_frames(clip, frame)
    return (clip.translations[stop] - clip.translations[start]) / max(stop - start, 1)


def _end_frames(clip: Clip, frame: int) -> tuple[int, int]:
    """First and last frame of a short stretch at either end; one step alone would be noise."""
    width = min(max(round(_SLOPE_SECONDS * clip.fps), 1), clip.nframes - 1)
    return (0, width) if frame == 0 else (clip.nframes - 1 - width, clip.nframes - 1)


def _check_same_skeleton(a: Clip, b: Clip) -> None:
    if a.skeleton.names != b.skeleton.names or a.skeleton.parents != b.skeleton.parents:
        raise BadInput(f"cannot blend '{a.name}' and '{b.name}': their skeletons have other joints; retarget one of them first")
    apart = np.linalg.norm(a.skeleton.offsets - b.skeleton.offsets, axis=-1)[1:]
    if apart.size and apart.max() > _SAME_OFFSET_M:
        joint = a.skeleton.names[1 + int(np.argmax(apart))]
        raise BadInput(
            f"cannot blend '{a.name}' and '{b.name}': joint '{joint}' sits {apart.max():.3f} m apart in their skeletons, "
            f"the limit is {_SAME_OFFSET_M}; retarget one of them first"
        )
