"""Where a character's segments are, how they move, and what moving them takes; compiled.

The law's coordinates are the root's velocity and one world-frame spin per segment, relative to its parent: u = (v, u_0, u_1, …),
3 + 3 S numbers. In these a ball joint has no axes: every Jacobian is made of identities and cross products, and the
accelerations that remain when u' = 0 are centripetal ones only. MuJoCo's velocities are the same spins in the segments' frames.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.physics.world import GRAVITY, World
from poise.rotation import Array


class Body(NamedTuple):
    """What does not change while a character moves. S segments, segment frames."""

    parent: NDArray[np.int64]  # (S,)
    mass: Array  # (S,) kg
    com: Array  # (S, 3) m, from the joint
    inertia: Array  # (S, 3, 3) kg m2, about the centre of mass
    armature: Array  # (S,) kg m2, each joint's own; the root has none


class Motion(NamedTuple):
    """Where the segments are and how they move, refreshed by `place`. World axes; places are relative to the root's joint."""

    turn: Array  # (S, 3, 3)
    place: Array  # (S, 3) of the joints
    link: Array  # (S, 3) of the centres of mass
    inertia: Array  # (S, 3, 3) about the centres of mass
    joint_spin: Array  # (S, 3) relative to the parent: the coordinates' own velocities
    spin: Array  # (S, 3)
    velocity: Array  # (S, 3) of the joints
    drift: Array  # (S, 3) acceleration of the joints when u' = 0
    bias: Array  # (3 + 3 S,) generalized force that u' = 0 takes, gravity included
    load: Array  # (S, 13) of each subtree: mass, mass times place, inertia about the root's joint


def body_of(world: World) -> Body:
    """The compiled law's view of a world's character."""
    character, s = world.character, world.character.nsegments
    armature = np.array([0.0, *world.model.dof_armature[6 : 3 + 3 * s : 3]])
    return Body(np.array(character.parents), character.masses, character.coms, character.inertias, armature)


def motion_of(nsegments: int) -> Motion:
    """Room for a character's motion."""
    s = nsegments
    shapes = [(s, 3, 3), (s, 3), (s, 3), (s, 3, 3), (s, 3), (s, 3), (s, 3), (s, 3), (3 + 3 * s,), (s, 13)]
    return Motion(*(np.zeros(shape) for shape in shapes))


@njit(cache=True)
def place(body: Body, position: Array, rotation: Array, root_velocity: Array, joint_velocity: Array, motion: Motion) -> None:
    """Refreshes `motion` from joint origins (S, 3), rotations (S, 4) and velocities as MuJoCo has them."""
    for k in range(position.shape[0]):
        p = body.parent[k]
        _matrix(rotation[k], motion.turn[k])
        turn = motion.turn[k]
        for i in range(3):
            motion.place[k, i] = position[k, i] - position[0, i]
            motion.joint_spin[k, i] = dot(turn[i], joint_velocity[k])
            motion.link[k, i] = motion.place[k, i] + dot(turn[i], body.com[k])
        _turned(turn, body.inertia[k], motion.inertia[k])
        if p < 0:
            copy(motion.joint_spin[k], motion.spin[k])
            copy(root_velocity, motion.velocity[k])
            continue
        for i in range(3):
            motion.spin[k, i] = motion.spin[p, i] + motion.joint_spin[k, i]
        carried = cross(motion.spin[p], motion.place[k] - motion.place[p])
        for i in range(3):
            motion.velocity[k, i] = motion.velocity[p, i] + carried[i]
    _gather(body, motion)
    generalized_force(body, motion, np.zeros(motion.bias.shape[0]), motion.drift, motion.bias)


@njit(cache=True)
def generalized_force(body: Body, motion: Motion, acceleration: Array, drift: Array, force: Array) -> None:
    """Newton and Euler: the `force` (3 + 3 S) on root and joints that the accelerations u' take under gravity.

    Also fills `drift` (S, 3), the accelerations of the joints.
    """
    n = body.parent.shape[0]
    spin_rate, push, arm = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(3)
    for k in range(n):
        p = body.parent[k]
        for i in range(3):
            spin_rate[k, i] = acceleration[3 + 3 * k + i] + (spin_rate[p, i] if p >= 0 else 0.0)
            drift[k, i] = acceleration[i] if p < 0 else drift[p, i]
            arm[i] = motion.place[k, i] - motion.place[p, i] if p >= 0 else 0.0
        if p >= 0:
            _add_turning(motion.spin[p], spin_rate[p], arm, drift[k])
        for i in range(3):
            arm[i] = motion.link[k, i] - motion.place[k, i]
            push[k, i] = drift[k, i]
        _add_turning(motion.spin[k], spin_rate[k], arm, push[k])
        push[k, 2] += GRAVITY
        for i in range(3):
            push[k, i] *= body.mass[k]
        lever = cross(arm, push[k])
        for i in range(3):
            arm[i] = dot(motion.inertia[k, i], motion.spin[k])
        gyro = cross(motion.spin[k], arm)
        for i in range(3):
            force[3 + 3 * k + i] = dot(motion.inertia[k, i], spin_rate[k]) + gyro[i] + lever[i]
    for k in range(n - 1, 0, -1):
        p = body.parent[k]
        for i in range(3):
            arm[i] = motion.place[k, i] - motion.place[p, i]
        lever = cross(arm, push[k])
        own = cross(motion.spin[k], motion.joint_spin[k])  # a joint's own inertia turns with its segment
        for i in range(3):
            push[p, i] += push[k, i]
            force[3 + 3 * p + i] += force[3 + 3 * k + i] + lever[i]
            force[3 + 3 * k + i] += body.armature[k] * (acceleration[3 + 3 * k + i] - own[i])
    for i in range(3):
        force[i] = push[0, i]


@njit(cache=True)
def mass_column(motion: Motion, k: int, along: Array, turn: Array) -> None:
    """What a unit of spin of joint k takes: `along` (3, 3) the force, `turn` (3, 3) the torque about the root's joint.

    The torque about a joint above it at place a is turn - [a] along; k's own inertia comes on top. These are the blocks of
    the mass matrix, without ever writing it down.
    """
    load, at = motion.load[k], motion.place[k]
    moment = load[1:4]
    lean = dot(at, moment)
    for i in range(3):
        for j in range(3):
            turn[i, j] = load[4 + 3 * i + j] + at[i] * moment[j]
        turn[i, i] -= lean
    x, y, z = moment[0] - load[0] * at[0], moment[1] - load[0] * at[1], moment[2] - load[0] * at[2]
    along[0, 0], along[0, 1], along[0, 2] = 0.0, z, -y
    along[1, 0], along[1, 1], along[1, 2] = -z, 0.0, x
    along[2, 0], along[2, 1], along[2, 2] = y, -x, 0.0


@njit(cache=True)
def root_rows(motion: Motion, rows: Array) -> None:
    """The mass matrix's first six rows (6, 3 + 3 S): the rates of linear and, about the root's joint, angular momentum."""
    rows[:, :3] = 0.0
    for i in range(3):
        rows[i, i] = motion.load[0, 0]
    for k in range(motion.place.shape[0]):
        mass_column(motion, k, rows[:3, 3 + 3 * k : 6 + 3 * k], rows[3:, 3 + 3 * k : 6 + 3 * k])
    for i in range(3):
        for j in range(3):
            rows[3 + i, j] = rows[j, 3 + i]


@njit(cache=True)
def mass_row(body: Body, motion: Motion, k: int, direction: Array, row: Array) -> None:
    """The row (3 + 3 S) of the mass matrix that gives the torque of joint k along a direction: direction . M_k u'."""
    along, turn = np.empty((3, 3)), np.empty((3, 3))
    lever = np.array(cross(direction, motion.place[k]))  # direction . [a] v = (direction x a) . v
    row[:] = 0.0
    for j in range(k, body.parent.shape[0]):  # what hangs on k
        above = j
        while above > k:
            above = body.parent[above]
        if above == k:
            mass_column(motion, j, along, turn)
            for i in range(3):
                row[3 + 3 * j + i] = dot(direction, turn[:, i]) - dot(lever, along[:, i])
    for i in range(3):
        row[3 + 3 * k + i] += body.armature[k] * direction[i]
    mass_column(motion, k, along, turn)
    pushed, turned = np.empty(3), np.empty(3)
    for i in range(3):
        pushed[i], turned[i] = dot(along[i], direction), dot(turn[i], direction)
        row[i] = pushed[i]
    above = body.parent[k]
    while above >= 0:  # and what k hangs on, by symmetry
        lever_above = cross(motion.place[above], pushed)
        for i in range(3):
            row[3 + 3 * above + i] = turned[i] - lever_above[i]
        above = body.parent[above]


@njit(cache=True)
def cross(a: Array, b: Array) -> tuple[float, float, float]:
    """The vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def dot(a: Array, b: Array) -> float:
    """The scalar product of two vectors of three."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True)
def copy(source: Array, target: Array) -> None:
    """Copies a row. An assignment would do; but its error message alone takes seconds to compile."""
    for i in range(target.shape[0]):
        target[i] = source[i]


@njit(cache=True)
def _gather(body: Body, motion: Motion) -> None:
    """Mass, its moment and its inertia about the root's joint, of every subtree."""
    load = motion.load
    for k in range(body.parent.shape[0]):
        mass, at = body.mass[k], motion.link[k]
        square = mass * dot(at, at)
        load[k, 0] = mass
        for i in range(3):
            load[k, 1 + i] = mass * at[i]
            for j in range(3):
                load[k, 4 + 3 * i + j] = motion.inertia[k, i, j] - mass * at[i] * at[j]
            load[k, 4 + 4 * i] += square
    for k in range(body.parent.shape[0] - 1, 0, -1):
        for i in range(load.shape[1]):
            load[body.parent[k], i] += load[k, i]


@njit(cache=True)
def _add_turning(spin: Array, spin_rate: Array, arm: Array, acceleration: Array) -> None:
    """Adds what a point at `arm` on a turning body has: w' x r + w x (w x r)."""
    along, square = dot(spin, arm), dot(spin, spin)
    x, y, z = cross(spin_rate, arm)
    acceleration[0] += x + spin[0] * along - square * arm[0]
    acceleration[1] += y + spin[1] * along - square * arm[1]
    acceleration[2] += z + spin[2] * along - square * arm[2]


@njit(cache=True)
def _matrix(q: Array, turn: Array) -> None:
    """The rotation matrix of a unit quaternion."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    turn[0, 0], turn[0, 1], turn[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    turn[1, 0], turn[1, 1], turn[1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    turn[2, 0], turn[2, 1], turn[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)


@njit(cache=True)
def _turned(turn: Array, inertia: Array, result: Array) -> None:
    """R I R^T."""
    for i in range(3):
        a, b, c = dot(inertia[0], turn[i]), dot(inertia[1], turn[i]), dot(inertia[2], turn[i])
        for j in range(3):
            result[i, j] = turn[j, 0] * a + turn[j, 1] * b + turn[j, 2] * c
