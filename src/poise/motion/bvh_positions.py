"""Whether a BVH file's position channels replace a joint's OFFSET or are added to it. The format does not say."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.rotation import Array

Indices = NDArray[np.int64]

# Replaced offsets show up in the channels as the offset itself (share 1), added ones as displacements (share 0). The limit
# is low because hips that replace a standing height can lie at a fifth of it all the clip long, and because replacing is
# much more common.
_ADDED_BELOW = 0.1


def added_to_offset(rows: Array, joints: Indices, kinds: Indices, offsets: Array) -> tuple[bool, ...]:
    """For every joint: are its positions, in rows (F, C), added to its offset (J, 3)? See `apply_channels` for joints and kinds.

    Decided once for the root and once for all other joints together: one exporter wrote them all.
    """
    positioned = np.unique(joints[kinds < 3])
    adds = [False] * len(offsets)
    for group in (positioned[positioned == 0], positioned[positioned > 0]):
        shares = [_share_of_offset(rows, joints, kinds, offsets, int(j)) for j in group]
        known = [share for share in shares if share is not None]
        for j in group:
            adds[j] = bool(known) and float(np.median(known)) < _ADDED_BELOW
    return tuple(adds)


def _share_of_offset(rows: Array, joints: Indices, kinds: Indices, offsets: Array, joint: int) -> float | None:
    """How much of a joint's offset is in its position channels, along the axis that travels least against its offset."""
    columns = np.flatnonzero((joints == joint) & (kinds < 3))
    offset = offsets[joint][kinds[columns]]
    columns, offset = columns[offset != 0.0], offset[offset != 0.0]
    if not len(columns):
        return None
    values = rows[:, columns]
    travel = values.max(axis=0) - values.min(axis=0)
    # A share of the largest offset keeps tiny offsets from being chosen because they do not travel at all.
    best = np.argmin((travel + 0.01 * np.abs(offset).max()) / np.abs(offset))
    return float(np.median(values[:, best]) / offset[best])
