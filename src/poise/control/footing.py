"""Legs that fit the ground: feet tilt with it, and the leg on the higher ground bends, before anything tracks the pose.

The paper tracks the unaltered pose and leaves the rest to balance. On a ground that is not level the springs of the legs then
work against it: one foot hovers, the whole weight is on the other, and help holds what a bent knee would (docs/scenes.md).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.character.character import Character
from poise.physics.below import feel_ground
from poise.physics.state import State
from poise.physics.world import World
from poise.quaternion import Quat, inverse, product, rotate, turn_between
from poise.reference.reference import Target
from poise.rotation import Array

_SMOOTHING = 0.05  # s: what the feet feel is smoothed over this, so that an edge of the ground is no jolt
_HIGHEST = 0.3  # of the leg: a foot is not lifted further than this
_STRAIGHT = 0.995  # of the leg: no leg is stretched further
_KNEE_FORWARD = 0.02  # of the thigh: which way a straight leg bends


class Footing:
    """Fits the reference's legs to the ground below the simulated feet, step by step."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._legs = legs(world.character)
        points = len(self._legs) + 1  # the feet, and the centre of mass
        self._height, self._normal = np.zeros(points), np.tile([0.0, 0.0, 1.0], (points, 1))
        self._felt_height, self._felt_normal = self._height.copy(), self._normal.copy()
        self._feelers = np.zeros((points, 3))
        self._rate = 1.0  # at first everything felt is new

    def fit(self, state: State, target: Target) -> None:
        """Changes the target's joint rotations for this step; what it says about the world stays."""
        self._feelers[:-1], self._feelers[-1] = state.link_com[self._legs[:, 3]], state.com
        feel_ground(self._world, self._feelers, self._felt_height, self._felt_normal)
        self._height += self._rate * (self._felt_height - self._height)
        self._normal += self._rate * (self._felt_normal - self._normal)
        self._rate = 1.0 - np.exp(-self._world.dt / _SMOOTHING)
        fit_legs(self._legs, self._height, self._normal, target.position, target.rotation, target.joint_rotation)


def legs(character: Character) -> NDArray[np.int64]:
    """For each foot with a whole leg (L, 4): the segment that the thigh hangs from, thigh, shin and foot."""
    found = []
    for name in character.feet:
        chain = [character.index(name)]
        while len(chain) < 4 and character.parents[chain[0]] >= 0:
            chain.insert(0, character.parents[chain[0]])
        if len(chain) == 4:
            found.append(chain)
    return np.array(found, np.int64).reshape(-1, 4)


@njit(cache=True)
def fit_legs(legs: NDArray[np.int64], height: Array, normal: Array, position: Array, turn: Array, joint_rotation: Array) -> None:
    """Changes the reference's joint rotations so that each foot is as much higher, and as tilted, as the ground below it.

    `height` (L + 1,) and `normal` (L + 1, 3) are those of the ground below the feet and, last, the centre of mass; `position` and
    `turn` are the reference's, which has a level floor. The hips are as high above the ground below the body as they were, or
    lower where a leg would not reach its foot.
    """
    sink = 0.0
    for f in range(legs.shape[0]):
        lift = height[f] - height[-1]
        sink = max(sink, _shortage(position[legs[f, 1]], position[legs[f, 2]], position[legs[f, 3]], lift))
    for f in range(legs.shape[0]):
        above, thigh, shin, foot = legs[f]
        lift = height[f] - height[-1] + sink
        over, under = _bent_leg(position[thigh], position[shin], position[foot], turn[thigh], lift)
        tilt = turn_between(0.0, 0.0, 1.0, normal[f, 0], normal[f, 1], normal[f, 2])
        new_thigh, new_shin = product(over, _row(turn, thigh)), product(under, _row(turn, shin))
        joint_rotation[thigh] = product(inverse(_row(turn, above)), new_thigh)
        joint_rotation[shin] = product(inverse(new_thigh), new_shin)
        joint_rotation[foot] = product(inverse(new_shin), product(tilt, _row(turn, foot)))


@njit(cache=True)
def _shortage(hip: Array, knee: Array, ankle: Array, lift: float) -> float:
    """By how much a leg, stretched as far as it may be, is too short for its ankle lifted so; not more than the lift takes."""
    whole = np.sqrt(np.sum((knee - hip) ** 2)) + np.sqrt(np.sum((ankle - knee) ** 2))
    x, y, z = ankle[0] - hip[0], ankle[1] - hip[1], ankle[2] - hip[2] + lift
    return min(max(np.sqrt(x * x + y * y + z * z) - _STRAIGHT * whole, 0.0), max(-lift, 0.0))


@njit(cache=True)
def _row(quaternions: Array, k: int) -> Quat:
    return quaternions[k, 0], quaternions[k, 1], quaternions[k, 2], quaternions[k, 3]


@njit(cache=True)
def _bent_leg(hip: Array, knee: Array, ankle: Array, thigh: Array, lift: float) -> tuple[Quat, Quat]:
    """The turns of thigh and shin in the world that lift the ankle straight up, by the law of cosines; the hip stays."""
    ux, uy, uz = knee[0] - hip[0], knee[1] - hip[1], knee[2] - hip[2]
    lx, ly, lz = ankle[0] - knee[0], ankle[1] - knee[1], ankle[2] - knee[2]
    upper, lower = np.sqrt(ux * ux + uy * uy + uz * uz), np.sqrt(lx * lx + ly * ly + lz * lz)
    furthest = _HIGHEST * (upper + lower)
    gx, gy, gz = ux + lx, uy + ly, uz + lz + min(max(lift, -furthest), furthest)
    goal = np.sqrt(gx * gx + gy * gy + gz * gz)
    ex, ey, ez = gx / goal, gy / goal, gz / goal
    reach = min(goal, _STRAIGHT * (upper + lower))
    fx, fy, fz = rotate(thigh[0], thigh[1], thigh[2], thigh[3], 1.0, 0.0, 0.0)
    sx, sy, sz = (ux + _KNEE_FORWARD * upper * fx, uy + _KNEE_FORWARD * upper * fy, uz + _KNEE_FORWARD * upper * fz)
    along = sx * ex + sy * ey + sz * ez
    sx, sy, sz = sx - along * ex, sy - along * ey, sz - along * ez
    side = max(np.sqrt(sx * sx + sy * sy + sz * sz), 1e-9)
    cosine = min((upper * upper + reach * reach - lower * lower) / (2.0 * upper * reach), 1.0)
    forth, out = upper * cosine, upper * np.sqrt(1.0 - cosine * cosine) / side
    kx, ky, kz = forth * ex + out * sx, forth * ey + out * sy, forth * ez + out * sz
    over = turn_between(ux, uy, uz, kx, ky, kz)
    under = turn_between(lx, ly, lz, reach * ex - kx, reach * ey - ky, reach * ez - kz)
    return over, under
