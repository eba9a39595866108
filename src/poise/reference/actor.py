"""An actor: the body at rest that a performance is measured against, and a clip as the frames that a stream would bring.

Everything about the actor is known before the motion starts: bone lengths and frames come from the skeleton's own rest, or from
the first frame where that rest is not upright. Each later frame is turned into an ActorFrame by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poise import rotation
from poise.character.binding import Binding, bind, facing_rotation, foot_frame, upright_pose
from poise.errors import BadCharacter
from poise.motion.clip import Clip
from poise.reference.features import ActorFrame
from poise.rotation import Array

_LOWEST_ANKLE, _HIGHEST_ANKLE = 0.03, 0.15  # of the leg: where an ankle of a standing person may be above the floor
_UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Actor:
    """The actor's roles (R) and where their joints are at rest (R, 3): standing on z = 0, facing +x, arms and legs hang down."""

    roles: tuple[str, ...]
    rest: Array

    def __post_init__(self) -> None:
        for needed in ("pelvis", "left_thigh", "left_foot", "right_thigh", "right_foot"):
            if needed not in self.roles:
                raise BadCharacter(f"the actor has no {needed}; an actor needs a pelvis and two legs down to the feet")

    def index(self, role: str) -> int:
        return self.roles.index(role)

    @cached_property
    def leg(self) -> float:
        """Hip to ankle at rest, mean of both legs, metres."""
        legs = [self.rest[self.index(f"{side}_thigh")] - self.rest[self.index(f"{side}_foot")] for side in ("left", "right")]
        return float(np.mean(np.linalg.norm(legs, axis=-1)))


@dataclass(frozen=True, eq=False)
class Performance:
    """A tidied clip as an actor's frames: times (F,), world positions (F, R, 3) and rotations (F, R, 4) by role."""

    actor: Actor
    times: Array
    position: Array
    rotation: Array

    def frame(self, k: int) -> ActorFrame:
        return ActorFrame(float(self.times[k]), self.position[k], self.rotation[k])


def performance_of(clip: Clip) -> Performance:
    """The performance of a tidied clip; no frame of it depends on a later one."""
    binding = rest_binding(clip)
    position, turns = binding.anchor_positions(clip), _segment_turns(binding, clip.world_rotations)
    return Performance(_actor(clip, binding), clip.times, position, rotation.continuous(turns))


def rest_binding(clip: Clip) -> Binding:
    """Segments on joints from the rest skeleton and the first frame alone; soles are level in the rest pose."""
    first = clip.with_(rotations=clip.rotations[:1], translations=clip.translations[:1])
    binding = bind(first, hands=True)
    roles, positions, turns = upright_pose(first)
    facing = facing_rotation(positions, roles)
    frames = list(binding.frames)
    for k, group in enumerate(binding.groups):
        if group.name.endswith("_foot"):
            up = rotation.rotate(rotation.conjugate(turns[group.anchor]), _UP)
            frames[k] = foot_frame(first, group.anchor, up, facing, turns)[None]
    return Binding(binding.roles, binding.groups, binding.joint_segment, tuple(frames))


def _segment_turns(binding: Binding, joint_turns: Array) -> Array:
    """World rotations (F, S, 4) of the segments from those of the joints (F, J, 4), frame by frame."""
    columns = []
    for group, frame in zip(binding.groups, binding.frames, strict=True):
        each = [rotation.multiply(joint_turns[:, joint], f) for joint, f in zip(group.core, frame, strict=True)]
        columns.append(each[0] if len(each) == 1 else rotation.mean(np.stack(each)))
    return np.stack(columns, axis=1)


def _actor(clip: Clip, binding: Binding) -> Actor:
    """The rest of the skeleton, stretched out as our rest pose is, with the lower ankle as high as in the first frame."""
    _, positions, joint_turns = upright_pose(clip.with_(rotations=clip.rotations[:1], translations=clip.translations[:1]))
    turns = _segment_turns(binding, joint_turns[None])[0]
    names = [group.name for group in binding.groups]
    rest = np.zeros((len(names), 3))
    for k, group in enumerate(binding.groups):
        if group.parent is not None:
            p = names.index(group.parent)
            bone = positions[group.anchor] - positions[binding.groups[p].anchor]
            rest[k] = rest[p] + rotation.rotate(rotation.conjugate(turns[p]), bone)
    feet = [names.index(name) for name in ("left_foot", "right_foot") if name in names]
    if len(feet) == 2:
        leg = float(np.linalg.norm(rest[feet[0]] - rest[names.index("left_thigh")]))
        seen = min(float(clip.world_positions[0, binding.groups[k].anchor, 2]) for k in feet)
        rest[:, 2] += float(np.clip(seen, _LOWEST_ANKLE * leg, _HIGHEST_ANKLE * leg)) - rest[feet, 2].mean()
    return Actor(tuple(names), rest)
