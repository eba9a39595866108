"""A character as MuJoCo bodies: a free root, ball joints, boxes that touch the ground and props but not each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from poise.character.character import Character, Segment

if TYPE_CHECKING:
    import mujoco

# Collision bits: the character touches ground and props; ground and props touch everything.
CHARACTER_BIT, SCENE_BIT = 1, 2

# Inertia that each joint has of its own, of mass times height squared: 0.005 kg m2 for an adult, a third of a foot's. Flesh and
# tendons have it, and without it the light feet tremble between ankle and ground at steps of 2 ms (docs/balance.md).
ARMATURE = 3.5e-5


def add_character(spec: mujoco.MjSpec, character: Character) -> list[Any]:
    """Adds the character's bodies in its rest pose; returns them in the order of its segments.

    A body's frame is the segment's frame. Where a joint has a limit, the body is placed at the middle of the range,
    because MuJoCo measures a ball joint's limit from there; `qpos` is then relative to that middle.
    """
    import mujoco

    bodies: list[Any] = []
    armature = ARMATURE * character.mass * float(np.ptp(character.joints[:, 2])) ** 2
    for segment, offset, parent in zip(character.segments, character.offsets, character.parents, strict=True):
        holder = spec.worldbody if parent < 0 else bodies[parent]
        limit = segment.limit
        body = holder.add_body(name=segment.name, pos=offset, quat=limit.center if limit else (1, 0, 0, 0))
        body.explicitinertial = True
        body.mass, body.ipos, body.iquat, body.inertia = segment.mass, segment.com, segment.box.turn, segment.inertia
        if parent < 0:
            body.add_freejoint(name="root")
        else:
            _add_joint(body, segment, armature)
        body.add_geom(
            name=segment.name,
            type=mujoco.mjtGeom.mjGEOM_BOX,
            pos=segment.box.center,
            quat=segment.box.turn,
            size=np.array(segment.box.size) / 2,
            contype=CHARACTER_BIT,
            conaffinity=SCENE_BIT,
        )
        bodies.append(body)
    return bodies


def _add_joint(body: Any, segment: Segment, armature: float) -> None:
    import mujoco

    joint = body.add_joint(name=segment.name, type=mujoco.mjtJoint.mjJNT_BALL, armature=armature)
    if segment.limit:
        joint.limited = True
        joint.range = (0.0, float(np.radians(segment.limit.angle_deg)))
