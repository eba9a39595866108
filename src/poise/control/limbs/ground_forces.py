"""The forces that the ground may give: cones of friction at the corners of the soles in contact; compiled.

A cone is replaced by the pyramid with four edges on it. A force is a sum of edges times numbers that are not negative.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise import rotation
from poise.character.character import Character
from poise.character.limbs import Limb
from poise.character.soles import sole_corners
from poise.control.limbs.kinematics import Motion, copy, cross, dot
from poise.physics.ground import Terrain
from poise.rotation import Array, Mask

EDGES = 4  # of a pyramid
REACH = 0.05  # of the support limbs' length: a corner higher above the ground than this carries nothing
SLOW = 1.0  # support limb lengths/s: corners that are faster and not planned to touch carry nothing
_CORNERS = 4  # of a sole: its lowest in the rest pose


class Soles(NamedTuple):
    """Where the character may touch the ground. C corners."""

    segment: NDArray[np.int64]  # (C,)
    effector: NDArray[np.int64]  # (C,) whose planned contact counts
    corner: Array  # (C, 3), segment frame


class Ground(NamedTuple):
    """What is touched: a plane with friction."""

    point: Array  # (3,)
    normal: Array  # (3,)
    edges: Array  # (EDGES, 3) of the pyramid of friction; each has a unit of normal force
    slips: Array  # (EDGES, 3) the same for soles that do not grip
    fading: float  # how much dearer a push is half-way, in squares, to where it ends
    tilted: float  # and at a corner that is `reach` higher than the lowest one of its own sole
    reach: float  # m: a corner higher than this above the plane carries nothing
    slow: float  # m/s: nor one that is faster than this and not planned to touch; toes whose heel has left still push


class Pushes(NamedTuple):
    """The edges along which the ground may push now: the first `count` of at most EDGES C."""

    edge: Array  # (EDGES C, 3) N per unit
    point: Array  # (EDGES C, 3) where, from the root's joint
    segment: NDArray[np.int64]  # (EDGES C,) on which segment
    price: Array  # (EDGES C,) how much dearer it is than one from a corner that stands: it fades before it ends


def soles_of(character: Character, effectors: tuple[Limb, ...], share: float = 1.0) -> Soles:
    """The corners of the support limbs' last segments, as far out as `share` of the way from the middle of the sole."""
    segment, effector, corner = [], [], []
    for e, limb in enumerate(effectors):
        if limb.kind == "support":
            k = character.index(limb.effector)
            points = sole_corners(character.segments[k])
            points = points[np.argsort(points[:, 2], kind="stable")[:_CORNERS]]
            for point in points:
                segment.append(k)
                effector.append(e)
                corner.append(share * point + (1.0 - share) * points.mean(axis=0))
    return Soles(np.array(segment), np.array(effector), np.array(corner).reshape(-1, 3))


def ground_of(terrain: Terrain, friction: tuple[float, float], price: tuple[float, float], reach: float, slow: float) -> Ground:
    """The plane of a terrain, its friction for soles that grip and for others; what stands or lies on it is not planned for."""
    x, y, normal = (rotation.rotate(terrain.turn, axis) for axis in np.eye(3))
    sides = np.array([side * along for along in (x, y) for side in (1.0, -1.0)])
    edges, slips = normal + friction[0] * sides, normal + friction[1] * sides
    return Ground(np.array(terrain.point, float), normal, edges, slips, *price, reach, slow)


def pushes_of(soles: Soles) -> Pushes:
    """Room for every edge of every corner."""
    most = EDGES * len(soles.segment)
    return Pushes(np.zeros((most, 3)), np.zeros((most, 3)), np.zeros(most, np.int64), np.zeros(most))


@njit(cache=True)
def find_pushes(soles: Soles, ground: Ground, motion: Motion, root: Array, contact: Mask, grips: Mask, pushes: Pushes) -> int:
    """Lists the edges of all corners that are near the ground and either planned to touch or slow; returns how many.

    `grips` (E,) tells whose soles have the ground's friction.
    """
    count = 0
    point, lowest = np.empty(3), np.full(contact.shape[0], np.inf)
    for c in range(soles.segment.shape[0]):
        e = soles.effector[c]
        lowest[e] = min(lowest[e], place_corner(soles, ground, motion, root, c, point))
    for c in range(soles.segment.shape[0]):
        k, height = soles.segment[c], place_corner(soles, ground, motion, root, c, point)
        away = max(height / ground.reach, 0.0) ** 2
        if not contact[soles.effector[c]]:
            away += _speed(motion, k, point) ** 2 / ground.slow**2
        if away >= 1.0:
            continue
        tilted = ground.tilted * ((height - lowest[soles.effector[c]]) / ground.reach) ** 2
        edges = ground.edges if grips[soles.effector[c]] else ground.slips
        for e in range(edges.shape[0]):
            copy(edges[e], pushes.edge[count])
            copy(point, pushes.point[count])
            pushes.segment[count] = k
            pushes.price[count] = 1.0 + tilted + ground.fading * away / (1.0 - away)
            count += 1
    return count


@njit(cache=True)
def place_corner(soles: Soles, ground: Ground, motion: Motion, root: Array, c: int, point: Array) -> float:
    """Where corner c of the soles is, from the root's joint, into `point` (3,); returns its height above the ground, metres."""
    k, height = soles.segment[c], 0.0
    for i in range(3):
        point[i] = motion.place[k, i] + dot(motion.turn[k, i], soles.corner[c])
        height += ground.normal[i] * (root[i] + point[i] - ground.point[i])
    return height


@njit(cache=True)
def _speed(motion: Motion, k: int, point: Array) -> float:
    """How fast a corner of segment k moves, m/s."""
    turning = cross(motion.spin[k], point - motion.place[k])
    square = 0.0
    for i in range(3):
        square += (motion.velocity[k, i] + turning[i]) ** 2
    return np.sqrt(square)


@njit(cache=True)
def root_effect(pushes: Pushes, count: int, wrench: Array) -> None:
    """What a unit along each edge does to the root: force, then torque about its joint (6, count)."""
    for j in range(count):
        turn = cross(pushes.point[j], pushes.edge[j])
        for i in range(3):
            wrench[i, j], wrench[3 + i, j] = pushes.edge[j, i], turn[i]


@njit(cache=True)
def add_ground(pushes: Pushes, amount: Array, count: int, wrench: Array) -> None:
    """The ground's wrench on every segment (S, 6), force and torque about the root's joint, from the amounts along the edges."""
    wrench[:] = 0.0
    for j in range(count):
        k, turn = pushes.segment[j], cross(pushes.point[j], pushes.edge[j])
        for i in range(3):
            wrench[k, i] += amount[j] * pushes.edge[j, i]
            wrench[k, 3 + i] += amount[j] * turn[i]
