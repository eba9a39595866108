"""Where a skeleton's head and feet are, how tall it is and roughly where its weight sits: enough to judge a clip.

A *point* is a joint or a chain tip: joints come first, then `skeleton.ends`, in one numbering.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.motion.travel import pelvis
from poise.rotation import Array

_HEAD = re.compile("head|skull|頭")
_NECK = re.compile("neck|(?<![手足])首")  # 首 alone is a neck, 手首 a wrist, 足首 an ankle
_FEET = re.compile("foot|feet|toe|ankle|heel|hoof|paw|足首|つま先")


@dataclass(frozen=True, eq=False)
class Landmarks:
    """Points of one clip; head or feet may be empty where neither names nor branches tell.

    Lengths are in the clip's units; `share[p]` of the mass sits on the bone from p to its parent.
    """

    parents: tuple[int, ...]
    head: tuple[int, ...]
    feet: tuple[int, ...]
    lengths: Array
    share: Array


def landmarks(clip: Clip) -> Landmarks:
    """Head, feet, bone lengths and mass shares of a clip, in any units and axes."""
    skeleton = clip.skeleton
    parents = (*skeleton.parents, *(joint for joint, _ in skeleton.ends))
    lengths = _lengths(clip)
    head, feet = _by_name(skeleton)
    if not head and not feet:
        head, feet = _by_branches(parents, rest_points(skeleton))
    return Landmarks(parents, head, feet, lengths, _mass_shares(parents, lengths))


def points(clip: Clip) -> Array:
    """World positions (F, P, 3) of all points."""
    return np.concatenate([clip.world_positions, clip.end_positions()], axis=1)


def rest_points(skeleton: Skeleton) -> Array:
    """Positions (P, 3) of all points in the OFFSET pose: every rotation zero, the root at the origin."""
    parents = (*skeleton.parents, *(joint for joint, _ in skeleton.ends))
    steps = np.concatenate([skeleton.offsets, np.array([offset for _, offset in skeleton.ends]).reshape(-1, 3)])
    position = np.zeros((len(parents), 3))
    for p, parent in enumerate(parents[1:], 1):
        position[p] = position[parent] + steps[p]
    return position


def mass_center(points_w: Array, marks: Landmarks) -> Array:
    """The approximate centre of mass (F, 3) of points (F, P, 3), from shares that sit at the middle of each bone."""
    at = 0.5 * marks.share
    np.add.at(at, [max(parent, 0) for parent in marks.parents], 0.5 * marks.share)
    return np.einsum("fpk,p->fk", points_w, at)


def body_height(points_w: Array, marks: Landmarks) -> float:
    """The height of a body in the units of its points (F, P, 3): the way along the bones from an ankle to the top of the head.

    That does not depend on the pose. Where the head or the feet are not known, it is the larger of twice the way from the
    pelvis to the other (a trunk with its head is about as long as a leg) and the usual extent of the body.
    """
    depth = _depths(marks.parents, marks.lengths)
    ankles = [p for p in marks.feet if marks.parents[p] not in marks.feet]
    if marks.head and ankles:
        return float(np.median([max(_way(marks.parents, depth, ankle, top) for top in marks.head) for ankle in ankles]))
    extent = float(np.percentile(np.ptp(points_w, axis=1).max(axis=-1), 90.0))
    return max(extent, 2.0 * float(depth[[*marks.head, *ankles]].max(initial=0.0)))


def _lengths(clip: Clip) -> Array:
    """The length of the bone that ends in each point, by its OFFSET, or where that is zero its usual length.

    It is 0 from the root down to the pelvis: what is above that is a handle, not a bone.
    """
    joints = np.linalg.norm(clip.skeleton.offsets, axis=-1)
    joints = np.where(joints > 0.0, joints, np.median(np.linalg.norm(clip.translations, axis=-1), axis=0))
    joints[: pelvis(clip.skeleton) + 1] = 0.0
    return np.array([*joints, *(np.linalg.norm(offset) for _, offset in clip.skeleton.ends)], float)


def _by_name(skeleton: Skeleton) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Head (or neck) points and feet points by the joints' names; either may be empty."""
    names = [*(name.lower() for name in skeleton.names), *(skeleton.names[joint].lower() for joint, _ in skeleton.ends)]
    head, neck, feet = (tuple(p for p, name in enumerate(names) if part.search(name)) for part in (_HEAD, _NECK, _FEET))
    return head or neck, feet


def _by_branches(parents: tuple[int, ...], rest: Array) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The head's tip and the tips of the legs, from the branches of the tree and the OFFSET pose (P, 3); empty for a mere chain.

    The first point from the root that has several branches is the pelvis; the trunk is the branch with most tips, and its
    head the tip that lies farthest from the legs.
    """
    children: list[list[int]] = [[] for _ in parents]
    for p, parent in enumerate(parents[1:], 1):
        children[parent].append(p)
    middle = 0
    while len(children[middle]) == 1:
        middle = children[middle][0]
    branches = sorted((_tips(children, child) for child in children[middle]), key=len)
    if not branches:
        return (), ()
    trunk, legs = branches[-1], [tip for branch in branches[:-1] for tip in branch]
    upward = rest[trunk].mean(axis=0) - rest[legs].mean(axis=0)
    return (trunk[int(np.argmax(rest[trunk] @ upward))],), tuple(legs)


def _tips(children: list[list[int]], point: int) -> list[int]:
    """The points without children at or below a point."""
    tips, waiting = [], [point]
    while waiting:
        below = children[point := waiting.pop()]
        waiting.extend(below)
        if not below:
            tips.append(point)
    return tips


def _mass_shares(parents: tuple[int, ...], lengths: Array) -> Array:
    """Shares of the mass per bone, sum 1: length times what hangs below it, so that thighs and trunk outweigh hands.

    In flights of real clips this centre falls with 8.4 to 12.3 m/s2, see docs/tidy.md.
    """
    reach = np.zeros(len(parents))
    for p in range(len(parents) - 1, 0, -1):  # children before parents: tips are numbered after all joints
        reach[parents[p]] = max(reach[parents[p]], lengths[p] + reach[p])
    mass = lengths * (reach + 0.5 * lengths)
    return mass / mass.sum() if mass.sum() > 0 else np.full(len(parents), 1.0 / len(parents))


def _depths(parents: tuple[int, ...], lengths: Array) -> Array:
    """The way along the bones from the root to each point."""
    depth = np.zeros(len(parents))
    for p, parent in enumerate(parents[1:], 1):
        depth[p] = depth[parent] + lengths[p]
    return depth


def _way(parents: tuple[int, ...], depth: Array, a: int, b: int) -> float:
    """Length of the way along the bones from one point to another; depth is that from the root."""
    above = set(_line(parents, a))
    meeting = next(p for p in _line(parents, b) if p in above)
    return float(depth[a] + depth[b] - 2.0 * depth[meeting])


def _line(parents: tuple[int, ...], point: int) -> list[int]:
    """The point and everything above it, up to the root."""
    line = [point]
    while (point := parents[point]) >= 0:
        line.append(point)
    return line
