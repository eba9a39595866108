"""Support limbs: the actor's feet at the character's size and stance, with contacts cleaned up as they happen.

How high an ankle stands and how a sole lies are learnt while a foot is low and still, so that neither a floor that is a little
off nor a skeleton whose feet do not rest flat matters for long.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.quaternion import Quat, inverse, product, rotate, turn_between, turn_from, turned_by
from poise.reference.actor_smoothing import Smoothed
from poise.reference.contact_cleanup import STANDS, CleanUp, clean, yaw_of
from poise.reference.feature_memory import SUPPORT, Memory, Plan, headed, quat, turned
from poise.rotation import Array

_BALL = 0.16  # of the actor's leg: from the ankle to the ball of the foot
_FIRM = 0.15  # leg lengths/s: slower than this, a low foot stands flat, and tells how high its ankle is and how its sole lies
_LEARN_HEIGHT, _LEARN_SOLE = 0.5, 0.15  # s
_FARTHEST_FLOOR = 0.25  # of the leg: how far a standing height may be learnt to lie from that of the rest pose
_STEEPEST_SOLE = 0.7  # rad that a sole may be learnt to be tilted
_STEEPEST_FOOT, _FASTEST_FOOT = 1.2, 20.0  # rad that a foot may be tilted, rad/s that it turns at most
_FARTHEST_ASIDE = 1.4  # rad that a foot may point away from where the pelvis faces


@njit(cache=True)
def place_support(
    plan: Plan, rule: CleanUp, actor: Smoothed, memory: Memory, k: int, dt: float, velocity: Array, last: Array
) -> None:
    """A support effector: the actor's at the character's size and stance, cleaned of noisy contacts, never below the floor."""
    tip, alpha = plan.roles[k, 1], plan.scale[0]
    foot, turn = actor.position[tip], _foot_turn(actor, memory, k, tip, dt)
    comes, rises, leaves, others = _touches(plan, rule, actor, memory, k, turn)
    _learn(plan, rule, actor, memory, k, dt)
    x, y, _ = headed(memory.heading[0], _rest_offset(plan, k))
    path = np.empty(3)
    path[0], path[1] = alpha * foot[0] + x, alpha * foot[1] + y
    path[2] = plan.tip[k, 2] + alpha * (foot[2] - memory.standing[k])
    clean(
        memory.contacts, k, rule, plan.length[1 + k], dt, comes, rises, leaves, others, plan.lowest[1 + k], path,
        product(turn, quat(plan.tip_turn[k])), last[1 + k, :3], velocity, last[1 + k, 3:],
    )  # fmt: skip
    if memory.contacts.phase[k] != STANDS:
        last[1 + k, 2] = max(last[1 + k, 2], -_deepest(plan.corners[k], quat(last[1 + k, 3:])))


@njit(cache=True)
def _foot_turn(actor: Smoothed, memory: Memory, k: int, tip: int, dt: float) -> Quat:
    """A foot's rotation, its sole tilted and turned no more than feet do: flipped sensors and lost markers go further."""
    turn = product(quat(actor.rotation[tip]), quat(memory.sole[k]))
    x, y, z = rotate(turn[0], turn[1], turn[2], turn[3], 0.0, 0.0, 1.0)
    rx, ry, rz = turn_from((1.0, 0.0, 0.0, 0.0), turn_between(0.0, 0.0, 1.0, x, y, z))
    back = min(_STEEPEST_FOOT / max(np.sqrt(rx * rx + ry * ry + rz * rz), 1e-9), 1.0) - 1.0
    turn = turned_by(turn, back * rx, back * ry, back * rz)
    aside = yaw_of(turn) - memory.heading[0]
    aside = np.arctan2(np.sin(aside), np.cos(aside))
    turn = turned_by(turn, 0.0, 0.0, min(max(aside, -_FARTHEST_ASIDE), _FARTHEST_ASIDE) - aside)
    was = quat(memory.foot[k])
    rx, ry, rz = turn_from(was, turn)
    share = min(_FASTEST_FOOT * dt / max(np.sqrt(rx * rx + ry * ry + rz * rz), 1e-9), 1.0)
    turn = turned_by(was, share * rx, share * ry, share * rz)
    memory.foot[k, 0], memory.foot[k, 1], memory.foot[k, 2], memory.foot[k, 3] = turn
    return turn


@njit(cache=True)
def _touches(plan: Plan, rule: CleanUp, actor: Smoothed, memory: Memory, k: int, turn: Quat) -> tuple[bool, bool, bool, int]:
    """Whether the actor's effector comes into contact, is high, leaves its contact, and how many others stand.

    A heel lifts before the foot leaves: the ball of the foot still counts as contact while nobody else stands, or while the
    whole foot is nearly still, as on tiptoe.
    """
    tip, leg = plan.roles[k, 1], plan.length[0]
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
    comes = height < rule.low and (
        speed < rule.slow or (-v[2] > rule.descent * leg * max(speed, 1.0) and speed < rule.landing_speed)
    )
    on_ball = rule.slow if others == 0 else rule.still
    comes = comes or (
        ball_height < rule.low and ball_speed < on_ball and (others == 0 or (speed < on_ball and height < rule.tiptoe))
    )
    lifted, ball_lifted = height > rule.high or speed > rule.fast, ball_height > rule.high or ball_speed > rule.fast
    walks_off = others > 0 and speed > 2.0 * rule.still
    return comes, height > rule.high and ball_height > rule.high, lifted and (ball_lifted or walks_off), others


@njit(cache=True)
def _learn(plan: Plan, rule: CleanUp, actor: Smoothed, memory: Memory, k: int, dt: float) -> None:
    """While the actor's foot is low and still, learns how high its joint stands and how its sole lies."""
    tip, leg = plan.roles[k, 1], plan.length[0]
    v = actor.velocity[tip]
    height = actor.position[tip, 2] - memory.standing[k]
    if height > rule.low * leg or np.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2) > _FIRM * leg:
        return
    rest = plan.actor_tip[k, 2]
    learnt = memory.standing[k] + height * min(dt / _LEARN_HEIGHT, 1.0)
    memory.standing[k] = min(max(learnt, rest - _FARTHEST_FLOOR * leg), rest + _FARTHEST_FLOOR * leg)
    own = quat(actor.rotation[tip])
    turn = product(own, quat(memory.sole[k]))
    x, y, z = rotate(turn[0], turn[1], turn[2], turn[3], 0.0, 0.0, 1.0)
    if z > np.cos(_STEEPEST_SOLE):
        rx, ry, rz = turn_from((1.0, 0.0, 0.0, 0.0), turn_between(x, y, z, 0.0, 0.0, 1.0))
        share = min(dt / _LEARN_SOLE, 1.0)
        level = turned_by(turn, share * rx, share * ry, share * rz)
        memory.sole[k, 0], memory.sole[k, 1], memory.sole[k, 2], memory.sole[k, 3] = product(inverse(own), level)


@njit(cache=True)
def _rest_offset(plan: Plan, k: int) -> Array:
    """How far the effector stands from where the actor's would at the character's size, in the heading frame."""
    return (plan.tip[k] - plan.root) - plan.scale[0] * (plan.actor_tip[k] - plan.actor_root)


@njit(cache=True)
def _deepest(corners: Array, turn: Quat) -> float:
    """The lowest corner of a sole, from its joint, metres; negative."""
    lowest = 0.0
    for c in range(corners.shape[0]):
        lowest = min(lowest, turned(turn, corners[c])[2])
    return lowest
