"""The actor behind a stream: a skeleton, where the floor is, how large the body is; found from the first frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from poise.errors import BadInput
from poise.live.stream_frame import StreamFrame
from poise.motion.clip import Clip, Placement
from poise.motion.floor import find_floor, lowest
from poise.motion.kinematics import world_transforms
from poise.motion.landmarks import body_height, landmarks, points
from poise.motion.placing import place
from poise.motion.skeleton import Skeleton
from poise.motion.up_axis import given_up
from poise.rotation import Array

_SIZES = (0.7, 1.4)  # how much smaller or larger than the stock body an actor may be


@dataclass(frozen=True, eq=False)
class Actor:
    """How frames of one stream become poses of one body: metres, Z up, floor at 0.

    `joints` are the places in a frame of the skeleton's joints. `clip` holds the first frames, tidied.
    """

    clip: Clip
    joints: tuple[int, ...]
    fixed: Array  # (J, 3) local positions, stream's unit and axes; NaN where the frame brings its own
    placement: Placement

    def pose(self, frame: StreamFrame) -> tuple[Array, Array]:
        """Local rotations (J, 4) and positions (J, 3) of a frame, tidied like `clip`."""
        clip = self._as_clip([frame], 1.0)
        return clip.rotations[0], clip.translations[0]

    def world(self, frame: StreamFrame) -> tuple[Array, Array]:
        """World positions (J, 3) and rotations (J, 4) of a frame."""
        turns, positions = self.pose(frame)
        parents = np.array(self.clip.skeleton.parents, np.int64)
        place_w, turn_w = world_transforms(parents, turns[None], positions[None])
        return place_w[0], turn_w[0]

    def _as_clip(self, frames: Sequence[StreamFrame], fps: float) -> Clip:
        return place(_raw_clip(frames, self.joints, self.fixed, self._untidied, fps), self.placement)

    @property
    def _untidied(self) -> Skeleton:
        return replace(self.clip.skeleton, offsets=np.where(np.isnan(self.fixed), 0.0, self.fixed), ends=())


def meet(frames: Sequence[StreamFrame], bones: Skeleton, metres: float, fps: float, known_size: bool = False) -> Actor:
    """The actor of some frames. `bones` has the joints of the protocol, and offsets for where the frames bring none.

    `known_size` tells that these offsets are the actor's own; otherwise a body that is not sent is scaled so that its legs
    reach from the hips to the floor.
    """
    joints = tuple(int(k) for k in np.flatnonzero(np.any([frame.known for frame in frames], axis=0)))
    if 0 not in joints or len(joints) < 10:
        raise BadInput(f"live: the stream has {len(joints)} bones of {bones.njoints}; a body needs hips, legs, arms and a head")
    placed = np.all([frame.placed for frame in frames], axis=0)[list(joints)]
    skeleton = _part(bones, joints)
    offsets = skeleton.offsets.copy()
    if placed.sum() > 1:
        offsets[placed] = np.median([frame.positions[list(joints)][placed] for frame in frames], axis=0)
        skeleton = replace(skeleton, ends=_resized(skeleton, offsets))
    elif not known_size:
        size = _size(frames, skeleton, joints)
        offsets *= size
        skeleton = replace(skeleton, ends=tuple((j, _three(size * np.array(end))) for j, end in skeleton.ends))
    skeleton = replace(skeleton, offsets=offsets)
    fixed = np.where(placed[:, None], np.nan, offsets)
    fixed[0] = np.nan
    raw = _raw_clip(frames, joints, fixed, skeleton, fps)
    clip, placement = _tidied(raw, metres)
    return Actor(clip, joints, fixed, placement)


def _raw_clip(frames: Sequence[StreamFrame], joints: Sequence[int], fixed: Array, skeleton: Skeleton, fps: float) -> Clip:
    rows = list(joints)
    turns = np.stack([frame.rotations[rows] for frame in frames])
    positions = np.stack([np.where(np.isnan(fixed), frame.positions[rows], fixed) for frame in frames])
    return Clip("live", skeleton, turns, positions, fps)


def _tidied(raw: Clip, metres: float) -> tuple[Clip, Placement]:
    """In metres, Z up, with the floor under the lowest points that rest; streams say what their unit and axes are."""
    turn = given_up("y").turn
    upright = place(raw, Placement(metres, turn))
    all_points = points(upright)
    height = body_height(all_points, landmarks(upright))
    floor = find_floor(lowest(all_points, raw.fps), raw.fps, height)
    placement = Placement(metres, turn, (0.0, 0.0, -floor.level))
    return place(raw, placement).with_(up="z"), placement


def _size(frames: Sequence[StreamFrame], skeleton: Skeleton, joints: Sequence[int]) -> float:
    """How much larger than the given body the actor is: the hips' height over what the posed legs reach below them."""
    fixed = np.where(np.arange(skeleton.njoints)[:, None] == 0, np.nan, skeleton.offsets)
    body = points(_raw_clip(frames, joints, fixed, skeleton, 1.0))
    hips = body[:, 0, 1]
    legs = hips - body[..., 1].min(axis=1)
    return float(np.clip(np.median(hips / np.maximum(legs, 1e-6)), *_SIZES))


def _part(bones: Skeleton, joints: Sequence[int]) -> Skeleton:
    """The skeleton of some of the joints; a joint whose parent is not among them hangs on the nearest one above."""
    new = {joint: k for k, joint in enumerate(joints)}
    parents = tuple(next((new[a] for a in bones.ancestors(joint) if a in new), -1) for joint in joints)
    ends = tuple((new[joint], offset) for joint, offset in bones.ends if joint in new)
    return Skeleton(tuple(bones.names[j] for j in joints), parents, bones.offsets[list(joints)], ends)


def _resized(skeleton: Skeleton, offsets: Array) -> tuple[tuple[int, tuple[float, float, float]], ...]:
    """Chain tips for a body whose bones turned out longer or shorter than expected; all change alike."""
    before, after = (np.linalg.norm(o[1:], axis=-1).sum() for o in (skeleton.offsets, offsets))
    size = float(after / before) if before > 0.0 else 1.0
    return tuple((j, _three(size * np.array(end))) for j, end in skeleton.ends)


def _three(v: Array) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
