"""What happens to a character during a run, as plain data: a push, a thrown ball, a pull, a turn, a new robustness.

Directions in degrees are a compass on the ground: 0 in front of the character, 90 at its right, 180 behind, 270 at its left.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from poise.scenario import checked
from poise.scenario.checked import BadSetting, Interval, Vec3
from poise.scenario.robustness import Robustness
from poise.scenario.tables import chosen, made

RANDOM = "random"  # as a body or target: one of the character's, chosen by the seed of the run

TIME = Interval(0, 3600)
DURATION = Interval(0, 3600, above=True)
STRONGEST_N = 1e5
FARTHEST_M = 100.0
BALL_MASS = Interval(0, 1000, above=True)
BALL_RADIUS = Interval(0, 10, above=True)
SPEED = Interval(0, 100)
PULL_SPEED = Interval(0, 100, above=True)
BALL_DENSITY = 480.0  # kg/m3; a medicine ball of 5 kg is 27 cm across


@dataclass(frozen=True)
class Push:
    """A steady force (world frame, newtons) at a segment's centre of mass, from `at` for `duration` seconds."""

    body: str  # a segment, or "random"
    force: Vec3
    at: float
    duration: float = 0.2
    expected: bool = False  # the character knows of it (Nunes et al., section 5)

    type: ClassVar[str] = "push"

    def __post_init__(self) -> None:
        _settle(
            self,
            body=checked.text("push", "body", self.body),
            force=checked.vector("push", "force", self.force, STRONGEST_N, "N"),
            at=checked.number("push", "at", self.at, TIME, "s"),
            duration=checked.number("push", "duration", self.duration, DURATION, "s"),
            expected=checked.flag("push", "expected", self.expected),
        )

    def to_dict(self) -> dict[str, Any]:
        """The event as a scenario file has it."""
        return _as_dict(self)


@dataclass(frozen=True)
class Ball:
    """A ball thrown so that it meets the target at the time `at` with `speed`, coming from `from_deg` on the compass.

    An expected ball is one that the character sees coming (Nunes et al., section 5).
    """

    mass: float = 5.0
    speed: float = 5.0
    target: str = "chest"  # a segment, or "random"
    from_deg: float = 0.0
    at: float = 1.0
    expected: bool = False
    radius: float = 0.0  # metres; 0 or None: that of a medicine ball of this mass

    type: ClassVar[str] = "ball"

    def __post_init__(self) -> None:
        mass = checked.number("ball", "mass", self.mass, BALL_MASS, "kg")
        radius = medicine_ball_radius(mass) if self.radius in (None, 0) else self.radius
        _settle(
            self,
            mass=mass,
            speed=checked.number("ball", "speed", self.speed, SPEED, "m/s"),
            target=checked.text("ball", "target", self.target),
            from_deg=checked.number("ball", "from_deg", self.from_deg, Interval(-360, 360), "degrees"),
            at=checked.number("ball", "at", self.at, TIME, "s"),
            expected=checked.flag("ball", "expected", self.expected),
            radius=checked.number("ball", "radius", radius, BALL_RADIUS, "m"),
        )

    @property
    def body(self) -> str:
        """The segment that the ball is aimed at, by the name that the other events have for theirs."""
        return self.target

    def to_dict(self) -> dict[str, Any]:
        """The event as a scenario file has it."""
        return _as_dict(self)


@dataclass(frozen=True)
class Pull:
    """A virtual point that drags a segment's centre of mass like a spring, da Silva et al. (15).

    The point starts where the segment is at the time `at`, travels by the vector `toward` (world frame, metres) at `speed`,
    stays there, and lets go after `duration` (None: never). Gains are those of the paper.
    """

    body: str
    toward: Vec3
    speed: float = 0.1
    at: float = 0.0
    duration: float | None = None
    stiffness: float = 550.0  # N/m
    damping: float = 50.0  # N s/m
    expected: bool = False  # the character knows of it (Nunes et al., section 5)

    type: ClassVar[str] = "pull"

    def __post_init__(self) -> None:
        lasting = self.duration if self.duration is None else checked.number("pull", "duration", self.duration, DURATION, "s")
        _settle(
            self,
            body=checked.text("pull", "body", self.body),
            toward=checked.vector("pull", "toward", self.toward, FARTHEST_M, "m"),
            speed=checked.number("pull", "speed", self.speed, PULL_SPEED, "m/s"),
            at=checked.number("pull", "at", self.at, TIME, "s"),
            duration=lasting,
            stiffness=checked.number("pull", "stiffness", self.stiffness, Interval(0, 1e6), "N/m"),
            damping=checked.number("pull", "damping", self.damping, Interval(0, 1e5), "N s/m"),
            expected=checked.flag("pull", "expected", self.expected),
        )

    def to_dict(self) -> dict[str, Any]:
        """The event as a scenario file has it; without `duration` where it never lets go."""
        return _as_dict(self)


@dataclass(frozen=True)
class Heading:
    """The clip turns to the right by so many degrees, from `at` within `over` seconds, and goes on in the new direction."""

    degrees: float
    at: float
    over: float = 1.0

    type: ClassVar[str] = "heading"

    def __post_init__(self) -> None:
        _settle(
            self,
            degrees=checked.number("heading", "degrees", self.degrees, Interval(-3600, 3600), "degrees"),
            at=checked.number("heading", "at", self.at, TIME, "s"),
            over=checked.number("heading", "over", self.over, DURATION, "s"),
        )

    def to_dict(self) -> dict[str, Any]:
        """The event as a scenario file has it."""
        return _as_dict(self)


@dataclass(frozen=True)
class Retune:
    """From `at` on the character may use as much help as `to` says: anything that `Robustness.of` takes."""

    to: Robustness
    at: float

    type: ClassVar[str] = "robustness"

    def __post_init__(self) -> None:
        _settle(self, to=_robustness(self.to), at=checked.number("robustness", "at", self.at, TIME, "s"))

    def to_dict(self) -> dict[str, Any]:
        """The event as a scenario file has it, with both thresholds."""
        return {"type": self.type, "to": self.to.to_dict(), "at": self.at}


@dataclass(frozen=True)
class GetUp:
    """At `at` the character, if it has fallen, is asked to get up and go on (da Silva section 4)."""

    at: float

    type: ClassVar[str] = "get_up"

    def __post_init__(self) -> None:
        _settle(self, at=checked.number("get_up", "at", self.at, TIME, "s"))

    def to_dict(self) -> dict[str, Any]:
        """The event as a scenario file has it."""
        return _as_dict(self)


Event = Push | Ball | Pull | Heading | Retune | GetUp
AimedEvent = Push | Ball | Pull  # those that happen to one segment
KINDS: dict[str, type[Event]] = {kind.type: kind for kind in (Push, Ball, Pull, Heading, Retune, GetUp)}


def is_expected(event: Event) -> bool:
    """Whether the character knows of it beforehand."""
    return isinstance(event, AimedEvent) and event.expected


def listed(events: Any) -> tuple[Event, ...]:
    """The events as a tuple; anything else than a list of events is refused."""
    if not isinstance(events, list | tuple) or not all(isinstance(event, Event) for event in events):
        example = "[poise.Push('chest', (250, 0, 0), at=1.0)]"
        raise BadSetting(f"events must be a list of events such as {example}, not {checked.shown(events)}", "events")
    return tuple(events)


def event_from_dict(data: Mapping[str, Any]) -> Event:
    """The event that `to_dict` or a scenario file describes."""
    if not isinstance(data, Mapping):
        raise BadSetting(f"event {checked.shown(data)} must be a table of keys and values")
    kind = chosen("event", KINDS, "type", data.get("type"))
    return made(kind.type, kind, data, chooser="type")


def compass(degrees: float) -> Vec3:
    """The unit vector on the ground towards a compass direction, in the frame of a character that faces +x (left is +y)."""
    angle = math.radians(degrees)
    return (math.cos(angle), -math.sin(angle), 0.0)


def medicine_ball_radius(mass: float) -> float:
    """The radius in metres of a ball of this mass in kilograms."""
    return (3.0 * mass / (4.0 * math.pi * BALL_DENSITY)) ** (1.0 / 3.0)


def _robustness(value: Any) -> Robustness:
    try:
        return Robustness.of(value)
    except BadSetting as problem:
        raise BadSetting(str(problem), "to", *problem.key[1:]) from None


def _settle(event: Event, **values: Any) -> None:
    """Puts checked values into a frozen event that is being made."""
    for name, value in values.items():
        object.__setattr__(event, name, value)


def _as_dict(event: Event) -> dict[str, Any]:
    plain = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(event).items()}
    return {"type": event.type} | {key: value for key, value in plain.items() if value is not None}
