"""Whether a BVH file's position channels replace a joint's OFFSET or are added to it. The format does not say."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.rotation import Array

Indices = NDArray[np.int64]

# A replaced offset shows up in the channels as itself (share 1), an added one as a displacement (share 0).
_IS_THE_OFFSET = (0.5, 1.5)
# Low, because hips that replace a standing height can lie at a fifth of it all the clip long, and because replacing is
# much more common. A mistake about the root moves the whole clip, by a constant.
_ADDED_BELOW = 0.1
_TOO_SMALL = 0.1  # of the joint's largest offset: along such an axis nothing can be told


def added_to_offset(rows: Array, joints: Indices, kinds: Indices, offsets: Array) -> tuple[bool, ...]:
    """For every joint: are its positions, in rows (F, C), added to its offset (J, 3)? See `apply_channels` for joints and kinds.

    Decided once for the root and once for all other joints together, by majority: one exporter wrote them all.
    """
    positioned = np.unique(joints[kinds < 3])
    adds = [False] * len(offsets)
    for group in (positioned[positioned == 0], positioned[positioned > 0]):
        votes = [_looks_added(rows, joints, kinds, offsets, int(j)) for j in group]
        added = votes.count(True) > votes.count(False)
        for j in group:
            adds[j] = added
    return tuple(adds)


def _looks_added(rows: Array, joints: Indices, kinds: Indices, offsets: Array, joint: int) -> bool | None:
    """One joint's vote: no if its offset shows up along any axis, or partly along the stillest; None if it has no offset."""
    columns = np.flatnonzero((joints == joint) & (kinds < 3))
    offset = offsets[joint][kinds[columns]]
    telling = np.abs(offset) > _TOO_SMALL * np.abs(offset).max(initial=0.0)
    columns, offset = columns[telling], offset[telling]
    if not len(columns):
        return None
    values = rows[:, columns]
    shares = np.median(values, axis=0) / offset
    low, high = _IS_THE_OFFSET
    if ((low < shares) & (shares < high)).any():
        return False
    return bool(shares[np.argmin(np.ptp(values, axis=0) / np.abs(offset))] < _ADDED_BELOW)
