"""What the residual wrench costs: much while the root is about where it is asked to be, less as it goes astray; compiled.

A body that is late needs no help, only one that would be lost. With one price for both, most of the help went to moments such
as a kick, in which the ground's forces were used up for an instant and the root was a centimetre away.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from poise.control.limbs.weights import Weights
from poise.rotation import Array


class Price(NamedTuple):
    """W_r^-1 (6,) while the root is near and when it is far, and what near and far mean, metres."""

    near_leeway: Array
    far_leeway: Array
    near: float
    far: float


def price_of(weights: Weights, weight: float, leg: float, *, by_hand: bool) -> Price:
    """The price for a body of that weight, newtons, on support limbs of that length, metres.

    In real contacts (not `by_hand`) it is the lower one everywhere: they never do quite what was planned, and a body that
    stands still came to lean as far away as help was dear.
    """
    units = np.array([1.0] * 3 + [leg**2] * 3) * weight**2 / weights.w_max
    near = weights.residual if by_hand else weights.residual_astray
    return Price(units / near, units / weights.residual_astray, *weights.astray)


@njit(cache=True)
def leeway(price: Price, away: float, result: Array) -> None:
    """The diagonal of W_r^-1 (6,) when the root is so many metres away from where it is asked to be."""
    share = min(max((away - price.near) / (price.far - price.near), 0.0), 1.0)
    share *= share * (3.0 - 2.0 * share)
    for i in range(6):
        result[i] = price.near_leeway[i] + share * (price.far_leeway[i] - price.near_leeway[i])
