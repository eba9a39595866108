"""A row of features inside compiled laws."""

from __future__ import annotations

from numba import njit

from poise.reference.features import LANDING
from poise.rotation import Array


@njit(cache=True)
def feature_parts(row: Array, e: int, s: int) -> tuple[Array, ...]:
    """The quantities of a row of features for e effectors and s segments: what `Features` names, in the same order.

    Root position, rotation, velocity, spin; effector positions, rotations, velocities, spins (not their `landings`); the pose
    to relax into, and its spins; the centre of mass and its velocity.
    """
    a = 13
    b, c, d, end = a + 3 * e, a + 7 * e, a + 10 * e, a + 13 * e
    stop = end + LANDING * e
    return (
        row[0:3], row[3:7], row[7:10], row[10:13],
        row[a:b].reshape(e, 3), row[b:c].reshape(e, 4), row[c:d].reshape(e, 3), row[d:end].reshape(e, 3),
        row[stop : stop + 4 * s].reshape(s, 4), row[stop + 4 * s : stop + 7 * s].reshape(s, 3),
        row[stop + 7 * s : stop + 7 * s + 3], row[stop + 7 * s + 3 :],
    )  # fmt: skip


@njit(cache=True)
def landings(row: Array, e: int) -> Array:
    """What a row of features for e effectors tells about limbs that land (e, LANDING)."""
    return row[13 + 13 * e : 13 + (13 + LANDING) * e].reshape(e, LANDING)
