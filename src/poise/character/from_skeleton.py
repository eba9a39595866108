"""A character from any clip's own skeleton: bones become boxes with human masses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from poise import rotation
from poise.character import anthropometry, boxes
from poise.character.binding import Binding, bind, resting_frames
from poise.character.character import Character, Limit, Segment, as_quat, as_vec
from poise.errors import BadCharacter, BadInput
from poise.limits import MASS_KG
from poise.motion.clip import Clip
from poise.rotation import Array

_SMALLEST = 0.01  # m: a body of which nothing is left but rounding
_SHORTEST_LEG_BONE = 0.02  # of the body height
_LIMIT_MARGIN_DEG = 10.0  # how far a joint may go beyond what the clip itself does


@dataclass(frozen=True, eq=False)
class Measurements:
    """Bone lengths and directions of a skeleton in segment frames, medians over the clip."""

    height: float
    anchors: dict[str, Array]  # each segment's joint in its parent's frame
    tips: dict[str, Array]  # points (n, 3) that belong to the segment, in its frame
    ankle_height: float


def character_from_clip(
    clip: Clip, *, mass: float = anthropometry.BODY_MASS, hands: bool = False, binding: Binding | None = None
) -> Character:
    """Builds `--character auto`: segments with roles, boxes from bone lengths, masses from de Leva's table."""
    if not isinstance(mass, Real) or not MASS_KG[0] <= mass <= MASS_KG[1]:
        raise BadInput(f"mass {mass!r} kg must lie between {MASS_KG[0]:g} and {MASS_KG[1]:g} kg")
    binding = binding or bind(clip, hands=hands)
    turns = binding.segment_rotations(clip)
    sizes = measure(clip, binding, turns)
    if sizes.height < _SMALLEST:
        raise BadCharacter(f"{clip.name}: the legs and trunk are {sizes.height:.2g} m long in all; give the true --units")
    _check_legs(clip, sizes)
    shares = mass_shares([g.name for g in binding.groups])
    segments: list[Segment] = []
    for group in binding.groups:
        segment_mass = mass * shares[group.name]
        box = boxes.box_of(group.name, segment_mass, sizes.height, sizes.tips[group.name], sizes.ankle_height)
        com = boxes.centre_of_mass(group.name, box)
        inertia = boxes.inertia_of(group.name, segment_mass, box)
        segments.append(Segment(group.name, group.parent, as_vec(sizes.anchors[group.name]), box, segment_mass, com, inertia))
    feet = tuple(s.name for s in segments if s.name.endswith("_foot"))
    if not feet:
        raise BadCharacter(f"{clip.name}: no foot was found below the legs; a character needs feet to stand on")
    standing = _on_the_floor(segments, feet)
    limited = _with_limits(standing, turns, [g.name for g in binding.groups])
    return Character(clip.name, limited, feet)


def _check_legs(clip: Clip, sizes: Measurements) -> None:
    """Refuses a body whose thighs or shins have no length: a knee between them could not bend."""
    for side in ("left", "right"):
        for bone, end in (("thigh", "shin"), ("shin", "foot")):
            length = float(np.linalg.norm(sizes.anchors[f"{side}_{end}"])) if f"{side}_{end}" in sizes.anchors else np.inf
            if length < _SHORTEST_LEG_BONE * sizes.height:
                problem = f"the {side} {bone} is {length:.2g} m long in a body of {sizes.height:.2f} m"
                raise BadCharacter(f"{clip.name}: {problem}; give the joint below it an OFFSET")


def mass_shares(names: list[str]) -> dict[str, float]:
    """Each segment's share of the whole mass; parts that are merged give theirs to the segment they ride on."""
    shares = {name: anthropometry.table(name).mass for name in names}
    for side in ("left_", "right_"):
        if f"{side}forearm" in shares and f"{side}hand" not in shares:
            shares[f"{side}forearm"] += anthropometry.TABLE["hand"].mass
    if "abdomen" not in shares:
        trunk = [name for name in ("pelvis", "chest") if name in shares]
        for name in trunk:
            shares[name] += anthropometry.TABLE["abdomen"].mass / len(trunk)
    total = sum(shares.values())
    return {name: share / total for name, share in shares.items()}


def measure(clip: Clip, binding: Binding, turns: Array) -> Measurements:
    """Medians over the clip, so that bones that stretch and clavicles that shrug get their usual place."""
    position = binding.anchor_positions(clip)
    names = [g.name for g in binding.groups]
    anchors: dict[str, Array] = {}
    tips: dict[str, list[Array]] = {name: [] for name in names}
    for k, group in enumerate(binding.groups):
        if group.parent is None:
            anchors[group.name] = np.zeros(3)
            continue
        p = names.index(group.parent)
        anchors[group.name] = _median_in_frame(position[:, k], position[:, p], turns[:, p])
        tips[group.parent].append(anchors[group.name])
    ends = clip.end_positions()
    free = [(clip.world_positions[:, j], binding.joint_segment[j]) for j in range(clip.skeleton.njoints)]
    free += [(ends[:, e], binding.joint_segment[j]) for e, (j, _) in enumerate(clip.skeleton.ends)]
    for point, k in free:
        if k >= 0:
            tips[names[k]].append(_median_in_frame(point, position[:, k], turns[:, k]))
    gathered = {name: np.array(points).reshape(-1, 3) for name, points in tips.items()}
    return Measurements(_height(anchors, binding, gathered), anchors, gathered, _ankle_height(clip, binding))


def _median_in_frame(point: Array, origin: Array, turn: Array) -> Array:
    return np.median(rotation.rotate(rotation.conjugate(turn), point - origin), axis=0)


def _height(anchors: dict[str, Array], binding: Binding, tips: dict[str, Array]) -> float:
    """Standing height: legs, trunk and head stretched out."""
    leg = sum(float(np.linalg.norm(anchors[f"left_{part}"])) for part in ("shin", "foot") if f"left_{part}" in anchors)
    trunk = sum(float(np.linalg.norm(anchors[name])) for name in ("abdomen", "chest", "head") if name in anchors)
    head = max((float(p[2]) for p in tips.get("head", [])), default=0.0)
    return 1.08 * leg + trunk + max(head, 0.3 * leg)


def _ankle_height(clip: Clip, binding: Binding) -> float:
    """How high the ankles are above the floor while a foot stands, median of both feet."""
    heights = []
    hip_height = max(float(np.median(clip.world_positions[:, binding.groups[0].anchor, 2])), 0.1)
    for group in binding.groups:
        if group.name.endswith("_foot"):
            ankle = clip.world_positions[:, group.anchor]
            heights.append(float(np.median(ankle[resting_frames(ankle, hip_height, clip.fps), 2])))
    return min(heights, default=0.0)


def _on_the_floor(segments: list[Segment], feet: tuple[str, ...]) -> list[Segment]:
    """Joints from parent-relative to rest-pose world coordinates, soles at z = 0."""
    place: dict[str, Array] = {}
    for s in segments:
        place[s.name] = np.array(s.joint) + (place[s.parent] if s.parent else 0.0)
    sole = min(place[s.name][2] + s.box.center[2] - 0.5 * s.box.size[2] for s in segments if s.name in feet)
    return [replace(s, joint=as_vec(place[s.name] - [0.0, 0.0, sole])) for s in segments]


def _with_limits(segments: list[Segment], turns: Array, names: list[str]) -> tuple[Segment, ...]:
    """Human ranges of motion, widened where the clip itself goes further."""
    limited = [segments[0]]
    for k, s in enumerate(segments[1:], start=1):
        flexion, angle = anthropometry.RANGES.get(anthropometry.kind(s.name), (0.0, 60.0))
        centre = rotation.exp([0.0, np.radians(flexion), 0.0])
        local = rotation.multiply(rotation.conjugate(turns[:, names.index(s.parent or "")]), turns[:, k])
        used = float(np.degrees(rotation.angle_between(centre, local).max()))
        wide = min(180.0, max(angle, used + _LIMIT_MARGIN_DEG))
        limited.append(replace(s, limit=Limit(round(wide, 1), as_quat(centre))))
    return tuple(limited)
