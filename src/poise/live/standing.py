"""From wherever the actor was lost to standing still, as a walker stops: a step that catches the body, the other foot beside.

The step goes to the capture point com + v √(h/g) of the linear inverted pendulum, above which a body comes to rest by itself;
the root follows that pendulum's motion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.character.character import Character
from poise.live.live_pose import BodyPose, Legs
from poise.reference.retarget import leg_length
from poise.rotation import Array, Mask

_GRAVITY = 9.81  # m/s2
_STEP, _BETWEEN = 0.28, 0.08  # s for a step, and on both feet between two
_CALM = 0.6  # s after the last step until nothing moves
_LIFT = 0.05  # of the leg: how high a foot is swung
_CAUTION = 1.15  # times the way to the capture point
_CAUGHT = 0.6  # of that way: a foot that stands farther ahead catches the body by itself
_NEAR = 0.08  # m: a body that comes to rest within this way needs no step
_FARTHEST = (0.7, 0.35)  # of the leg: how far ahead of or beside the other foot a step may go
_BENT = 0.985  # of the leg: longest from hip to ankle while standing


@dataclass(frozen=True)
class Step:
    """A foot that leaves at one time and lands at another, seconds from the start."""

    foot: int
    leaves: float
    lands: float


@dataclass(frozen=True, eq=False)
class ComingToRest:
    """A motion of the reference that ends in standing still; `at` gives its poses."""

    legs: Legs
    start: BodyPose
    end: BodyPose
    steps: tuple[Step, ...]
    lift: float  # m
    rate: float  # 1/s, of the pendulum

    @property
    def over(self) -> float:
        """Seconds until nothing moves any more."""
        return max((step.lands for step in self.steps), default=0.0) + _CALM

    def at(self, seconds: float) -> tuple[BodyPose, Mask]:
        """The pose some time after the start, and which feet stand by then."""
        pose = self.start.towards(self.end, _smooth(seconds / self.over))
        turns, ankles, stance = pose.turns.copy(), self.start.ankles.copy(), np.ones(len(pose.ankles), bool)
        for step in self.steps:
            share = min(max((seconds - step.leaves) / (step.lands - step.leaves), 0.0), 1.0)
            k = step.foot
            ankles[k] = self.start.ankles[k] + _smooth(share) * (self.end.ankles[k] - self.start.ankles[k])
            ankles[k, 2] += self.lift * np.sin(np.pi * share)
            stance[k] = seconds < step.leaves or share >= 1.0
        for row in self.legs.feet:  # a sole that lies on the floor keeps lying on it
            turns[row] = rotation.slerp(self.start.turns[row], self.end.turns[row], _smooth(seconds / _STEP))
        fade = np.exp(-self.rate * seconds)
        root = self.end.root + fade * (self.start.root - self.end.root)
        return self.legs.fit(BodyPose(turns, root, ankles)), stance


def come_to_rest(character: Character, legs: Legs, pose: BodyPose, stance: Mask, com: Array, com_velocity: Array) -> ComingToRest:
    """How a character in this pose, moving like this, comes to stand on all its feet."""
    leg, upright = leg_length(character), rotation.about_z(pose.heading)
    rate = float(np.sqrt(_GRAVITY / max(com[2], 0.1)))
    ankles, steps, at_rest = pose.ankles.copy(), [], _at_rest(character)
    catch = _CAUTION * com_velocity / rate
    order, beside = _order(pose, stance, com, catch)
    for k in order:
        begins = steps[-1].lands + _BETWEEN if steps and stance.any() else 0.0
        steps.append(Step(k, begins, begins + _STEP))
        spot = _spot(k, pose.heading, com + catch, ankles, at_rest, beside, stance, leg)
        beside = k if beside is None else beside
        ankles[k, :2], ankles[k, 2] = spot[:2], character.joints[character.index(character.feet[k]), 2]
    turns = np.tile(upright, (character.nsegments, 1))
    for row, stands in zip(legs.feet, stance, strict=True):
        if stands:
            turns[row] = rotation.about_z(float(rotation.heading(pose.turns[row])))
    root = _root(character, ankles, rotation.rotate(upright, at_rest), leg)
    end = legs.fit(BodyPose(turns, root, ankles))
    return ComingToRest(legs, pose, end, tuple(steps), _LIFT * leg, rate)


def _order(pose: BodyPose, stance: Mask, com: Array, catch: Array) -> tuple[list[int], int | None]:
    """Which feet step, one after the other, and the foot beside which they shall land, where there is one already.

    First the feet in the air. A body in motion on its feet steps with the hind one; and then with the other, unless that stands
    far enough ahead to catch the body by itself.
    """
    way = catch[:2]
    length = float(np.linalg.norm(way))
    swinging = np.flatnonzero(~stance).tolist()
    standing = sorted(np.flatnonzero(stance).tolist(), key=lambda k: float(pose.ankles[k, :2] @ way))
    if length < _NEAR or not standing:
        return swinging, None
    front = standing[-1]
    ahead = float((pose.ankles[front, :2] - com[:2]) @ way) / length
    if ahead > _CAUGHT * length:
        return [*swinging, *standing[:-1]], front
    return [*swinging, *standing], None


def _at_rest(character: Character) -> Array:
    """The feet in the rest pose, seen from the root (feet, 3), level."""
    feet = np.array([character.joints[character.index(foot)] for foot in character.feet])
    return (feet - character.joints[0]) * [1.0, 1.0, 0.0]


def _spot(
    k: int, heading: float, capture: Array, ankles: Array, at_rest: Array, beside: int | None, stance: Mask, leg: float
) -> Array:
    """Where foot k lands (3,): beside the foot that has caught the body, else at the capture point, within reach."""
    there, back = rotation.about_z(heading), rotation.about_z(-heading)
    if beside is not None:
        return ankles[beside] + rotation.rotate(there, at_rest[k] - at_rest[beside])
    others = [j for j in range(len(ankles)) if j != k and stance[j]]
    goal = rotation.rotate(back, capture) + at_rest[k] - at_rest.mean(axis=0)
    if not others:
        return rotation.rotate(there, goal)
    other = rotation.rotate(back, ankles[others[0]])
    apart = at_rest[k] - at_rest[others[0]]
    side, (ahead, aside) = np.sign(apart[1]), _FARTHEST
    x = np.clip(goal[0] - other[0], -ahead * leg, ahead * leg)
    y = side * np.clip(side * (goal[1] - other[1]), 0.9 * abs(apart[1]), max(aside * leg, abs(apart[1])))
    return rotation.rotate(there, other + np.array([x, y, 0.0]))


def _root(character: Character, ankles: Array, hips: Array, leg: float) -> Array:
    """Above the middle of the feet, as high as the legs allow."""
    root = ankles.mean(axis=0)
    spread = float(np.linalg.norm((ankles - root - hips + hips.mean(axis=0))[:, :2], axis=-1).max())
    drop = character.joints[0, 2] - np.mean([character.joints[character.index(foot), 2] for foot in character.feet])
    root[2] = ankles[:, 2].min() + drop - leg + np.sqrt(max((_BENT * leg) ** 2 - spread**2, (0.5 * leg) ** 2))
    root[:2] -= hips.mean(axis=0)[:2]
    return root


def _smooth(x: float) -> float:
    x = min(max(x, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)
