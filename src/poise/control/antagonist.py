"""Antagonist control of single-axis joints: two springs that pull against each other (Geijtenbeek et al. 3.1.2)."""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.character import anthropometry
from poise.character.character import Character
from poise.rotation import Array, log

HINGES = ("forearm", "shin")  # kinds of segments that bend about one axis, their own y
_WIDEST = np.radians(150.0)  # where a joint without limits has its set points


def set_points(character: Character) -> Array:
    """The angles (S, 2), radians, about the segment's y axis at which the two springs rest: either joint limit, (13).

    Segments that are no hinge have none: both angles are zero.
    """
    points = np.zeros((character.nsegments, 2))
    for k, segment in enumerate(character.segments):
        if k == 0 or anthropometry.kind(segment.name) not in HINGES:
            continue
        if segment.limit is None:
            points[k] = -_WIDEST, _WIDEST
        else:
            middle, reach = log(segment.limit.center)[1], np.radians(segment.limit.angle_deg)
            points[k] = middle - reach, middle + reach
    return points


@njit(cache=True)
def antagonist(angle: float, wanted: float, low: float, high: float, tension: float, load: float) -> float:
    """k_L (low - angle) + k_R (high - angle), (13) without damping: Nm of two springs that together give `load` at `wanted`.

    (14) leaves one free choice on the line of k_L and k_R: their sum, the tension, Nm/rad. Springs only pull, so where the
    load asks for a spring that would push, the tension grows until that one is slack.
    """
    wanted = min(max(wanted, low + 1e-3), high - 1e-3)
    k_low = (tension * (high - wanted) - load) / (high - low)
    k_high = tension - k_low
    if k_low < 0.0:
        k_low, k_high = 0.0, load / (high - wanted)
    elif k_high < 0.0:
        k_low, k_high = load / (low - wanted), 0.0
    return k_low * (low - angle) + k_high * (high - angle)
