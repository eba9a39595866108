"""How a character's segments hang on a skeleton's joints.

A segment's frame is aligned with the world in the character's rest pose: standing, facing +x, arms and legs straight
down. The skeleton's own rest may be a T-pose, an A-pose or nothing sensible; the binding holds, for each segment, the
constant rotation between its joint's frame and its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.character.plausible import without_impossible
from poise.character.roles import Roles, find_roles
from poise.character.segmentation import JointGroup, group_joints, segment_of_joint
from poise.motion.clip import Clip
from poise.motion.kinematics import world_transforms
from poise.rotation import Array, Mask

_UP = np.array([0.0, 0.0, 1.0])
_UPRIGHT = np.radians(30.0)  # legs and trunk of a usable rest pose lean less than this
_REST_CANDIDATES = 200  # frames of the clip that are looked at when the OFFSET pose is no standing pose
_STILL = 0.25  # m/s per metre of hip height: an ankle slower than this may be standing
_LOW_SHARE = 0.04  # of hip height: how far above its lowest an ankle may be and still stand


@dataclass(frozen=True, eq=False)
class Binding:
    """Segments on joints: `frame[k][i]` is the rotation from segment k's frame to that of its i-th core joint."""

    roles: Roles
    groups: tuple[JointGroup, ...]
    joint_segment: tuple[int, ...]
    frames: tuple[Array, ...]

    def segment_rotations(self, clip: Clip) -> Array:
        """World rotations (F, S, 4) of the segments while the clip plays."""
        turn = clip.world_rotations
        columns = []
        for group, frame in zip(self.groups, self.frames, strict=True):
            each = [rotation.multiply(turn[:, joint], f) for joint, f in zip(group.core, frame, strict=True)]
            columns.append(each[0] if len(each) == 1 else rotation.mean(np.stack(each)))
        names = [group.name for group in self.groups]
        parents = [-1 if group.parent is None else names.index(group.parent) for group in self.groups]
        return rotation.continuous(without_impossible(np.stack(columns, axis=1), names, parents))

    def anchor_positions(self, clip: Clip) -> Array:
        """World positions (F, S, 3) of the joints that the segments turn about."""
        return clip.world_positions[:, [group.anchor for group in self.groups]]


def bind(clip: Clip, *, hands: bool = False) -> Binding:
    """Finds the segments of a tidied clip's skeleton and calibrates their frames, soles included."""
    roles, positions, turns = upright_pose(clip)
    groups = group_joints(clip.skeleton, roles, positions, hands=hands)
    facing = facing_rotation(positions, roles)
    frames = []
    for group in groups:
        target = rotation.multiply(facing, _alignment(group, groups, clip, positions, facing))
        if group.name.endswith("_foot"):
            frames.append(sole_frame(clip, group, roles.of["pelvis"], facing, turns)[None])
        else:
            frames.append(np.stack([rotation.multiply(rotation.conjugate(turns[j]), target) for j in group.core]))
    return Binding(roles, groups, segment_of_joint(clip.skeleton, groups), tuple(frames))


def facing_rotation(positions: Array, roles: Roles) -> Array:
    """The turn about the vertical that takes +x to where the hips face."""
    left = positions[roles.of["left_thigh"]] - positions[roles.of["right_thigh"]]
    return rotation.about_z(np.arctan2(-left[0], left[1]))


def resting_frames(ankle: Array, hip_height: float, fps: float) -> Mask:
    """Frames (bool) in which an ankle (F, 3) is low and slow, so that its foot is likely flat on the floor."""
    if len(ankle) < 3:
        return np.ones(len(ankle), bool)
    speed = np.linalg.norm(np.gradient(ankle, 1.0 / fps, axis=0), axis=-1)
    low = ankle[:, 2] < np.percentile(ankle[:, 2], 5) + _LOW_SHARE * hip_height
    still = low & (speed < _STILL * hip_height)
    return still if still.any() else low


def sole_frame(clip: Clip, group: JointGroup, pelvis: int, facing: Array, rest_turns: Array) -> Array:
    """The rotation from a foot's segment frame (z up when the foot stands flat, x to the toes) to its joint's frame."""
    joint = group.anchor
    position, turn = clip.world
    hip_height = max(float(np.median(position[:, pelvis, 2])), 0.1)
    still = resting_frames(position[:, joint], hip_height, clip.fps)
    up = np.median(rotation.rotate(rotation.conjugate(turn[still, joint]), _UP), axis=0)
    return foot_frame(clip, joint, up, facing, rest_turns)


def foot_frame(clip: Clip, joint: int, up: Array, facing: Array, rest_turns: Array) -> Array:
    """The rotation from a foot's segment frame to its joint's frame, where `up` (3,) is the sole's normal in the latter."""
    toes = toe_direction(clip, joint)
    if toes is None:
        toes = rotation.rotate(rotation.conjugate(rest_turns[joint]), rotation.rotate(facing, [1.0, 0.0, 0.0]))
    z = up / np.linalg.norm(up)
    x = toes - np.dot(toes, z) * z
    x /= np.linalg.norm(x)
    return rotation.from_matrix(np.stack([x, np.cross(z, x), z], axis=-1))


def toe_direction(clip: Clip, foot: int) -> Array | None:
    """From the ankle to the farthest point below it, in the foot joint's frame; None where the foot ends at the ankle."""
    tips = tips_below(clip, foot)
    if tips is None:
        return None
    far = tips[np.argmax(np.linalg.norm(tips, axis=-1))]
    return far if np.linalg.norm(far) > 1e-3 else None


def tips_below(clip: Clip, joint: int) -> Array | None:
    """Median places (n, 3), in the joint's frame, of the joints and chain ends below it."""
    inside = clip.skeleton.descendants(joint)
    position, turn = clip.world
    points = [position[:, j] for j in inside if j != joint]
    ends = clip.end_positions()
    points += [ends[:, e] for e, (j, _) in enumerate(clip.skeleton.ends) if j in inside]
    if not points:
        return None
    local = rotation.rotate(rotation.conjugate(turn[:, joint])[:, None], np.stack(points, axis=1) - position[:, joint, None])
    return np.median(local, axis=0)


def upright_pose(clip: Clip) -> tuple[Roles, Array, Array]:
    """Roles, and world positions and rotations of the joints in the most upright pose that can be had."""
    skeleton = clip.skeleton
    flat = np.broadcast_to(rotation.IDENTITY, (1, skeleton.njoints, 4)).copy()
    rest = world_transforms(np.array(skeleton.parents, np.int64), flat, skeleton.offsets[None].copy())
    position, turn = clip.world
    step = max(1, clip.nframes // _REST_CANDIDATES)
    poses = [rest]
    if clip.lead_in is not None:
        poses.append(clip.lead_in.world)
    poses.append((position[::step], turn[::step]))
    positions = np.concatenate([p for p, _ in poses])
    turns = np.concatenate([q for _, q in poses])
    roles = find_roles(skeleton, positions[int(np.argmin(_rough_lean(positions)))])
    lean = _lean(positions, roles)
    best = 0 if lean[0] < _UPRIGHT else int(np.argmin(lean))
    return roles, positions[best], turns[best]


def _rough_lean(positions: Array) -> Array:
    """Before roles are known: the pose in which the joints spread most along the vertical is taken as upright.

    The OFFSET pose (first) is preferred where it is nearly as tall as the best."""
    height = np.ptp(positions[..., 2], axis=-1)
    return np.where(np.arange(len(height)) == 0, -1.1 * height, -height)


def _lean(positions: Array, roles: Roles) -> Array:
    """The largest lean of trunk, thighs and shins from the vertical, radians, per pose."""
    of = roles.of
    pairs = (("shin", "thigh"), ("foot", "shin"))
    bones = [(of[f"{side}_{low}"], of[f"{side}_{top}"]) for side in ("left", "right") for low, top in pairs]
    if roles.spine:
        bones.append((of["pelvis"], roles.neck[0] if roles.neck else roles.spine[-1]))
    direction = np.stack([positions[:, top] - positions[:, low] for low, top in bones], axis=1)
    length = np.maximum(np.linalg.norm(direction, axis=-1), 1e-9)
    return np.max(np.arccos(np.clip(direction[..., 2] / length, -1.0, 1.0)), axis=-1)


def _alignment(group: JointGroup, groups: tuple[JointGroup, ...], clip: Clip, positions: Array, facing: Array) -> Array:
    """How the segment is turned in the skeleton's upright pose, seen from our rest pose where limbs hang straight down."""
    if not group.name.startswith(("left_", "right_")):
        return rotation.IDENTITY
    below = _far_end(group, groups, clip, positions)
    if below == group.anchor:
        return _alignment(next(g for g in groups if g.name == group.parent), groups, clip, positions, facing)
    bone = rotation.rotate(rotation.conjugate(facing), positions[below] - positions[group.anchor])
    return rotation.between(-_UP, bone) if np.linalg.norm(bone) > 1e-6 else rotation.IDENTITY


def _far_end(group: JointGroup, groups: tuple[JointGroup, ...], clip: Clip, positions: Array) -> int:
    """The joint at the far end of a limb's bone: where the next segment starts, else the first one clearly away."""
    for g in groups:
        if g.parent == group.name:
            return g.anchor
    chain = clip.skeleton.descendants(group.anchor)
    distance = np.linalg.norm(positions[chain] - positions[group.anchor], axis=-1)
    return chain[int(np.argmax(distance > 0.5 * distance.max()))] if distance.max() > 1e-6 else group.anchor
