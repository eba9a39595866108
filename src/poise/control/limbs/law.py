"""One step of the law in three compiled calls: the problem, what its solution means, and the torques that come of it."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.control.limbs.ground_forces import Ground, Soles, add_ground, find_pushes
from poise.control.limbs.inner import inner
from poise.control.limbs.kinematics import Body, Motion, copy, cross, generalized_force, place
from poise.control.limbs.landing import land
from poise.control.limbs.limits import add_broken
from poise.control.limbs.objectives import Asked, Tasks, add_up, ask, effector_rows, let_fall
from poise.control.limbs.parts import Sensed, parts_of
from poise.control.limbs.price import leeway
from poise.control.limbs.problem import Problem, begin, box_problem, factorise_objectives, recover, reduce_rows
from poise.control.limbs.standing import keep_above, touching_point
from poise.reference.feature_row import feature_parts, landings
from poise.rotation import Array, Mask

Where = NDArray[np.int64]  # of the pinned parts


@njit(cache=True)
def pose(where: Where, features: Array, contact: Mask) -> None:
    """Where everything is, what is asked of it, how the ground may push, and the box problem that comes of it."""
    p = parts_of(where)
    at = p.sensed
    place(p.body, at.position, at.rotation, at.root_velocity, at.joint_velocity, p.motion)
    ask(p.body, p.motion, at.position, at.rotation, p.tasks, features, contact, p.soles, p.ground, p.asked)
    count = find_pushes(p.soles, p.ground, p.motion, at.position[0], contact, p.grips, p.pushes)
    p.npushes[0] = count
    for e in range(contact.shape[0]):
        p.grips[e] = contact[e]  # from the next step on: this one's contacts were made before
    if count == 0:
        let_fall(p.asked)
    _land(at, p.tasks, p.soles, p.ground, features, contact, p.motion, p.asked)
    leeway(p.price, p.asked.away[0], p.leeway)
    add_up(p.body, p.motion, p.tasks, p.asked, p.share, p.problem.form, p.problem.linear)
    begin(p.problem, p.asked.root_rows, p.motion.bias, p.leeway, p.pushes, count)
    factorise_objectives(p.problem)
    reduce_rows(p.problem, 0)
    box_problem(p.problem, p.smallest, p.pushes, count)


@njit(cache=True)
def pose_below(where: Where) -> None:
    """The box problem of the next level: what the level above weighs keeps its accelerations, and the residual stays."""
    p = parts_of(where)
    problem, count, held = p.problem, p.npushes[0], p.outcome.acceleration
    add_up(p.body, p.motion, p.tasks, p.asked, p.below, problem.form, problem.linear)
    begin(problem, p.asked.root_rows, p.motion.bias, np.zeros(6), p.pushes, count)
    for r in range(6):
        problem.offset[r] -= p.residual[r]
    if p.share.root > 0.0:
        _hold(p.body, p.motion, 0, held, problem)
    for e in range(p.tasks.segment.shape[0]):
        if p.share.effector[e] > 0.0:
            _hold(p.body, p.motion, p.tasks.segment[e], held, problem)
    factorise_objectives(problem)
    reduce_rows(problem, 0)
    box_problem(problem, p.smallest, p.pushes, count)


@njit(cache=True)
def velocities(where: Where, features: Array, velocity: Array) -> None:
    """The velocities u (n,) of a body that moves as the features move, by the same least squares as accelerations."""
    p = parts_of(where)
    asked, problem, n, e = p.asked, p.problem, p.body.parent.shape[0], p.tasks.segment.shape[0]
    (_, _, root_velocity, root_spin, _, _, aim_velocity, aim_spin, _, _, _, com_velocity) = feature_parts(features, e, n)
    for i in range(3):
        asked.root[i], asked.root[3 + i] = root_velocity[i], root_spin[i]
        for k in range(e):
            asked.effector[k, i], asked.effector[k, 3 + i] = aim_velocity[k, i], aim_spin[k, i]
    asked.com[0], asked.com[1], asked.com[2] = com_velocity[0], com_velocity[1], com_velocity[2]
    asked.joint[:], asked.momentum[:] = 0.0, 0.0
    add_up(p.body, p.motion, p.tasks, asked, p.share, problem.form, problem.linear)
    factorise_objectives(problem)
    copy(problem.free, velocity)


@njit(cache=True)
def conclude(where: Where, solution: Array) -> int:
    """Accelerations and torques of a solution. Where they break limits, the problem is posed anew; returns how many it got."""
    p = parts_of(where)
    body, motion, problem, outcome, count = p.body, p.motion, p.problem, p.outcome, p.npushes[0]
    recover(problem, solution, outcome.missed, outcome.acceleration)
    generalized_force(body, motion, outcome.acceleration, outcome.scratch, outcome.force)
    add_ground(p.pushes, solution, count, outcome.ground)
    for k in range(body.parent.shape[0]):
        if outcome.ground[k, 2] != 0.0:
            _relieve(body, motion, k, outcome.ground[k], outcome.force)
    before, bent = problem.used[0], p.sensed.joint_coordinate
    added = add_broken(body, motion, p.limits, bent, outcome.acceleration, outcome.force, p.pushes, count, problem)
    if added > 0:
        reduce_rows(problem, before)
        box_problem(problem, p.smallest, p.pushes, count)
    return added


@njit(cache=True)
def give(where: Where, torque: Array, wrench: Array, help_: Array) -> None:
    """Joint torques (S - 1, 3) in the segments' frames, and wrenches (S, 6) at the centres of mass: the residual on the root,
    and where the ground is put in by hand, its forces."""
    p = parts_of(where)
    motion, force, ground, residual = p.motion, p.outcome.force, p.outcome.ground, p.residual
    for k in range(1, ground.shape[0]):
        for i in range(3):
            torque[k - 1, i] = 0.0
            for j in range(3):
                torque[k - 1, i] += motion.turn[k, j, i] * force[3 + 3 * k + j]
    lever = cross(motion.link[0], residual[:3])
    for i in range(3):
        help_[0, i], help_[0, 3 + i] = residual[i], residual[3 + i] - lever[i]
    if p.tasks.by_hand:
        for k in range(1, ground.shape[0]):
            lever = cross(motion.link[k], ground[k, :3])
            for i in range(3):
                wrench[k, i], wrench[k, 3 + i] = ground[k, i], ground[k, 3 + i] - lever[i]
    else:
        _hold_back(torque, help_[0], p.strength, p.most_force, p.most_turn)
    copy(help_[0], wrench[0])


@njit(cache=True)
def _hold_back(torque: Array, help_: Array, strength: Array, force: float, turn: float) -> None:
    """Cuts what a body in real contacts gets: joint torques at `strength` (S - 1,), the residual (6,) at its force and torque.

    The problem keeps joint torques within their limits only as far as its rounds go, and nothing but a price bounds the
    residual; where a clip cannot be followed both would grow until the simulation blows up.
    """
    for k in range(torque.shape[0]):
        _cut(torque[k], strength[k])
    _cut(help_[:3], force)
    _cut(help_[3:], turn)


@inner
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


@inner
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


@inner
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
