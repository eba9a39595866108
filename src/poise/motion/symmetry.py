"""Which joint is whose counterpart on the other side of the body: by names, and by shape where names fail."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from poise.motion.landmarks import rest_points
from poise.motion.skeleton import Skeleton
from poise.motion.travel import trunk_line
from poise.rotation import Array

_OTHER = {"left": "right", "right": "left", "l": "r", "r": "l", "左": "右", "右": "左"}
_SIDES = (
    re.compile("left|right|左|右", re.IGNORECASE),
    re.compile(r"(?<![A-Za-z])[LlRr](?![a-z])"),  # LHipJoint, lShldr, foot.L, leg_joint_L_2
    re.compile(r"^[lr](?=[a-z])"),  # lfemur
    re.compile(r"(?<=[a-z0-9])[LR]$"),  # FootL
)
_NUMBERED = re.compile(r"_\d+$")
_NEAR = 0.1  # of the skeleton's size: how well branches must agree to be counterparts
_SYMMETRIC = 0.05  # of the skeleton's size: offsets of counterparts in a symmetric pose differ by less


def partners(skeleton: Skeleton) -> tuple[int, ...]:
    """For every joint its counterpart: itself in the middle of the body, -1 where there is none.

    The counterpart of a joint's child is a child of the joint's counterpart, so that chains stay chains.
    """
    named = named_pairs(skeleton.names)
    rest = rest_points(skeleton)[: skeleton.njoints]
    axes = [lateral_axis(rest, named)] if named else list(np.eye(3))
    matches = [_matched(skeleton, rest, named, axis) for axis in axes]
    return tuple(max(matches, key=lambda match: sum(other not in (-1, j) for j, other in enumerate(match))))


def rest_mirror(skeleton: Skeleton, other: tuple[int, ...]) -> Array | None:
    """The mirroring (3, 3) that exchanges the sides of the OFFSET pose, given the counterparts.

    None where that pose is not symmetric: then joint frames lie as they like, and a rotation of zero means nothing.
    """
    pairs = {j: k for j, k in enumerate(other) if k not in (-1, j)}
    bones = [j for j, k in enumerate(other) if k >= 0 and j not in trunk_line(skeleton)]
    rest = rest_points(skeleton)[: skeleton.njoints]
    mirroring = reflection(lateral_axis(rest, pairs))
    theirs = skeleton.offsets[[other[j] for j in bones]]
    apart = np.linalg.norm(skeleton.offsets[bones] @ mirroring - theirs, axis=-1)
    return mirroring if apart.max(initial=0.0) < _SYMMETRIC * np.ptp(rest, axis=0).max() else None


def named_pairs(names: tuple[str, ...]) -> dict[int, int]:
    """Joints whose names differ only in the side, both ways: {left: right, right: left}.

    Running numbers that an exporter hung on the names (LeftHand_011, RightHand_08) are left out where that is needed.
    """
    for plain in (names, tuple(_NUMBERED.sub("", name) for name in names)):
        place = {name: j for j, name in enumerate(plain) if plain.count(name) == 1}
        found = {j: next((place[other] for other in _other_side(name) if other in place), j) for name, j in place.items()}
        pairs = {j: other for j, other in found.items() if other != j and found.get(other) == j}
        if pairs:
            return pairs
    return {}


def lateral_axis(positions: Array, pairs: dict[int, int]) -> Array:
    """The unit direction (3,), up to its sign, along which paired joints lie apart; positions are (..., J, 3)."""
    apart = (positions[..., list(pairs), :] - positions[..., list(pairs.values()), :]).reshape(-1, 3)
    return np.linalg.eigh(apart.T @ apart)[1][:, -1]


def reflection(axis: Array) -> Array:
    """The 3 x 3 matrix that mirrors along a unit axis."""
    return np.eye(3) - 2.0 * np.outer(axis, axis)


def _other_side(name: str) -> Iterator[str]:
    """The names that this one could have on the other side."""
    for pattern in _SIDES:
        for found in pattern.finditer(name):
            side = found.group()
            other = _OTHER[side.lower()]
            other = other.upper() if side.isupper() else other.capitalize() if side[0].isupper() else other
            yield name[: found.start()] + other + name[found.end() :]


def _matched(skeleton: Skeleton, rest: Array, named: dict[int, int], axis: Array) -> list[int]:
    """The counterpart of every joint, or -1, going down the tree from the root, which is its own."""
    middles, counts = _branches(skeleton, rest)
    size = max(float(np.ptp(rest, axis=0).max()), 1e-12)
    children: list[list[int]] = [[] for _ in rest]
    for j, parent in enumerate(skeleton.parents[1:], 1):
        children[parent].append(j)
    match, waiting = [-1] * skeleton.njoints, [(0, 0)]
    while waiting:
        a, b = waiting.pop()
        match[a], match[b] = b, a
        mirrored, own = (middles - rest[a]) @ reflection(axis), middles - rest[b]
        likeness = [
            (float(np.linalg.norm(mirrored[c] - own[d])) / size, c, d)
            for c in children[a]
            for d in children[b]
            if counts[c] == counts[d]
        ]
        waiting += _child_pairs(children[a], children[b], named, sorted(likeness))
    return match


def _child_pairs(
    of_a: list[int], of_b: list[int], named: dict[int, int], likeness: list[tuple[float, int, int]]
) -> list[tuple[int, int]]:
    """Children that belong together: those with paired names, then the likest, then those that alone are left over."""
    free = {*of_a, *of_b}
    pairs = []
    sure = [(c, named[c]) for c in of_a if named.get(c) in of_b]
    for c, d in [*sure, *((c, d) for distance, c, d in likeness if distance < _NEAR)]:
        if c in free and d in free:
            free -= {c, d}
            pairs.append((c, d))
    left_a, left_b = ([c for c in of if c in free] for of in (of_a, of_b))
    return [*pairs, (left_a[0], left_b[0])] if len(left_a) == len(left_b) == 1 else pairs


def _branches(skeleton: Skeleton, rest: Array) -> tuple[Array, Array]:
    """For every joint the mean position (J, 3) of itself and all below it, and how many these are (J,)."""
    sums, counts = rest.copy(), np.ones(len(rest))
    for j in range(len(rest) - 1, 0, -1):
        sums[skeleton.parents[j]] += sums[j]
        counts[skeleton.parents[j]] += counts[j]
    return sums / counts[:, None], counts
