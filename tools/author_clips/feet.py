"""Where a foot is: standing flat, rolling over heel or ball, or swinging from one plant to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from tools.author_clips.body import ANKLE_HEIGHT, BALL, BALL_HEIGHT, HEEL
from tools.author_clips.curves import bump, ease, quintic
from tools.author_clips.turns import chain, turn, unit

from poise import rotation
from poise.rotation import Array, Mask

FOREVER = 1e3  # seconds; a plant that begins before the clip or ends after it
LONGEST_STEP = 0.5  # seconds; a foot that is in the air for more than twice as long hovers in between
EARLY_LIFT = 0.75  # below 1 a foot is highest before the middle of its swing
_INSTANT = 1e-3  # seconds; step of the differences that join swing to stance


@dataclass(frozen=True)
class Plant:
    """A foot on the floor from `begin` to `end` (seconds), its ankle over (x, y) when flat, and the swing after it.

    Pitch in degrees: above 0 the heel is up and the foot stands on its ball, below 0 the toes are up.
    """

    x: float
    y: float
    yaw: float = 0.0  # degrees to the left
    begin: float = -FOREVER
    end: float = FOREVER
    hold: float = 0.0  # pitch while standing; 0 is flat
    strike: float = 0.0  # pitch at landing
    settle: float = 0.12  # seconds from landing until it holds
    push: float = 0.0  # pitch at lift-off
    peel: float = 0.25  # seconds over which the heel comes up before lift-off
    lift: float = 0.05  # how much higher the ankle goes in the swing after this plant, metres
    arc: tuple[float, float] = (0.0, 0.0)  # how far that swing goes out of its straight way, metres
    tuck: float = 0.0  # pitch added in the middle of that swing
    brake: float = 0.0  # how hard that swing is stopped by its landing, m/s2; 0 comes to rest softly


@dataclass(frozen=True, eq=False)
class Foot:
    """One foot over F frames."""

    ankle: Array  # (F, 3)
    turn: Array  # (F, 4) of the foot in the world
    toes: Array  # (F,) bend of the toes against the foot, degrees, below 0 is up
    standing: Mask  # (F,)
    sole: Array  # (F, 2) the floor under the ankle of the last plant; where weight may rest
    yaw: Array  # (F,) degrees
    pitch: Array  # (F,) degrees, above 0 the heel is up


def walk_through(times: Array, plants: Sequence[Plant], heel: Array | float = 0.0, pivot: Array | float = 0.0) -> Foot:
    """The foot that visits the plants in order.

    `heel` (F,) is pitch on top of the plants' own (a heel that lifts and settles again), `pivot` (F,) a turn to the
    left about the ball of the foot; both in degrees, and to be 0 where a plant begins or ends.
    """
    heel = np.broadcast_to(np.asarray(heel, float), times.shape)
    pivot = np.broadcast_to(np.asarray(pivot, float), times.shape)
    state = np.empty((len(times), 5))  # ankle, yaw, pitch
    toes = np.zeros(len(times))
    standing = np.zeros(len(times), bool)
    sole = np.empty((len(times), 2))
    for k, plant in enumerate(plants):
        on = (times >= plant.begin) & (times <= plant.end)
        state[on] = _stance(plant, times[on], heel[on], pivot[on])
        toes[on] = -np.maximum(state[on, 4], 0.0)
        standing |= on
        sole[times >= plant.begin] = plant.x, plant.y
        if k + 1 < len(plants):
            then = plants[k + 1]
            off = (times > plant.end) & (times < then.begin)
            state[off], toes[off] = _swing(plant, then, times[off])
    yaw, pitch = state[:, 3], state[:, 4]
    return Foot(state[:, :3], chain(turn("z", yaw), turn("y", pitch)), toes, standing, sole, yaw, pitch)


def repeated(plants: Sequence[Plant], period: float, stride: float, times: int) -> list[Plant]:
    """The plants of one cycle, over and over for so many periods and two more on either side, `stride` metres on each time."""
    shift = range(-2, times + 2)
    return [replace(p, x=p.x + k * stride, begin=p.begin + k * period, end=p.end + k * period) for k in shift for p in plants]


def _stance(plant: Plant, t: Array, heel: Array | float = 0.0, pivot: Array | float = 0.0) -> Array:
    """(n, 5) ankle, yaw and pitch of a foot that rolls on its plant at times t."""
    t = np.asarray(t, float)
    landing = ease(1.0 - (t - plant.begin) / plant.settle)
    leaving = _roll(1.0 - (plant.end - t) / plant.peel)
    pitch = heel + plant.hold + (plant.strike - plant.hold) * landing + (plant.push - plant.hold) * leaving
    yaw = np.broadcast_to(plant.yaw + np.asarray(pivot, float), t.shape)
    ball = np.array([plant.x, plant.y, 0.0]) + rotation.rotate(turn("z", plant.yaw), [BALL, 0.0, 0.0])
    on_ball = pitch[:, None] > 0.0
    axle_local = np.where(on_ball, [BALL, 0.0, BALL_HEIGHT], [HEEL, 0.0, 0.0])  # of the sole under the ankle
    axle = ball + rotation.rotate(turn("z", yaw), axle_local - [BALL, 0.0, 0.0])
    ankle = axle + rotation.rotate(chain(turn("z", yaw), turn("y", pitch)), [0.0, 0.0, ANKLE_HEIGHT] - axle_local)
    return np.concatenate([ankle, yaw[:, None], pitch[:, None]], axis=1)


def _roll(s: Array) -> Array:
    """From 0 at s <= 0, at rest, to 1 at s = 1, still turning there (at 1.5 times the mean rate) but no longer faster."""
    s = np.clip(s, 0.0, 1.0)
    return s**3 * (4.0 - 4.5 * s + 1.5 * s**2)


def _swing(plant: Plant, then: Plant, t: Array) -> tuple[Array, Array]:
    """(n, 5) ankle, yaw and pitch between two plants, joining both without a jump in acceleration, and toes (n,)."""
    leave = _instant(lambda at: _stance(plant, at), plant.end, -1.0)
    land = _instant(lambda at: _stance(then, at), then.begin, 1.0)
    way = unit((land[0] - leave[0]) * [1, 1, 0, 0, 0])
    land = (land[0], land[1], land[2] - plant.brake * way)
    seconds = then.begin - plant.end
    detour = np.array([*plant.arc, plant.lift, 0.0, plant.tuck])
    if seconds > 2 * LONGEST_STEP:
        path = _hover(t - plant.end, leave, land, seconds, detour)
    else:
        s = (t - plant.end) / seconds
        path = quintic(s, leave, land, seconds) + detour * bump(s**EARLY_LIFT)[:, None]
    half = min(seconds / 2, LONGEST_STEP)
    level = np.maximum(1.0 - ease((t - plant.end) / half), 1.0 - ease((then.begin - t) / half))
    return path, -np.maximum(path[:, 4], 0.0) * level


def _hover(t: Array, leave: tuple[Array, Array, Array], land: tuple[Array, Array, Array], seconds: float, detour: Array) -> Array:
    """(n, 5) a swing that rises, stays in the air between its two plants, and comes down late; t from lift-off."""
    rest = np.zeros(5)
    air = (leave[0] + land[0]) / 2 + detour
    air[4] = detour[4]
    up = quintic(np.clip(t / LONGEST_STEP, 0, 1), leave, (air, rest, rest), LONGEST_STEP)
    down = quintic(np.clip(1 - (seconds - t) / LONGEST_STEP, 0, 1), (air, rest, rest), land, LONGEST_STEP)
    return np.where((t < seconds / 2)[:, None], up, down)


def _instant(stance: Callable[[Array], Array], at: float, side: float) -> tuple[Array, Array, Array]:
    """Value, speed and acceleration at a time, from samples on one side of it."""
    h = side * _INSTANT
    a, b, c = stance(at + h * np.arange(3.0))
    return a, (4 * b - 3 * a - c) / (2 * h), (a - 2 * b + c) / h**2
