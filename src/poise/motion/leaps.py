"""Takes out leaps: moments at which the whole body is suddenly somewhere else and goes on from there.

Takes that were joined without being put together leap, and so do trackers that lose their way. No bridge helps there: over a
few frames a hundred metres are faster than anything. What follows a leap is moved back to where the motion before was going.
A body that is somewhere else for a moment only, and then back, is a glitch (`glitches`).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from poise.motion.clip import Clip
from poise.motion.travel import travel, with_travel
from poise.rotation import Array

_FAST = 15.0  # m/s beside the motion around it: no body is carried so fast
_FAR = 0.3  # m: what is less is noise
_TOGETHER = 0.2  # s: jumps this close are one, and may cancel
_MOST = 0.1  # of the steps: where more of them are jumps, it is the motion


def rejoin(clip: Clip) -> tuple[Clip, str | None]:
    """The clip, in metres, without its leaps, and a sentence that tells of them; the clip itself and None if it has none."""
    place, turn = travel(clip)
    leaps = _leaps(place, clip.fps)
    if not leaps:
        return clip, None
    place = place.copy()
    for frame, way in leaps:
        place[frame:] -= way
    farthest = max(float(np.linalg.norm(way)) for _, way in leaps)
    times = "once" if len(leaps) == 1 else f"{len(leaps)} times"
    where = f"the body leaps {times}, first at {leaps[0][0] / clip.fps:.2f} s, by up to {farthest:.2f} m within one frame"
    return with_travel(clip, place, turn), f"{where}; what follows was moved back to go on from there (--keep-jumps)"


def _leaps(place: Array, fps: float) -> list[tuple[int, Array]]:
    """Frames from which on a path (F, 3) is displaced, and by how much."""
    extra = _unexpected(np.diff(place, axis=0))
    jumps = np.flatnonzero(np.linalg.norm(extra, axis=-1) > max(_FAR, _FAST / fps))
    if len(jumps) > max(2.0, _MOST * len(extra)):
        return []
    starts = [0, *(n + 1 for n, (a, b) in enumerate(pairwise(jumps)) if b - a > _TOGETHER * fps), len(jumps)]
    found = [(int(jumps[b - 1]) + 1, extra[jumps[a:b]].sum(axis=0)) for a, b in pairwise(starts) if b > a]
    return [(frame, way) for frame, way in found if np.linalg.norm(way) > _FAR]


def _unexpected(steps: Array) -> Array:
    """Steps (F - 1, 3) less the usual step of the moment: the median of five."""
    if len(steps) < 5:
        return np.zeros_like(steps)
    padded = np.pad(steps, ((2, 2), (0, 0)), mode="edge")
    return steps - np.median(np.lib.stride_tricks.sliding_window_view(padded, 5, axis=0), axis=-1)
