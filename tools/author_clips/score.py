"""A score: what the performer is asked to do in every frame, before physics and overlap have their say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from tools.author_clips.body import BALL, HEEL
from tools.author_clips.curves import Clock, ease
from tools.author_clips.feet import Foot, Plant, walk_through

from poise.rotation import Array

# The relaxed stand that clips begin and end with. Left foot a little ahead, toes out, more weight on the left.
LEFT_STAND = Plant(0.015, 0.105, 9.0)
RIGHT_STAND = Plant(-0.020, -0.105, -11.0)
STAND_LOAD = 0.53
STAND_SINK = 0.006
LEFT_HANG = (-4.0, 7.0, 12.0, 16.0, 10.0, 6.0)  # flexion, abduction, inward rotation, elbow, forearm twist, wrist
RIGHT_HANG = (-2.0, 8.0, 15.0, 18.0, 14.0, 8.0)
STAND_PELVIS = (2.0, 2.0, 0.8)
STAND_CHEST = (-2.5, 2.0, -0.8)
STAND_HEAD = (3.0, 3.0, 0.5)
_ROLLED = 4.0  # degrees of pitch from which on a foot stands on its ball or heel alone


@dataclass(frozen=True, eq=False)
class ArmScore:
    """One arm. `angles` (F, 6): flexion, abduction, inward rotation, elbow, forearm twist (palm back/down), wrist; degrees.

    Where `reach` (F,) is 1 the wrist goes to `wrist` (F, 3) instead, metres forward, left and up from the base of the
    neck, with the elbow towards `pole` (F, 3).
    """

    angles: Array
    reach: Array | float = 0.0
    wrist: Array | None = None
    pole: Array | None = None
    loose: Array | float = 1.0  # how far the arm swings by itself when the shoulder moves
    upright: Array | float = 0.75  # share of the chest's lean that a hanging arm ignores


@dataclass(frozen=True, eq=False)
class FreeLeg:
    """A leg that is posed by angles instead of by its foot's place, as far as `share` (F,) says.

    `angles` (F, 5): hip flexion, abduction, inward rotation, knee flexion, ankle (toes down); degrees.
    """

    share: Array
    angles: Array


@dataclass(frozen=True, eq=False)
class Score:
    """Targets over F frames. Trunk angles (F, 3) are yaw to the left, pitch forward, roll to the right, degrees.

    The chest's are added to what it takes over from the pelvis, the head's are its gaze in the world.
    """

    clock: Clock
    feet: tuple[Foot, Foot]
    load: Array  # (F,) share of the weight on the left foot
    sink: Array  # (F,) how much lower the hips are than over straight legs, metres
    pelvis: Array
    chest: Array
    head: Array
    arms: tuple[ArmScore, ArmScore]
    breath: Array  # (F,) 0 out, 1 in
    cop: tuple[Array | float, Array | float] = (0.05, 0.05)  # where in each foot its weight rests, metres ahead of the ankle
    free: tuple[FreeLeg | None, FreeLeg | None] = (None, None)
    travel: tuple[float, float] = (0.0, 0.0)
    knees_out: Array | float = 4.0  # degrees the knees point outward of the line between foot and hip
    shrug: tuple[Array | float, Array | float] = (0.0, 0.0)  # degrees the shoulders are raised
    seed: int = 1
    restless: float = 1.0  # size of the small drift in everything
    list_by_load: float = 5.0  # degrees the pelvis drops on the side without weight, beyond the relaxed stand

    @property
    def support(self) -> Array:
        """(F, 2) where the ground pushes: between the feet as the load is shared."""
        left, right = (_pressure(self.clock, foot, cop) for foot, cop in zip(self.feet, self.cop, strict=True))
        return left * self.load[:, None] + right * (1.0 - self.load[:, None])

    @property
    def march(self) -> Array:
        """(F, 3) the even part of a loop's travel."""
        return self.clock.times[:, None] / self.clock.duration * [*self.travel, 0.0]


def relaxed(clock: Clock, **changes: Any) -> Score:
    """The relaxed stand for the whole clip, with some fields changed."""
    nframes = len(clock.times)
    still = Score(
        clock=clock,
        feet=standing_feet(clock),
        load=np.full(nframes, STAND_LOAD),
        sink=np.full(nframes, STAND_SINK),
        pelvis=np.tile(STAND_PELVIS, (nframes, 1)),
        chest=np.tile(STAND_CHEST, (nframes, 1)),
        head=np.tile(STAND_HEAD, (nframes, 1)),
        arms=hanging_arms(clock),
        breath=np.zeros(nframes),
    )
    return replace(still, **changes)


def standing_feet(clock: Clock, heels: tuple[Array | float, Array | float] = (0.0, 0.0)) -> tuple[Foot, Foot]:
    """Both feet in the relaxed stand for the whole clip."""
    return walk_through(clock.times, [LEFT_STAND], heels[0]), walk_through(clock.times, [RIGHT_STAND], heels[1])


def hanging_arms(clock: Clock) -> tuple[ArmScore, ArmScore]:
    """Both arms hanging, relaxed."""
    nframes = len(clock.times)
    return ArmScore(np.tile(LEFT_HANG, (nframes, 1))), ArmScore(np.tile(RIGHT_HANG, (nframes, 1)))


def _pressure(clock: Clock, foot: Foot, cop: Array | float) -> Array:
    """(F, 2) where a foot's weight rests: as scored, but never on a part of the sole that is off the floor."""
    yaw = np.radians(clock.soften(foot.yaw, 0.02))
    on_ball, on_heel = ease(foot.pitch / _ROLLED), ease(-foot.pitch / _ROLLED)
    along = np.broadcast_to(cop, yaw.shape)
    along = along + on_ball * np.maximum(BALL + 0.01 - along, 0.0) - on_heel * np.maximum(along - HEEL - 0.02, 0.0)
    return foot.sole + np.stack([np.cos(yaw), np.sin(yaw)], axis=-1) * along[:, None]
