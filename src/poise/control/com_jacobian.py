"""The centre-of-mass Jacobian as the paper writes it (da Silva appendix B): a readable reference for the fast form.

Slow on purpose: matrices, one loop per sum. `virtual_actuator.actuate` must agree with it at any state and stance.
"""

from __future__ import annotations

import numpy as np

from poise.rotation import Array


def hierarchy(parents: tuple[int, ...], base: int) -> Array:
    """The paper's table (joints, links): 1 where a joint moves a link when the tree is rooted at the link `base`.

    Joint k joins link k and its parent. Rooted at the base, the joint moves whichever side does not hold the base.
    """
    n = len(parents)
    table = np.zeros((n, n))
    for joint in range(1, n):
        below = np.array([_is_below(link, joint, parents) for link in range(n)], float)
        table[joint] = 1.0 - below if below[base] else below
    return table


def com_jacobian(parents: tuple[int, ...], base: int, mass: Array, inertia: Array, anchor: Array, link_com: Array) -> Array:
    """J_com (6, 6 n) of (B.5): joint velocities (angular, linear) at the anchors to those of the centre of mass.

    Everything in world axes. `inertia` (n, 3, 3) about the links' own centres of mass. A joint's velocity is that of the side
    away from the base relative to the side of the base. The base itself stands still.
    """
    n = len(mass)
    com = mass @ link_com / mass.sum()
    table = hierarchy(parents, base)
    total = np.zeros((6, 6))
    sum_mj = np.zeros((6, 6 * n))
    for link in range(n):
        spatial_mass = np.zeros((6, 6))
        spatial_mass[:3, :3] = inertia[link]
        spatial_mass[3:, 3:] = mass[link] * np.eye(3)
        to_com = adjoint(link_com[link] - com)  # velocities at the centre of mass to velocities at the link
        total += to_com.T @ spatial_mass @ to_com  # (B.6)
        jacobian = np.zeros((6, 6 * n))  # (B.3), (B.4)
        for joint in range(1, n):
            if table[joint, link]:
                jacobian[:, 6 * joint : 6 * joint + 6] = adjoint(link_com[link] - anchor[joint])
        sum_mj += to_com.T @ spatial_mass @ jacobian
    return np.asarray(np.linalg.solve(total, sum_mj), float)  # (B.5)


def adjoint(offset: Array) -> Array:
    """Turns a twist (angular, linear) at a point into the same twist at the point `offset` away, in the same axes (A.1)."""
    x, y, z = offset
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    result = np.eye(6)
    result[3:, :3] = -cross
    return result


def _is_below(link: int, joint: int, parents: tuple[int, ...]) -> bool:
    while link >= 0:
        if link == joint:
            return True
        link = parents[link]
    return False
