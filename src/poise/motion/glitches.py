"""Mends jumps: frames in which a joint suddenly looks elsewhere, as solvers of captured markers now and then do.

A jump is a change of a joint's angular velocity from one frame to the next that no muscle and no blow makes. The
frames around it, and all frames between two jumps that are close together, are bridged from the last good frame to the next.
World rotations are bridged, so that a pelvis that flips while its legs stay leaves the legs alone. Hands and feet keep their
rotation relative to arm and leg. What lies before a jump at the very beginning, or after one at the very end, belongs to nothing:
there every joint holds still. Left in, it would be the velocity that a simulation starts with.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise import rotation
from poise.motion.clip import Clip
from poise.motion.travel import travel, with_travel
from poise.rotation import Array, Mask

_TURN_CHANGE = 40.0  # rad/s from one frame to the next: neither muscles nor blows do that to a limb
_MOVE_CHANGE = 5.0  # m/s, of the joint that carries the travel
_EXTREMITY = 0.3  # of the reach from the root: hands, feet, toes and fingers reach less; they do flick, and are let alone
_MARGIN = 0.017  # s to either side of a jump that are bridged too
_TOGETHER = 0.2  # s: what lies between two jumps this close is bridged
_END = 0.05  # s: jumps this close to the beginning or the end cut off what lies beyond them
_LONGEST_SHARE = 0.2  # of a clip: where more than this would be bridged, it is the motion and not a glitch


def mend(clip: Clip) -> tuple[Clip, str | None]:
    """The clip, in metres, with its jumps bridged, and a sentence that says where; the clip itself and None if it has none."""
    if clip.nframes < 5:
        return clip, None
    turn = rotation.continuous(clip.world_rotations)
    spin = rotation.log(rotation.multiply(turn[1:], rotation.conjugate(turn[:-1]))) * clip.fps
    place, _ = travel(clip)
    speed = np.diff(place, axis=0) * clip.fps
    bad = np.stack([_bad_frames(spin[:, j], _TURN_CHANGE, clip.fps) for j in range(spin.shape[1])], axis=1)
    ends = np.stack([_bad_ends(spin[:, j], _TURN_CHANGE, clip.fps) for j in range(spin.shape[1])], axis=1)
    free = _carries(clip) | ends
    bad = (bad & free) | ends
    bad_root = _bad_frames(speed, _MOVE_CHANGE, clip.fps) | _bad_ends(speed, _MOVE_CHANGE, clip.fps)
    bridged = bad.any(axis=1) | bad_root
    if not bridged.any():
        return clip, None
    for j in np.flatnonzero(bad.any(axis=0)):
        turn[:, j] = bridge_turns(turn[:, j], bad[:, j])
    rotations = clip.rotations.copy()
    changed = bridged[:, None] & free
    rotations[changed] = _local(clip, turn)[changed]
    mended = clip.with_(rotations=rotations)
    if bad_root.any():
        mended = with_travel(mended, _bridge(place, bad_root), travel(mended)[1])
    return mended, _sentence(bridged, clip.fps)


def _sentence(bridged: Mask, fps: float) -> str:
    starts = np.flatnonzero(np.diff(np.concatenate([[False], bridged]).astype(int)) == 1) / fps
    where = f"at {starts[0]:.2f} s" if len(starts) == 1 else f"{len(starts)} times, first at {starts[0]:.2f} s"
    return f"mended the motion where it jumps, {where} (--keep-jumps)"


def _bad_frames(velocity: Array, limit: float, fps: float) -> Mask:
    """Frames (F,) to bridge, from the velocities (F - 1, 3) between frames: those at or between sudden changes."""
    bad = np.zeros(len(velocity) + 1, bool)
    jumps = _jumps(velocity, limit)
    margin, together = max(1, round(_MARGIN * fps)), round(_TOGETHER * fps)
    for n, k in enumerate(jumps):
        first = jumps[n - 1] if n and k - jumps[n - 1] <= together else k
        bad[max(1, first - margin) : min(len(bad) - 1, k + margin + 1)] = True
    return bad if bad.mean() <= _LONGEST_SHARE else np.zeros_like(bad)


def _bad_ends(velocity: Array, limit: float, fps: float) -> Mask:
    """Frames (F,) up to a sudden change just after the beginning, and from one just before the end."""
    bad = np.zeros(len(velocity) + 1, bool)
    jumps, margin, close = _jumps(velocity, limit), max(1, round(_MARGIN * fps)), max(1, round(_END * fps))
    if len(jumps) > _LONGEST_SHARE * len(velocity):
        return bad
    for k in jumps[jumps <= close]:
        bad[: k + margin + 1] = True
    for k in jumps[jumps >= len(velocity) - close]:
        bad[k - margin :] = True
    return bad if bad.mean() <= _LONGEST_SHARE else np.zeros_like(bad)


def _jumps(velocity: Array, limit: float) -> NDArray[np.int64]:
    """The frames at which the velocity (F - 1, 3) changes by more than the limit."""
    return np.flatnonzero(np.linalg.norm(np.diff(velocity, axis=0), axis=-1) > limit) + 1


def _carries(clip: Clip) -> Mask:
    """Joints (J,) with more below them than a hand or a foot."""
    position, ends = clip.world_positions[0], clip.end_positions()[0]
    tips = [*enumerate(position), *((joint, ends[e]) for e, (joint, _) in enumerate(clip.skeleton.ends))]
    reach = np.zeros(clip.skeleton.njoints)
    for joint, tip in tips:
        for above in (joint, *clip.skeleton.ancestors(joint)):
            reach[above] = max(reach[above], float(np.linalg.norm(tip - position[above])))
    return reach > _EXTREMITY * reach.max()


def bridge_turns(turn: Array, bad: Mask) -> Array:
    """Rotations (F, 4) with the bad frames turned evenly from the last good one to the next."""
    good = np.flatnonzero(~bad)
    frames = np.arange(len(turn))
    before = good[np.maximum(np.searchsorted(good, frames, side="right") - 1, 0)]
    after = good[np.minimum(np.searchsorted(good, frames, side="left"), len(good) - 1)]
    share = np.clip((frames - before) / np.maximum(after - before, 1), 0.0, 1.0)
    return rotation.slerp(turn[before], turn[after], share)


def _bridge(values: Array, bad: Mask) -> Array:
    good = np.flatnonzero(~bad)
    return np.stack([np.interp(np.arange(len(values)), good, values[good, i]) for i in range(values.shape[1])], axis=1)


def _local(clip: Clip, turn: Array) -> Array:
    """Rotations relative to the parent from world rotations (F, J, 4)."""
    parents = np.array(clip.skeleton.parents[1:])
    below = rotation.multiply(rotation.conjugate(turn[:, parents]), turn[:, 1:])
    return rotation.normalize(np.concatenate([turn[:, :1], below], axis=1))
