"""The actor's root and limbs at the character's size (Çimen section 5, retargeting of position trajectories).

Equation (2) as printed adds up differences and drifts; here positions are measured from the rest poses of both:

    x = x_c0 + α (x_r - x_r0)

with one α for the root and all support limbs, and along the ground simply α times the actor's place, so that the character never
wanders from it. `advance` is the whole step: smooth, root, support limbs and their contacts, reach, targeted limbs, centre of
mass.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.pinned import views
from poise.quaternion import Quat, product, turn_between, turn_from
from poise.reference.actor_mass import ActorMass, place_com
from poise.reference.actor_smoothing import Smoothed, follow
from poise.reference.contact_cleanup import STANDS, CleanUp, Contacts, tell_landing
from poise.reference.feature_memory import CARRIED, SUPPORT, Memory, Plan, eased, headed, quat, set_turn, turned
from poise.reference.feature_reach import REACH, reach_feet
from poise.reference.feature_row import landings
from poise.reference.feature_support import place_support
from poise.reference.features import LANDING
from poise.rotation import Array

_HEADING = 0.05  # s, time constant of the heading that feet stand apart by
_STRETCH = 0.3  # how much farther or nearer than at rest the trunk may carry something
_UPSIDE_DOWN = 0.1  # cos² of half the tilt: below it a heading means nothing and the last one stays


_PLAN, _RULE = "i1 i2 i1 f1 f2 f2 f1 f2 f2 f1 f2 f1 f1 f1 f1 f3 f2 i2 f2", "f1"
_FRAMES, _ACTOR = "f1 f3 f3 i1", "f2 f2 f2 f2"
_MEMORY = "i1 f1 f2 f1 f2 f2 f2 f1 f1 f1 f2 f2 f1 f1 f1 f2"
LAYOUT = f"{_PLAN} {_RULE} {_FRAMES} {_ACTOR} {_MEMORY} f2 f1 b1 f1 f2 f1"  # of the arrays of `advance`, in order


@njit(cache=True)
def advance(where: NDArray[np.int64], time: float, dt: float, rate: float) -> None:
    """`follow` (unless the rate is 0) and `place`, with their arrays handed over by address."""
    v = views(where, LAYOUT)
    plan = Plan(
        v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15], v[16], v[17], v[18]
    )  # fmt: skip
    r = v[19]
    rule = CleanUp(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], r[11], r[12], r[13], r[14], r[15])
    actor = Smoothed(v[24], v[25], v[26], v[27])
    if rate > 0.0:
        follow(v[20], v[21], v[22], v[23], time, dt, rate, actor)
    contacts = Contacts(v[28], v[29], v[30], v[31], v[32], v[33], v[34], v[35], v[36])
    memory = Memory(contacts, v[37], v[38], v[39], v[40], v[41], v[42], v[43])
    place(plan, rule, actor, ActorMass(v[47], v[48], v[49]), memory, dt, v[44], v[45], v[46])
    _resemble(plan, actor, dt, v[45][13 + (13 + LANDING) * v[0].shape[0] :])


@njit(cache=True)
def place(
    plan: Plan, rule: CleanUp, actor: Smoothed, mass: ActorMass, memory: Memory, dt: float, last: Array, row: Array,
    contact: NDArray[np.bool_],
) -> None:  # fmt: skip
    """One step of `dt` seconds: what the actor asks now into `row`, planned contacts into `contact`.

    `last` (2 + E, 7) holds the positions and rotations of root and effectors and the centre of mass, before and after.
    """
    before = last.copy()
    e = plan.kind.shape[0]
    velocity = row[13 + 7 * e : 13 + 10 * e].reshape(e, 3)
    place_root(plan, actor, memory, dt, last)
    for k in range(e):
        if plan.kind[k] == SUPPORT:
            place_support(plan, rule, actor, memory, k, dt, velocity[k], last)
    reach_feet(plan, rule.leaving, memory, dt, last)
    for k in range(e):
        if plan.kind[k] != SUPPORT:
            place_targeted(plan, actor, k, last)
        contact[k] = plan.kind[k] == SUPPORT and memory.contacts.phase[k] == STANDS
    place_com(mass, actor, plan.trunk[0], plan.scale[0], memory.heading[0], last[0, :3], last[1 + e, :3])
    _write(last, before, dt, e, row)
    landing = landings(row, e)
    for k in range(e):
        tell_landing(memory.contacts, k, landing[k])


@njit(cache=True)
def place_root(plan: Plan, actor: Smoothed, memory: Memory, dt: float, last: Array) -> None:
    """The root: scaled along the ground and in height, swaying from foot to foot as far as the character's stance is wide."""
    pelvis = plan.trunk[0]
    at, alpha = actor.position[pelvis], plan.scale[0]
    turn = quat(actor.rotation[pelvis])
    w, z = turn[0], turn[3]
    if w * w + z * z > _UPSIDE_DOWN:
        behind = yaw_in(turn) - memory.heading[0]
        memory.heading[0] += np.arctan2(np.sin(behind), np.cos(behind)) * (1.0 - np.exp(-dt / _HEADING))
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
    sway = eased(memory.sway, sway, dt)
    last[0, 0], last[0, 1] = alpha * at[0] + sway * side[0], alpha * at[1] + sway * side[1]
    height = plan.root[2] + alpha * (at[2] - plan.actor_root[2] - sink / max(nfeet, 1))
    last[0, 2] = max(height, plan.lowest[0])
    set_turn(last[0], product(turn, quat(plan.root_turn)))


@njit(cache=True)
def place_targeted(plan: Plan, actor: Smoothed, k: int, last: Array) -> None:
    """A targeted effector, relative to the root: the trunk carries its limb's base, and the limb reaches from there."""
    base, tip, carrier = plan.roles[k]
    root_turn = quat(last[0, 3:])
    if tip < 0:
        x, y, z = turned(root_turn, plan.tip[k] - plan.root)
        last[1 + k, 0], last[1 + k, 1], last[1 + k, 2] = last[0, 0] + x, last[0, 1] + y, last[0, 2] + z
        set_turn(last[1 + k], product(root_turn, quat(plan.tip_turn[k])))
        return
    pelvis = actor.position[plan.trunk[0]]
    held = quat(actor.rotation[carrier])
    if plan.kind[k] == CARRIED:
        x, y, z = _carried(plan.actor_tip[k] - plan.actor_root, actor.position[tip] - pelvis, held, plan.tip[k] - plan.root)
    else:
        x, y, z = _carried(plan.actor_base[k] - plan.actor_root, actor.position[base] - pelvis, held, plan.base[k] - plan.root)
        dx, dy, dz = _reached(plan, actor, k)
        x, y, z = x + dx, y + dy, z + dz
    last[1 + k, 0], last[1 + k, 1], last[1 + k, 2] = last[0, 0] + x, last[0, 1] + y, last[0, 2] + z
    set_turn(last[1 + k], product(quat(actor.rotation[tip]), quat(plan.tip_turn[k])))


@njit(cache=True)
def _carried(rest: Array, now: Array, held: Quat, own: Array) -> tuple[float, float, float]:
    """What the trunk does to the actor's vector (from rest to now), done to the character's own.

    It is turned as the carrier is, plus the smallest turn that brings the actor's rest vector onto the present one.
    """
    x, y, z = turned(held, rest)
    turn = product(turn_between(x, y, z, now[0], now[1], now[2]), held)
    x, y, z = turned(turn, own)
    stretch = np.sqrt(np.sum(now * now) / max(np.sum(rest * rest), 1e-12))
    stretch = min(max(stretch, 1.0 - _STRETCH), 1.0 + _STRETCH)
    return stretch * x, stretch * y, stretch * z


@njit(cache=True)
def _reached(plan: Plan, actor: Smoothed, k: int) -> tuple[float, float, float]:
    """From a limb's base to its tip: its rest vector plus the actor's scaled displacement, in the heading frame, within reach."""
    heading = yaw_in(quat(actor.rotation[plan.roles[k, 2]]))
    arm = actor.position[plan.roles[k, 1]] - actor.position[plan.roles[k, 0]]
    x, y, z = headed(-heading, arm)
    scale, rest, own = plan.scale[1 + k], plan.actor_tip[k] - plan.actor_base[k], plan.tip[k] - plan.base[k]
    local = np.array([own[0] + scale * (x - rest[0]), own[1] + scale * (y - rest[1]), own[2] + scale * (z - rest[2])])
    far = np.sqrt(np.sum(local * local))
    limit = REACH * plan.length[1 + k]
    if far > limit:
        local *= limit / far
    return headed(heading, local)


@njit(cache=True)
def yaw_in(q: Quat) -> float:
    """The turn about the vertical that is in q, radians."""
    return 2.0 * np.arctan2(q[3], q[0])


@njit(cache=True)
def _write(last: Array, before: Array, dt: float, e: int, row: Array) -> None:
    """Positions, rotations, and velocities by the difference of this step, into the row of features."""
    a = 13
    starts = (a, a + 3 * e, a + 7 * e, a + 10 * e)
    for k in range(1 + e):
        spin = turn_from(quat(before[k, 3:]), quat(last[k, 3:]))
        p, q, v, w = (0, 3, 7, 10) if k == 0 else (
            starts[0] + 3 * (k - 1), starts[1] + 4 * (k - 1), starts[2] + 3 * (k - 1), starts[3] + 3 * (k - 1)
        )  # fmt: skip
        for i in range(4):
            row[q + i] = last[k, 3 + i]
        for i in range(3):
            row[p + i] = last[k, i]
            row[v + i] = (last[k, i] - before[k, i]) / dt
            row[w + i] = spin[i] / dt
    com, pace = row[-6:-3], row[-3:]
    for i in range(3):
        com[i], pace[i] = last[1 + e, i], (last[1 + e, i] - before[1 + e, i]) / dt


@njit(cache=True)
def _resemble(plan: Plan, actor: Smoothed, dt: float, row: Array) -> None:
    """The pose to relax into, and its spins: the style's, on top of how the actor bends the joints that both have."""
    n = plan.likeness.shape[0]
    pose, spin = row[: 4 * n].reshape(n, 4), row[4 * n : 7 * n].reshape(n, 3)
    for k in range(n):
        own, parent = plan.likeness[k]
        bend = quat(plan.style[k])
        if own >= 0:
            w, x, y, z = quat(actor.rotation[parent])
            bend = product(bend, product((w, -x, -y, -z), quat(actor.rotation[own])))
        turn = turn_from(quat(pose[k]), bend)
        for i in range(3):
            spin[k, i] = turn[i] / dt
        pose[k, 0], pose[k, 1], pose[k, 2], pose[k, 3] = bend
