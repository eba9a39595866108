"""A clip as though an actor performed it live: the frames of a stream, for demonstrations, tests and measurements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np

from poise import rotation
from poise.character.binding import bind
from poise.live import axis_neuron, axis_neuron_binary, axis_neuron_text
from poise.live.intake import Packet
from poise.live.stock_skeleton import stock_skeleton
from poise.live.vmc_bones import BONES as VMC_BONES
from poise.live.vmc_bones import to_unity
from poise.live.vmc_packets import pose_packets
from poise.live.vmc_skeleton import vmc_skeleton
from poise.motion.clip import Clip, Placement
from poise.motion.edit import loop, resample
from poise.motion.load import load, load_tidied
from poise.motion.placing import place, untidy
from poise.motion.skeleton import Skeleton
from poise.motion.up_axis import given_up
from poise.reference.retarget import source_leg_length
from poise.rotation import Array

FPS = 120.0
_ACTOR = "Char00"
_UNSEEN = 1.0  # s

Frame = Callable[[int], list[bytes]]  # the datagrams of a frame by its number


@dataclass(frozen=True, eq=False)
class StreamMotion:
    """What a stream shall tell: local rotations (F, J, 4) and positions (F, J, 3), right-handed, Y up, the protocol's unit."""

    fps: float
    rotations: Array
    positions: Array

    @property
    def nframes(self) -> int:
        return len(self.rotations)


def axis_neuron_motion(clip: str | Path | Clip, fps: float | None = None, seconds: float | None = None) -> StreamMotion:
    """A clip on the 59 bones of Axis Neuron; a recording of that program is sent as it is."""
    raw = clip if isinstance(clip, Clip) else load(clip)
    if set(axis_neuron.BONES) <= set(raw.skeleton.names):
        raw = _timed(raw.with_(lead_in=None), fps, seconds)
        order = [raw.skeleton.index(name) for name in axis_neuron.BONES]
        return StreamMotion(raw.fps, raw.rotations[:, order], raw.translations[:, order])
    return _on_skeleton(clip, stock_skeleton(), axis_neuron.METRES, fps, seconds)


def vmc_motion(clip: str | Path | Clip, fps: float | None = None, seconds: float | None = None) -> StreamMotion:
    """A clip on the bones of VMC."""
    return _on_skeleton(clip, vmc_skeleton(), 1.0, fps, seconds)


def text_frames(motion: StreamMotion, displacement: bool = True) -> Frame:
    """The records of Axis Neuron's string form."""
    return lambda k: [axis_neuron_text.write(0, _ACTOR, _numbers(motion, k, displacement))]


def binary_frames(motion: StreamMotion, displacement: bool = True) -> Frame:
    """The frames of Axis Neuron's binary form."""
    return lambda k: [axis_neuron_binary.write(0, _ACTOR, k, _numbers(motion, k, displacement), displacement)]


def vmc_frames(motion: StreamMotion) -> Frame:
    """The bundles of VMC."""

    def frame(k: int) -> list[bytes]:
        poses = to_unity(motion.rotations[k], motion.positions[k])
        return pose_packets(VMC_BONES, poses, k / motion.fps)

    return frame


class ReplayedPackets:
    """Packets by the clock, without a socket: the clip begins with the first call; where it is `endless`, anew after its end.

    An actor who `waits` stands still while nobody looks for a second: laws that are compiled may take longer than the clip.
    """

    def __init__(
        self, frame: Frame, nframes: int, fps: float, sender: str = "replay", *, endless: bool = False, waits: bool = False
    ) -> None:
        self._frame, self._nframes, self._fps, self._sender = frame, nframes, fps, sender
        self._endless, self._waits = endless, waits
        self._began: float | None = None
        self._seen = 0.0  # s: when somebody looked last
        self._next = 0

    @property
    def over(self) -> bool:
        """Whether all has been sent."""
        return self._next >= self._nframes and not self._endless

    def poll(self, now: float) -> list[Packet]:
        """What is due by now; each packet arrives when it is due, however late anybody looks."""
        if self._began is None:
            self._began = self._seen = now
        if self._waits and now - self._seen > _UNSEEN:
            self._began += now - self._seen
        self._seen = max(now, self._seen)
        if self._endless and self._next >= self._nframes:
            self._began, self._next = self._began + self._nframes / self._fps, 0
        due = min(int((now - self._began) * self._fps + 1e-6) + 1, self._nframes)
        numbers, began = range(self._next, due), self._began
        self._next = max(due, self._next)
        return [Packet(min(began + k / self._fps, now), self._sender, data) for k in numbers for data in self._frame(k)]

    def close(self) -> None:
        """Nothing to close."""


def _numbers(motion: StreamMotion, k: int, displacement: bool) -> Array:
    return axis_neuron.numbers_of(motion.rotations[k], motion.positions[k], displacement)


def _timed(clip: Clip, fps: float | None, seconds: float | None) -> Clip:
    """The clip at a frame rate, repeated without a seam for at least so long."""
    if seconds is not None and clip.nframes > 1 and seconds > clip.duration:
        clip = loop(clip, ceil(seconds / clip.duration) + 1, blend_s=min(0.2, 0.5 * clip.duration))
    return clip if fps is None or clip.nframes == 1 or fps == clip.fps else resample(clip, fps)


def _on_skeleton(
    source: str | Path | Clip, skeleton: Skeleton, metres: float, fps: float | None, seconds: float | None
) -> StreamMotion:
    """A clip's segments on another skeleton by role, with the root scaled to its legs. Nothing is cleaned: actors are not."""
    clip = _timed(load_tidied(source)[0].with_(lead_in=None), fps, seconds)
    binding = bind(clip)
    body = _t_pose(skeleton, metres)
    other = bind(body)
    names = [group.name for group in binding.groups]
    world: list[Array | None] = [None] * skeleton.njoints
    turns = binding.segment_rotations(clip)
    for group, frames in zip(other.groups, other.frames, strict=True):
        if group.name in names:
            for joint, frame in zip(group.core, frames, strict=True):
                world[joint] = rotation.multiply(turns[:, names.index(group.name)], rotation.conjugate(frame))
    rotations = _local(world, skeleton.parents, clip.nframes)
    anchors = binding.anchor_positions(clip)
    size = source_leg_length(other.anchor_positions(body), [g.name for g in other.groups]) / source_leg_length(anchors, names)
    positions = np.tile(body.skeleton.offsets, (clip.nframes, 1, 1))
    positions[:, 0] = size * anchors[:, 0]
    sent = untidy(Clip(clip.name, body.skeleton, rotations, positions, clip.fps, placement=body.placement))
    return StreamMotion(clip.fps, sent.rotations, sent.translations)


def _t_pose(skeleton: Skeleton, metres: float) -> Clip:
    turns = np.tile(rotation.IDENTITY, (1, skeleton.njoints, 1))
    raw = Clip("stock", skeleton, turns, skeleton.offsets[None].copy(), 1.0)
    return place(raw, Placement(metres, given_up("y").turn))


def _local(world: list[Array | None], parents: tuple[int, ...], nframes: int) -> Array:
    """Rotations relative to the parents (F, J, 4); a joint of which nothing is known follows its parent."""
    local = np.tile(rotation.IDENTITY, (nframes, len(parents), 1))
    known: list[Array] = []
    for j, (turn, parent) in enumerate(zip(world, parents, strict=True)):
        above = known[parent] if parent >= 0 else np.tile(rotation.IDENTITY, (nframes, 1))
        known.append(above if turn is None else turn)
        if turn is not None:
            local[:, j] = rotation.multiply(rotation.conjugate(above), turn)
    return rotation.normalize(local)
