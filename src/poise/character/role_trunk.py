"""Finds the middle of the body once the limbs are known: pelvis, spine, neck, head, tails."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

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
_SIDEWAYS = 0.3  # of a tail's lead away from the pelvis, at most


@dataclass(frozen=True)
class Trunk:
    """The joints of the middle line, each part from low to high, tails from their roots."""

    pelvis: int
    spine: tuple[int, ...]
    neck: tuple[int, ...]
    head: int | None
    tails: tuple[tuple[int, ...], ...]


def find_trunk(shape: Shape, names: Names, legs: Pair, arms: Pair | None, left: Array) -> Trunk:
    """The middle of the body, given its limbs; `left` is the direction from right to left (horizontal)."""
    limbs = [*legs.limbs, *(arms.limbs if arms else ())]
    used = {j for limb in limbs for j in shape.below(limb.path[0])}
    hips = shape.meeting([limb.path[0] for limb in legs.limbs])
    shoulders = shape.meeting([limb.path[0] for limb in arms.limbs]) if arms else hips
    head = _named_head(shape, names, used, shape.meeting([hips, shoulders]))
    if head is None:
        head = _highest_head(shape, names, shoulders, used, left)
    pelvis = shape.meeting([hips, shoulders, shoulders if head is None else head])
    line = shape.way(pelvis, shoulders if head is None else head)
    spine, neck = (line, []) if head is None else _split(shape, names, line[:-1], arms, shoulders)
    used.update(j for limb in limbs for j in shape.above(limb.path[0]))
    used.update([pelvis, *line, *(shape.below(head) if head is not None else [])])
    tails = _tails(shape, names, [pelvis, *spine[:1], *shape.above(pelvis)[1:]], used, left)
    return Trunk(pelvis, tuple(spine), tuple(neck), head, tails)


def _named_head(shape: Shape, names: Names, used: set[int], core: int) -> int | None:
    """The joint called head that lies highest in the tree, one below the joint that carries the limbs before others."""
    free = [j for j in range(shape.skeleton.njoints) if j not in used and not names.meanings[j].side]
    called = [j for j in free if names.support(j, "head") > 0]
    return min(called, key=lambda j: (core not in shape.above(j), len(shape.above(j))), default=None)


def _highest_head(shape: Shape, names: Names, base: int, used: set[int], left: Array) -> int | None:
    """The head at the end of the middle chain that rises highest above a joint, or lies farthest in front of it."""
    free = set(shape.below(base)) - used - {base}
    leaves = [j for j in sorted(free) if free.isdisjoint(shape.children[j])]
    if not leaves:
        return None
    upward = np.array([left[1], -left[0], 1.0])
    leaf = max(leaves, key=lambda j: (shape.positions[j] - shape.positions[base]) @ upward)
    if shape.positions[leaf, 2] <= shape.positions[base, 2]:
        return None
    chain = shape.way(base, leaf)
    face = next((k for k, joint in enumerate(chain) if names.meanings[joint].other), len(chain))
    return _head_on(shape, chain[: max(face, 1)])


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


def _split(shape: Shape, names: Names, line: list[int], arms: Pair | None, shoulders: int) -> tuple[list[int], list[int]]:
    """Spine and neck out of the joints between pelvis and head."""
    necks = [k for k, j in enumerate(line) if names.support(j, "neck") > 0]
    if necks:
        return line[: necks[0]], line[necks[0] :]
    if shoulders in line:
        cut = line.index(shoulders) + 1
    elif not line:
        cut = 0
    else:
        cut = _nearest_to_shoulders(shape, line, arms) + 1
    return line[:cut], line[cut:]


def _nearest_to_shoulders(shape: Shape, line: list[int], arms: Pair | None) -> int:
    """Where along the line the chest is when no arms hang from it."""
    if arms:
        middle = np.mean([shape.positions[limb.joints["upper_arm"]] for limb in arms.limbs], axis=0)
        return int(np.argmin(np.linalg.norm(shape.positions[line] - middle, axis=-1)))
    along = np.cumsum(shape.bone[line])
    return int(np.searchsorted(along, _CHEST_WITHOUT_ARMS * along[-1]))


def _tails(shape: Shape, names: Names, bases: list[int], used: set[int], left: Array) -> tuple[tuple[int, ...], ...]:
    """Tails, the longest first: chains called so, and others that hang from the bases, pelvis first, and look like one.

    Those have no names, or are called spine: some rigs have one spine from the tip of the tail to the head.
    """
    called = {j for j in range(shape.skeleton.njoints) if j not in used and names.support(j, "tail") > 0}
    found = [
        [j for j in _chain(shape, top) if j in called] for top in sorted(called) if shape.skeleton.parents[top] not in called
    ]
    for child in (c for base in bases for c in shape.children[base] if c not in used):
        chain = list(takewhile(lambda joint: _may_be_tail(names, joint), _chain(shape, child)))
        if _looks_like_tail(shape, bases[0], chain, left):
            found.append(chain)
    return tuple(tuple(chain) for chain in sorted(found, key=lambda chain: -shape.bone[chain].sum()))


def _may_be_tail(names: Names, joint: int) -> bool:
    return names.meanings[joint].silent or names.support(joint, "spine") > 0


def _chain(shape: Shape, joint: int) -> list[int]:
    """The way down from a joint along the longest bones."""
    chain = [joint]
    while shape.children[chain[-1]]:
        chain.append(max(shape.children[chain[-1]], key=lambda c: shape.bone[c] + shape.reach[c]))
    return chain


def _looks_like_tail(shape: Shape, pelvis: int, chain: list[int], left: Array) -> bool:
    """Whether a chain is long enough, stays near the middle plane, and leads backward or down."""
    if len(chain) < _FEWEST_TAIL_JOINTS or shape.bone[chain].sum() < _SHORTEST_TAIL * shape.height:
        return False
    lead = shape.positions[chain[-1]] - shape.positions[pelvis]
    sideways, forward = float(lead @ left), float(lead @ [left[1], -left[0], 0.0])
    return abs(sideways) < _SIDEWAYS * float(np.linalg.norm(lead)) and (forward < 0.0 or float(lead[2]) < 0.0)
