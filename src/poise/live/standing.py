"""From wherever the actor was lost to standing still, as a walker stops: a step that catches the body, the other foot beside.

The step goes to the capture point com + v √(h/g) of the linear inverted pendulum, above which a body comes to rest by itself;
the root follows that pendulum's motion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise import rotation
from poise.character.character import Character
from poise.live.live_pose import BodyPose, Legs
from poise.live.seam import Seam
from poise.reference.retarget import leg_length
from poise.rotation import Array, Mask

_GRAVITY = 9.81  # m/s2
_STEP, _BETWEEN = 0.28, 0.08  # s for a step, and on both feet between two
_PACE, _QUICKEST = 2.8, 0.14  # m/s of a foot that is in the air already, in the mean, and the least time it is given, s
_LOW, _RISES = 0.06, 0.3  # of the leg, m/s: a foot that is lower, and rises no faster, is about to come down
_TOUCH = 0.06  # s in which it does
_FITTED = 0.15  # s until knees that were carried on into a bad bend are good again
_CALM = 0.6  # s after the last step until nothing moves
_LIFT, _FULL_STEP = 0.05, 0.5  # of the leg: how high a foot is swung; m: in a step as long as this, less in a shorter one
_CAUTION = 1.15  # times the way to the capture point
_CAUGHT = 0.85  # of that way: a foot that stands farther ahead catches the body by itself
_NEAR = 0.08  # m: a body that comes to rest within this way needs no step
_FARTHEST = (0.7, 0.35)  # of the leg: how far ahead of or beside the other foot a step may go
_BENT = 0.985  # of the leg: longest from hip to ankle while standing


@dataclass(frozen=True, eq=False)
class Step:
    """A foot that leaves at one time and lands at another, seconds from the start."""

    foot: int
    leaves: float
    lands: float
    start: Array  # (3,) of its ankle, world
    velocity: Array  # (3,) at first
    spot: Array  # (3,) where it lands

    def at(self, seconds: float, lift: float) -> Array:
        """Where the ankle is (3,): from its velocity to rest, lifted on the way."""
        span = self.lands - self.leaves
        t = min(max((seconds - self.leaves) / span, 0.0), 1.0)
        stay, pace, arrive = 2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t, 3 * t**2 - 2 * t**3
        place = stay * self.start + pace * span * self.velocity + arrive * self.spot
        far = min(float(np.linalg.norm((self.spot - self.start)[:2])) / _FULL_STEP, 1.0)
        place[2] = max(place[2], self.spot[2]) + far * lift * np.sin(np.pi * t)
        return place


@dataclass(frozen=True, eq=False)
class ComingToRest:
    """A motion of the reference that ends in standing still; `at` gives its poses."""

    legs: Legs
    start: Seam
    end: BodyPose
    steps: tuple[Step, ...]
    lift: float  # m
    rate: float  # 1/s, of the pendulum
    misfit: Array  # (S, 3) turns from the legs as they are fitted at the start to the legs as they were

    @property
    def landed(self) -> float:
        """Seconds until it stands on all its feet."""
        return max((step.lands for step in self.steps), default=0.0)

    @property
    def over(self) -> float:
        """Seconds until nothing moves any more."""
        return self.landed + _CALM

    def at(self, seconds: float) -> tuple[BodyPose, Mask]:
        """The pose some time after the start, and which feet stand by then."""
        old = self.start.old(self.start.began + seconds, self.legs)
        turns = rotation.slerp(old.turns, self.end.turns, _smooth(seconds / self.over))
        ankles, stance = self.start.pose.ankles.copy(), np.ones(len(self.legs.feet), bool)
        for k, row in enumerate(self.legs.feet):
            steps = [step for step in self.steps if step.foot == k]
            leaves, lands = (steps[0].leaves, steps[0].lands) if steps else (0.0, _STEP)
            down = _smooth((seconds - leaves) / (lands - leaves))  # a heel that is lifted stays so until the foot steps
            turns[row] = rotation.slerp(old.turns[row], self.end.turns[row], down)
            ankles[k, 2] += down * (self.end.ankles[k, 2] - ankles[k, 2])
            for step in (step for step in steps if seconds >= step.leaves):
                ankles[k], stance[k] = step.at(seconds, self.lift), seconds >= step.lands
        away = self.start.pose.root - self.end.root  # as a pendulum above its capture point; elsewhere without a jump in speed
        pace = self.start.velocity + self.rate * away
        root = self.end.root + np.exp(-self.rate * seconds) * (away + pace * seconds)
        pose = self.legs.fit(BodyPose(turns, root, ankles))
        left = 1.0 - _smooth(seconds / _FITTED)
        return replace(pose, turns=rotation.multiply(rotation.exp(left * self.misfit), pose.turns)), stance


def come_to_rest(character: Character, legs: Legs, start: Seam, stance: Mask, com: Array, com_velocity: Array) -> ComingToRest:
    """How a character that is at the start of a seam, moving like this, comes to stand on all its feet."""
    pose, leg, upright = start.pose, leg_length(character), rotation.about_z(start.pose.heading)
    rate = float(np.sqrt(_GRAVITY / max(com[2], 0.1)))
    heights, speeds, at_rest = _standing_heights(character), start.ankle_velocities(legs), _at_rest(character)
    steps = _landings(pose, stance, speeds, heights, leg)
    ankles, stance = pose.ankles.copy(), stance.copy()
    for step in steps:
        ankles[step.foot], stance[step.foot] = step.spot, True
    catch = _CAUTION * com_velocity / rate
    order, beside = _order(ankles, stance, com, catch)
    for k in order:
        spot = _spot(k, pose.heading, com + catch, ankles, at_rest, beside, stance, leg)
        spot[2] = heights[k]
        begins = steps[-1].lands + _BETWEEN if steps and stance.any() else 0.0
        quick = float(np.linalg.norm(spot - ankles[k])) / _PACE
        lands = begins + (_STEP if stance[k] else min(max(quick, _QUICKEST), _STEP))
        steps.append(Step(k, begins, lands, ankles[k].copy(), np.zeros(3) if stance[k] else speeds[k], spot))
        beside, ankles[k] = k if beside is None else beside, spot
    ankles[:, 2] = heights
    turns = np.tile(upright, (character.nsegments, 1))
    for row, stands in zip(legs.feet, stance, strict=True):
        if stands:
            turns[row] = rotation.about_z(float(rotation.heading(pose.turns[row])))
    root = _root(character, ankles, rotation.rotate(upright, at_rest), leg)
    misfit = rotation.log(rotation.multiply(pose.turns, rotation.conjugate(legs.fit(pose).turns)))
    return ComingToRest(legs, start, legs.fit(BodyPose(turns, root, ankles)), tuple(steps), _LIFT * leg, rate, misfit)


def _landings(pose: BodyPose, stance: Mask, speeds: Array, heights: Array, leg: float) -> list[Step]:
    """Feet that are about to come down do so where they are, braked evenly."""
    steps = []
    for k in np.flatnonzero(~stance):
        if pose.ankles[k, 2] - heights[k] < _LOW * leg and speeds[k, 2] < _RISES:
            spot = pose.ankles[k] + 0.5 * _TOUCH * speeds[k]
            spot[2] = heights[k]
            steps.append(Step(int(k), 0.0, _TOUCH, pose.ankles[k].copy(), speeds[k], spot))
    return steps


def _order(ankles: Array, stance: Mask, com: Array, catch: Array) -> tuple[list[int], int | None]:
    """Which feet step, one after the other, and the foot beside which they shall land, where there is one already.

    First the feet in the air. A body in motion on its feet steps with the hind one; and then with the other, unless that stands
    far enough ahead to catch the body by itself.
    """
    way = catch[:2]
    length = float(np.linalg.norm(way))
    swinging = np.flatnonzero(~stance).tolist()
    standing = sorted(np.flatnonzero(stance).tolist(), key=lambda k: float(ankles[k, :2] @ way))
    if length < _NEAR or not standing:
        return swinging, None
    front = standing[-1]
    ahead = float((ankles[front, :2] - com[:2]) @ way) / length
    if ahead > _CAUGHT * length:
        return [*swinging, *standing[:-1]], front
    return [*swinging, *standing], None


def _standing_heights(character: Character) -> Array:
    """Of the ankles (feet,), metres."""
    return np.array([character.joints[character.index(foot), 2] for foot in character.feet])


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
    now = rotation.rotate(back, ankles[k])[0] - other[0]  # a foot that is farther ahead already need not come back
    x = np.clip(goal[0] - other[0], min(-ahead * leg, now), max(ahead * leg, now))
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
