"""A rig's segments: which joints make them up, and how they are turned from our rest pose to the pose the rig was bound in.

A body built like a human (upright, legs that hang, knees that bend forward) rests as all humans do here: arms and legs
straight down, whether it was bound in a T-pose, an A-pose or at ease. Any other creature rests as its artist made it stand,
because its legs are bent by nature; only arms that are spread like a T are let down.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from poise import rotation
from poise.character.character import Vec3, as_vec
from poise.character.rig.ownership import joint_owners
from poise.character.rig.placing import Placed
from poise.character.segmentation import JointGroup, group_joints
from poise.errors import BadCharacter
from poise.rotation import Array

_DOWN = np.array([0.0, 0.0, -1.0])
_HANGS = np.cos(np.radians(35.0))  # a human's thighs and shins, bound at ease, lead down at least this much
_UPRIGHT = np.cos(np.radians(50.0))  # a human's trunk, from the hips to the neck, leads up at least this much
_BACKWARD = 0.06  # of the leg: a knee farther behind the line from hip to ankle bends backward
_SPREAD = 0.7  # of an arm's length sideways: it is spread
_HIP_ROOM = 0.12  # of the height: a root joint farther from the hips is a handle, not a pelvis
_CLEAR = 0.05  # of the height: how far above the floor resting hands are at least
_SHORTEST_LEG_BONE = 0.02  # of the height
_SIDES = ("left", "right")


@dataclass(frozen=True, eq=False)
class Resting:
    """Segments (S) of a placed rig, parents first.

    `owner` (J) is the segment of each joint, -1 above the root. `bound` (S, 3) are the segments' joints in the bind pose and
    `turns` (S, 4) the rotations from the rest pose to it. `anchors` are the joints' places in the rest pose, relative to the
    parent's (the root's is zero).
    """

    groups: tuple[JointGroup, ...]
    owner: tuple[int, ...]
    bound: Array
    turns: Array
    anchors: Array
    human: bool
    doubts: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        return [group.name for group in self.groups]

    @property
    def parents(self) -> list[int]:
        return [-1 if group.parent is None else self.names.index(group.parent) for group in self.groups]

    def root_joint(self) -> Vec3:
        return as_vec(self.bound[0])


def rest(placed: Placed, toes: dict[str, Array]) -> Resting:
    """Segments and their rest pose; `toes` are the directions (3,) that the feet point in, by side."""
    _check_legs(placed)
    human = is_human(placed)
    groups = _with_neck(placed, group_joints(placed.rig.skeleton, placed.roles, placed.positions, hands=True), human)
    bound = placed.positions[[group.anchor for group in groups]]
    bound[0], doubt = _between_hips(placed, bound[0])
    names = [group.name for group in groups]
    turns = np.stack([_turn(placed, groups, k, bound, human, toes) for k in range(len(groups))])
    anchors = np.zeros_like(bound)
    for k, group in enumerate(groups):
        if group.parent is not None:
            p = names.index(group.parent)
            anchors[k] = rotation.rotate(rotation.conjugate(turns[p]), bound[k] - bound[p])
    return Resting(groups, joint_owners(placed, groups), bound, turns, anchors, human, (doubt,) if doubt else ())


def is_human(placed: Placed) -> bool:
    """Whether the body is built like a human's: an upright trunk, thighs and shins that hang, knees that do not bend backward."""
    if not is_upright(placed):
        return False
    for side in _SIDES:
        hip, knee, ankle = (placed.positions[placed.roles.of[f"{side}_{part}"]] for part in ("thigh", "shin", "foot"))
        bones = (knee - hip, ankle - knee)
        if any(-bone[2] < _HANGS * np.linalg.norm(bone) for bone in bones):
            return False
        leg = ankle - hip
        ahead = knee - hip - leg * ((knee - hip) @ leg / max(float(leg @ leg), 1e-12))
        if ahead[0] < -_BACKWARD * np.linalg.norm(leg):
            return False
    return True


def is_upright(placed: Placed) -> bool:
    """Whether the trunk leads up from the hips to the neck or shoulders; that of a body on four legs leads forward."""
    of, positions = placed.roles.of, placed.positions
    top = next((positions[of[role]] for role in ("neck", "head", "chest") if role in of), None)
    if top is None:
        return True
    trunk = top - 0.5 * (positions[of["left_thigh"]] + positions[of["right_thigh"]])
    return bool(trunk[2] >= _UPRIGHT * np.linalg.norm(trunk))


def _check_legs(placed: Placed) -> None:
    """Refuses a body whose thighs or shins have no length: a knee between them could not bend."""
    of = placed.roles.of
    for side, (bone, end) in product(_SIDES, (("thigh", "shin"), ("shin", "foot"))):
        length = float(np.linalg.norm(placed.positions[of[f"{side}_{end}"]] - placed.positions[of[f"{side}_{bone}"]]))
        if length < _SHORTEST_LEG_BONE * placed.height:
            problem = f"the {side} {bone} is {length:.2g} m long in a body of {placed.height:.2f} m"
            raise BadCharacter(f"{placed.rig.path.name}: {problem}; a leg needs a thigh, a shin and a foot")


def _between_hips(placed: Placed, root: Array) -> tuple[Array, str | None]:
    """The root's joint, or the middle of the hips where it is a handle far from them; and a sentence then."""
    of = placed.roles.of
    hips = 0.5 * (placed.positions[of["left_thigh"]] + placed.positions[of["right_thigh"]])
    away = float(np.linalg.norm(root - hips))
    if away <= _HIP_ROOM * placed.height:
        return root, None
    name = placed.rig.names[of["pelvis"]]
    return hips, f"The root bone '{name}' is {away:.2f} m away from the hips: the pelvis turns about the middle of the hips."


def _with_neck(placed: Placed, groups: tuple[JointGroup, ...], human: bool) -> tuple[JointGroup, ...]:
    """A creature's neck as segments of its own; a human's is part of the head."""
    neck, head = placed.roles.neck, placed.roles.of.get("head")
    if human or not neck or head is None or head in neck:
        return groups
    result: list[JointGroup] = []
    for group in groups:
        if group.name != "head":
            result.append(group)
            continue
        parent = group.parent
        for k, joint in enumerate(neck, 1):
            result.append(JointGroup(f"neck_{k}", parent, joint, (joint,)))
            parent = f"neck_{k}"
        result.append(JointGroup("head", parent, head, (head,)))
    return tuple(result)


def _turn(placed: Placed, groups: tuple[JointGroup, ...], k: int, bound: Array, human: bool, toes: dict[str, Array]) -> Array:
    """How a segment is turned in the bind pose, seen from the rest pose."""
    side, _, part = groups[k].name.partition("_")
    if side not in _SIDES:
        return rotation.IDENTITY
    if part == "foot":
        return rotation.about_z(np.arctan2(toes[side][1], toes[side][0])) if side in toes else rotation.IDENTITY
    is_arm = part in ("upper_arm", "forearm", "hand")
    if human or (is_arm and _spread(placed, side)):
        far = _far_end(placed, groups, k)
        if part == "hand" or far is None:
            return _turn(placed, groups, [g.name for g in groups].index(groups[k].parent or ""), bound, human, toes)
        return rotation.between(_hanging(placed, side, part), far - bound[k])
    return rotation.IDENTITY


def _hanging(placed: Placed, side: str, part: str) -> Array:
    """The direction (3,) of a resting limb: down, but arms that would reach the floor are spread until they are clear of it.

    Spread and not bent at the elbow: all that the elbow does would come on top of that.
    """
    if part not in ("upper_arm", "forearm"):
        return _DOWN
    of, inside = placed.roles.of, placed.rig.skeleton.descendants(placed.roles.of[f"{side}_forearm"])
    shoulder, elbow = (placed.positions[of[f"{side}_{bone}"]] for bone in ("upper_arm", "forearm"))
    flesh = np.concatenate([placed.vertices[np.isin(placed.rig.main_joint, inside)], placed.positions[inside]])
    reach = float(np.linalg.norm(elbow - shoulder) + np.linalg.norm(flesh - elbow, axis=-1).max())
    floor = float(placed.vertices[:, 2].min(initial=placed.positions[:, 2].min()))
    cosine = float(np.clip((shoulder[2] - floor - _CLEAR * placed.height) / max(reach, 1e-9), 0.0, 1.0))
    return np.array([0.0, np.sqrt(1.0 - cosine**2) * (1.0 if side == "left" else -1.0), -cosine])


def _spread(placed: Placed, side: str) -> bool:
    of = placed.roles.of
    arm = placed.positions[of.get(f"{side}_hand", of[f"{side}_forearm"])] - placed.positions[of[f"{side}_upper_arm"]]
    return abs(arm[1]) > _SPREAD * float(np.linalg.norm(arm))


def _far_end(placed: Placed, groups: tuple[JointGroup, ...], k: int) -> Array | None:
    """Where the bone of a limb's segment ends in the bind pose: at the next segment, or at the far end of its flesh."""
    for group in groups:
        if group.parent == groups[k].name:
            return placed.positions[group.anchor]
    inside = placed.rig.skeleton.descendants(groups[k].anchor)
    flesh = placed.vertices[np.isin(placed.rig.main_joint, inside)]
    joint = placed.positions[groups[k].anchor]
    points = np.concatenate([flesh, placed.positions[inside]])
    far = points[np.argmax(np.linalg.norm(points - joint, axis=-1))]
    return far if np.linalg.norm(far - joint) > 1e-6 * placed.height else None
