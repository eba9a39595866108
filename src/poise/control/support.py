"""The support supervisor: which feet carry the character, how much each, and where (da Silva section 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.character.character import Character
from poise.quaternion import rotate
from poise.rotation import Array, Mask


@dataclass(frozen=True)
class SupportRule:
    """Times and lengths of the supervisor. Times make the result independent of step size and contact chatter."""

    hold: float = 0.02  # s that a contact counts on after it is lost
    fade: float = 0.05  # s in which shares move to a new stance (the paper's own wish)
    zone: float = 0.15  # m, radius r_z of a foot's support zone, for feet of an adult
    weighing: float = 0.03  # s over which a foot's load is smoothed
    carries: float = 0.3  # of the body weight: a foot with such a load stands, whatever the clip says
    sole: float = 0.1  # m from the middle of the sole to its edge, for feet of an adult
    grip: float = 0.7  # of the vertical force that is asked of the ground: the largest horizontal one,
    held: float = 0.5  # or of what the feet carry now, if that is more
    reserve: float = 1.5  # times the couple that the feet bear now may be asked of them, as loads grow with what is asked


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
    load: Array,
    wanted: Mask,
    use_reference: bool,
    com: Array,
    points: Array,
    dt: float,
    hold: float,
    fade: float,
    zone: float,
    weighing: float,
    heavy: float,
    since: Array,
    borne: Array,
    stance: Mask,
    share: Array,
) -> None:
    """Updates the stance S_C (feet,), shares of the weight, timers `since` the last contact and smoothed loads `borne`, newtons.

    With a reference a foot stands if it touches and the reference wants it to (Fig. 5, left), or if it bears more than `heavy`
    newtons: who is carried by a foot that the clip has in the air must balance on it. Without, it stands if it touches and the
    centre of mass is in its zone or in none (right). If that leaves no foot, any that touches is used: a body that still has
    ground under it, though the clip does not say so, should not stop balancing. Shares follow the centre of mass' projection
    on the line between two standing feet and move smoothly; they sum to one while any foot stands and fade to zero in flight.
    """
    n = contact.shape[0]
    inside_any = False
    for f in range(n):
        since[f] = 0.0 if contact[f] else since[f] + dt
        borne[f] += (1.0 - np.exp(-dt / weighing)) * (load[f] - borne[f])
        dx, dy = com[0] - points[f, 0], com[1] - points[f, 1]
        if since[f] <= hold and dx * dx + dy * dy < zone * zone:
            inside_any = True
    for f in range(n):
        touches = since[f] <= hold
        if use_reference:
            stance[f] = touches and (wanted[f] or borne[f] > heavy)
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
def sole_points(feet: NDArray[np.int64], soles: Array, position: Array, rotation: Array, points: Array) -> None:
    """The middles of the soles in the world (feet, 3)."""
    for f in range(feet.shape[0]):
        k = feet[f]
        arm = rotate(rotation[k, 0], rotation[k, 1], rotation[k, 2], rotation[k, 3], soles[f, 0], soles[f, 1], soles[f, 2])
        for i in range(3):
            points[f, i] = position[k, i] + arm[i]


@njit(cache=True)
def relative_positions(
    part: Array,
    stance: Mask,
    by_reference: bool,
    com: Array,
    support: Array,
    ref_com: Array,
    ref_support: Array,
    relative: Array,
    ref_relative: Array,
) -> None:
    """The centre of mass seen from the support point, horizontally, p_rel of (8), in simulation and reference.

    Like is compared with like: the reference's support point is that of the feet that carry the simulation. Without a clip
    the support point is the mean of the standing feet and the centre of mass belongs above it.
    """
    standing = 0
    for f in range(stance.shape[0]):
        standing += 1 if stance[f] else 0
    for i in range(3):
        relative[i], ref_relative[i] = com[i], ref_com[i] if by_reference or i == 2 else 0.0
        for f in range(stance.shape[0]):
            if by_reference or i == 2:
                relative[i] -= part[f] * support[f, i]
                ref_relative[i] -= part[f] * ref_support[f, i]
            elif standing > 0:
                relative[i] -= support[f, i] / standing if stance[f] else 0.0
        if not by_reference and standing == 0 and i < 2:
            relative[i] = 0.0


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
