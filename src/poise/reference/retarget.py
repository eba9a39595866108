"""A clip's motion on a character: segment rotations by role, a root scaled to the legs, feet on the floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.character.binding import Binding
from poise.character.character import Character
from poise.character.soles import heel_and_ball
from poise.motion.clip import Clip
from poise.reference import legs
from poise.reference.build import Leg, legs_of, seat, standing_length, stands_straight
from poise.reference.feet import hold_still, plant
from poise.reference.stance import find_stance
from poise.reference.weight import shift_of_hips
from poise.rotation import Array, Mask


@dataclass(frozen=True, eq=False)
class SegmentMotion:
    """World rotations (F, S, 4) and joint origins (F, S, 3) of a character's segments, and which feet stand (F, feet)."""

    rotation: Array
    position: Array
    stance: Mask


def retarget(clip: Clip, binding: Binding, character: Character, stance: Mask | None = None) -> SegmentMotion:
    """Puts a tidied clip on a character. On the character made from the same clip it changes next to nothing."""
    turns = _by_role(binding, binding.segment_rotations(clip), character)
    anchors = binding.anchor_positions(clip)
    names = [group.name for group in binding.groups]
    scale = standing_length(character) / source_leg_length(anchors, names)
    ankles = {foot: scale * anchors[:, names.index(foot)] for foot in character.feet if foot in names}
    root, ankles = seat(character, scale * anchors, names, turns[:, 0], ankles, clip.fps)
    if stance is None:
        stance = _stance(ankles, turns, character, clip.fps)
    for k, foot in enumerate(character.feet):
        if foot in ankles:
            segment = character.segments[character.index(foot)]
            sole = plant(turns[:, character.index(foot)], ankles[foot], stance[:, k], segment, clip.fps)
            turns[:, character.index(foot)], planted = sole
            ankles[foot] = hold_still(turns[:, character.index(foot)], planted, stance[:, k], segment, clip.fps)
    _set_legs(character, turns, root, ankles)
    position = pose_positions(character, turns, root)
    if (
        stands_straight(character)
        and (shift := shift_of_hips(clip, binding, character, turns, position, stance, scale)) is not None
    ):
        _set_legs(character, turns, root + shift, ankles)
        position = pose_positions(character, turns, root + shift)
    return SegmentMotion(rotation.continuous(turns), position, stance)


def joint_segments(binding: Binding, character: Character) -> list[int]:
    """For each joint of the clip the character's segment that carries it; -1 above the root.

    A segment of the clip that the character lacks is carried by the nearest one above it that the character has.
    """
    carried: dict[str | None, int] = {None: 0}
    for group in binding.groups:
        carried[group.name] = character.index(group.name) if group.name in character.names else carried[group.parent]
    return [-1 if k < 0 else carried[binding.groups[k].name] for k in binding.joint_segment]


def pose_positions(character: Character, turns: Array, root: Array) -> Array:
    """Joint origins (F, S, 3) from world rotations (F, S, 4) and the root's position (F, 3)."""
    positions = np.empty((*turns.shape[:-1], 3))
    positions[:, 0] = root
    for k, p in enumerate(character.parents):
        if p >= 0:
            positions[:, k] = positions[:, p] + rotation.rotate(turns[:, p], character.offsets[k])
    return positions


def local_rotations(character: Character, turns: Array) -> Array:
    """Rotations relative to the parent segment (F, S, 4); the root's stays in the world."""
    local = turns.copy()
    for k, p in enumerate(character.parents):
        if p >= 0:
            local[:, k] = rotation.multiply(rotation.conjugate(turns[:, p]), turns[:, k])
    return rotation.continuous(local)


def leg_length(character: Character) -> float:
    """Hip to ankle along the bones, mean of all legs."""
    lengths = []
    for foot in character.feet:
        shin = character.parents[character.index(foot)]
        lengths.append(np.linalg.norm(character.offsets[shin]) + np.linalg.norm(character.offsets[character.index(foot)]))
    return float(np.mean(lengths))


def source_leg_length(anchors: Array, names: list[str]) -> float:
    """Hip to ankle along the bones of a clip, median over its frames, mean of both legs; anchors (F, S, 3) of these names."""
    lengths = []
    for side in ("left", "right"):
        hip, knee, ankle = (anchors[:, names.index(f"{side}_{part}")] for part in ("thigh", "shin", "foot"))
        lengths.append(np.median(np.linalg.norm(knee - hip, axis=-1) + np.linalg.norm(ankle - knee, axis=-1)))
    return float(np.mean(lengths))


def _by_role(binding: Binding, turns: Array, character: Character) -> Array:
    """Rotations for the character's segments; one that the clip does not have follows its parent."""
    names = [group.name for group in binding.groups]
    result = np.empty((len(turns), character.nsegments, 4))
    for k, (segment, parent) in enumerate(zip(character.segments, character.parents, strict=True)):
        if segment.name in names:
            result[:, k] = turns[:, names.index(segment.name)]
        else:
            result[:, k] = turns[:, 0] if parent < 0 else result[:, parent]
    return result


def _stance(ankles: dict[str, Array], turns: Array, character: Character, fps: float) -> Mask:
    leg = leg_length(character)
    columns = []
    for foot in character.feet:
        k = character.index(foot)
        if foot not in ankles:
            columns.append(np.ones(len(turns), bool))
            continue
        points = heel_and_ball(character.segments[k])
        columns.append(find_stance(ankles[foot][:, None] + rotation.rotate(turns[:, k, None], points), leg, fps))
    return np.stack(columns, axis=1)


def _set_legs(character: Character, turns: Array, root: Array, ankles: dict[str, Array]) -> None:
    """Turns all legs (in place) so that the ankles (F, 3) are where they should be, given the root (F, 3)."""
    for foot, leg in legs_of(character).items():
        if foot in ankles:
            _set_leg(character, leg, turns, root, ankles[foot])


def _set_leg(character: Character, leg: Leg, turns: Array, root: Array, target: Array) -> None:
    """Turns thigh and lower leg (in place) so that the foot's joint comes to the target."""
    thigh, shin = leg.thigh, leg.lower[0]
    hip = pose_positions(character, turns, root)[:, thigh]
    turns[:, thigh], bent = legs.reach(
        turns[:, thigh], turns[:, shin], hip, leg.knee, leg.ankle, target, backward=leg.bends_backward
    )
    for k in leg.lower:
        turns[:, k] = bent
