"""All that a step of the law reads and writes, under one name, and handed to compiled code by address."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.control.limbs.ground_forces import Ground, Pushes, Soles
from poise.control.limbs.hinges import Hinges
from poise.control.limbs.inner import inner
from poise.control.limbs.kinematics import Body, Motion
from poise.control.limbs.limits import Limits
from poise.control.limbs.objectives import Asked, Share, Tasks
from poise.control.limbs.price import Price
from poise.control.limbs.problem import Problem
from poise.physics.state import State
from poise.pinned import Pinned, views
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


class Parts(NamedTuple):
    """What a step of the law works on. Its arrays stay where they are for a whole run, and its numbers stay as they are."""

    body: Body
    sensed: Sensed
    motion: Motion
    tasks: Tasks
    asked: Asked
    soles: Soles
    ground: Ground
    pushes: Pushes
    share: Share  # the weights of all objectives, or of those that go before everything else
    below: Share  # and those of the others
    price: Price
    limits: Limits
    problem: Problem
    outcome: Outcome
    npushes: NDArray[np.int64]  # (1,) along how many edges the ground may push now
    grips: Mask  # (E,) whose soles have the ground's friction
    leeway: Array  # (6,) W_r^-1, as it was used last
    residual: Array  # (6,) force and torque on the root, at its joint
    smallest: float  # e of problem.py
    strength: Array  # (S - 1,) Nm: the largest torque of each joint in real contacts
    most_force: float  # N: the largest residual in real contacts
    most_turn: float  # Nm


def sensed_of(state: State) -> Sensed:
    """What the law needs to know of a state."""
    return Sensed(state.position, state.rotation, state.root_velocity, state.joint_velocity, state.joint_coordinate)


def outcome_of(nsegments: int, nrows: int) -> Outcome:
    """Room for an outcome."""
    n = 3 + 3 * nsegments
    return Outcome(np.zeros(n), np.zeros(nrows), np.zeros((nsegments, 6)), np.zeros(n), np.zeros((nsegments, 3)))


def pin(parts: Parts) -> Pinned:
    """Where all the arrays of the parts lie, and in a last one, their numbers."""
    leaves = list(_leaves(parts))
    arrays = [leaf for leaf in leaves if isinstance(leaf, np.ndarray)]
    return Pinned(_LAYOUT, *arrays, np.array([leaf for leaf in leaves if not isinstance(leaf, np.ndarray)], float))


_LAYOUT = " ".join(
    (
        "i1 f1 f2 f3 f1",  # body
        "f2 f2 f1 f2 f2",  # sensed
        "f3 f2 f2 f3 f2 f2 f2 f2 f1 f2",  # motion
        "i1 f1 f1 f1 f2 f1",  # tasks
        "i1 f2 f2 f2 f1",  # and their hinges
        "f1 f1 f2 f1 f2 f2 f2 f2 f2 f1 f1",  # asked
        "i1 i1 f2",  # soles
        "f1 f1 f2 f2",  # ground
        "f2 f2 i1 f1",  # pushes
        "f1 f1",  # share
        "f1 f1",  # below
        "f1 f1",  # price
        "f1",  # limits
        "f2 f1 f2 f1 f1 f2 f1 f1 f1 f2 f2 f1 f1 f1 i1",  # problem
        "f1 f1 f2 f1 f2",  # outcome
        "i1 b1 f1 f1 f1",  # npushes, grips, leeway, residual, strength
        "f1",  # the numbers
    )
)


@inner
def parts_of(where: NDArray[np.int64]) -> Parts:
    """The parts again, from where they are pinned; the order is that of `pin`: of the fields, arrays and numbers each."""
    v = views(where, _LAYOUT)
    x = v[85]
    tasks = Tasks(v[20], v[21], v[22], v[23], v[24], v[25], x[0], x[1], x[2] > 0.0, x[3], Hinges(*v[26:31]))
    return Parts(
        Body(*v[0:5]),
        Sensed(*v[5:10]),
        Motion(*v[10:20]),
        tasks,
        Asked(*v[31:42]),
        Soles(*v[42:45]),
        Ground(v[45], v[46], v[47], v[48], x[4], x[5], x[6], x[7]),
        Pushes(*v[49:53]),
        Share(x[8], x[9], v[53], x[10], v[54], x[11]),
        Share(x[12], x[13], v[55], x[14], v[56], x[15]),
        Price(v[57], v[58], x[16], x[17]),
        Limits(x[18], v[59], x[19], x[20]),
        Problem(*v[60:75]),
        Outcome(*v[75:80]),
        v[80],
        v[81],
        v[82],
        v[83],
        x[21],
        v[84],
        x[22],
        x[23],
    )


def _leaves(value: Any) -> Any:
    """The arrays and numbers of nested tuples, one after the other."""
    if isinstance(value, tuple):
        for part in value:
            yield from _leaves(part)
    else:
        yield value
