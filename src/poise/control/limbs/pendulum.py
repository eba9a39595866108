"""Where feet that are yet to come can take the centre of mass: a pendulum on them, planned ahead; compiled.

Along the ground the centre of mass c of a body moves as a pendulum that stands on its centre of pressure p, as long as its
angular momentum hardly changes; in flight it goes straight on:

    c'' = w² (c - p),    w² = (g + z'') / z

An actor's p lies under the actor's feet, but that of a creature that is to follow need not: its feet are smaller, its size is
another and its weight lies elsewhere. So the course of the centre of mass is the one that stays near the actor's while its
centre of pressure stays under the feet that are planned:

    min over p of   sum of  a |c - c_actor|² + b |p - p_actor|² + d (distance of p from the support)²

`plan` solves it by least squares: the nearest points of the supports, and so which of them are left, are those of the pass
before, which makes every pass one backward sweep (Riccati's) and one forward.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.control.limbs.ground_forces import REACH, SLOW, Soles
from poise.control.limbs.kinematics import cross
from poise.control.limbs.polygon import hull, nearest
from poise.physics.world import GRAVITY
from poise.quaternion import rotate
from poise.reference.feature_row import feature_parts
from poise.rotation import Array, Mask

_PASSES = 2  # a plan is made anew every few hundredths of a second, from the one before
_LIGHTEST, _HEAVIEST = 0.3 * GRAVITY, 3.0 * GRAVITY  # m/s2: bounds of g + z'' while a foot stands; the actor's is noisy
_LOWEST = 0.1  # of the support limbs' length: the least height of the centre of mass above what carries it
_FALTERING = 0.5  # of the way to where a corner no longer pushes, in squares: only up to here it is counted on


class Costs(NamedTuple):
    """What counts how much in the plan; lengths are in lengths of the support limbs. All measured."""

    astray: float = 10.0  # of the centre of mass away from the actor's, squared
    leash: float = 0.08  # away from the actor's by this much costs twice that, and more and more beyond
    unlike: float = 1.0  # of the centre of pressure away from the actor's, squared
    outside: float = 100.0  # of the centre of pressure outside of the support, squared
    end: float = 3000.0  # of c + c'/w at the end of the plan: what becomes of the body after it


class Course(NamedTuple):
    """What is known ahead, at N moments that are equally far apart, and the plan for them. World frame, along the ground."""

    com: Array  # (N, 3) the actor's, m
    velocity: Array  # (N, 3) its velocity
    support: Array  # (N, C, 2) the corners of what the feet cover, counter-clockwise
    corners: NDArray[np.int64]  # (N,) how many they are; none in flight
    height: Array  # (N,) of the centre of mass above the feet
    swing: Array  # (N, 4) w², cosh wh, sinh(wh) / w, w sinh wh over the time h to the next moment
    actor: Array  # (N, 2) the actor's centre of pressure
    pressure: Array  # (N, 2) the planned centre of pressure
    inside: Array  # (N, 2) the point of the support that is nearest to it
    outside: Array  # (N,) 1 where it is outside of the support, else 0
    hold: Array  # (N,) how many times harder the centre of mass is held, because it is far from the actor's
    state: Array  # (2, 2) position and velocity of the planned centre of mass at the first moment


def course_of(nmoments: int, soles: Soles) -> Course:
    """Room for a course of so many moments."""
    n, corners = nmoments, len(soles.segment) + 1
    shapes = [(n,), (n, 4), (n, 2), (n, 2), (n, 2), (n,), (n,), (2, 2)]
    known = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, corners, 2)), np.zeros(n, np.int64)
    return Course(*known, *(np.zeros(shape) for shape in shapes))


@njit(cache=True)
def foresee(course: Course, k: int, soles: Soles, leg: float, features: Array, contact: Mask, nsegments: int) -> None:
    """Moment k of the course from a row of features, and how high the centre of mass is above the feet.

    As in `find_pushes` a corner of a sole carries while it is near the ground and either planned to touch or slow.
    """
    parts = feature_parts(features, contact.shape[0], nsegments)
    position, turn, velocity, spin, com, com_velocity = parts[4], parts[5], parts[6], parts[7], parts[10], parts[11]
    points, count, low = np.empty((soles.segment.shape[0], 2)), 0, 0.0
    for c in range(soles.segment.shape[0]):
        e = soles.effector[c]
        q, corner = turn[e], soles.corner[c]
        arm = np.array(rotate(q[0], q[1], q[2], q[3], corner[0], corner[1], corner[2]))
        away = (max(position[e, 2] + arm[2], 0.0) / (REACH * leg)) ** 2
        if not contact[e]:
            turning = cross(spin[e], arm)
            for i in range(3):
                away += ((velocity[e, i] + turning[i]) / (SLOW * leg)) ** 2
        if away < _FALTERING:
            points[count, 0], points[count, 1] = position[e, 0] + arm[0], position[e, 1] + arm[1]
            low += position[e, 2] + arm[2]
            count += 1
    for i in range(3):
        course.com[k, i], course.velocity[k, i] = com[i], com_velocity[i]
    course.corners[k] = hull(points[:count], course.support[k])
    course.height[k] = max(com[2] - low / max(count, 1), _LOWEST * leg)
    course.outside[k], course.hold[k] = 0.0, 1.0


@njit(cache=True)
def go_on(
    course: Course, spacing: float, soles: Soles, leg: float, features: Array, contact: Mask, nsegments: int, costs: Costs
) -> None:
    """The second moment becomes the first, and so on; the last is foreseen from a row of features, and all planned anew."""
    forget_first(course, spacing)
    foresee(course, course.com.shape[0] - 1, soles, leg, features, contact, nsegments)
    plan(course, spacing, leg, costs)


@njit(cache=True)
def plan(course: Course, spacing: float, leg: float, costs: Costs) -> None:
    """Plans the centres of pressure from the present state on; the moments are `spacing` seconds apart."""
    _follow_actor(course, spacing)
    gain, push = np.zeros((course.com.shape[0], 2)), np.zeros((course.com.shape[0], 2))
    for _ in range(_PASSES):
        _sweep_back(course, costs, gain, push)
        if not _sweep_forth(course, costs.leash * leg, gain, push):
            break


@njit(cache=True)
def lead(course: Course, seconds: float, features: Array, carried: Mask, nsegments: int) -> None:
    """The features of a moment so many seconds after the first one, before the second: the centre of mass goes as planned.

    The root and the effectors that it carries, (E,) True, go along: they stay as far from the centre of mass as the actor's.
    """
    state = np.empty((2, 2))
    _swing_on(course, seconds, state)
    parts = feature_parts(features, carried.shape[0], nsegments)
    root, root_velocity, aim, aim_velocity, com, com_velocity = parts[0], parts[2], parts[4], parts[6], parts[10], parts[11]
    for i in range(2):
        aside, drift = state[0, i] - com[i], state[1, i] - com_velocity[i]
        root[i] += aside
        root_velocity[i] += drift
        for e in range(carried.shape[0]):
            if carried[e]:
                aim[e, i] += aside
                aim_velocity[e, i] += drift
        com[i], com_velocity[i] = state[0, i], state[1, i]


@njit(cache=True)
def forget_first(course: Course, spacing: float) -> None:
    """The second moment becomes the first, and so on; the last stays as it is."""
    _swing_on(course, spacing, course.state)
    for k in range(course.com.shape[0] - 1):
        for i in range(3):
            course.com[k, i], course.velocity[k, i] = course.com[k + 1, i], course.velocity[k + 1, i]
        for i in range(2):
            course.pressure[k, i], course.inside[k, i] = course.pressure[k + 1, i], course.inside[k + 1, i]
            for c in range(course.support.shape[1]):
                course.support[k, c, i] = course.support[k + 1, c, i]
        course.corners[k], course.height[k] = course.corners[k + 1], course.height[k + 1]
        course.outside[k], course.hold[k] = course.outside[k + 1], course.hold[k + 1]


@njit(cache=True)
def _swing_on(course: Course, seconds: float, state: Array) -> None:
    """The planned centre of mass so many seconds after the first moment, before the second: (2, 2) as in the course."""
    w = np.sqrt(course.swing[0, 0])
    ch, sh, whs = (np.cosh(w * seconds), np.sinh(w * seconds) / w, w * np.sinh(w * seconds)) if w > 0.0 else (1.0, seconds, 0.0)
    for i in range(2):
        p = course.pressure[0, i]
        c, v = course.state[0, i] - p, course.state[1, i]
        state[0, i], state[1, i] = p + ch * c + sh * v, whs * c + ch * v


@njit(cache=True)
def _follow_actor(course: Course, h: float) -> None:
    """How the pendulum swings at each moment, and where the actor's centre of pressure is; from the actor's accelerations."""
    n = course.com.shape[0]
    for k in range(n):
        before, after = max(k - 1, 0), min(k + 1, n - 1)
        time = (after - before) * h
        square = 0.0
        if course.corners[k] > 0:
            lift = GRAVITY + (course.velocity[after, 2] - course.velocity[before, 2]) / time
            square = min(max(lift, _LIGHTEST), _HEAVIEST) / course.height[k]
        w = np.sqrt(square)
        course.swing[k, 0] = square
        course.swing[k, 1] = np.cosh(w * h)
        course.swing[k, 2], course.swing[k, 3] = (np.sinh(w * h) / w, w * np.sinh(w * h)) if w > 0.0 else (h, 0.0)
        for i in range(2):
            acceleration = (course.velocity[after, i] - course.velocity[before, i]) / time
            course.actor[k, i] = course.com[k, i] - (acceleration / square if w > 0.0 else 0.0)


@njit(cache=True)
def _sweep_back(course: Course, costs: Costs, gain: Array, push: Array) -> None:
    """From the end to the present: p = push - gain (c, c') is best at each moment, if it is best at all later ones.

    What is to come costs s00 c² + 2 s01 c c' + s11 c'² - 2 f (c, c'), alike in both directions but for f.
    """
    last = course.com.shape[0] - 1
    later = np.sqrt(course.height[last] / GRAVITY)
    s00, s01, s11 = costs.end, costs.end * later, costs.end * later**2
    f = np.empty((2, 2))
    for i in range(2):
        diverging = course.com[last, i] + later * course.velocity[last, i]
        f[i, 0], f[i, 1] = s00 * diverging, s01 * diverging
    for k in range(last - 1, -1, -1):
        ch, sh, whs = course.swing[k, 1], course.swing[k, 2], course.swing[k, 3]
        astray, outside = costs.astray * course.hold[k], costs.outside * course.outside[k]
        m00, m01 = s00 * ch + s01 * whs, s00 * sh + s01 * ch
        m10, m11 = s01 * ch + s11 * whs, s01 * sh + s11 * ch
        g0, g1 = 1.0 - ch, -whs  # what p does to the next moment; nothing in flight
        k0, k1 = g0 * m00 + g1 * m10, g0 * m01 + g1 * m11
        bend = costs.unlike + outside + g0 * (s00 * g0 + s01 * g1) + g1 * (s01 * g0 + s11 * g1)
        s00, s01, s11 = ch * m00 + whs * m10 + astray - k0 * k0 / bend, ch * m01 + whs * m11 - k0 * k1 / bend, (
            sh * m01 + ch * m11 - k1 * k1 / bend
        )  # fmt: skip
        gain[k, 0], gain[k, 1] = k0 / bend, k1 / bend
        for i in range(2):
            wish = costs.unlike * course.actor[k, i] + outside * course.inside[k, i] + g0 * f[i, 0] + g1 * f[i, 1]
            push[k, i] = wish / bend
            f[i, 0], f[i, 1] = ch * f[i, 0] + whs * f[i, 1] - k0 * push[k, i] + astray * course.com[k, i], (
                sh * f[i, 0] + ch * f[i, 1] - k1 * push[k, i]
            )  # fmt: skip


@njit(cache=True)
def _sweep_forth(course: Course, leash: float, gain: Array, push: Array) -> bool:
    """From the present to the end: where the plan leads. False when it is as it was in the pass before."""
    changes = False
    x, y, vx, vy = course.state[0, 0], course.state[0, 1], course.state[1, 0], course.state[1, 1]
    for k in range(course.com.shape[0] - 1):
        ch, sh, whs = course.swing[k, 1], course.swing[k, 2], course.swing[k, 3]
        far = ((x - course.com[k, 0]) ** 2 + (y - course.com[k, 1]) ** 2) / leash**2
        course.hold[k] = 0.5 * (course.hold[k] + 1.0 + min(far, 20.0) ** 2)
        px = push[k, 0] - gain[k, 0] * x - gain[k, 1] * vx
        py = push[k, 1] - gain[k, 0] * y - gain[k, 1] * vy
        course.pressure[k, 0], course.pressure[k, 1] = px, py
        if course.corners[k] > 0:
            outside, qx, qy = nearest(course.support[k, : course.corners[k]], px, py)
            moved = abs(qx - course.inside[k, 0]) + abs(qy - course.inside[k, 1])
            changes = changes or outside != course.outside[k] or moved > 0.01 * leash
            course.outside[k], course.inside[k, 0], course.inside[k, 1] = outside, qx, qy
        x, vx = px + ch * (x - px) + sh * vx, whs * (x - px) + ch * vx
        y, vy = py + ch * (y - py) + sh * vy, whs * (y - py) + ch * vy
    return changes
