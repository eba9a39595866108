"""The grounds of a scenario, as plain data: a plane, a turning platform, rubble, a ramp.

Places and directions are those of the character at the start: ahead is where it faces, the middle is below its pelvis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from poise.scenario import checked
from poise.scenario.checked import BadSetting, Interval
from poise.scenario.tables import chosen, made

FRICTION = Interval(0, 10)
SLOPE = Interval(-60, 60)
COMPASS = Interval(-360, 360)
AXES = ("roll", "pitch", "yaw")


@dataclass(frozen=True)
class Ground:
    """An endless plane below the character that rises by `slope_deg` towards `slope_toward_deg` on its compass."""

    friction: float = 1.0  # Coulomb's coefficient
    slope_deg: float = 0.0
    slope_toward_deg: float = 0.0

    kind: ClassVar[str] = "flat"

    def __post_init__(self) -> None:
        _settle(self, friction=FRICTION, slope_deg=SLOPE, slope_toward_deg=COMPASS)


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
        size = {"slope_deg": Interval(1, 60), "height": Interval(0.005, 2), "ahead": Interval(0, 100)}
        _settle(self, friction=FRICTION, toward_deg=COMPASS, **size)


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
