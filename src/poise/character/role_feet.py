"""Feet that do not hang from their shins: handles of the authoring tool, left under the root of a rig."""

from __future__ import annotations

from dataclasses import replace

from poise.character.role_labels import LEG, Limb
from poise.character.role_limbs import Pair
from poise.character.role_names import Names
from poise.character.role_shape import Shape
from poise.errors import BadCharacter

_FARTHEST = 1.8  # of the thigh's length: how far below the shin's joint its foot may be
_LEAST_DROP = 0.05  # of the body height


def with_feet(shape: Shape, names: Names, legs: Pair) -> tuple[Pair, tuple[str, ...]]:
    """The legs with a foot each, also where it hangs elsewhere in the tree; a sentence for each foot found so."""
    limbs, doubts, taken = [], [], set()
    for limb in legs.limbs:
        taken.update(limb.path, shape.above(limb.path[0]))
    for limb in legs.limbs:
        if LEG.end not in limb.joints:
            foot = _detached_foot(shape, names, limb, taken)
            doubts.append(_sentence(shape, limb, foot))
            taken.add(foot)
            limb = replace(limb, joints={**limb.joints, LEG.end: foot})
        limbs.append(limb)
    return replace(legs, limbs=(limbs[0], limbs[1])), tuple(doubts)


def _detached_foot(shape: Shape, names: Names, limb: Limb, taken: set[int]) -> int:
    """The joint outside the leg that is called this side's foot, else the one at the place where the shin ends."""
    free = [j for j in range(shape.skeleton.njoints) if j not in taken]
    called = [j for j in free if names.support(j, LEG.end, limb.side) >= 1.0 and names.meanings[j].side == limb.side]
    if called:
        return called[0]
    thigh, shin = limb.joints[LEG.upper], limb.joints[LEG.lower]
    near = [
        j for j in free if _at_the_end_of(shape, thigh, shin, j) and not names.meanings[j].parts and not names.meanings[j].other
    ]
    if not near:
        name = shape.skeleton.names
        raise BadCharacter(
            f"the leg '{name[thigh]}' ends at its shin '{name[shin]}': there is no foot below or near it; add a foot joint"
        )
    return min(near, key=lambda j: shape.distance(shin, j))


def _at_the_end_of(shape: Shape, thigh: int, shin: int, joint: int) -> bool:
    drop = shape.positions[shin, 2] - shape.positions[joint, 2]
    return drop > _LEAST_DROP * shape.height and shape.distance(shin, joint) < _FARTHEST * shape.distance(thigh, shin)


def _sentence(shape: Shape, limb: Limb, foot: int) -> str:
    name, parents = shape.skeleton.names, shape.skeleton.parents
    return f"The foot '{name[foot]}' hangs from '{name[parents[foot]]}', not from its shin '{name[limb.joints[LEG.lower]]}'."
