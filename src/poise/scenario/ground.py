"""The grounds of a scenario: a plane, a turning platform, rubble, a ramp; as settings, and as what the world is built from.

Places and directions are those of the character at the start: ahead is where it faces, the middle is below its pelvis.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from poise import rotation
from poise.character.character import Vec3, as_quat, as_vec
from poise.physics.ground import Platform, Solid, Terrain
from poise.rotation import Array
from poise.scenario import checked
from poise.scenario.checked import BadSetting, Interval
from poise.scenario.events import compass
from poise.scenario.rubble import scatter
from poise.scenario.tables import chosen, made

FRICTION = Interval(0, 10)
SLOPE = Interval(-60, 60)
COMPASS = Interval(-360, 360)
AXES = ("roll", "pitch", "yaw")

_PLATFORM_SIZE = (3.0, 3.0, 0.1)
_PLATFORM_PHASE = (0.0, 0.5 * math.pi, 0.0)  # pitch a quarter period after roll: the top leans to every side in turn
_PLATFORM_SWELL = 2.0  # s
_BELOW_PLATFORM = 1.2  # m: a floor that the platform's edge never reaches
_RAMP_WIDTH, _RAMP_TOP, _RAMP_THICKNESS = 2.0, 0.4, 0.3  # m


@dataclass(frozen=True)
class Ground:
    """An endless plane below the character that rises by `slope_deg` towards `slope_toward_deg` on its compass."""

    friction: float = 1.0  # Coulomb's coefficient
    slope_deg: float = 0.0
    slope_toward_deg: float = 0.0

    kind: ClassVar[str] = "flat"

    def __post_init__(self) -> None:
        _settle(self, friction=FRICTION, slope_deg=SLOPE, slope_toward_deg=COMPASS)

    def terrain(self, place: Array, heading: float, seed: int) -> Terrain:
        tilt = math.radians(self.slope_deg)
        uphill = rotation.rotate(rotation.about_z(heading), compass(self.slope_toward_deg))
        normal = math.cos(tilt) * np.array([0.0, 0.0, 1.0]) - math.sin(tilt) * uphill
        return Terrain(self.friction, as_vec(place) if tilt else (0.0, 0.0, 0.0), as_vec(normal))


@dataclass(frozen=True)
class PlatformGround:
    """A platform whose top turns below the character about roll, pitch and yaw, by a sine of `amplitude_deg` about each."""

    friction: float = 1.0
    amplitude_deg: float = 20.0
    frequency_hz: float = 0.25
    axes: tuple[str, ...] = AXES

    kind: ClassVar[str] = "platform"

    def __post_init__(self) -> None:
        _settle(self, friction=FRICTION, amplitude_deg=Interval(0, 60), frequency_hz=Interval(0, 10))
        object.__setattr__(self, "axes", _axes(self.axes))

    def terrain(self, place: Array, heading: float, seed: int) -> Terrain:
        amplitude = as_vec(np.radians([self.amplitude_deg * (axis in self.axes) for axis in AXES]))
        phase = _PLATFORM_PHASE
        platform = Platform(_PLATFORM_SIZE, as_vec(place), heading, amplitude, phase, self.frequency_hz, _PLATFORM_SWELL)
        return Terrain(self.friction, as_vec(place - [0.0, 0.0, _BELOW_PLATFORM]), platform=platform)


@dataclass(frozen=True)
class RubbleGround:
    """Loose stones, balls and sticks strewn around and under the character; the seed of the run strews them."""

    friction: float = 1.0
    count: int = 40
    radius: float = 0.6  # m, of the strewn area
    height: float = 0.04  # m, of the tallest

    kind: ClassVar[str] = "rubble"

    def __post_init__(self) -> None:
        _settle(self, friction=FRICTION, radius=Interval(0.1, 10), height=Interval(0.005, 0.5))
        checked.integer("ground", "count", self.count, Interval(1, 500))

    def terrain(self, place: Array, heading: float, seed: int) -> Terrain:
        return Terrain(self.friction, solids=scatter(self.count, place, self.radius, self.height, seed))


@dataclass(frozen=True)
class RampGround:
    """A small ramp to walk over: up, a short top, and down again, `ahead` metres from the start towards `toward_deg`."""

    friction: float = 1.0
    slope_deg: float = 8.0
    height: float = 0.08  # m
    ahead: float = 1.0  # m
    toward_deg: float = 0.0

    kind: ClassVar[str] = "ramp"

    def __post_init__(self) -> None:
        _settle(
            self,
            friction=FRICTION,
            slope_deg=Interval(1, 60),
            height=Interval(0.005, 2),
            ahead=Interval(0, 100),
            toward_deg=COMPASS,
        )

    def terrain(self, place: Array, heading: float, seed: int) -> Terrain:
        to_world = rotation.about_z(heading - math.radians(self.toward_deg))
        tilt = math.radians(self.slope_deg)
        run = self.height / math.tan(tilt)
        corners = np.array([0.0, run, run + _RAMP_TOP, 2.0 * run + _RAMP_TOP]) + self.ahead
        level = [0.0, self.height, self.height, 0.0]
        return Terrain(self.friction, solids=tuple(_slab(place, to_world, corners, level, k) for k in range(3)))


AnyGround = Ground | PlatformGround | RubbleGround | RampGround
GROUNDS = {kind.kind: kind for kind in (Ground, PlatformGround, RubbleGround, RampGround)}


def ground_from_dict(table: Mapping[str, Any]) -> AnyGround:
    """The ground that the table of a scenario file describes."""
    kind = chosen("ground", GROUNDS, "kind", table.get("kind", "flat"))
    return made("ground" if kind is Ground else f"{kind.kind} ground", kind, table, chooser="kind")


def _settle(ground: Any, **limits: Interval) -> None:
    """Checks the numbers of a frozen ground that is being made."""
    for key, within in limits.items():
        object.__setattr__(ground, key, checked.number("ground", key, getattr(ground, key), within))


def _axes(value: Any) -> tuple[str, ...]:
    """Some of roll, pitch and yaw."""
    if not isinstance(value, Sequence) or isinstance(value, str) or not value or any(axis not in AXES for axis in value):
        raise BadSetting(f"ground: axes = {checked.shown(value)} must be some of {', '.join(AXES)}, as a list", "axes")
    return tuple(value)


def _slab(place: Array, to_world: Array, along: Array, level: Sequence[float], k: int) -> Solid:
    """The part of a ramp between its corners k and k + 1: a box whose top joins them, sunk into the ground."""
    start, end = (np.array([along[i], 0.0, level[i]]) for i in (k, k + 1))
    way = end - start
    turn = rotation.multiply(to_world, rotation.from_axis_angle([0.0, 1.0, 0.0], -math.atan2(way[2], way[0])))
    middle = place + rotation.rotate(to_world, 0.5 * (start + end)) - rotation.rotate(turn, [0.0, 0.0, 0.5 * _RAMP_THICKNESS])
    size: Vec3 = (float(np.linalg.norm(way)), _RAMP_WIDTH, _RAMP_THICKNESS)
    return Solid(f"ramp_{k + 1}", "box", size, as_vec(middle), as_quat(turn))
