"""What retargeting needs to know about an actor and a character before the first frame comes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise import rotation
from poise.character.character import Character
from poise.character.limbs import Limb, limbs_of, support_limbs
from poise.character.soles import sole_corners
from poise.character.style import Style
from poise.reference.actor import Actor
from poise.reference.feature_memory import CARRIED, REACHING, SUPPORT, Plan
from poise.reference.features import effector_limbs
from poise.reference.retarget import pose_positions
from poise.rotation import Array

_ROOT_CLEARANCE = 1.1  # of half the root's height: how high its joint stays above the floor
_STRAIGHT = 0.97  # of the length along the bones: a limb that reaches less far at rest is bent
_SHORTEST = 0.02  # m: a limb of one segment has no length of its own
_CHAINS = {"leg": ("foot", "shin", "thigh"), "arm": ("hand", "forearm", "upper_arm")}  # of the actor's parts, the tip first


def plan_of(actor: Actor, character: Character, style: Style) -> Plan:
    """The plan for a character that follows an actor in a style."""
    support_limbs(character)  # says so where there is none
    limbs = effector_limbs(character)
    turns, joints = styled_rest(character, style)
    roles = np.array([_roles(actor, limb) for limb in limbs]).reshape(-1, 3)
    base = np.array([joints[character.index(limb.segments[0])] for limb in limbs])
    tip = np.array([joints[character.index(limb.effector)] for limb in limbs])
    kind = np.array([_kind(limb) for limb in limbs])
    stands = kind == SUPPORT
    tip_turn = np.array([turns[character.index(limb.effector)] for limb in limbs])
    tip_turn[stands] = rotation.IDENTITY
    floor = np.array([character.joints[character.index(limb.effector), 2] for limb in limbs])
    tip[stands, 2] = floor[stands]
    actor_base, actor_tip = actor.rest[roles[:, 0]], actor.rest[roles[:, 1]]
    leg = float(np.mean(np.linalg.norm(base - tip, axis=-1)[stands]))
    actor_leg = float(np.mean(np.linalg.norm(actor_base - actor_tip, axis=-1)[stands]))
    root_height = 0.5 * float(np.min(character.segments[0].box.size))
    return Plan(
        kind, roles, np.array([actor.index("pelvis")]), actor.rest[actor.index("pelvis")], actor_base, actor_tip, joints[0],
        base, tip, turns[0], tip_turn,
        np.array([leg / actor_leg, *_limb_scales(base, tip, actor_base, actor_tip)]),
        np.array([actor_leg, *(_chain(character, limb) for limb in limbs)]),
        np.array([_width(actor_tip[stands]), _width(tip[stands])]),
        np.array([_ROOT_CLEARANCE * root_height, *floor]),
        np.array([_corners(character, limb) for limb in limbs]),
        np.array([_front_edge(character, limb) for limb in limbs]),
        _likeness(actor, character), style.pose(character),
    )  # fmt: skip


def styled_rest(character: Character, style: Style) -> tuple[Array, Array]:
    """World rotations (S, 4) and joints (S, 3) of the rest pose in a style, with the feet as low as they stand at rest."""
    turns = style.pose(character)
    for k, parent in enumerate(character.parents):
        if parent >= 0:
            turns[k] = rotation.multiply(turns[parent], turns[k])
    joints = pose_positions(character, turns[None], character.joints[:1])[0]
    feet = [character.index(foot) for foot in character.feet]
    joints[:, 2] += np.mean(character.joints[feet, 2] - joints[feet, 2]) if feet else 0.0
    return turns, joints


def _kind(limb: Limb) -> int:
    if limb.kind == "support":
        return SUPPORT
    return CARRIED if limb.follows == "head" else REACHING


def _roles(actor: Actor, limb: Limb) -> tuple[int, int, int]:
    """The actor's joints that a limb follows: base, tip, and what carries the base; -1 where the actor has no such part."""
    side, _, part = (limb.follows or "").rpartition("_")
    trunk = actor.index("chest") if "chest" in actor.roles else actor.index("pelvis")
    if limb.follows == "head":
        head = actor.index("head") if "head" in actor.roles else -1
        return head, head, trunk
    carrier = actor.index("pelvis") if part == "leg" else trunk
    chain = [role for role in (f"{side}_{name}" for name in _CHAINS[part]) if role in actor.roles]
    if len(chain) < 2:
        return -1, -1, carrier
    # A character whose arm ends with the forearm follows the actor's forearm.
    tip = limb.effector if limb.effector in chain[:-1] else chain[0]
    return actor.index(chain[-1]), actor.index(tip), carrier


def _limb_scales(base: Array, tip: Array, actor_base: Array, actor_tip: Array) -> Array:
    """How much longer each limb is than the actor's, at rest (E,)."""
    own, theirs = np.linalg.norm(tip - base, axis=-1), np.linalg.norm(actor_tip - actor_base, axis=-1)
    return np.where(theirs > _SHORTEST, own / np.maximum(theirs, _SHORTEST), 1.0)


def _chain(character: Character, limb: Limb) -> float:
    """A limb stretched out, from the joint of its first segment to that of its last, metres."""
    lengths = [np.linalg.norm(character.offsets[character.index(name)]) for name in limb.segments[1:]]
    return max(float(np.sum(lengths)), _SHORTEST)


def _width(feet: Array) -> float:
    """How far two feet stand apart at rest; 0 for another number of feet."""
    return float(abs(feet[0, 1] - feet[1, 1])) if len(feet) == 2 else 0.0


def _corners(character: Character, limb: Limb) -> Array:
    """The corners of an effector's sole (8, 3), some of them twice."""
    corners = sole_corners(character.segments[character.index(limb.effector)])
    return np.resize(corners, (8, 3))


def _front_edge(character: Character, limb: Limb) -> Array:
    """The middle of the front lower edge of an effector's box, in its frame (3,)."""
    corners = sole_corners(character.segments[character.index(limb.effector)])
    return np.array([corners[:, 0].max(), corners[:, 1].mean(), corners[:, 2].min()])


def _likeness(actor: Actor, character: Character) -> NDArray[np.int64]:
    """The actor's roles that each segment and its parent have too (S, 2), -1 where either has none.

    A limb that is bent at rest is none like the actor's: on top of that bend, the actor's own would fold it too far.
    """
    folded = {name for limb in limbs_of(character) if _is_bent(character, limb) for name in limb.segments}
    found = np.full((character.nsegments, 2), -1)
    for k, parent in enumerate(character.parents):
        name = character.names[k]
        if parent >= 0 and name not in folded and name in actor.roles and character.names[parent] in actor.roles:
            found[k] = actor.index(name), actor.index(character.names[parent])
    return found


def _is_bent(character: Character, limb: Limb) -> bool:
    """Whether a limb's tip is nearer to its base at rest than a straight limb's."""
    way = character.joints[character.index(limb.effector)] - character.joints[character.index(limb.segments[0])]
    return float(np.linalg.norm(way)) < _STRAIGHT * _chain(character, limb)
