"""The topple-free foot: artificial torque on a standing foot beyond what the ground can give, da Silva (13), (14)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.control.bearable import foot_bears
from poise.quaternion import log_of_difference, rotate
from poise.rotation import Array, Mask


@dataclass(frozen=True)
class FallRule:
    """When to give up. The paper gives up at once; gravity alone asks for some 200 Nm in ordinary single stance, so a moment's
    excess is saturated, and only a sustained one is a fall."""

    patience: float = 0.5  # s of sustained excess over thr_max
    forgiveness: float = 0.5  # s of excess forgotten per second without
    damping: float = 2.0  # times the pose damping while falling, so that limbs do not whip


@dataclass(frozen=True)
class FlightRule:
    """Who owns orientation while no foot is down: the pose, and an artificial torque, less than a standing foot may get."""

    rate: float = 12.0  # rad/s of the critically damped spring that turns the body to the reference
    share: float = 0.28  # of the largest help on a standing foot, thr_max - thr_min: the largest torque in flight
    gyration: float = 0.35  # radius of gyration of the body, of the leg length

    def limit(self, thr_min: float, thr_max: float) -> float:
        """The largest artificial torque in flight, Nm."""
        return self.share * (thr_max - thr_min)


@njit(cache=True)
def steady_in_flight(
    airborne: float,
    stiffness: float,
    damping: float,
    limit: float,
    rotation: Array,
    velocity: Array,
    ref_rotation: Array,
    ref_velocity: Array,
    help_: Array,
) -> None:
    """Adds a bounded torque on the root, in proportion to how far the character is airborne (0 to 1), to its help (6,)."""
    qw, qx, qy, qz = rotation
    rw, rx, ry, rz = ref_rotation
    own = log_of_difference(qw, qx, qy, qz, rw, rx, ry, rz)
    error = rotate(qw, qx, qy, qz, own[0], own[1], own[2])
    x = stiffness * error[0] + damping * (ref_velocity[0] - velocity[0])
    y = stiffness * error[1] + damping * (ref_velocity[1] - velocity[1])
    z = stiffness * error[2] + damping * (ref_velocity[2] - velocity[2])
    size = np.sqrt(x * x + y * y + z * z)
    scale = airborne * min(1.0, limit / max(size, 1e-9))
    help_[3] += scale * x
    help_[4] += scale * y
    help_[5] += scale * z


@njit(cache=True)
def compensate(
    torque: Array,
    feet: NDArray[np.int64],
    stance: Mask,
    borne: Array,
    sole: float,
    thr_min: float,
    thr_max: float,
    help_: Array,
) -> float:
    """Writes tau_comp (14) of the standing feet into `help_` (S, 6); returns the largest torque asked of a foot.

    `torque` (S, 3) are the virtual actuators' joint torques; that of a foot's joint is what the foot receives, foot_tau_VA. The
    compensation acts on the foot alone, from outside. What neither help nor the ground can bear would only turn the foot over and
    is cut off the ankle: the ground bears a foot's load `borne` (feet,), newtons, times `sole`, the metres to the sole's edge.
    """
    largest = 0.0
    for f in range(feet.shape[0]):
        k = feet[f]
        for i in range(6):
            help_[k, i] = 0.0
        size = np.sqrt(torque[k, 0] ** 2 + torque[k, 1] ** 2 + torque[k, 2] ** 2)
        most = foot_bears(borne[f], sole, thr_min, thr_max)
        if size > most:
            for i in range(3):
                torque[k, i] *= most / size
        if not stance[f]:
            continue
        largest = max(largest, size)
        beyond = min(size, thr_max) - thr_min
        if beyond > 0.0:
            for i in range(3):
                help_[k, 3 + i] = -beyond * torque[k, i] / min(size, most)
    return largest
