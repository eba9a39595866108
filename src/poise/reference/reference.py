"""The clip on the character at any time t: everything a control law may want to follow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from poise import rotation
from poise.character.binding import Binding
from poise.character.character import Character
from poise.motion.clip import Clip
from poise.motion.edit import resample
from poise.pinned import Pinned
from poise.reference.retarget import SegmentMotion, local_rotations, pose_positions, retarget
from poise.reference.sampling import LAYOUT, sample_pinned
from poise.rotation import Array, Mask

_SMOOTH_POSE, _SMOOTH_VELOCITY, _SMOOTH_RATE = 0.01, 0.015, 0.025  # s, for poses, velocities, accelerations
_MOMENT = 0.08  # s
_FINEST = 100.0  # frames/s: a slower clip is first interpolated smoothly, so that its frame rate does not show in the forces


@dataclass(frozen=True)
class Columns:
    """Where each quantity lies in a row of the reference's table, for S segments. World frame unless said otherwise."""

    nsegments: int

    @cached_property
    def parts(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        s = self.nsegments
        shapes = {
            "joint_rotation": (s, 4),  # relative to the parent segment; the root's in the world
            "rotation": (s, 4),
            "position": (s, 3),  # joint origins
            "com": (3,),
            "joint_velocity": (s, 3),  # angular, relative to the parent, in the segment's own frame
            "angular_velocity": (s, 3),
            "velocity": (s, 3),  # of the joint origins
            "com_velocity": (3,),
            "angular_momentum": (3,),  # about the centre of mass
            "com_acceleration": (3,),  # this and the next smoothed over a moment
            "angular_momentum_rate": (3,),
        }
        parts, start = {}, 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            parts[name] = (slice(start, start + size), shape)
            start += size
        return parts

    @property
    def width(self) -> int:
        return self.nsegments * 20 + 15


class Target:
    """The reference at one moment: named views into one row, refreshed in place by `Reference.sample`."""

    joint_rotation: Array
    rotation: Array
    position: Array
    com: Array
    joint_velocity: Array
    angular_velocity: Array
    velocity: Array
    com_velocity: Array
    angular_momentum: Array
    com_acceleration: Array
    angular_momentum_rate: Array
    arrays: Pinned  # of the reference it was last sampled from, and its own

    def __init__(self, columns: Columns, nfeet: int) -> None:
        self.row = np.zeros(columns.width)
        self.stance = np.zeros(nfeet, np.bool_)
        self.near_stance = np.zeros(nfeet, np.bool_)  # stands now, or did or will within a moment
        self.time = 0.0
        self.sampled_from: Reference | None = None
        for name, (where, shape) in columns.parts.items():
            setattr(self, name, self.row[where].reshape(shape))


class AnyReference(Protocol):
    """What a run follows: a clip (`Reference`), or an actor live (`poise.live`), of whom nothing is known beforehand."""

    @property
    def character(self) -> Character: ...

    @property
    def clip(self) -> Clip | None: ...

    @property
    def binding(self) -> Binding | None: ...

    @property
    def duration(self) -> float:
        """Seconds; 0 where it does not end."""
        ...

    def advance(self, time: float) -> None:
        """Comes to the moment of the next step, seconds; samples are then asked for around it."""
        ...

    def target(self) -> Target:
        """A fresh Target to sample into."""
        ...

    def sample(self, time: float, target: Target) -> None:
        """Refreshes `target` for a moment, seconds."""
        ...


@dataclass(frozen=True, eq=False)
class Reference:
    """Rows of a table at `fps`, one per frame; before the first and after the last the character holds still."""

    character: Character
    fps: float
    table: Array  # (F, width)
    stance: Mask  # (F, feet)
    clip: Clip | None = None
    binding: Binding | None = None

    @cached_property
    def columns(self) -> Columns:
        return Columns(self.character.nsegments)

    @property
    def duration(self) -> float:
        return (len(self.table) - 1) / self.fps

    @cached_property
    def near_stance(self) -> Mask:
        """Stance (F, feet) widened by a moment on both sides: a simulated foot lands and lifts a little early or late."""
        reach = round(_MOMENT * self.fps)
        padded = np.pad(self.stance, ((reach, reach), (0, 0)), mode="edge")
        return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=0).any(axis=-1))

    def advance(self, time: float) -> None:
        """Nothing to do: a clip is known from its beginning to its end."""

    def column(self, name: str) -> Array:
        """One quantity over all frames, (F, ...)."""
        where, shape = self.columns.parts[name]
        return self.table[:, where].reshape(len(self.table), *shape)

    def target(self) -> Target:
        """A fresh Target to sample into."""
        return Target(self.columns, len(self.character.feet))

    def sample(self, time: float, target: Target) -> None:
        """Refreshes `target` with the reference at `time` seconds."""
        target.time = time
        if target.sampled_from is not self:
            self._bind(target)
        sample_pinned(target.arrays.where, self.fps, time)

    def _bind(self, target: Target) -> None:
        """Gets the compiled call's arrays ready: in one run they all stay where they are."""
        target.sampled_from = self
        target.arrays = Pinned(LAYOUT, self.table, self.stance, self.near_stance, target.row, target.stance, target.near_stance)


def reference_from_clip(clip: Clip, binding: Binding, character: Character, stance: Mask | None = None) -> Reference:
    """The reference of a tidied clip on a character; `stance` (F, feet) overrides what is found."""
    fine = clip
    if clip.nframes > 1 and clip.fps < _FINEST:
        times = int(np.ceil(_FINEST / clip.fps))
        fine = resample(clip, clip.fps * times)
        if stance is not None:
            stance = stance[np.minimum((np.arange(fine.nframes) + times // 2) // times, clip.nframes - 1)]
    motion = smoothed(retarget(fine, binding, character, stance), character, fine.fps)
    return Reference(character, fine.fps, table_of(character, motion, fine.fps), motion.stance, clip, binding)


def smoothed(motion: SegmentMotion, character: Character, fps: float) -> SegmentMotion:
    """The motion without the noise of its capture, which the gains would turn into trembling (docs/reference.md)."""
    turns = rotation.normalize(bell(motion.rotation, fps, _SMOOTH_POSE))
    return SegmentMotion(turns, pose_positions(character, turns, bell(motion.position[:, 0], fps, _SMOOTH_POSE)), motion.stance)


def bell(values: Array, fps: float, width: float) -> Array:
    """Values (F, ...) averaged over time by a Gaussian bell of a standard deviation of `width` seconds."""
    if len(values) < 3:
        return values
    half = min(max(1, round(3 * width * fps)), len(values) - 1)
    weights = np.exp(-0.5 * (np.arange(-half, half + 1) / (width * fps)) ** 2)
    # Reflected about the end points, so that a clip that starts moving starts with its whole speed.
    flat = np.pad(values.reshape(len(values), -1), ((half, half), (0, 0)), mode="reflect", reflect_type="odd")
    result = np.zeros((len(values), flat.shape[1]))
    for k, weight in enumerate(weights / weights.sum()):
        result += weight * flat[k : k + len(values)]
    return result.reshape(values.shape)


def still_reference(character: Character) -> Reference:
    """Without a clip the character holds its rest pose on both feet."""
    turns = np.broadcast_to(rotation.IDENTITY, (1, character.nsegments, 4)).copy()
    motion = SegmentMotion(turns, character.joints[None].copy(), np.ones((1, len(character.feet)), bool))
    return Reference(character, 1.0, table_of(character, motion, 1.0), motion.stance)


def table_of(character: Character, motion: SegmentMotion, fps: float) -> Array:
    """The rows (F, width) of a reference that follows a motion; velocities and momenta by differences."""
    omega = rotation.angular_velocity(motion.rotation, fps)
    velocity = np.gradient(motion.position, 1.0 / fps, axis=0) if len(motion.position) > 1 else np.zeros_like(motion.position)
    arm = rotation.rotate(motion.rotation, character.coms)
    link, link_velocity = motion.position + arm, velocity + np.cross(omega, arm)
    share = character.masses / character.mass
    com, com_velocity = share @ link, share @ link_velocity
    joint_omega = omega.copy()
    for k, p in enumerate(character.parents):
        if p >= 0:
            joint_omega[:, k] -= omega[:, p]
    momentum = _angular_momentum(character, motion.rotation, omega, link - com[:, None], link_velocity - com_velocity[:, None])
    values = {
        "joint_rotation": local_rotations(character, motion.rotation),
        "rotation": motion.rotation,
        "position": motion.position,
        "com": com,
        "joint_velocity": rotation.rotate(rotation.conjugate(motion.rotation), joint_omega),
        "angular_velocity": omega,
        "velocity": velocity,
        "com_velocity": com_velocity,
        "angular_momentum": momentum,
        "com_acceleration": _rate(com_velocity, fps),
        "angular_momentum_rate": _rate(momentum, fps),
    }
    for name in ("joint_velocity", "angular_velocity", "velocity", "com_velocity", "angular_momentum"):
        values[name] = bell(values[name], fps, _SMOOTH_VELOCITY)
    columns = Columns(character.nsegments)
    table = np.empty((len(omega), columns.width))
    for name, (where, _) in columns.parts.items():
        table[:, where] = values[name].reshape(len(table), -1)
    return table


def _rate(values: Array, fps: float) -> Array:
    """The derivative (F, 3) of noisy values."""
    return bell(np.gradient(values, 1.0 / fps, axis=0), fps, _SMOOTH_RATE) if len(values) > 2 else np.zeros_like(values)


def _angular_momentum(character: Character, turns: Array, omega: Array, arm: Array, velocity: Array) -> Array:
    """About the centre of mass, da Silva (11), (F, 3)."""
    matrix = rotation.to_matrix(turns)
    inertia = matrix @ character.inertias @ np.swapaxes(matrix, -1, -2)
    spin = np.einsum("fsij,fsj->fsi", inertia, omega)
    return np.sum(spin + character.masses[:, None] * np.cross(arm, velocity), axis=1)
