"""One captured frame on the character: segment rotations by role, the root and the ankles scaled to its legs."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise import rotation
from poise.character.binding import Binding
from poise.character.character import Character
from poise.live.actor import Actor
from poise.live.live_legs import reach
from poise.live.stream_frame import StreamFrame
from poise.quaternion import rotate
from poise.reference.retarget import leg_length, source_leg_length
from poise.rotation import Array


@dataclass(frozen=True, eq=False)
class BodyPose:
    """World rotations (S, 4) of a character's segments, its root (3,), and the ankles (feet, 3) that the legs shall reach."""

    turns: Array
    root: Array
    ankles: Array

    @property
    def heading(self) -> float:
        """Where the pelvis faces, radians about the vertical from +x."""
        return float(rotation.heading(self.turns[0]))

    def moved(self, yaw: float, shift: Array) -> BodyPose:
        """Turned about the vertical through the origin, then moved by `shift` (3,)."""
        about = rotation.about_z(yaw)
        return BodyPose(
            rotation.multiply(about, self.turns), rotation.rotate(about, self.root) + shift,
            rotation.rotate(about, self.ankles) + shift,
        )  # fmt: skip

    def towards(self, other: BodyPose, share: float) -> BodyPose:
        """A share of the way to another pose."""
        return BodyPose(
            rotation.slerp(self.turns, other.turns, share), self.root + share * (other.root - self.root),
            self.ankles + share * (other.ankles - self.ankles),
        )  # fmt: skip


class Retargeter:
    """Frames of one actor as poses of one character; what reference/retarget.py does for clips."""

    def __init__(self, actor: Actor, binding: Binding, character: Character) -> None:
        self._actor, groups = actor, binding.groups
        names = [group.name for group in groups]
        self._joints = np.array([joint for group in groups for joint in group.core])
        self._frames = np.concatenate(binding.frames)
        self._starts = np.cumsum([0, *(len(group.core) for group in groups)])[:-1]
        self._heads = np.repeat(self._starts, np.diff([*self._starts, len(self._joints)]))
        self._source = _sources(character, names)
        self._anchors = np.array([group.anchor for group in groups])
        self._ankles = np.array([self._anchors[names.index(foot)] for foot in character.feet])
        anchors = binding.anchor_positions(actor.clip)
        self.scale = leg_length(character) / source_leg_length(anchors, names)

    def read(self, frame: StreamFrame) -> BodyPose:
        """The pose in the actor's world, scaled to the character; legs not yet fitted."""
        place, turn = self._actor.world(frame)
        each = rotation.multiply(turn[self._joints], self._frames)
        side = np.sum(each * each[self._heads], axis=-1, keepdims=True)
        groups = rotation.normalize(np.add.reduceat(np.where(side < 0.0, -each, each), self._starts, axis=0))
        return BodyPose(groups[self._source], self.scale * place[self._anchors[0]], self.scale * place[self._ankles])


class Legs:
    """Fits the legs of a character to its ankles."""

    def __init__(self, character: Character) -> None:
        self._parents, self._offsets = np.array(character.parents), character.offsets
        feet = [character.index(foot) for foot in character.feet]
        shins = [character.parents[f] for f in feet]
        self.feet = tuple(feet)  # segments, in the order of the character's feet
        self._chains = np.array([(character.parents[s], s, f) for s, f in zip(shins, feet, strict=True)])

    def fit(self, pose: BodyPose) -> BodyPose:
        """The pose with thighs and shins turned so that the ankles are where they shall be."""
        turns = pose.turns.copy()
        fit_legs(self._chains, self._parents, self._offsets, pose.root, pose.ankles, turns)
        return replace(pose, turns=turns)

    def ankles(self, turns: Array, root: Array) -> Array:
        """Where the ankles (feet, 3) of a posed body are."""
        return np.array([joint_place(f, self._parents, self._offsets, turns, root) for f in self._chains[:, 2]])


def _sources(character: Character, names: list[str]) -> NDArray[np.int64]:
    """For each segment which of the actor's it follows; one that the actor lacks follows its parent."""
    source: list[int] = []
    for segment, parent in zip(character.segments, character.parents, strict=True):
        above = source[parent] if parent >= 0 else 0
        source.append(names.index(segment.name) if segment.name in names else above)
    return np.array(source)


@njit(cache=True)
def fit_legs(
    chains: NDArray[np.int64], parents: NDArray[np.int64], offsets: Array, root: Array, ankles: Array, turns: Array
) -> None:
    """Turns the thighs and shins of `turns` (in place) so that each chain's foot comes to its ankle."""
    for c in range(chains.shape[0]):
        thigh, shin, foot = chains[c]
        hip = joint_place(thigh, parents, offsets, turns, root)
        reach(turns[thigh], turns[shin], hip, offsets[shin], offsets[foot], ankles[c])


@njit(cache=True)
def joint_place(k: int, parents: NDArray[np.int64], offsets: Array, turns: Array, root: Array) -> Array:
    """Where the joint of one segment is in the world (3,)."""
    place = root.copy()
    while parents[k] >= 0:
        p, o = parents[k], offsets[k]
        arm = rotate(turns[p, 0], turns[p, 1], turns[p, 2], turns[p, 3], o[0], o[1], o[2])
        for i in range(3):
            place[i] += arm[i]
        k = p
    return place
