"""Which segment carries which joint of a rig."""

from __future__ import annotations

import numpy as np

from poise.character.rig.placing import Placed
from poise.character.segmentation import JointGroup, segment_of_joint

_BESIDE = 0.75  # of the forearm or shin: bones that start farther out belong to the hand or foot
_TWIST = ("twist", "roll")
_ALL_OVER = 0.2  # of the height: flesh of one bone that is scattered more belongs to no segment


def joint_owners(placed: Placed, groups: tuple[JointGroup, ...]) -> tuple[int, ...]:
    """The segment of each joint (J), -1 above the root.

    Joints ride with the nearest segment above them. But clavicles ride with what the arms hang on, palms and thumbs with the
    hand beside which they start, roots that carry flesh with the pelvis, and other bones beside the body, such as helpers of
    knees and elbows, with the segment that their flesh is nearest to.
    """
    owner = list(segment_of_joint(placed.rig.skeleton, groups))
    for side in ("left", "right"):
        owner = _with_clavicle(placed, groups, owner, side)
        for end in ("hand", "foot"):
            owner = _with_siblings(placed, groups, owner, f"{side}_{end}")
    carrying = set(np.unique(placed.rig.mesh.owners[placed.rig.mesh.weights > 0.0]).tolist())
    above = {groups[0].anchor, *placed.rig.skeleton.ancestors(groups[0].anchor)}
    loose = [j for j, k in enumerate(owner) if k < 0 and j in carrying]
    return tuple(k if j not in loose else 0 if j in above else _nearest(placed, groups, j) for j, k in enumerate(owner))


def _nearest(placed: Placed, groups: tuple[JointGroup, ...], joint: int) -> int:
    """The segment whose bone is nearest to the flesh that a joint carries; the root where that flesh is all over the body."""
    flesh = placed.vertices[placed.rig.main_joint == joint]
    if not len(flesh) or np.linalg.norm(flesh.std(axis=0)) > _ALL_OVER * placed.height:
        return 0
    names, middle = [group.name for group in groups], flesh.mean(axis=0)
    bones = [(k, k) for k in range(len(groups))]
    bones += [(names.index(group.parent), k) for k, group in enumerate(groups) if group.parent]
    starts, ends = (placed.positions[[groups[bone[n]].anchor for bone in bones]] for n in range(2))
    along = ends - starts
    share = np.einsum("ij,ij->i", middle - starts, along) / np.maximum(np.einsum("ij,ij->i", along, along), 1e-12)
    away = np.linalg.norm(starts + np.clip(share, 0.0, 1.0)[:, None] * along - middle, axis=-1)
    return bones[int(np.argmin(away))][0]


def _with_clavicle(placed: Placed, groups: tuple[JointGroup, ...], owner: list[int], side: str) -> list[int]:
    names = [group.name for group in groups]
    clavicle, arm = placed.roles.of.get(f"{side}_clavicle"), f"{side}_upper_arm"
    if clavicle is None or arm not in names:
        return owner
    chest = names.index(groups[names.index(arm)].parent or names[0])
    was, below = owner[clavicle], {*placed.rig.skeleton.descendants(clavicle)}
    return [chest if k == was and j in below else k for j, k in enumerate(owner)]


def _with_siblings(placed: Placed, groups: tuple[JointGroup, ...], owner: list[int], name: str) -> list[int]:
    """Joints that start beside a hand or foot, such as thumbs and palms of their own, ride with it; twist bones do not."""
    k = next((k for k, group in enumerate(groups) if group.name == name), None)
    if k is None:
        return owner
    rig, anchor = placed.rig, groups[k].anchor
    parent = rig.parents[anchor]
    if parent < 0 or owner[parent] < 0 or groups[owner[parent]].name != groups[k].parent:
        return owner
    far = np.linalg.norm(placed.positions - placed.positions[parent], axis=-1)
    beside = [
        j for j, p in enumerate(rig.parents) if p == parent and owner[j] == owner[parent] and far[j] > _BESIDE * far[anchor]
    ]
    beside = [j for j in beside if not any(word in rig.names[j].lower() for word in _TWIST)]
    inside = {i for j in beside for i in rig.skeleton.descendants(j) if owner[i] == owner[j]}
    return [k if j in inside else o for j, o in enumerate(owner)]
