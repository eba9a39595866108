"""The objectives of (7): root, centre of mass, end effectors, angular momentum, pose; what they ask, and their weighted sum."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.control.limbs.ground_forces import Ground, Soles
from poise.control.limbs.hinges import Hinges, stiffen
from poise.control.limbs.inner import inner
from poise.control.limbs.kinematics import Body, Motion, cross, dot, root_rows
from poise.control.limbs.linear import invert
from poise.control.limbs.standing import keep_above, stand, touching_point
from poise.physics.world import GRAVITY
from poise.quaternion import log_of_difference, product, rotate
from poise.reference.feature_row import feature_parts
from poise.rotation import Array, Mask

_MOST = 300.0  # m/s2, rad/s2: three times what a kick takes
_WHIPPING = 25.0  # rad/s: a joint that turns faster than a kicking knee is braked, the harder the faster it is
_ASTRAY = 0.1  # m: a limb that lands farther away than this is pulled back
_RETURN = 0.1  # s


class Tasks(NamedTuple):
    """Which segments are asked for what. E effectors, S segments."""

    segment: NDArray[np.int64]  # (E,) the effectors
    stiffness: Array  # (1 + E,) of root and effectors, 1/s2
    damping: Array  # (1 + E,) 1/s
    planted: Array  # (2,) stiffness and damping of an effector in contact that the engine's contacts hold
    pose: Array  # (S, 3) of the joints; and 1/rad, from which bend on they grow stiff
    steers: Array  # (3 + 3 S,) 1 for root and joints that may steer the centre of mass, 0 for those of free limbs
    momentum: float  # 1/s
    firm: float  # how much heavier an effector weighs while it is in contact
    by_hand: bool  # whether nothing but the law moves the body, so that it is the law that must keep feet on the ground
    dt: float  # s
    hinges: Hinges


class Asked(NamedTuple):
    """The accelerations that the objectives ask for, less what the body does by itself: the right-hand sides of J u' = b."""

    root: Array  # (6,) linear, angular
    com: Array  # (3,) of the centre of mass; in real contacts only along the ground
    effector: Array  # (E, 6)
    momentum: Array  # (3,) of the mean spin I_C^-1 L
    joint: Array  # (S, 3) spins relative to the parents
    anchor: Array  # (E, 4) from where a limb in contact is asked to be to where it has landed, and whether it has
    root_rows: Array  # (6, n) of the mass matrix
    momentum_rows: Array  # (3, n): I_C^-1 times the rows of angular momentum about the centre of mass
    com_rows: Array  # (3, n) of the centre of mass, as far as it is steered
    bent: Array  # (S,) rad, how far each joint is from the pose to relax into
    away: Array  # (1,) m, how far the root is from where it is asked to be


class Share(NamedTuple):
    """The weights of one level of objectives."""

    root: float
    com: float
    effector: Array  # (E,)
    momentum: float
    joint: Array  # (S,)
    hinge: float


def asked_of(neffectors: int, nsegments: int) -> Asked:
    """Room for what is asked."""
    n = 3 + 3 * nsegments
    shapes = [(6,), (3,), (neffectors, 6), (3,), (nsegments, 3), (neffectors, 4), (6, n), (3, n), (3, n), (nsegments,), (1,)]
    return Asked(*(np.zeros(shape) for shape in shapes))


@inner
def ask(
    body: Body, motion: Motion, position: Array, rotation: Array, tasks: Tasks, features: Array, contact: Mask, soles: Soles,
    ground: Ground, asked: Asked,
) -> None:  # fmt: skip
    """Fills `asked` from the state and a row of features, by (3) for root and effectors and joints."""
    n, e = position.shape[0], tasks.segment.shape[0]
    (root_position, root_rotation, root_velocity, root_spin, aim, aim_rotation, aim_velocity, aim_spin, pose, pose_spin, com,
     com_velocity) = feature_parts(features, e, n)  # fmt: skip
    _pull(motion, position, rotation, 0, tasks.stiffness[0], tasks.damping[0], root_position, root_rotation, root_velocity,
          root_spin, asked.root)  # fmt: skip
    asked.away[0] = np.sqrt(np.sum((position[0] - root_position) ** 2))
    point = np.empty(3)
    for i in range(e):
        k = tasks.segment[i]
        height = touching_point(soles, ground, motion, position[0], i, point) if tasks.by_hand else 0.0
        stands = contact[i] and height < ground.reach
        _anchor(stands, tasks.dt, position[k], aim[i], asked.anchor[i])
        if stands and tasks.by_hand:
            stand(body, motion, k, rotation, aim_rotation[i], aim_spin[i], point, height, ground.normal, tasks.dt,
                  asked.effector[i])  # fmt: skip
            continue
        kp, kd = (tasks.planted[0], tasks.planted[1]) if stands else (tasks.stiffness[1 + i], tasks.damping[1 + i])
        goal = aim[i] + asked.anchor[i, :3]
        _pull(motion, position, rotation, k, kp, kd, goal, aim_rotation[i], aim_velocity[i], aim_spin[i], asked.effector[i])
        if tasks.by_hand and height < np.inf:
            keep_above(motion, k, point, height, ground.normal, tasks.dt, asked.effector[i])
    for k in range(1, n):
        asked.bent[k] = _bend(body.parent[k], k, motion, rotation, tasks.pose[k], pose[k], pose_spin[k], asked.joint[k])
    root_rows(motion, asked.root_rows)
    _lead(motion, position[0], tasks, com, com_velocity, asked)
    _calm(motion, tasks.momentum, asked)


@inner
def add_up(body: Body, motion: Motion, tasks: Tasks, asked: Asked, share: Share, form: Array, linear: Array) -> None:
    """The sum of the weighted objectives, 1/2 u'^T form u' - linear^T u'. Only the upper triangle of `form` (n, n) is filled."""
    form[:] = 0.0
    linear[:] = 0.0
    for i in range(6):
        form[i, i] = share.root
        linear[i] = share.root * asked.root[i]
    for k in range(1, body.parent.shape[0]):
        weight = share.joint[k] * (1.0 + (dot(motion.joint_spin[k], motion.joint_spin[k]) / _WHIPPING**2) ** 2)
        weight *= 1.0 + (tasks.pose[k, 2] * asked.bent[k]) ** 4
        for i in range(3 + 3 * k, 6 + 3 * k):
            form[i, i] = weight
            linear[i] = weight * asked.joint[k, i - 3 - 3 * k]
    stiffen(body, motion, tasks.hinges, share.hinge, asked.joint, form, linear)
    for e in range(tasks.segment.shape[0]):
        if share.effector[e] > 0.0:
            weight = share.effector[e] * (tasks.firm if asked.anchor[e, 3] > 0.0 else 1.0)
            _add_effector(body, motion, tasks.segment[e], weight, asked.effector[e], form, linear)
    if share.com > 0.0:
        for r in range(3 if tasks.by_hand else 2):
            _add_row(asked.com_rows[r], share.com, asked.com[r], form, linear)
    if share.momentum > 0.0:
        for r in range(3):
            _add_row(asked.momentum_rows[r], share.momentum, asked.momentum[r], form, linear)


@inner
def let_fall(asked: Asked) -> None:
    """In flight nothing can hold the body up, so everything that is asked of it falls with it."""
    asked.root[2] -= GRAVITY
    asked.com[2] -= GRAVITY
    for e in range(asked.effector.shape[0]):
        asked.effector[e, 2] -= GRAVITY


@njit(cache=True)
def effector_rows(body: Body, motion: Motion, segment: int, rows: Array) -> None:
    """The Jacobian (6, n) of a segment's joint origin (linear) and frame (angular)."""
    rows[:] = 0.0
    for i in range(3):
        rows[i, i] = 1.0
    k = segment
    while k >= 0:
        x, y, z = motion.place[segment] - motion.place[k]
        at = 3 + 3 * k
        rows[0, at + 1], rows[0, at + 2] = z, -y  # the spin of joint k times the arm
        rows[1, at], rows[1, at + 2] = -z, x
        rows[2, at], rows[2, at + 1] = y, -x
        for i in range(3):
            rows[3 + i, at + i] = 1.0
        k = body.parent[k]


@njit(cache=True)
def _add_row(row: Array, weight: float, wanted: float, form: Array, linear: Array) -> None:
    """Adds w j j^T and w j b of one row."""
    for i in range(row.shape[0]):
        scaled = weight * row[i]
        linear[i] += scaled * wanted
        rest, sums = row[i:], form[i, i:]  # slices: the indices of the inner loop need no checks
        for j in range(rest.shape[0]):
            sums[j] += scaled * rest[j]


@inner
def _add_effector(body: Body, motion: Motion, segment: int, weight: float, wanted: Array, form: Array, linear: Array) -> None:
    """Adds w J^T J and w J^T b of one effector, block by block along its chain of joints i above j: r_j.r_i - r_j r_i^T + 1."""
    tip = motion.place[segment]
    for i in range(3):
        form[i, i] += weight
        linear[i] += weight * wanted[i]
    j = segment
    while j >= 0:
        at = 3 + 3 * j
        x, y, z = tip[0] - motion.place[j, 0], tip[1] - motion.place[j, 1], tip[2] - motion.place[j, 2]
        form[0, at + 1] += weight * z
        form[0, at + 2] -= weight * y
        form[1, at] -= weight * z
        form[1, at + 2] += weight * x
        form[2, at] += weight * y
        form[2, at + 1] -= weight * x
        linear[at] += weight * (y * wanted[2] - z * wanted[1] + wanted[3])
        linear[at + 1] += weight * (z * wanted[0] - x * wanted[2] + wanted[4])
        linear[at + 2] += weight * (x * wanted[1] - y * wanted[0] + wanted[5])
        arm = (x, y, z)
        i = j
        while i >= 0:
            above = 3 + 3 * i
            a, b, c = tip[0] - motion.place[i, 0], tip[1] - motion.place[i, 1], tip[2] - motion.place[i, 2]
            both = weight * (1.0 + a * x + b * y + c * z)
            for row in range(3):
                form[above + row, at] -= weight * arm[row] * a
                form[above + row, at + 1] -= weight * arm[row] * b
                form[above + row, at + 2] -= weight * arm[row] * c
                form[above + row, at + row] += both
            i = body.parent[i]
        j = body.parent[j]


@njit(cache=True)
def _anchor(contact: bool, dt: float, place: Array, aim: Array, anchor: Array) -> None:
    """A limb that has come into contact stays where it has landed: `anchor` (4,) is how far that is from where it was to land.

    Its last number tells whether it holds; after the contact the way is made up.
    """
    if not contact:
        for i in range(3):
            anchor[i] *= np.exp(-dt / _RETURN)
    elif anchor[3] == 0.0:
        for i in range(2):
            anchor[i] = min(max(place[i] - aim[i], -_ASTRAY), _ASTRAY)
    anchor[3] = 1.0 if contact else 0.0


@inner
def _pull(
    motion: Motion,
    position: Array,
    rotation: Array,
    k: int,
    kp: float,
    kd: float,
    aim: Array,
    aim_rotation: Array,
    aim_velocity: Array,
    aim_spin: Array,
    wanted: Array,
) -> None:
    """(3) for a segment's joint origin and frame, less its drift. The orientation's error is log(R_des R^T), world frame."""
    q = rotation[k]
    own = log_of_difference(q[0], q[1], q[2], q[3], aim_rotation[0], aim_rotation[1], aim_rotation[2], aim_rotation[3])
    error = rotate(q[0], q[1], q[2], q[3], own[0], own[1], own[2])
    for i in range(3):
        wanted[i] = kp * (aim[i] - position[k, i]) + kd * (aim_velocity[i] - motion.velocity[k, i])
        wanted[3 + i] = kp * error[i] + kd * (aim_spin[i] - motion.spin[k, i])
    _curb(wanted[:3])
    _curb(wanted[3:])
    for i in range(3):
        wanted[i] -= motion.drift[k, i]


@njit(cache=True)
def _curb(wanted: Array) -> None:
    """No more than the most that is ever asked for: targets may be out of reach, or jump."""
    size = np.sqrt(np.sum(wanted * wanted))
    if size > _MOST:
        wanted *= _MOST / size


@inner
def _bend(p: int, k: int, motion: Motion, rotation: Array, spring: Array, aim: Array, aim_spin: Array, wanted: Array) -> float:
    """(3) for a joint: toward the style pose, seen from the parent, which turns meanwhile; returns how far it is away, rad."""
    a, b = rotation[p], rotation[k]
    w, x, y, z = product((a[0], a[1], a[2], a[3]), (aim[0], aim[1], aim[2], aim[3]))
    own = log_of_difference(b[0], b[1], b[2], b[3], w, x, y, z)
    error = rotate(b[0], b[1], b[2], b[3], own[0], own[1], own[2])
    turning = rotate(a[0], a[1], a[2], a[3], aim_spin[0], aim_spin[1], aim_spin[2])
    carried = cross(motion.spin[p], motion.joint_spin[k])
    bent = np.sqrt(own[0] ** 2 + own[1] ** 2 + own[2] ** 2)
    harder = np.sqrt(1.0 + (spring[2] * bent) ** 2)
    kp, kd = harder**2 * spring[0], harder * spring[1]
    for i in range(3):
        wanted[i] = kp * error[i] + kd * (turning[i] - motion.joint_spin[k, i]) + carried[i]
    return bent


@inner
def _lead(motion: Motion, root: Array, tasks: Tasks, aim: Array, aim_velocity: Array, asked: Asked) -> None:
    """(3) for the centre of mass, less its drift. Its rows are those of linear momentum over the mass.

    Free limbs move for the angular momentum alone: a tail that steered too would be a counterweight and swing with the torso.
    """
    mass = motion.load[0, 0]
    for r in range(3):
        row, momentum = asked.root_rows[r], 0.0
        for j in range(row.shape[0]):
            asked.com_rows[r, j] = tasks.steers[j] * row[j] / mass
            momentum += row[j] * (motion.velocity[0, j] if j < 3 else motion.joint_spin[(j - 3) // 3, (j - 3) % 3])
        place = root[r] + motion.load[0, 1 + r] / mass
        asked.com[r] = tasks.stiffness[0] * (aim[r] - place) + tasks.damping[0] * (aim_velocity[r] - momentum / mass)
    _curb(asked.com)
    for r in range(3):
        asked.com[r] -= motion.bias[r] / mass
    asked.com[2] += GRAVITY  # which is in the bias


@inner
def _calm(motion: Motion, rate: float, asked: Asked) -> None:
    """The rows of I_C^-1 L' about the centre of mass, and what makes L' = -rate L of it.

    (6) as printed is not the rate of the angular momentum; this is. Divided by the whole body's inertia it is an angular
    acceleration like the others, so that its weight does not depend on mass and size.
    """
    rows, bias, n = asked.root_rows, motion.bias, asked.root_rows.shape[1]
    mass = motion.load[0, 0]
    com = motion.load[0, 1:4] / mass
    inertia = motion.load[0, 4:].copy().reshape(3, 3)
    for i in range(3):
        for j in range(3):
            inertia[i, j] += mass * com[i] * com[j]
        inertia[i, i] -= mass * dot(com, com)
    inverse = np.empty((3, 3))
    invert(inertia, inverse)
    turn, along = np.empty(3), np.empty(3)
    momentum, own = np.zeros(3), cross(com, bias[:3])
    for j in range(n):
        along[0], along[1], along[2] = rows[0, j], rows[1, j], rows[2, j]
        lever = cross(com, along)
        speed = motion.velocity[0, j] if j < 3 else motion.joint_spin[(j - 3) // 3, (j - 3) % 3]
        for i in range(3):
            turn[i] = rows[3 + i, j] - lever[i]
            momentum[i] += turn[i] * speed
        for i in range(3):
            asked.momentum_rows[i, j] = dot(inverse[i], turn)
    for i in range(3):
        turn[i] = -rate * momentum[i] - (bias[3 + i] - own[i])
    for i in range(3):
        asked.momentum[i] = dot(inverse[i], turn)
