"""Which joints of a skeleton make up which segment.

Small bones ride along: clavicles with the chest, toes with the foot, fingers (and by default hands) with the forearm,
so that a human comes out as 14 segments and 13 joints whatever the rig (da Silva section 6).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.character.roles import Roles
from poise.motion.skeleton import Skeleton
from poise.rotation import Array

# Where the spine bends, as shares of the way from the pelvis to the base of the neck: the waist and the lowest rib
# (landmarks MIDH, OMPH and XYPH of de Leva's table lie at 0, 0.27 and 0.68).
_WAIST, _RIBS = 0.2, 0.55
_SHORTEST_TAIL_BONE = 0.02  # of the body height; shorter bones ride with the one before


@dataclass(frozen=True)
class JointGroup:
    """A segment to be: the joint it turns about, and the joints whose orientation it takes (their mean)."""

    name: str
    parent: str | None
    anchor: int
    core: tuple[int, ...]


def group_joints(skeleton: Skeleton, roles: Roles, positions: Array, *, hands: bool = False) -> tuple[JointGroup, ...]:
    """The segments of a skeleton, parents first. `positions` (J, 3) are the joints in an upright pose."""
    of = roles.of
    groups = [JointGroup("pelvis", None, of["pelvis"], (of["pelvis"],))]
    groups += _trunk(roles, positions)
    top = groups[-1].name
    if roles.neck or "head" in of:
        anchor = roles.neck[0] if roles.neck else of["head"]
        groups.append(JointGroup("head", top, anchor, (of.get("head", anchor),)))
    arm = ("upper_arm", "forearm", "hand") if hands else ("upper_arm", "forearm")
    for side in ("left", "right"):
        groups += _limb(of, side, arm, top)
    for side in ("left", "right"):
        groups += _limb(of, side, ("thigh", "shin", "foot"), "pelvis")
    for k, tail in enumerate(roles.tails):
        groups += _tail(tail, positions, "tail" if k == 0 else f"tail{k + 1}")
    return tuple(groups)


def segment_of_joint(skeleton: Skeleton, groups: tuple[JointGroup, ...]) -> tuple[int, ...]:
    """For each joint the segment that carries it; -1 above the pelvis (a static extra root)."""
    anchors = {group.anchor: k for k, group in enumerate(groups)}
    carried: list[int] = []
    for joint, parent in enumerate(skeleton.parents):
        carried.append(anchors.get(joint, -1 if parent < 0 else carried[parent]))
    return tuple(carried)


def _trunk(roles: Roles, positions: Array) -> list[JointGroup]:
    """Abdomen and chest from a spine of any number of joints."""
    spine = roles.spine
    if not spine:
        return []
    if len(spine) == 1:
        return [JointGroup("chest", "pelvis", spine[0], spine)]
    base = positions[roles.of["pelvis"]]
    top = positions[roles.neck[0] if roles.neck else spine[-1]]
    axis = (top - base) / max(float(np.dot(top - base, top - base)), 1e-9)
    share = [float(np.dot(positions[j] - base, axis)) for j in spine]
    waist = min(range(len(spine) - 1), key=lambda k: abs(share[k] - _WAIST))
    ribs = min(range(waist + 1, len(spine)), key=lambda k: abs(share[k] - _RIBS))
    return [
        JointGroup("abdomen", "pelvis", spine[waist], spine[waist:ribs]),
        JointGroup("chest", "abdomen", spine[ribs], spine[ribs:]),
    ]


def _limb(of: dict[str, int], side: str, parts: tuple[str, ...], parent: str) -> list[JointGroup]:
    groups = []
    for part in parts:
        name = f"{side}_{part}"
        if name not in of:
            break
        groups.append(JointGroup(name, parent, of[name], (of[name],)))
        parent = name
    return groups


def _tail(joints: tuple[int, ...], positions: Array, prefix: str) -> list[JointGroup]:
    height = float(np.ptp(positions[:, 2]))
    groups: list[JointGroup] = []
    for joint in joints:
        if groups and np.linalg.norm(positions[joint] - positions[groups[-1].anchor]) < _SHORTEST_TAIL_BONE * height:
            continue
        parent = groups[-1].name if groups else "pelvis"
        groups.append(JointGroup(f"{prefix}_{len(groups) + 1}", parent, joint, (joint,)))
    return groups
