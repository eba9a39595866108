"""A scenario: what a run is made of, read from a TOML file. Settings that it leaves out are None."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from poise.errors import BadScenario, choices
from poise.scenario import checked
from poise.scenario.checked import BadSetting, Interval
from poise.scenario.events import DURATION, RANDOM, Ball, Event, event_from_dict
from poise.scenario.robustness import Robustness
from poise.scenario.toml_reading import read_toml

GROUNDS = ("flat",)
SEED = Interval(0, 2**63 - 1)


@dataclass(frozen=True)
class Ground:
    """The floor: an endless plane through the origin that rises by `slope_deg` towards `slope_toward_deg`.

    The compass is that of events: 0 rises along +x, 90 along -y.
    """

    friction: float = 1.0  # Coulomb's coefficient
    slope_deg: float = 0.0
    slope_toward_deg: float = 0.0
    kind: str = "flat"

    def __post_init__(self) -> None:
        limits = {"friction": Interval(0, 10), "slope_deg": Interval(-60, 60), "slope_toward_deg": Interval(-360, 360)}
        for key, within in limits.items():
            object.__setattr__(self, key, checked.number("ground", key, getattr(self, key), within))
        if self.kind not in GROUNDS:
            raise BadSetting(f"ground: kind {checked.shown(self.kind)} unknown{choices(str(self.kind), GROUNDS)}", "kind")


@dataclass(frozen=True)
class Scenario:
    """The settings of a run. `clip` is a file or the name of a built-in clip; without it the character holds its pose."""

    clip: str | None = None
    duration: float | None = None  # seconds
    robustness: Robustness | None = None  # or anything that `Robustness.of` takes
    seed: int | None = None
    controller: str | None = None
    character: str | None = None
    ground: Ground = field(default_factory=Ground)
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        for key, check in (("clip", checked.path), ("character", checked.path), ("controller", checked.text)):
            if getattr(self, key) is not None:
                check("scenario", key, getattr(self, key))
        if self.duration is not None:
            object.__setattr__(self, "duration", checked.number("scenario", "duration", self.duration, DURATION, "s"))
        if self.robustness is not None:
            object.__setattr__(self, "robustness", _robustness(self.robustness))
        if self.seed is not None:
            checked.integer("scenario", "seed", self.seed, SEED)
        object.__setattr__(self, "events", tuple(self.events))


def read_scenario(path: str | Path) -> Scenario:
    """The scenario of a TOML file; a relative clip or character file is looked for beside it."""
    toml = read_toml(path)
    try:
        scenario = scenario_from_dict(toml.data)
    except BadSetting as problem:
        raise toml.error(str(problem), problem.key) from None
    folder = toml.path.parent
    return replace(scenario, clip=_beside(folder, scenario.clip), character=_beside(folder, scenario.character))


def scenario_from_dict(data: Mapping[str, Any]) -> Scenario:
    """The scenario that the tables of a file describe."""
    known = [f.name for f in fields(Scenario) if f.name != "events"] + ["event"]
    for key in data:
        if key not in known:
            raise BadSetting(f"key {checked.shown(key)} unknown{choices(key, known)}", key)
    settings = {key: value for key, value in data.items() if key not in ("ground", "event")}
    return Scenario(**settings, ground=_ground(data.get("ground", {})), events=_events(data.get("event", [])))


def check_bodies(scenario: Scenario, names: Iterable[str]) -> None:
    """Raises where an event is aimed at a body that the character does not have."""
    known = list(names)
    for event in scenario.events:
        if event.body != RANDOM and event.body not in known:
            hint = choices(event.body, [*known, RANDOM])
            raise BadScenario(f"{event.type} at {event.at:g} s: body '{event.body}' unknown{hint}")


def choose_bodies(scenario: Scenario, names: Iterable[str], seed: int) -> Scenario:
    """The scenario with every "random" body replaced by one of the names; the same seed chooses the same."""
    dice = random.Random(seed)
    known = list(names)
    return replace(scenario, events=tuple(_aimed(event, dice.choice(known)) for event in scenario.events))


def _aimed(event: Event, body: str) -> Event:
    if event.body != RANDOM:
        return event
    return replace(event, target=body) if isinstance(event, Ball) else replace(event, body=body)


def _robustness(value: Any) -> Robustness:
    try:
        return Robustness.of(value)
    except BadSetting as problem:
        raise BadSetting(str(problem), "robustness", *problem.key) from None


def _ground(table: Any) -> Ground:
    if not isinstance(table, Mapping):
        raise BadSetting(f"ground = {checked.shown(table)} must be a table: [ground]", "ground")
    known = [f.name for f in fields(Ground)]
    for key in table:
        if key not in known:
            raise BadSetting(f"ground: key {checked.shown(key)} unknown{choices(key, known)}", "ground", key)
    try:
        return Ground(**table)
    except BadSetting as problem:
        raise BadSetting(str(problem), "ground", *problem.key) from None


def _events(tables: Any) -> tuple[Event, ...]:
    if not isinstance(tables, list):
        raise BadSetting("event must be an array of tables: [[event]]", "event")
    events = []
    for k, table in enumerate(tables):
        try:
            events.append(event_from_dict(table))
        except BadSetting as problem:
            raise BadSetting(str(problem), "event", k, *problem.key) from None
    return tuple(events)


def _beside(folder: Path, name: str | None) -> str | None:
    """A file's path seen from the working folder; a name without an ending is left alone, it is built in."""
    if name is None or (Path(name).suffix == "" and len(Path(name).parts) == 1):
        return name
    return str(folder / name)
