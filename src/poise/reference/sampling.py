"""One moment of the reference, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.rotation import Array, Mask


@njit(cache=True)
def target_parts(row: Array, n: int) -> tuple[Array, ...]:
    """The quantities of a target's row for n segments, inside compiled laws: what `Target` names, in the order of `Columns`.

    Joint rotations, rotations, positions, com, joint velocities, angular velocities, velocities, com velocity, angular
    momentum, com acceleration, angular momentum rate. One array costs a law a tenth of the time of eleven.
    """
    a, b, c, d = 8 * n, 11 * n, 11 * n + 3, 20 * n + 3
    return (
        row[: 4 * n].reshape(n, 4), row[4 * n : a].reshape(n, 4), row[a:b].reshape(n, 3), row[b:c],
        row[c : 14 * n + 3].reshape(n, 3), row[14 * n + 3 : 17 * n + 3].reshape(n, 3), row[17 * n + 3 : d].reshape(n, 3),
        row[d : d + 3], row[d + 3 : d + 6], row[d + 6 : d + 9], row[d + 9 : d + 12],
    )  # fmt: skip


@njit(cache=True)
def sample_row(
    table: Array,
    stance: Mask,
    near_stance: Mask,
    fps: float,
    time: float,
    nquaternions: int,
    first_velocity: int,
    row: Array,
    row_stance: Mask,
    row_near: Mask,
) -> None:
    """Interpolates the table at `time` into `row`; quaternions are normalised, velocities stop outside the clip."""
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
        row[first_velocity:] = 0.0
    for q in range(nquaternions):
        i = 4 * q
        norm = np.sqrt(row[i] ** 2 + row[i + 1] ** 2 + row[i + 2] ** 2 + row[i + 3] ** 2)
        for c in range(4):
            row[i + c] /= norm
    nearest = k + 1 if share > 0.5 else k
    for f in range(row_stance.shape[0]):
        row_stance[f] = stance[min(nearest, last), f]
        row_near[f] = near_stance[min(nearest, last), f]
