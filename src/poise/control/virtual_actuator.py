"""Virtual actuators: a force and a torque at the centre of mass, made by the joints (da Silva 3.2, appendix B).

The paper's J_com^T w, re-rooted at the standing feet, is computed here in one pass over the tree, without a matrix: every
link gets its share of the wrench, shares are summed over subtrees, and joints of a standing leg get what is left for the rest
of the body, with the opposite sign. `com_jacobian` has the matrix, as a readable reference that this is tested against.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.quaternion import log_of_difference, rotate
from poise.rotation import Array


@dataclass(frozen=True)
class ActuatorGains:
    """Gains of the virtual actuators for a 72 kg adult; scaled by mass (forces) and by mass times leg squared (torques).

    Chosen among dozens of variants on the CMU clips and on pushes; docs/balance.md tells how.
    """

    force_stiffness: float = 1000.0  # k_fp of (8), N/m
    force_damping: float = 300.0  # k_fd of (8), N s/m
    height_stiffness: float = 1500.0  # the same for the height, which the paper leaves to the pose control, N/m
    height_damping: float = 400.0  # N s/m
    ahead: float = 1.0  # share of the reference's own momentum rates that is added ahead of any error
    momentum: float = 6.0  # k_L of (10), 1/s
    turn_stiffness: float = 300.0  # k_tp of (12), Nm/rad
    turn_damping: float = 30.0  # k_td of (12), Nm s/rad


@dataclass(frozen=True)
class Terms:
    """Switches of the single terms, for the paper's ablation (section 6, virtual control terms)."""

    force: bool = True  # f_control of (7)
    gravity: bool = True  # f_g of (7)
    momentum: bool = True  # tau_control of (9)
    orientation: bool = True  # tau_orient of (9)


@njit(cache=True)
def virtual_wrench(
    gains: Array,
    gravity: float,
    relative: Array,
    com_velocity: Array,
    angular_momentum: Array,
    chest_rotation: Array,
    chest_velocity: Array,
    ref_relative: Array,
    ref_com_velocity: Array,
    ref_angular_momentum: Array,
    ref_chest_rotation: Array,
    ref_chest_velocity: Array,
    ref_com_acceleration: Array,
    ref_momentum_rate: Array,
    ahead: float,
    wrench: Array,
) -> None:
    """The virtual force (7), (8) and torque (9), (10), (12) into `wrench`.

    `relative` is the centre of mass seen from the support point. `gains` are k_fp, k_fd, k_L, k_tp, k_td, those of the height,
    and the mass and share with which the reference's own accelerations are added; `ahead` is 0 where they must not be.
    """
    for i in range(3):
        kp, kd = (gains[0], gains[1]) if i < 2 else (gains[5], gains[6])
        pull = kp * (ref_relative[i] - relative[i]) + kd * (ref_com_velocity[i] - com_velocity[i])
        wrench[i] = pull + ahead * gains[7] * ref_com_acceleration[i]
    wrench[2] = max(wrench[2] + gravity, 0.0)  # the ground does not pull
    qw, qx, qy, qz = chest_rotation
    rw, rx, ry, rz = ref_chest_rotation
    own = log_of_difference(qw, qx, qy, qz, rw, rx, ry, rz)
    error = rotate(qw, qx, qy, qz, own[0], own[1], own[2])
    for i in range(3):
        orient = gains[3] * error[i] + gains[4] * (ref_chest_velocity[i] - chest_velocity[i])
        momentum = gains[2] * (ref_angular_momentum[i] - angular_momentum[i]) + ahead * gains[8] * ref_momentum_rate[i]
        wrench[3 + i] = momentum + orient


@njit(cache=True)
def actuate(
    wrench: Array,
    share: Array,
    support: Array,
    parents: NDArray[np.int64],
    leg_of: NDArray[np.int64],
    mass: Array,
    inertia: Array,
    inertia_turn: Array,
    anchor: Array,
    link_com: Array,
    com: Array,
    subtree: Array,
    torque: Array,
) -> None:
    """Joint torques (S, 3), world frame, that act like `wrench` (force, torque) at the centre of mass, da Silva (4).

    `share` (feet,) is the part of the weight that each standing foot takes, summing to one (or less while support fades in);
    foot i carries the force share_i f at `support[i]`, its own point of support, and the same share of the couple that is then
    left. `leg_of` (S,) tells which foot a joint leads to, -1 for none. `subtree` (S, 6) is working memory. torque[0] stays 0.
    """
    n = parents.shape[0]
    total = 0.0
    whole = np.zeros((3, 3))  # composite inertia about the centre of mass, (B.6)
    for k in range(n):
        m = mass[k]
        total += m
        rx, ry, rz = link_com[k, 0] - com[0], link_com[k, 1] - com[1], link_com[k, 2] - com[2]
        whole[0, 0] += m * (ry * ry + rz * rz)
        whole[1, 1] += m * (rx * rx + rz * rz)
        whole[2, 2] += m * (rx * rx + ry * ry)
        whole[0, 1] -= m * rx * ry
        whole[0, 2] -= m * rx * rz
        whole[1, 2] -= m * ry * rz
        turn = inertia_turn[k]
        for a in range(3):
            for i in range(3):
                for j in range(i, 3):
                    whole[i, j] += inertia[k, a] * turn[i, a] * turn[j, a]
    wx, wy, wz = _solve_symmetric(whole, wrench[3], wrench[4], wrench[5])
    ax, ay, az = wrench[0] / total, wrench[1] / total, wrench[2] / total
    # Each link's share of the wrench about the centre of mass: what it takes to give it the common acceleration.
    for k in range(n):
        m = mass[k]
        rx, ry, rz = link_com[k, 0] - com[0], link_com[k, 1] - com[1], link_com[k, 2] - com[2]
        fx = m * (ax + wy * rz - wz * ry)
        fy = m * (ay + wz * rx - wx * rz)
        fz = m * (az + wx * ry - wy * rx)
        subtree[k, 0], subtree[k, 1], subtree[k, 2] = fx, fy, fz
        subtree[k, 3], subtree[k, 4], subtree[k, 5] = ry * fz - rz * fy, rz * fx - rx * fz, rx * fy - ry * fx
        turn = inertia_turn[k]
        for a in range(3):
            spin = inertia[k, a] * (turn[0, a] * wx + turn[1, a] * wy + turn[2, a] * wz)
            for i in range(3):
                subtree[k, 3 + i] += spin * turn[i, a]
    for k in range(n - 1, 0, -1):
        for i in range(6):
            subtree[parents[k], i] += subtree[k, i]
    left = _couple_left(wrench, share, support, com)
    torque[0] = 0.0
    for k in range(1, n):
        fx, fy, fz = subtree[k, 0], subtree[k, 1], subtree[k, 2]
        nx, ny, nz = subtree[k, 3], subtree[k, 4], subtree[k, 5]
        foot = leg_of[k]
        if foot >= 0 and share[foot] > 0.0:
            s = share[foot]
            gx, gy, gz = s * wrench[0], s * wrench[1], s * wrench[2]
            px, py, pz = support[foot, 0] - com[0], support[foot, 1] - com[1], support[foot, 2] - com[2]
            fx, fy, fz = fx - gx, fy - gy, fz - gz
            nx -= py * gz - pz * gy + s * left[0]
            ny -= pz * gx - px * gz + s * left[1]
            nz -= px * gy - py * gx + s * left[2]
        rx, ry, rz = anchor[k, 0] - com[0], anchor[k, 1] - com[1], anchor[k, 2] - com[2]
        torque[k, 0] = nx - (ry * fz - rz * fy)
        torque[k, 1] = ny - (rz * fx - rx * fz)
        torque[k, 2] = nz - (rx * fy - ry * fx)


@njit(cache=True)
def _couple_left(wrench: Array, share: Array, support: Array, com: Array) -> tuple[float, float, float]:
    """The torque that remains when the feet carry the force at their points of support."""
    x, y, z, carried = wrench[3], wrench[4], wrench[5], 0.0
    for f in range(share.shape[0]):
        s = share[f]
        carried += s
        px, py, pz = support[f, 0] - com[0], support[f, 1] - com[1], support[f, 2] - com[2]
        x -= s * (py * wrench[2] - pz * wrench[1])
        y -= s * (pz * wrench[0] - px * wrench[2])
        z -= s * (px * wrench[1] - py * wrench[0])
    if carried < 1e-9:
        return 0.0, 0.0, 0.0
    return x, y, z


@njit(cache=True)
def _solve_symmetric(m: Array, bx: float, by: float, bz: float) -> tuple[float, float, float]:
    """x of m x = b for a positive symmetric 3 x 3 matrix whose upper half is given."""
    a, b, c, d, e, f = m[0, 0], m[0, 1], m[0, 2], m[1, 1], m[1, 2], m[2, 2]
    p, q, r = d * f - e * e, c * e - b * f, b * e - c * d
    det = a * p + b * q + c * r
    x = p * bx + q * by + r * bz
    y = q * bx + (a * f - c * c) * by + (b * c - a * e) * bz
    z = r * bx + (b * c - a * e) * by + (a * d - b * b) * bz
    return x / det, y / det, z / det
