"""The actor's root and limbs at the character's size (Çimen section 5, retargeting of position trajectories).

Equation (2) as printed adds up differences and drifts; here positions are measured from the rest poses of both:

    x = x_c0 + α (x_r - x_r0)

with one α for the root and all support limbs, and along the ground simply α times the actor's place, so that the character never
wanders from it. `advance` is the whole step: smooth, root, support limbs and their contacts, reach, targeted limbs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.pinned import views
from poise.quaternion import Quat, about_vertical, inverse, product, rotate, turn_between, turn_from, turned_by
from poise.reference.actor_smoothing import Smoothed, follow
from poise.reference.contact_cleanup import STANDS, SWINGS, Contacts, clean, yaw_of
from poise.rotation import Array

SUPPORT, REACHING, CARRIED = 0, 1, 2  # kinds of effectors: on the ground, at the end of a limb, moved by the trunk alone

_BALL = 0.16  # of the actor's leg: from the ankle to the ball of the foot
_FIRM = 0.15  # leg lengths/s: slower than this, a low foot stands flat, and tells how high its ankle is and how its sole lies
_LEARN_HEIGHT, _LEARN_SOLE = 0.5, 0.15  # s
_FARTHEST_FLOOR = 0.25  # of the leg: how far a standing height may be learnt to lie from that of the rest pose
_STEEPEST_SOLE = 0.7  # rad that a sole may be learnt to be tilted
_STEEPEST_FOOT, _FASTEST_FOOT = 1.2, 20.0  # rad that a foot may be tilted, rad/s that it turns at most
_FARTHEST_ASIDE = 1.4  # rad that a foot may point away from where the pelvis faces
_REACH = 0.98  # of a stretched limb (FINDINGS: a straight leg has no direction to bend)
_HEEL_LIFT, _HEEL_RATE = 0.8, 5.0  # rad, rad/s
_BEHIND = (0.1, 0.3)  # sine of the leg's lean: from here on a heel lifts, and from there on as far as it is asked to
_GIVE_WAY = 30.0  # rad/s, of the critically damped springs by which the root gives way and sways
_HEADING = 0.05  # s, time constant of the heading that feet stand apart by
_STRETCH = 0.3  # how much farther or nearer than at rest the trunk may carry something
_UPSIDE_DOWN = 0.1  # cos² of half the tilt: below it a heading means nothing and the last one stays


class Plan(NamedTuple):
    """What stays the same: roles of the actor, rest poses of both. E effectors; index -1 where the actor lacks the part."""

    kind: NDArray[np.int64]  # (E,) SUPPORT, REACHING or CARRIED
    roles: NDArray[np.int64]  # (E, 3) base of the limb, its tip, and what carries the base
    trunk: NDArray[np.int64]  # (1,) the pelvis
    actor_root: Array  # (3,) at rest, as all that follows
    actor_base: Array  # (E, 3)
    actor_tip: Array  # (E, 3)
    root: Array  # (3,)
    base: Array  # (E, 3)
    tip: Array  # (E, 3)
    root_turn: Array  # (4,)
    tip_turn: Array  # (E, 4)
    scale: Array  # (1 + E,) of root and support limbs, then of each targeted limb
    length: Array  # (1 + E,) leg of the actor, then each limb of the character stretched out
    stance_width: Array  # (2,) between the feet: the actor's, the character's
    lowest: Array  # (1 + E,) height that the root keeps above the floor, then height of each effector while it stands
    corners: Array  # (E, 8, 3) of the soles, in the effectors' frames
    edge: Array  # (E, 3) the middle of the front edge of the soles
    rule: Array  # of contacts, in the order of CleanUp


class Memory(NamedTuple):
    """What is carried from step to step."""

    contacts: Contacts
    standing: Array  # (E,) height of the actor's effector while it stands, as learnt so far
    sole: Array  # (E, 4) from the actor's foot as it comes to one that is level while it stands
    foot: Array  # (E, 4) rotation of the actor's effector as it was used last
    heading: Array  # (1,) radians
    heel: Array  # (E,) how far each heel is lifted, radians
    sway: Array  # (2,) how far the root sways from foot to foot beyond the actor's own sway, m, and how fast
    shift: Array  # (3, 2) how far the root gives way for the legs to reach, m, and how fast


_PLAN = "i1 i2 i1 f1 f2 f2 f1 f2 f2 f1 f2 f1 f1 f1 f1 f3 f2 f1"
_FRAMES, _ACTOR = "f1 f3 f3 i1", "f2 f2 f2 f2"
_MEMORY = "i1 f1 f2 f1 f2 f2 f2 f1 f1 f1 f2 f2 f1 f1 f1 f2"
LAYOUT = f"{_PLAN} {_FRAMES} {_ACTOR} {_MEMORY} f2 f1 b1"  # of the arrays of `advance`, in order


@njit(cache=True)
def advance(where: NDArray[np.int64], time: float, dt: float, rate: float) -> None:
    """`follow` and `place` with their arrays handed over by address: frames, actor, plan, memory, last, row, contact."""
    v = views(where, LAYOUT)
    actor = Smoothed(v[22], v[23], v[24], v[25])
    if rate > 0.0:
        follow(v[18], v[19], v[20], v[21], time, dt, rate, actor)
    contacts = Contacts(v[26], v[27], v[28], v[29], v[30], v[31], v[32], v[33], v[34])
    plan = Plan(
        v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15], v[16], v[17]
    )  # fmt: skip
    place(plan, actor, Memory(contacts, v[35], v[36], v[37], v[38], v[39], v[40], v[41]), dt, v[42], v[43], v[44])


@njit(cache=True)
def place(
    plan: Plan, actor: Smoothed, memory: Memory, dt: float, last: Array, row: Array, contact: NDArray[np.bool_]
) -> None:  # fmt: skip
    """One step of `dt` seconds: what the actor asks now into `row`, planned contacts into `contact`.

    `last` (1 + E, 7) holds the positions and rotations of root and effectors, before and after.
    """
    before = last.copy()
    e = plan.kind.shape[0]
    velocity = row[13 + 7 * e : 13 + 10 * e].reshape(e, 3)
    place_root(plan, actor, memory, dt, last)
    for k in range(e):
        if plan.kind[k] == SUPPORT:
            _place_support(plan, actor, memory, k, dt, velocity[k], last)
    reach_feet(plan, memory, dt, last)
    for k in range(e):
        if plan.kind[k] != SUPPORT:
            place_targeted(plan, actor, k, last)
        contact[k] = plan.kind[k] == SUPPORT and memory.contacts.phase[k] == STANDS
    _write(last, before, dt, e, row)


@njit(cache=True)
def place_root(plan: Plan, actor: Smoothed, memory: Memory, dt: float, last: Array) -> None:
    """The root: scaled along the ground and in height, swaying from foot to foot as far as the character's stance is wide."""
    pelvis = plan.trunk[0]
    at, alpha = actor.position[pelvis], plan.scale[0]
    turn = _quat(actor.rotation[pelvis])
    w, z = turn[0], turn[3]
    if w * w + z * z > _UPSIDE_DOWN:
        turned = yaw_in(turn) - memory.heading[0]
        memory.heading[0] += np.arctan2(np.sin(turned), np.cos(turned)) * (1.0 - np.exp(-dt / _HEADING))
    sink, nfeet, middle, apart = 0.0, 0, np.zeros(2), 0.0
    side = np.array([-np.sin(memory.heading[0]), np.cos(memory.heading[0])])
    for k in range(plan.kind.shape[0]):
        if plan.kind[k] == SUPPORT and plan.roles[k, 1] >= 0:
            foot = actor.position[plan.roles[k, 1]]
            middle += foot[:2]
            apart += (side[0] * foot[0] + side[1] * foot[1]) * np.sign(plan.actor_tip[k, 1])
            sink += memory.standing[k] - plan.actor_tip[k, 2]
            nfeet += 1
    sway = 0.0
    if nfeet == 2 and plan.stance_width[0] > 0.0:
        off = side[0] * (at[0] - 0.5 * middle[0]) + side[1] * (at[1] - 0.5 * middle[1])
        wider = plan.stance_width[1] - alpha * plan.stance_width[0]
        sway = wider * min(max(off / max(apart, plan.stance_width[0]), -0.5), 0.5)
    sway = _eased(memory.sway, sway, dt)
    last[0, 0], last[0, 1] = alpha * at[0] + sway * side[0], alpha * at[1] + sway * side[1]
    height = plan.root[2] + alpha * (at[2] - plan.actor_root[2] - sink / max(nfeet, 1))
    last[0, 2] = max(height, plan.lowest[0])
    _set_turn(last[0], product(turn, _quat(plan.root_turn)))


@njit(cache=True)
def _place_support(plan: Plan, actor: Smoothed, memory: Memory, k: int, dt: float, velocity: Array, last: Array) -> None:
    """A support effector: the actor's at the character's size and stance, cleaned of noisy contacts, never below the floor."""
    tip, alpha = plan.roles[k, 1], plan.scale[0]
    foot, turn = actor.position[tip], _foot_turn(actor, memory, k, tip, dt)
    comes, rises, leaves, others = _touches(plan, actor, memory, k, turn)
    _learn(plan, actor, memory, k, dt)
    x, y, _ = _headed(memory.heading[0], _rest_offset(plan, k))
    path = np.empty(3)
    path[0], path[1] = alpha * foot[0] + x, alpha * foot[1] + y
    path[2] = plan.tip[k, 2] + alpha * (foot[2] - memory.standing[k])
    clean(
        memory.contacts, k, plan.rule, plan.length[1 + k], dt, comes, rises, leaves, others, plan.lowest[1 + k], path,
        product(turn, _quat(plan.tip_turn[k])), last[1 + k, :3], velocity, last[1 + k, 3:],
    )  # fmt: skip
    if memory.contacts.phase[k] != STANDS:
        last[1 + k, 2] = max(last[1 + k, 2], -_deepest(plan.corners[k], _quat(last[1 + k, 3:])))


@njit(cache=True)
def _foot_turn(actor: Smoothed, memory: Memory, k: int, tip: int, dt: float) -> Quat:
    """A foot's rotation, its sole tilted and turned no more than feet do: flipped sensors and lost markers go further."""
    turn = product(_quat(actor.rotation[tip]), _quat(memory.sole[k]))
    x, y, z = rotate(turn[0], turn[1], turn[2], turn[3], 0.0, 0.0, 1.0)
    rx, ry, rz = turn_from((1.0, 0.0, 0.0, 0.0), turn_between(0.0, 0.0, 1.0, x, y, z))
    back = min(_STEEPEST_FOOT / max(np.sqrt(rx * rx + ry * ry + rz * rz), 1e-9), 1.0) - 1.0
    turn = turned_by(turn, back * rx, back * ry, back * rz)
    aside = yaw_of(turn) - memory.heading[0]
    aside = np.arctan2(np.sin(aside), np.cos(aside))
    turn = turned_by(turn, 0.0, 0.0, min(max(aside, -_FARTHEST_ASIDE), _FARTHEST_ASIDE) - aside)
    was = _quat(memory.foot[k])
    rx, ry, rz = turn_from(was, turn)
    share = min(_FASTEST_FOOT * dt / max(np.sqrt(rx * rx + ry * ry + rz * rz), 1e-9), 1.0)
    turn = turned_by(was, share * rx, share * ry, share * rz)
    memory.foot[k, 0], memory.foot[k, 1], memory.foot[k, 2], memory.foot[k, 3] = turn
    return turn


@njit(cache=True)
def _touches(plan: Plan, actor: Smoothed, memory: Memory, k: int, turn: Quat) -> tuple[bool, bool, bool, int]:
    """Whether the actor's effector comes into contact, is high, leaves its contact, and how many others stand.

    A heel lifts before the foot leaves: the ball of the foot still counts as contact while nobody else stands, or while the
    whole foot is nearly still, as on tiptoe.
    """
    tip, leg, rule = plan.roles[k, 1], plan.length[0], plan.rule
    v, w = actor.velocity[tip], actor.spin[tip]
    x, y, z = rotate(turn[0], turn[1], turn[2], turn[3], _BALL, 0.0, 0.0)
    height = (actor.position[tip, 2] - memory.standing[k]) / leg
    speed = np.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2) / leg
    ball_height = height + z
    vx, vy, vz = v[0] / leg + w[1] * z - w[2] * y, v[1] / leg + w[2] * x - w[0] * z, v[2] / leg + w[0] * y - w[1] * x
    ball_speed = np.sqrt(vx * vx + vy * vy + vz * vz)
    others = 0
    for j in range(plan.kind.shape[0]):
        others += j != k and plan.kind[j] == SUPPORT and memory.contacts.phase[j] == STANDS
    comes = height < rule[0] and (speed < rule[1] or (-v[2] > rule[11] * leg * max(speed, 1.0) and speed < rule[12]))
    on_ball = rule[1] if others == 0 else rule[14]
    comes = comes or (ball_height < rule[0] and ball_speed < on_ball and (others == 0 or (speed < on_ball and height < rule[15])))
    lifted, ball_lifted = height > rule[2] or speed > rule[3], ball_height > rule[2] or ball_speed > rule[3]
    walks_off = others > 0 and speed > 2.0 * rule[14]
    return comes, height > rule[2] and ball_height > rule[2], lifted and (ball_lifted or walks_off), others


@njit(cache=True)
def _learn(plan: Plan, actor: Smoothed, memory: Memory, k: int, dt: float) -> None:
    """While the actor's foot is low and still, learns how high its joint stands and how its sole lies."""
    tip, leg = plan.roles[k, 1], plan.length[0]
    v = actor.velocity[tip]
    height = actor.position[tip, 2] - memory.standing[k]
    if height > plan.rule[0] * leg or np.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2) > _FIRM * leg:
        return
    rest = plan.actor_tip[k, 2]
    learnt = memory.standing[k] + height * min(dt / _LEARN_HEIGHT, 1.0)
    memory.standing[k] = min(max(learnt, rest - _FARTHEST_FLOOR * leg), rest + _FARTHEST_FLOOR * leg)
    own = _quat(actor.rotation[tip])
    turn = product(own, _quat(memory.sole[k]))
    x, y, z = rotate(turn[0], turn[1], turn[2], turn[3], 0.0, 0.0, 1.0)
    if z > np.cos(_STEEPEST_SOLE):
        rx, ry, rz = turn_from((1.0, 0.0, 0.0, 0.0), turn_between(x, y, z, 0.0, 0.0, 1.0))
        share = min(dt / _LEARN_SOLE, 1.0)
        level = turned_by(turn, share * rx, share * ry, share * rz)
        memory.sole[k, 0], memory.sole[k, 1], memory.sole[k, 2], memory.sole[k, 3] = product(inverse(own), level)


@njit(cache=True)
def reach_feet(plan: Plan, memory: Memory, dt: float, last: Array) -> None:
    """Keeps feet within reach of the hips.

    A foot that stands first lifts its heel, as walkers do: it tilts about the front edge of its sole, which stays where it is.
    What that does not give the root gives, smoothly. Feet that swing give way to the root.
    """
    turn = _quat(last[0, 3:])
    for k in range(plan.kind.shape[0]):
        if plan.kind[k] == SUPPORT and memory.contacts.phase[k] == STANDS:
            _lift_heel(plan, memory, k, turn, dt, last)
        else:
            memory.heel[k] = 0.0
    asked = last[0, :3].copy()
    for _ in range(3):
        for k in range(plan.kind.shape[0]):
            if plan.kind[k] == SUPPORT and memory.contacts.phase[k] != SWINGS:
                x, y, z, excess = _beyond(plan, k, turn, last)
                last[0, 0], last[0, 1], last[0, 2] = last[0, 0] - excess * x, last[0, 1] - excess * y, last[0, 2] - excess * z
    for i in range(3):
        last[0, i] = asked[i] + _eased(memory.shift[i], last[0, i] - asked[i], dt)
    last[0, 2] = max(last[0, 2], plan.lowest[0])
    for k in range(plan.kind.shape[0]):
        if plan.kind[k] == SUPPORT and memory.contacts.phase[k] == SWINGS:
            x, y, z, excess = _beyond(plan, k, turn, last)
            excess *= min(memory.contacts.since[k] / plan.rule[5], 1.0)  # little by little, after it has left
            last[1 + k, 0] += excess * x
            last[1 + k, 1] += excess * y
            last[1 + k, 2] += excess * z


@njit(cache=True)
def _eased(value: Array, goal: float, dt: float) -> float:
    """Moves a value and its rate (2,) towards a goal by a critically damped spring; returns the value."""
    away = value[0] - goal
    pace, decay = value[1] + _GIVE_WAY * away, np.exp(-_GIVE_WAY * dt)
    value[0], value[1] = goal + (away + pace * dt) * decay, (value[1] - _GIVE_WAY * pace * dt) * decay
    return value[0]


@njit(cache=True)
def _lift_heel(plan: Plan, memory: Memory, k: int, root_turn: Quat, dt: float, last: Array) -> None:
    """Tilts a standing foot behind the hips about the front edge of its sole until the limb reaches it, or as far as heels go."""
    flat = last[1 + k].copy()
    x, y, _, excess = _beyond(plan, k, root_turn, last)
    ahead, aside, _ = _turned(_quat(flat[3:]), np.array([1.0, 0.0, 0.0]))
    lean = min(max((x * ahead + y * aside - _BEHIND[0]) / (_BEHIND[1] - _BEHIND[0]), 0.0), 1.0)
    low, high = 0.0, _HEEL_LIFT if excess > 0.0 and lean > 0.0 else 0.0
    while high - low > 1e-4:
        middle = 0.5 * (low + high)
        _tilt(flat, plan.edge[k], middle, last[1 + k])
        if _beyond(plan, k, root_turn, last)[3] > 0.0:
            low = middle
        else:
            high = middle
    fastest = _HEEL_RATE * dt
    memory.heel[k] += min(max(lean * high - memory.heel[k], -fastest), fastest)
    _tilt(flat, plan.edge[k], memory.heel[k], last[1 + k])


@njit(cache=True)
def _tilt(flat: Array, edge: Array, angle: float, entry: Array) -> None:
    """A foot (position, rotation) that stood flat, tilted forward about an edge of its sole that stays where it is."""
    if angle == 0.0:
        entry[:] = flat
        return
    turn = product(_quat(flat[3:]), (np.cos(0.5 * angle), 0.0, np.sin(0.5 * angle), 0.0))
    fx, fy, fz = _turned(_quat(flat[3:]), edge)
    x, y, z = _turned(turn, edge)
    entry[0], entry[1], entry[2] = flat[0] + fx - x, flat[1] + fy - y, flat[2] + fz - z
    _set_turn(entry, turn)


@njit(cache=True)
def _beyond(plan: Plan, k: int, turn: Quat, last: Array) -> tuple[float, float, float, float]:
    """The direction from an effector to its limb's base, and by how much it is too far away."""
    hx, hy, hz = _turned(turn, plan.base[k] - plan.root)
    x, y, z = last[0, 0] + hx - last[1 + k, 0], last[0, 1] + hy - last[1 + k, 1], last[0, 2] + hz - last[1 + k, 2]
    far = max(np.sqrt(x * x + y * y + z * z), 1e-9)
    return x / far, y / far, z / far, max(far - _REACH * plan.length[1 + k], 0.0)


@njit(cache=True)
def place_targeted(plan: Plan, actor: Smoothed, k: int, last: Array) -> None:
    """A targeted effector, relative to the root: the trunk carries its limb's base, and the limb reaches from there."""
    base, tip, carrier = plan.roles[k]
    root_turn = _quat(last[0, 3:])
    if tip < 0:
        x, y, z = _turned(root_turn, plan.tip[k] - plan.root)
        last[1 + k, 0], last[1 + k, 1], last[1 + k, 2] = last[0, 0] + x, last[0, 1] + y, last[0, 2] + z
        _set_turn(last[1 + k], product(root_turn, _quat(plan.tip_turn[k])))
        return
    pelvis = actor.position[plan.trunk[0]]
    held = _quat(actor.rotation[carrier])
    if plan.kind[k] == CARRIED:
        x, y, z = _carried(plan.actor_tip[k] - plan.actor_root, actor.position[tip] - pelvis, held, plan.tip[k] - plan.root)
    else:
        x, y, z = _carried(plan.actor_base[k] - plan.actor_root, actor.position[base] - pelvis, held, plan.base[k] - plan.root)
        dx, dy, dz = _reached(plan, actor, k)
        x, y, z = x + dx, y + dy, z + dz
    last[1 + k, 0], last[1 + k, 1], last[1 + k, 2] = last[0, 0] + x, last[0, 1] + y, last[0, 2] + z
    _set_turn(last[1 + k], product(_quat(actor.rotation[tip]), _quat(plan.tip_turn[k])))


@njit(cache=True)
def _carried(rest: Array, now: Array, held: Quat, own: Array) -> tuple[float, float, float]:
    """What the trunk does to the actor's vector (from rest to now), done to the character's own.

    It is turned as the carrier is, plus the smallest turn that brings the actor's rest vector onto the present one.
    """
    x, y, z = _turned(held, rest)
    turn = product(turn_between(x, y, z, now[0], now[1], now[2]), held)
    x, y, z = _turned(turn, own)
    stretch = np.sqrt(np.sum(now * now) / max(np.sum(rest * rest), 1e-12))
    stretch = min(max(stretch, 1.0 - _STRETCH), 1.0 + _STRETCH)
    return stretch * x, stretch * y, stretch * z


@njit(cache=True)
def _reached(plan: Plan, actor: Smoothed, k: int) -> tuple[float, float, float]:
    """From a limb's base to its tip: its rest vector plus the actor's scaled displacement, in the heading frame, within reach."""
    heading = yaw_in(_quat(actor.rotation[plan.roles[k, 2]]))
    arm = actor.position[plan.roles[k, 1]] - actor.position[plan.roles[k, 0]]
    x, y, z = _headed(-heading, arm)
    scale, rest, own = plan.scale[1 + k], plan.actor_tip[k] - plan.actor_base[k], plan.tip[k] - plan.base[k]
    local = np.array([own[0] + scale * (x - rest[0]), own[1] + scale * (y - rest[1]), own[2] + scale * (z - rest[2])])
    far = np.sqrt(np.sum(local * local))
    limit = _REACH * plan.length[1 + k]
    if far > limit:
        local *= limit / far
    return _headed(heading, local)


@njit(cache=True)
def yaw_in(q: Quat) -> float:
    """The turn about the vertical that is in q, radians."""
    return 2.0 * np.arctan2(q[3], q[0])


@njit(cache=True)
def _rest_offset(plan: Plan, k: int) -> Array:
    """How far the effector stands from where the actor's would at the character's size, in the heading frame."""
    return (plan.tip[k] - plan.root) - plan.scale[0] * (plan.actor_tip[k] - plan.actor_root)


@njit(cache=True)
def _headed(heading: float, v: Array) -> tuple[float, float, float]:
    return _turned(about_vertical(heading), v)


@njit(cache=True)
def _deepest(corners: Array, turn: Quat) -> float:
    """The lowest corner of a sole, from its joint, metres; negative."""
    lowest = 0.0
    for c in range(corners.shape[0]):
        lowest = min(lowest, _turned(turn, corners[c])[2])
    return lowest


@njit(cache=True)
def _write(last: Array, before: Array, dt: float, e: int, row: Array) -> None:
    """Positions, rotations, and velocities by the difference of this step, into the row of features."""
    a = 13
    starts = (a, a + 3 * e, a + 7 * e, a + 10 * e)
    for k in range(1 + e):
        spin = turn_from(_quat(before[k, 3:]), _quat(last[k, 3:]))
        p, q, v, w = (0, 3, 7, 10) if k == 0 else (
            starts[0] + 3 * (k - 1), starts[1] + 4 * (k - 1), starts[2] + 3 * (k - 1), starts[3] + 3 * (k - 1)
        )  # fmt: skip
        row[p : p + 3] = last[k, :3]
        row[q : q + 4] = last[k, 3:]
        for i in range(3):
            row[v + i] = (last[k, i] - before[k, i]) / dt
            row[w + i] = spin[i] / dt


@njit(cache=True)
def _quat(q: Array) -> Quat:
    return q[0], q[1], q[2], q[3]


@njit(cache=True)
def _turned(q: Quat, v: Array) -> tuple[float, float, float]:
    return rotate(q[0], q[1], q[2], q[3], v[0], v[1], v[2])


@njit(cache=True)
def _set_turn(entry: Array, q: Quat) -> None:
    entry[3], entry[4], entry[5], entry[6] = q
