"""Biovision hierarchy files (.bvh): `read` for every dialect we met, and `write` (in `bvh_writer`).

A clip comes back in the file's own units and axes. Where the format is silent:

* position channels replace the OFFSET, or are added to it: found from the numbers, see `bvh_positions`;
* all values are one stream, so a row may be wrapped; a file that starts with one row per line must go on so;
* more rows than announced are all read, fewer are an error;
* a frame time of 0 is allowed for a single pose, which then gets 30 frames per second;
* a frame time within 0.01 % of a whole rate means that rate (`.0083333` is 120).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.errors import BadFile
from poise.motion.bvh_header import CHANNELS, Header, read_header
from poise.motion.bvh_positions import Indices, added_to_offset
from poise.motion.bvh_rows import read_rows
from poise.motion.bvh_writer import write
from poise.motion.clip import BvhLayout, Clip
from poise.motion.sampling import whole_rate
from poise.motion.skeleton import Skeleton
from poise.motion.source import line_of, read_text
from poise.rotation import Array

__all__ = ["POSE_FPS", "read", "write"]

POSE_FPS = 30.0  # of a single frame without a frame time
_FRAME_TIME_LIMITS = (1e-5, 10.0)  # seconds; outside of it the number means something else, such as milliseconds


def read(path: str | Path) -> Clip:
    """The clip in a BVH file, in the file's units and axes, with the layout that writes it back in the same dialect."""
    path = Path(path)
    data = read_text(path)
    header = read_header(path, data)
    rows = read_rows(path, data, header)
    joints, kinds = _columns(header)
    offsets = np.array(header.offsets)
    adds = added_to_offset(rows, joints, kinds, offsets)
    rotations, translations = _motion(rows, joints, kinds, offsets, adds)
    ends = tuple((joint, (x, y, z)) for joint, (x, y, z) in header.ends)
    return Clip(
        name=path.stem,
        skeleton=Skeleton(tuple(header.names), tuple(header.parents), offsets, ends),
        rotations=rotations,
        translations=translations,
        fps=_fps(path, data, header, len(rows)),
        layout=BvhLayout(tuple(header.channels), adds),
    )


def _columns(header: Header) -> tuple[Indices, Indices]:
    """For every channel of a row: its joint, and its place in CHANNELS."""
    pairs = [(j, CHANNELS.index(name)) for j, names in enumerate(header.channels) for name in names]
    joints, kinds = np.array(pairs, np.int64).T
    return joints, kinds


def _motion(rows: Array, joints: Indices, kinds: Indices, offsets: Array, adds: tuple[bool, ...]) -> tuple[Array, Array]:
    """Local rotations (F, J, 4) and translations (F, J, 3)."""
    from poise.motion.bvh_numbers import apply_channels

    base = offsets.copy()
    for j, kind in zip(joints, kinds, strict=True):
        if kind < 3 and not adds[j]:
            base[j, kind] = 0.0
    return apply_channels(rows, joints, kinds, base)


def _fps(path: Path, data: bytes, header: Header, nframes: int) -> float:
    """Frames per second, from the frame time."""
    time, line = header.frame_time, line_of(data, header.numbers_at - 1)
    if time == 0.0 and nframes == 1:
        return POSE_FPS
    low, high = _FRAME_TIME_LIMITS
    if not low <= time <= high:
        remedy = "write the seconds between two frames, such as 0.0083333 for 120 per second"
        raise BadFile(path, f"Frame Time {time:g} must lie between {low:g} and {high:g} s; {remedy}", line)
    return whole_rate(1.0 / time)
