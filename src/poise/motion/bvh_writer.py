"""Writes BVH files, in the dialect a clip was read in or in a plain one."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.files import write_whole
from poise.motion.bvh_header import CHANNELS
from poise.motion.bvh_positions import added_to_offset
from poise.motion.clip import BvhLayout, Clip
from poise.motion.joint_names import usable_names
from poise.motion.skeleton import Skeleton
from poise.rotation import Array

_POSITIONS = CHANNELS[:3]
_PLAIN_ROTATIONS = ("Zrotation", "Yrotation", "Xrotation")
_SAME_ANGLE = 1e-7  # radians; a smaller turn is rounding and needs no channel
_SAME_PLACE = 1e-7  # of the largest coordinate, likewise
_DECIMALS = 8  # degrees, and lengths in any unit that mocap comes in, to far better than 1e-6 of a body


def write(clip: Clip, path: str | Path, decimals: int = _DECIMALS) -> None:
    """Write a clip as it lies (no change of units or axes), in the dialect of its layout, whole or not at all.

    `decimals` of degrees and lengths are kept; fewer make a smaller file.

    Without a layout the root has positions and the order ZYX, other joints ZYX, and positions where bones stretch. A
    channel that the layout lacks but the motion needs is added, so nothing of the motion is lost.
    """
    order = _depth_first(clip.skeleton)
    layout, angles = _fitting_layout(clip)
    rows, offsets = _rows(clip, layout, angles, order)
    lines = _hierarchy(clip.skeleton, order, offsets, layout)
    lines += ["MOTION", f"Frames: {clip.nframes}", f"Frame Time: {1.0 / clip.fps:.10f}"]
    template = " ".join([f"%.{decimals}f"] * rows.shape[1])
    lines += [template % tuple(row) for row in (np.round(rows, decimals) + 0.0).tolist()]  # + 0.0 turns -0 into 0
    write_whole(path, ("\n".join(lines) + "\n").encode())


def _depth_first(skeleton: Skeleton) -> list[int]:
    """Joints in the order a BVH file lists them."""
    order, waiting = [], [0]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting += reversed(skeleton.children(joint))
    return order


def _fitting_layout(clip: Clip) -> tuple[BvhLayout, Array]:
    """The clip's layout, or a plain one, with the channels its motion needs; and all angles (F, J, 3) about x, y, z, degrees."""
    layout, njoints = clip.layout, clip.skeleton.njoints
    if layout is None or len(layout.channels) != njoints:
        plain = (_POSITIONS + _PLAIN_ROTATIONS, *[_PLAIN_ROTATIONS] * (njoints - 1))
        layout = BvhLayout(plain, (False,) * njoints)
    angles = np.empty((clip.nframes, njoints, 3))
    channels = []
    for j, wanted in enumerate(layout.channels):
        missing, angles[:, j] = _turns(clip.rotations[:, j], wanted)
        channels.append((*_missing_positions(clip, j, wanted), *wanted, *missing))
    others_add = any(layout.adds_offset[1:])  # a joint that gets position channels now must not differ from the others
    return BvhLayout(tuple(channels), (layout.adds_offset[0], *[others_add] * (njoints - 1))), angles


def _turns(q: Array, wanted: tuple[str, ...]) -> tuple[tuple[str, ...], Array]:
    """Rotation channels that the rotations (F, 4) need beyond those given, and the angles (F, 3) about x, y, z, degrees."""
    from poise.motion.euler import continuous_angles

    given = tuple(name for name in wanted if name not in _POSITIONS)
    order = given + tuple(name for name in _PLAIN_ROTATIONS if name not in given)
    axes = [CHANNELS.index(name) - 3 for name in order]
    angles = continuous_angles(np.ascontiguousarray(q), *axes)
    needed = np.flatnonzero(np.abs(angles).max(axis=0) > _SAME_ANGLE).max(initial=-1) + 1
    by_axis = np.empty_like(angles)
    by_axis[:, axes] = np.degrees(angles)
    return order[len(given) : needed], by_axis


def _missing_positions(clip: Clip, joint: int, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Position channels that the motion needs beyond those given: all three, or none."""
    away = np.abs(clip.translations[:, joint] - clip.skeleton.offsets[joint]).max(axis=0)
    moving = away > _SAME_PLACE * np.abs(clip.translations).max()
    if all(name in wanted for name, moves in zip(_POSITIONS, moving, strict=True) if moves):
        return ()
    return tuple(name for name in _POSITIONS if name not in wanted)


def _rows(clip: Clip, layout: BvhLayout, angles: Array, order: list[int]) -> tuple[Array, Array]:
    """Channel values (F, C) in file order, and the offsets (J, 3) to write.

    A motion can make a reader mistake positions that replace the offset for added ones, or the other way round (hips that
    replace a standing height but lie on the floor). Such an offset is written as zero, on which both readings agree.
    """
    pairs = [(j, CHANNELS.index(name)) for j in order for name in layout.channels[j]]
    joints, kinds = np.array(pairs, np.int64).reshape(-1, 2).T
    values = np.concatenate([clip.translations, angles], axis=2)
    offsets = clip.skeleton.offsets.copy()
    adds = np.array(layout.adds_offset)
    rows = values[:, joints, kinds]
    moved = (kinds < 3) & adds[joints]
    rows[:, moved] -= offsets[joints[moved], kinds[moved]]
    mistaken = (kinds < 3) & (np.array(added_to_offset(rows, joints, kinds, offsets)) != adds)[joints]
    rows[:, mistaken] = values[:, joints[mistaken], kinds[mistaken]]
    offsets[joints[mistaken], kinds[mistaken]] = 0.0
    return rows, offsets


def _hierarchy(skeleton: Skeleton, order: list[int], offsets: Array, layout: BvhLayout) -> list[str]:
    """The lines from HIERARCHY to the last brace. A chain without a tip gets one of no length, as many readers want one."""
    names = usable_names(skeleton.names)
    tips: dict[int, list[tuple[float, float, float]]] = {j: [(0.0, 0.0, 0.0)] for j in {*order} - {*skeleton.parents}}
    for joint in {joint for joint, _ in skeleton.ends}:
        tips[joint] = [offset for end, offset in skeleton.ends if end == joint]
    lines, still_open = ["HIERARCHY"], []
    for j in order:
        while still_open and still_open[-1] != skeleton.parents[j]:
            still_open.pop()
            lines.append("\t" * len(still_open) + "}")
        deep = "\t" * len(still_open)
        lines += [f"{deep}{'JOINT' if still_open else 'ROOT'} {names[j]}", f"{deep}{{", f"{deep}\t{_offset(offsets[j])}"]
        lines += [f"{deep}\tCHANNELS {' '.join([str(len(layout.channels[j])), *layout.channels[j]])}"]
        for tip in tips.get(j, []):
            lines += [f"{deep}\tEnd Site", f"{deep}\t{{", f"{deep}\t\t{_offset(np.array(tip))}", f"{deep}\t}}"]
        still_open.append(j)
    return lines + ["\t" * depth + "}" for depth in reversed(range(len(still_open)))]


def _offset(offset: Array) -> str:
    x, y, z = np.round(offset, _DECIMALS) + 0.0
    return f"OFFSET {x:.{_DECIMALS}f} {y:.{_DECIMALS}f} {z:.{_DECIMALS}f}"
