"""From wherever the actor was lost to standing still: the foot in the air is put where it catches the body, the rest calms."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise import rotation
from poise.character.character import Character
from poise.live.live_pose import BodyPose, Legs
from poise.reference.retarget import leg_length
from poise.rotation import Array, Mask

_GRAVITY = 9.81  # m/s2
_ARRIVES = 0.7  # s from the loss to standing still
_LANDS = 0.35  # s until the foot in the air is down
_LIFT = 0.06  # of the leg: how high that foot is swung
_FARTHEST = (0.45, 0.35)  # of the leg: how far ahead of or beside the standing foot it may land
_BENT = 0.985  # of the leg: longest from hip to ankle while standing


@dataclass(frozen=True, eq=False)
class ComingToRest:
    """A motion of the reference that ends in standing still; `at` gives its poses."""

    legs: Legs
    start: BodyPose
    velocity: Array  # (3,) of the root at the start
    end: BodyPose
    swings: Mask  # (feet,) which feet are in the air at the start
    lift: float  # m

    def at(self, seconds: float) -> tuple[BodyPose, Mask]:
        """The pose some time after the start, and which feet stand by then."""
        share = _smooth(seconds / _ARRIVES)
        pose = self.start.towards(self.end, share)
        step = min(seconds / _LANDS, 1.0)
        ankles = np.where(self.swings[:, None], _towards(self.start.ankles, self.end.ankles, _smooth(step)), self.end.ankles)
        ankles[self.swings, 2] += self.lift * np.sin(np.pi * step)
        pose = replace(pose, ankles=ankles, root=self._root(seconds))
        return self.legs.fit(pose), ~self.swings | (step >= 1.0)

    @property
    def over(self) -> float:
        """Seconds until nothing moves any more."""
        return _ARRIVES

    def _root(self, seconds: float) -> Array:
        """A cubic that starts with the root's velocity and ends at rest."""
        s = min(seconds / _ARRIVES, 1.0)
        way = self.end.root - self.start.root
        return self.start.root + (3 - 2 * s) * s * s * way + s * (1 - s) ** 2 * _ARRIVES * self.velocity


def come_to_rest(
    character: Character, legs: Legs, pose: BodyPose, stance: Mask, com: Array, com_velocity: Array, velocity: Array
) -> ComingToRest:
    """How a character in this pose, moving like this, comes to stand on all its feet."""
    leg = leg_length(character)
    upright = rotation.about_z(pose.heading)
    ankles = _landing(character, pose, stance, com, com_velocity, leg)
    turns = np.where(_stays(character, stance)[:, None], pose.turns, np.broadcast_to(upright, pose.turns.shape))
    root = ankles.mean(axis=0)
    hips = rotation.rotate(upright, _under_hips(character))
    spread = np.linalg.norm((ankles - root - hips)[:, :2], axis=-1).max()
    drop = character.joints[0, 2] - np.mean([character.joints[character.index(foot), 2] for foot in character.feet])
    root[2] = ankles[:, 2].min() + drop - leg + np.sqrt(max((_BENT * leg) ** 2 - spread**2, (0.5 * leg) ** 2))
    end = legs.fit(BodyPose(np.ascontiguousarray(turns), root, ankles))
    return ComingToRest(legs, pose, velocity.copy(), end, ~stance, _LIFT * leg)


def _stays(character: Character, stance: Mask) -> Mask:
    """Which segments (S,) keep their rotation: the feet that stand."""
    standing = {foot for foot, stands in zip(character.feet, stance, strict=True) if stands}
    return np.array([name in standing for name in character.names])


def _under_hips(character: Character) -> Array:
    """The feet in the rest pose, seen from the root (feet, 3), level."""
    feet = np.array([character.joints[character.index(foot)] for foot in character.feet])
    return (feet - character.joints[0]) * [1.0, 1.0, 0.0]


def _landing(character: Character, pose: BodyPose, stance: Mask, com: Array, com_velocity: Array, leg: float) -> Array:
    """Where the ankles (feet, 3) end: standing ones where they are, others at the point that catches the body (com + v / ω)."""
    ankles, back = pose.ankles.copy(), rotation.about_z(-pose.heading)
    height = np.array([character.joints[character.index(foot), 2] for foot in character.feet])
    capture = rotation.rotate(back, com + com_velocity * np.sqrt(max(com[2], 0.1) / _GRAVITY))
    beside = _under_hips(character)
    standing = np.flatnonzero(stance)
    for k in np.flatnonzero(~stance):
        if len(standing) == 0:
            spot = capture + beside[k]
        else:
            other = int(standing[0])
            spot = _beside(rotation.rotate(back, ankles[other]), capture, beside[k] - beside[other], leg)
        ankles[k] = rotation.rotate(rotation.conjugate(back), spot)
        ankles[k, 2] = height[k]
    return ankles


def _beside(foot: Array, capture: Array, apart: Array, leg: float) -> Array:
    """A landing spot (3,) on the right side of the standing foot and not too far away; x ahead, y left."""
    ahead, aside = _FARTHEST
    side = np.sign(apart[1])
    x = np.clip(capture[0] - foot[0], -ahead * leg, ahead * leg)
    y = side * np.clip(side * (capture[1] - foot[1]), 0.9 * abs(apart[1]), max(aside * leg, abs(apart[1])))
    return foot + np.array([x, y, 0.0])


def _towards(a: Array, b: Array, share: float) -> Array:
    return a + share * (b - a)


def _smooth(x: float) -> float:
    x = min(max(x, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)
