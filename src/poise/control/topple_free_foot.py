"""The topple-free foot: artificial torque on a standing foot beyond what the ground can give, da Silva (13), (14)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.rotation import Array, Mask


@dataclass(frozen=True)
class FallRule:
    """When to give up. The paper gives up at once; gravity alone asks for some 200 Nm in ordinary single stance, so a moment's
    excess is saturated, and only a sustained one is a fall."""

    patience: float = 0.25  # s of sustained excess over thr_max
    damping: float = 2.0  # times the pose damping while falling, so that limbs do not whip


@njit(cache=True)
def compensate(
    torque: Array, feet: NDArray[np.int64], stance: Mask, thr_min: float, thr_max: float, help_: Array
) -> float:
    """Writes tau_comp (14) of the standing feet into `help_` (S, 6); returns the largest torque that a foot receives.

    `torque` (S, 3) are the virtual actuators' joint torques; that of a foot's joint is what the foot receives, foot_tau_VA. The
    compensation acts on the foot alone, from outside.
    """
    largest = 0.0
    for f in range(feet.shape[0]):
        k = feet[f]
        for i in range(6):
            help_[k, i] = 0.0
        size = np.sqrt(torque[k, 0] ** 2 + torque[k, 1] ** 2 + torque[k, 2] ** 2)
        if not stance[f]:
            continue
        largest = max(largest, size)
        beyond = min(size, thr_max) - thr_min
        if beyond > 0.0:
            for i in range(3):
                help_[k, 3 + i] = -beyond * torque[k, i] / size
    return largest
