"""The support supervisor: which feet carry the character, how much each, and where (da Silva section 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.character.character import Character
from poise.rotation import Array, Mask


@dataclass(frozen=True)
class SupportRule:
    """Times and lengths of the supervisor. Times make the result independent of step size and contact chatter."""

    hold: float = 0.02  # s that a contact counts on after it is lost
    fade: float = 0.05  # s in which shares move to a new stance (the paper's own wish)
    zone: float = 0.15  # m, radius r_z of a foot's support zone, for feet of an adult


def legs_of(character: Character) -> NDArray[np.int64]:
    """For each segment the foot (0, 1 …) at the end of its leg, -1 where it is on no leg or on several."""
    leg = np.full(character.nsegments, -1, np.int64)
    shared = np.zeros(character.nsegments, bool)
    for f, foot in enumerate(character.feet):
        k = character.index(foot)
        while k > 0:
            shared[k] |= leg[k] >= 0
            leg[k] = f
            k = character.parents[k]
    leg[shared] = -1
    return leg


@njit(cache=True)
def find_support(
    contact: Mask,
    wanted: Mask,
    use_reference: bool,
    com: Array,
    points: Array,
    dt: float,
    hold: float,
    fade: float,
    zone: float,
    since: Array,
    stance: Mask,
    share: Array,
) -> None:
    """Updates the stance S_C (feet,), the shares of the weight and the timers `since` the last contact.

    With a reference a foot stands if it touches and the reference wants it to (Fig. 5, left); without, if it touches and the
    centre of mass is in its zone or in none (right). If that leaves no foot, any that touches is used: a body that still has
    ground under it, though the clip does not say so, should not stop balancing. Shares follow the centre of mass' projection
    on the line between two standing feet and move smoothly; they sum to one while any foot stands and fade to zero in flight.
    """
    n = contact.shape[0]
    inside_any = False
    for f in range(n):
        since[f] = 0.0 if contact[f] else since[f] + dt
        dx, dy = com[0] - points[f, 0], com[1] - points[f, 1]
        if since[f] <= hold and dx * dx + dy * dy < zone * zone:
            inside_any = True
    for f in range(n):
        touches = since[f] <= hold
        if use_reference:
            stance[f] = touches and wanted[f]
        else:
            dx, dy = com[0] - points[f, 0], com[1] - points[f, 1]
            stance[f] = touches and (not inside_any or dx * dx + dy * dy < zone * zone)
    if not stance.any():
        for f in range(n):
            stance[f] = since[f] <= hold
    ideal = _ideal_shares(stance, com, points)
    rate = 1.0 - np.exp(-dt / fade)
    for f in range(n):
        share[f] += rate * (ideal[f] - share[f])


@njit(cache=True)
def _ideal_shares(stance: Mask, com: Array, points: Array) -> Array:
    n = stance.shape[0]
    ideal = np.zeros(n)
    standing = 0
    for f in range(n):
        standing += 1 if stance[f] else 0
    if n == 2 and standing == 2:
        dx, dy = points[1, 0] - points[0, 0], points[1, 1] - points[0, 1]
        length = dx * dx + dy * dy
        along = 0.5
        if length > 1e-6:
            along = ((com[0] - points[0, 0]) * dx + (com[1] - points[0, 1]) * dy) / length
        along = min(max(along, 0.0), 1.0)
        ideal[0], ideal[1] = 1.0 - along, along
        return ideal
    for f in range(n):
        if stance[f]:
            ideal[f] = 1.0 / standing
    return ideal
