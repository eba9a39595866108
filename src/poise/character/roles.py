"""Which joint of an arbitrary skeleton is the pelvis, the left thigh, the head: by names, and by shape where names fail.

Limbs are found as pairs of like chains and labelled as a whole (role_limbs), left and right by names or by where the feet
point (role_sides), the middle of the body from what is left (role_trunk). Names that as a whole contradict the shape of
the skeleton are not believed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise.character.role_feet import with_feet
from poise.character.role_labels import ARM, LEG
from poise.character.role_limbs import Pair, find_pair
from poise.character.role_names import Names, mirrored_names, no_names, read_names
from poise.character.role_shape import Shape, measure
from poise.character.role_sides import find_sides
from poise.character.role_trunk import Trunk, find_trunk
from poise.errors import BadCharacter
from poise.motion.skeleton import Skeleton
from poise.rotation import Array

_BELIEVABLE = 0.6  # of the joints in a role whose names mean anything, the share whose names mean that role
_CLEARLY_NAMED = 2.0  # support for a limb: two sure names

_MAIN_ROLES = ("head", *(f"{side}_{part}" for side in ("left", "right") for part in (*LEG.main, *ARM.main)))

NAMES_CONTRADICT_SHAPE = "The joint names contradict the shape of the skeleton and were not used."


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
    limbs = _find_limbs(shape, names)
    try:
        roles = _assemble(shape, names, limbs)
    except BadCharacter:
        # Limbs that are clearly named tell that the names are good and the body is not whole.
        if limbs.named >= _CLEARLY_NAMED:
            raise
    else:
        if _believable(roles, names):
            return roles
    silent = no_names(skeleton.njoints)
    roles = _assemble(shape, silent, _find_limbs(shape, silent))
    return replace(roles, doubts=(*roles.doubts, NAMES_CONTRADICT_SHAPE))


def left_right_pairs(skeleton: Skeleton) -> dict[int, int]:
    """Joints whose names differ only in the side, both ways: {left: right, right: left}."""
    return mirrored_names(skeleton.names)


@dataclass(frozen=True)
class _Limbs:
    legs: Pair | None
    arms: Pair | None

    @property
    def named(self) -> float:
        """How much names speak for the best pair."""
        return max((pair.named for pair in (self.legs, self.arms) if pair), default=0.0)


def _find_limbs(shape: Shape, names: Names) -> _Limbs:
    legs = find_pair(shape, names, LEG, set())
    taken = set()
    for limb in legs.limbs if legs else ():
        taken.update(shape.below(limb.path[0]), shape.above(limb.path[0]))
    return _Limbs(legs, find_pair(shape, names, ARM, taken))


def _assemble(shape: Shape, names: Names, limbs: _Limbs) -> Roles:
    """Roles of a body whose limbs are known."""
    if limbs.legs is None:
        raise BadCharacter(_no_legs(shape, read_names(shape.skeleton.names)))
    legs, feet_doubts = with_feet(shape, names, limbs.legs)
    sides = find_sides(shape, legs, limbs.arms)
    trunk = find_trunk(shape, names, legs, limbs.arms, sides.left)
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
    """Whether the names, taken together, mean the roles that were found, and most of what they mean was found."""
    support = {role: _support(names, role, joint) for role, joint in roles.of.items()}
    told, denied = sum(s > 0 for s in support.values()), sum(s < 0 for s in support.values())
    meant = [role for role in _MAIN_ROLES if any(_support(names, role, j) >= 1.0 for j in range(len(names.meanings)))]
    found = sum(support.get(role, 0.0) > 0 for role in meant)
    return told >= _BELIEVABLE * (told + denied) and found >= _BELIEVABLE * len(meant)


def _missing(of: dict[str, int]) -> list[str]:
    """A sentence for each large part that was not found."""
    doubts = []
    if "left_upper_arm" not in of:
        doubts.append("No arms were found.")
    if "head" not in of:
        doubts.append("No head was found.")
    return doubts


def _no_legs(shape: Shape, names: Names) -> str:
    """One line about a skeleton without two legs."""
    called = [name for j, name in enumerate(shape.skeleton.names) if any(names.support(j, part) > 0 for part in LEG.parts)]
    found = f"only {', '.join(repr(c) for c in called[:4])}" if called else "no joint named like a leg and no such pair"
    return (
        f"skeleton '{shape.skeleton.names[0]}' ({shape.skeleton.njoints} joints): looked for two like chains of thigh, shin and "
        f"foot below a pelvis, found {found}; give a clip or rig of a body with two legs"
    )
