"""Finds the middle of the body once the limbs are known: pelvis, spine, neck, head, tails."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.character.role_limbs import Pair
from poise.character.role_names import Names
from poise.character.role_shape import Shape
from poise.rotation import Array

_HEAD_TOP = 1.3  # an upright last bone this much longer than the neck's runs from the head to its top
_UPWARD = 0.9  # cosine of the angle to the vertical, at least
_FACE = 0.64  # cosine of 50 degrees: a last bone that bends off more than this leads to a jaw or nose
_COINCIDE = 1e-4  # of the body height
_CHEST_WITHOUT_ARMS = 0.7  # share of the way from pelvis to head
_SHORTEST_TAIL = 0.12  # of the body height, for a tail that no name tells
_FEWEST_TAIL_JOINTS = 2


@dataclass(frozen=True)
class Trunk:
    pelvis: int
    spine: tuple[int, ...]
    neck: tuple[int, ...]
    head: int | None
    tails: tuple[tuple[int, ...], ...]


def find_trunk(shape: Shape, names: Names, legs: Pair, arms: Pair | None, left: Array) -> Trunk:
    """The middle of the body, given its limbs; `left` is the direction from right to left ."""
    limbs = [*legs.limbs, *(arms.limbs if arms else ())]
    used = {j for limb in limbs for j in shape.below(limb.path[0])}
    hips = shape.meeting([limb.path[0] for limb in legs.limbs])
    shoulders = shape.meeting([limb.path[0] for limb in arms.limbs]) if arms else None
    head = _named_head(shape, names, used)
    if head is None:
        head = _highest_head(shape, shoulders if shoulders is not None else hips, used, left)
    ends = [hips, *([shoulders] if shoulders is not None else []), *([head] if head is not None else [])]
    pelvis = shape.meeting(ends)
    top = head if head is not None else shoulders if shoulders is not None else pelvis
    line = shape.way(pelvis, top)
    if head is None:
        spine, neck = line, []
    else:
        spine, neck = _split(shape, names, pelvis, line[:-1], arms, shoulders)
    for limb in limbs:
        used.update(shape.above(limb.path[0]))
    used.update([pelvis, *line, *(shape.below(head) if head is not None else [])])
    return Trunk(pelvis, tuple(spine), tuple(neck), head, _tails(shape, names, pelvis, [pelvis, *spine], used, left))


def _named_head(shape: Shape, names: Names, used: set[int]) -> int | None:
    """The joint called head that lies highest in the tree."""
    called = [
        j for j in range(shape.skeleton.njoints) if names.support(j, "head") > 0 and j not in used and not names.meanings[j].side
    ]
    return min(called, key=lambda j: len(shape.skeleton.ancestors(j)), default=None)


def _highest_head(shape: Shape, base: int, used: set[int], left: Array) -> int | None:
    """The head at the end of the middle chain that rises highest above a joint, or lies farthest in front of it."""
    free = [j for j in shape.below(base) if j not in used and j != base]
    leaves = [j for j in free if not any(c in free for c in shape.children[j])]
    if not leaves:
        return None
    upward = np.array([left[1], -left[0], 1.0])
    leaf = max(leaves, key=lambda j: (shape.positions[j] - shape.positions[base]) @ upward)
    if shape.positions[leaf, 2] <= shape.positions[base, 2]:
        return None
    return _head_on(shape, shape.way(base, leaf))


def _head_on(shape: Shape, chain: list[int]) -> int:
    """Which joint of the chain above the shoulders is the head: where a face branches off, else the last below it."""
    for joint in chain:
        if len(shape.children[joint]) > 1:
            return joint
    while len(chain) > 1 and _is_on_head(shape, chain[-2], chain[-1]):
        chain = chain[:-1]
    return chain[-1]


def _is_on_head(shape: Shape, above: int, joint: int) -> bool:
    """Whether the last joint of a chain is the head's top, or a jaw or nose, and not the head itself."""
    bone, before = (shape.positions[j] - shape.positions[shape.skeleton.parents[j]] for j in (joint, above))
    length, neck = shape.bone[joint], shape.bone[above]
    if length < _COINCIDE * shape.height:
        return True
    if neck < _COINCIDE * shape.height:
        return False
    tops = bone[2] > _UPWARD * length and length > _HEAD_TOP * neck
    return bone @ before < _FACE * length * neck or (tops and not _has_tip(shape, joint))


def _has_tip(shape: Shape, joint: int) -> bool:
    return any(j == joint and np.any(offset) for j, offset in shape.skeleton.ends)


def _split(
    shape: Shape, names: Names, pelvis: int, line: list[int], arms: Pair | None, shoulders: int | None
) -> tuple[list[int], list[int]]:
    """Spine and neck out of the joints between pelvis and head."""
    necks = [k for k, j in enumerate(line) if names.support(j, "neck") > 0]
    if necks:
        return line[: necks[0]], line[necks[0] :]
    if shoulders in line:
        cut = line.index(shoulders) + 1
    elif not line:
        cut = 0
    else:
        cut = _nearest_to_shoulders(shape, pelvis, line, arms) + 1
    return line[:cut], line[cut:]


def _nearest_to_shoulders(shape: Shape, pelvis: int, line: list[int], arms: Pair | None) -> int:
    """Where along the line the chest is when no arms hang from it."""
    if arms:
        middle = np.mean([shape.positions[limb.joints["upper_arm"]] for limb in arms.limbs], axis=0)
        return int(np.argmin(np.linalg.norm(shape.positions[line] - middle, axis=-1)))
    along = np.cumsum(shape.bone[line])
    return int(np.searchsorted(along, _CHEST_WITHOUT_ARMS * along[-1]))


def _tails(shape: Shape, names: Names, pelvis: int, trunk: list[int], used: set[int], left: Array) -> tuple[tuple[int, ...], ...]:
    """Middle chains that hang behind or below the pelvis, the longest first; any number where names tell them."""
    found = []
    for base in trunk:
        for child in shape.children[base]:
            if child in used:
                continue
            chain = _chain(shape, child)
            called = [j for j in chain if names.support(j, "tail") > 0]
            if called:
                found.append(called)
            elif base in (pelvis, trunk[min(1, len(trunk) - 1)]) and _looks_like_tail(shape, names, pelvis, chain, left):
                found.append(chain)
    return tuple(tuple(c) for c in sorted(found, key=lambda c: -shape.bone[c].sum()))


def _chain(shape: Shape, joint: int) -> list[int]:
    chain = [joint]
    while shape.children[chain[-1]]:
        chain.append(max(shape.children[chain[-1]], key=lambda c: shape.bone[c] + shape.reach[c]))
    return chain


def _looks_like_tail(shape: Shape, names: Names, pelvis: int, chain: list[int], left: Array) -> bool:
    """A nameless chain without a partner, long enough, near the middle, that leads backward or down."""
    if len(chain) < _FEWEST_TAIL_JOINTS or not all(names.meanings[j].silent for j in chain):
        return False
    lead = shape.positions[chain[-1]] - shape.positions[pelvis]
    if shape.bone[chain].sum() < _SHORTEST_TAIL * shape.height:
        return False
    sideways, forward = float(lead @ left), float(lead @ [left[1], -left[0], 0.0])
    return abs(sideways) < 0.3 * float(np.linalg.norm(lead)) and (forward < 0.0 or float(lead[2]) < 0.0)
