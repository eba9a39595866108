"""One moment of the reference, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.pinned import views
from poise.rotation import Array, Mask

LAYOUT = "f2 b2 b2 f1 b1 b1"  # of the arrays of `sample_row`, in order


@njit(cache=True)
def sample_pinned(where: NDArray[np.int64], fps: float, time: float) -> None:
    """`sample_row` with its arrays handed over by address."""
    sample_row(fps, time, *views(where, LAYOUT))


@njit(cache=True)
def sample_row(
    fps: float,
    time: float,
    table: Array,
    stance: Mask,
    near_stance: Mask,
    row: Array,
    row_stance: Mask,
    row_near: Mask,
) -> None:
    """Interpolates the table at `time` into `row`; quaternions are normalised, velocities stop outside the clip."""
    nsegments = (row.shape[0] - 15) // 20
    last = table.shape[0] - 1
    place = time * fps
    inside = 0.0 <= place <= last and last > 0
    place = min(max(place, 0.0), float(last))
    k = min(int(place), max(last - 1, 0))
    share = place - k
    after = table[min(k + 1, last)]
    before = table[k]
    for i in range(row.shape[0]):
        row[i] = before[i] + share * (after[i] - before[i])
    if not inside:
        row[11 * nsegments + 3 :] = 0.0
    for q in range(2 * nsegments):
        i = 4 * q
        norm = np.sqrt(row[i] ** 2 + row[i + 1] ** 2 + row[i + 2] ** 2 + row[i + 3] ** 2)
        for c in range(4):
            row[i + c] /= norm
    nearest = k + 1 if share > 0.5 else k
    for f in range(row_stance.shape[0]):
        row_stance[f] = stance[min(nearest, last), f]
        row_near[f] = near_stance[min(nearest, last), f]
