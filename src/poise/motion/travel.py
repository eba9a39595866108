"""The joint that carries a clip's travel, and moving the whole body with it.

Mostly it is the root. Some files put a handle above the hips that stands still (a root at the floor): then it is the hips.
"""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.rotation import Array


def trunk_line(skeleton: Skeleton) -> list[int]:
    """The unbranched line of joints from the root to the first joint with several children, or with none."""
    below: dict[int, list[int]] = {}
    for joint, parent in enumerate(skeleton.parents):
        below.setdefault(parent, []).append(joint)
    line = [0]
    while len(children := below.get(line[-1], [])) == 1:
        line += children
    return line


def pelvis(skeleton: Skeleton) -> int:
    """The joint that the trunk line ends in, where the body branches; the root of a mere chain. All before it are handles."""
    last = trunk_line(skeleton)[-1]
    return last if skeleton.children(last) else 0


def carrier(clip: Clip) -> int:
    """The first joint of the trunk line that changes place; the root if none does."""
    line = trunk_line(clip.skeleton)
    moving = [joint for joint in line if np.ptp(clip.translations[:, joint], axis=0).max() > 0.0]
    return moving[0] if moving else 0


def travel(clip: Clip) -> tuple[Array, Array]:
    """World positions (F, 3) and rotations (F, 4) of the joint that carries the travel."""
    joint = carrier(clip)
    return clip.world_positions[:, joint], clip.world_rotations[:, joint]


def with_travel(clip: Clip, position_w: Array, rotation_w: Array) -> Clip:
    """The clip with the joint that carries the travel at other world positions (F, 3) and rotations (F, 4)."""
    joint = carrier(clip)
    above = clip.skeleton.parents[joint]
    if above >= 0:
        back = rotation.conjugate(clip.world_rotations[:, above])
        position_w = rotation.rotate(back, position_w - clip.world_positions[:, above])
        rotation_w = rotation.multiply(back, rotation_w)
    translations, rotations = clip.translations.copy(), clip.rotations.copy()
    translations[:, joint], rotations[:, joint] = position_w, rotation.normalize(rotation_w)
    return clip.with_(translations=translations, rotations=rotations)


def moved(clip: Clip, angle: float, shift: Array) -> Clip:
    """The clip turned by an angle (radians) about the vertical through the origin, then shifted by (3,) metres."""
    position, turned = travel(clip)
    about_z = rotation.about_z(angle)
    return with_travel(clip, rotation.rotate(about_z, position) + shift, rotation.multiply(about_z, turned))
