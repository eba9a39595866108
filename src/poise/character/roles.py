"""Which joint of an arbitrary skeleton is the pelvis, the left thigh, the head: by names, and by shape where names fail.

Limbs are found as pairs of like chains and labelled as a whole (role_limbs), left and right by names or by where the feet
point (role_sides), the middle of the body from what is left (role_trunk). Names that as a whole contradict the shape of
the skeleton are not believed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise.character.role_feet import with_feet
from poise.character.role_limbs import ARM, LEG, Pair, find_pair
from poise.character.role_names import Names, mirrored_names, no_names, read_names
from poise.character.role_shape import Shape, measure
from poise.character.role_sides import find_sides
from poise.character.role_trunk import Trunk, find_trunk
from poise.errors import BadCharacter
from poise.motion.skeleton import Skeleton
from poise.rotation import Array

_BELIEVABLE = 0.6  # of the joints in a role whose names mean anything, the share whose names mean that role
_CLEARLY_NAMED = 2.0  # support for a limb: two sure names


@dataclass(frozen=True)
class Roles:
    """Joints by role.

    `of` holds pelvis, chest (the top of the spine), neck (its lowest joint), head, tail_1, tail_2 … (the longest tail) and,
    each with left_ or right_: clavicle, upper_arm, forearm, hand, thigh, shin, foot, toe. Pelvis, thighs, shins and feet
    are always there. `spine` runs from above the pelvis up to the joint that arms and neck hang from.
    """

    of: dict[str, int]
    spine: tuple[int, ...]
    neck: tuple[int, ...]
    tails: tuple[tuple[int, ...], ...]
    how: dict[str, str]  # role -> "name" or "topology"
    doubts: tuple[str, ...]  # one plain sentence each


def find_roles(skeleton: Skeleton, positions: Array, tips: Array | None = None) -> Roles:
    """The roles of a skeleton's joints.

    `positions` (J, 3) are the joints in an upright pose, world frame, Z up, metres; `tips` (E, 3) those of `skeleton.ends`,
    which help to tell where feet without toes point.
    """
    shape = measure(skeleton, np.asarray(positions, float), tips)
    names = read_names(skeleton.names)
    legs = find_pair(shape, names, LEG, set())
    arms = _find_arms(shape, names, legs)
    if legs is None and arms is not None and arms.named >= _CLEARLY_NAMED:
        raise BadCharacter(_no_legs(shape, names))  # the names are good: an upper body
    roles = _assemble(shape, names, legs, arms) if legs else None
    if roles and _believable(roles, names):
        return roles
    silent = no_names(skeleton.njoints)
    legs = find_pair(shape, silent, LEG, set())
    if legs is None:
        raise BadCharacter(_no_legs(shape, names))
    roles = _assemble(shape, silent, legs, _find_arms(shape, silent, legs))
    return _with_doubt(roles, "The joint names contradict the shape of the skeleton and were not used.")


def left_right_pairs(skeleton: Skeleton) -> dict[int, int]:
    """Joints whose names differ only in the side, both ways: {left: right, right: left}."""
    return mirrored_names(skeleton.names)


def _find_arms(shape: Shape, names: Names, legs: Pair | None) -> Pair | None:
    taken = set()
    for limb in legs.limbs if legs else ():
        taken.update(shape.below(limb.path[0]), shape.above(limb.path[0]))
    return find_pair(shape, names, ARM, taken)


def _assemble(shape: Shape, names: Names, legs: Pair, arms: Pair | None) -> Roles:
    """Roles of a body whose limbs are known."""
    legs, feet_doubts = with_feet(shape, names, legs)
    sides = find_sides(shape, legs, arms)
    trunk = find_trunk(shape, names, legs, arms, sides.left)
    of = _trunk_roles(trunk)
    for side, limb in sides.limbs:
        of.update({f"{side}_{part}": joint for part, joint in limb.joints.items()})
    how = {role: "name" if _support(names, role, joint) > 0 else "topology" for role, joint in of.items()}
    doubts = (*sides.doubts, *feet_doubts, *_missing(of))
    return Roles(of, trunk.spine, trunk.neck, trunk.tails, how, doubts)


def _trunk_roles(trunk: Trunk) -> dict[str, int]:
    of = {"pelvis": trunk.pelvis}
    if trunk.spine:
        of["chest"] = trunk.spine[-1]
    if trunk.neck:
        of["neck"] = trunk.neck[0]
    if trunk.head is not None:
        of["head"] = trunk.head
    if trunk.tails:
        of.update({f"tail_{k}": joint for k, joint in enumerate(trunk.tails[0], 1)})
    return of


def _support(names: Names, role: str, joint: int) -> float:
    """How much a joint's name speaks for a role."""
    side, _, part = role.partition("_")
    if side in ("left", "right"):
        return names.support(joint, part, side)
    return names.support(joint, {"chest": "spine"}.get(role, side))


def _believable(roles: Roles, names: Names) -> bool:
    """Whether the names, taken together, mean the roles that were found."""
    support = [_support(names, role, joint) for role, joint in roles.of.items()]
    told, denied = sum(s > 0 for s in support), sum(s < 0 for s in support)
    return told >= _BELIEVABLE * (told + denied)


def _missing(of: dict[str, int]) -> list[str]:
    """A sentence for each large part that was not found."""
    doubts = []
    if "left_upper_arm" not in of:
        doubts.append("No arms were found.")
    if "head" not in of:
        doubts.append("No head was found.")
    return doubts


def _with_doubt(roles: Roles, doubt: str) -> Roles:
    return replace(roles, doubts=(*roles.doubts, doubt))


def _no_legs(shape: Shape, names: Names) -> str:
    """One line about a skeleton without two legs."""
    called = [name for j, name in enumerate(shape.skeleton.names) if any(names.support(j, part) > 0 for part in LEG.parts)]
    found = f"only {', '.join(repr(c) for c in called[:4])}" if called else "no joint named like a leg and no such pair"
    return (
        f"skeleton '{shape.skeleton.names[0]}' ({shape.skeleton.njoints} joints): looked for two like chains of thigh, shin and "
        f"foot below a pelvis, found {found}; give a clip or rig of a body with two legs"
    )
