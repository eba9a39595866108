"""One step of the law in three compiled calls: what is asked, the problem, and what its solution means."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from poise.control.limbs.ground_forces import Ground, Pushes, Soles, add_ground, find_pushes
from poise.control.limbs.kinematics import Body, Motion, copy, cross, generalized_force, place
from poise.control.limbs.landing import land
from poise.control.limbs.limits import Limits, add_broken
from poise.control.limbs.objectives import Asked, Share, Tasks, add_up, ask, effector_rows, let_fall
from poise.control.limbs.price import Price, leeway
from poise.control.limbs.problem import Problem, begin, box_problem, factorise_objectives, recover, reduce_rows
from poise.control.limbs.standing import keep_above, touching_point
from poise.reference.feature_row import feature_parts, landings
from poise.rotation import Array, Mask


class Sensed(NamedTuple):
    """The state, as MuJoCo has it: views that stay where they are."""

    position: Array  # (S, 3)
    rotation: Array  # (S, 4)
    root_velocity: Array  # (3,)
    joint_velocity: Array  # (S, 3)
    joint_coordinate: Array  # (S, 4)


class Outcome(NamedTuple):
    """What a solution means. n = 3 + 3 S."""

    acceleration: Array  # (n,) u'
    missed: Array  # (R,) the first six: the residual wrench at the root's joint
    ground: Array  # (S, 6) the ground's force and its torque about the root's joint
    force: Array  # (n,) of root and joints, world frame
    scratch: Array  # (S, 3)


def outcome_of(nsegments: int, nrows: int) -> Outcome:
    """Room for an outcome."""
    n = 3 + 3 * nsegments
    return Outcome(np.zeros(n), np.zeros(nrows), np.zeros((nsegments, 6)), np.zeros(n), np.zeros((nsegments, 3)))


@njit(cache=True)
def look(
    body: Body, sensed: Sensed, tasks: Tasks, soles: Soles, ground: Ground, features: Array, contact: Mask,
    grips: Mask, motion: Motion, asked: Asked, pushes: Pushes,
) -> int:  # fmt: skip
    """Where everything is, what is asked of it, and how many edges the ground may push along."""
    place(body, sensed.position, sensed.rotation, sensed.root_velocity, sensed.joint_velocity, motion)
    ask(body, motion, sensed.position, sensed.rotation, tasks, features, contact, soles, ground, asked)
    count = find_pushes(soles, ground, motion, sensed.position[0], contact, grips, pushes)
    if count == 0:
        let_fall(asked)
    _land(sensed, tasks, soles, ground, features, contact, motion, asked)
    return count


@njit(cache=True)
def pose(
    body: Body, motion: Motion, tasks: Tasks, asked: Asked, share: Share, price: Price, residual: Array, smallest: float,
    pushes: Pushes, count: int, problem: Problem,
) -> None:  # fmt: skip
    """The box problem of one level of objectives; `residual` (6,) becomes the diagonal of W_r^-1."""
    leeway(price, asked.away[0], residual)
    add_up(body, motion, tasks, asked, share, problem.form, problem.linear)
    begin(problem, asked.root_rows, motion.bias, residual, pushes, count)
    factorise_objectives(problem)
    reduce_rows(problem, 0)
    box_problem(problem, smallest, pushes, count)


@njit(cache=True)
def pose_below(
    body: Body, motion: Motion, tasks: Tasks, asked: Asked, share: Share, above: Share, held: Array, residual: Array,
    smallest: float, pushes: Pushes, count: int, problem: Problem,
) -> None:  # fmt: skip
    """The box problem of the next level: what the level `above` weighs keeps its accelerations `held` (n,), and the residual."""
    add_up(body, motion, tasks, asked, share, problem.form, problem.linear)
    begin(problem, asked.root_rows, motion.bias, np.zeros(6), pushes, count)
    for r in range(6):
        problem.offset[r] -= residual[r]
    if above.root > 0.0:
        _hold(body, motion, 0, held, problem)
    for e in range(tasks.segment.shape[0]):
        if above.effector[e] > 0.0:
            _hold(body, motion, tasks.segment[e], held, problem)
    factorise_objectives(problem)
    reduce_rows(problem, 0)
    box_problem(problem, smallest, pushes, count)


@njit(cache=True)
def velocities(
    body: Body, motion: Motion, tasks: Tasks, asked: Asked, share: Share, features: Array, problem: Problem, velocity: Array
) -> None:  # fmt: skip
    """The velocities u (n,) of a body that moves as the features move, by the same least squares as accelerations."""
    n, e = body.parent.shape[0], tasks.segment.shape[0]
    (_, _, root_velocity, root_spin, _, _, aim_velocity, aim_spin, _, _, _, com_velocity) = feature_parts(features, e, n)
    for i in range(3):
        asked.root[i], asked.root[3 + i] = root_velocity[i], root_spin[i]
        for k in range(e):
            asked.effector[k, i], asked.effector[k, 3 + i] = aim_velocity[k, i], aim_spin[k, i]
    asked.com[0], asked.com[1] = com_velocity[0], com_velocity[1]
    asked.joint[:], asked.momentum[:] = 0.0, 0.0
    add_up(body, motion, tasks, asked, share, problem.form, problem.linear)
    factorise_objectives(problem)
    copy(problem.free, velocity)


@njit(cache=True)
def conclude(
    body: Body, motion: Motion, sensed: Sensed, limits: Limits, pushes: Pushes, count: int, smallest: float, solution: Array,
    problem: Problem, outcome: Outcome,
) -> int:  # fmt: skip
    """Accelerations and torques of a solution. Where they break limits, the problem is posed anew; returns how many it got."""
    recover(problem, solution, outcome.missed, outcome.acceleration)
    generalized_force(body, motion, outcome.acceleration, outcome.scratch, outcome.force)
    add_ground(pushes, solution, count, outcome.ground)
    for k in range(body.parent.shape[0]):
        if outcome.ground[k, 2] != 0.0:
            _relieve(body, motion, k, outcome.ground[k], outcome.force)
    before = problem.used[0]
    added = add_broken(body, motion, limits, sensed.joint_coordinate, outcome.acceleration, outcome.force, pushes, count, problem)
    if added > 0:
        reduce_rows(problem, before)
        box_problem(problem, smallest, pushes, count)
    return added


@njit(cache=True)
def give(
    body: Body, motion: Motion, outcome: Outcome, residual: Array, by_hand: bool, torque: Array, wrench: Array, help_: Array
) -> None:
    """Joint torques (S - 1, 3) in the segments' frames, and wrenches (S, 6) at the centres of mass: the residual on the root,
    and where the ground is put in `by_hand`, its forces."""
    for k in range(1, body.parent.shape[0]):
        for i in range(3):
            torque[k - 1, i] = 0.0
            for j in range(3):
                torque[k - 1, i] += motion.turn[k, j, i] * outcome.force[3 + 3 * k + j]
    lever = cross(motion.link[0], residual[:3])
    for i in range(3):
        help_[0, i], help_[0, 3 + i] = residual[i], residual[3 + i] - lever[i]
    copy(help_[0], wrench[0])
    for k in range(1, body.parent.shape[0]):
        if by_hand:
            lever = cross(motion.link[k], outcome.ground[k, :3])
            for i in range(3):
                wrench[k, i], wrench[k, 3 + i] = outcome.ground[k, i], outcome.ground[k, 3 + i] - lever[i]


@njit(cache=True)
def hold_back(torque: Array, help_: Array, wrench: Array, strength: Array, force: float, turn: float) -> None:
    """Cuts what a body in real contacts gets: joint torques at `strength` (S - 1,), the residual at its force and torque.

    The problem keeps joint torques within their limits only as far as its rounds go, and nothing but a price bounds the
    residual; where a clip cannot be followed both would grow until the simulation blows up.
    """
    for k in range(torque.shape[0]):
        _cut(torque[k], strength[k])
    _cut(help_[0, :3], force)
    _cut(help_[0, 3:], turn)
    copy(help_[0], wrench[0])


@njit(cache=True)
def _land(
    sensed: Sensed, tasks: Tasks, soles: Soles, ground: Ground, features: Array, contact: Mask, motion: Motion, asked: Asked
) -> None:  # fmt: skip
    """What is asked of effectors that land, in place of a spring to where they are planned; a flight ends with it."""
    landing, point = landings(features, contact.shape[0]), np.empty(3)
    for e in range(contact.shape[0]):
        if landing[e, 0] > 0.0 and not contact[e]:
            k = tasks.segment[e]
            land(motion, sensed.position, sensed.rotation, k, landing[e], tasks.dt, asked.effector[e])
            if tasks.by_hand:
                height = touching_point(soles, ground, motion, sensed.position[0], e, point)
                keep_above(motion, k, point, height, ground.normal, tasks.dt, asked.effector[e])


@njit(cache=True)
def _cut(vector: Array, most: float) -> None:
    """Shortens a vector (3,) in place to at most that length."""
    size = np.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2)
    if size > most:
        for i in range(3):
            vector[i] *= most / size


@njit(cache=True)
def _hold(body: Body, motion: Motion, segment: int, held: Array, problem: Problem) -> None:
    """Adds six rows: the segment keeps the acceleration that `held` gives it."""
    first = problem.used[0]
    effector_rows(body, motion, segment, problem.rows[first : first + 6])
    for r in range(first, first + 6):
        value = 0.0
        for i in range(held.shape[0]):
            value += problem.rows[r, i] * held[i]
        problem.offset[r], problem.slack[r] = -value, 0.0
    problem.used[0] = first + 6


@njit(cache=True)
def _relieve(body: Body, motion: Motion, segment: int, wrench: Array, force: Array) -> None:
    """Takes from the forces of the joints above a segment what the ground gives to it."""
    for i in range(3):
        force[i] -= wrench[i]
    k = segment
    while k >= 0:
        lever = cross(motion.place[k], wrench[:3])
        for i in range(3):
            force[3 + 3 * k + i] -= wrench[3 + i] - lever[i]
        k = body.parent[k]
