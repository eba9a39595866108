"""A scenario: what a run is made of, read from a TOML file. Settings that it leaves out are None."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from poise.controller_names import CONTROLLERS, unknown
from poise.errors import BadFile, BadScenario, choices
from poise.scenario import checked
from poise.scenario.checked import BadSetting, Interval
from poise.scenario.events import DURATION, RANDOM, AimedEvent, Ball, Event, event_from_dict, listed
from poise.scenario.feedforward import Feedforward
from poise.scenario.ground import AnyGround, Ground, ground_from_dict
from poise.scenario.hold_level import HoldLevel
from poise.scenario.robustness import Robustness
from poise.scenario.start import Start
from poise.scenario.tables import made, several, single
from poise.scenario.toml_reading import read_toml

SEED = Interval(0, 2**63 - 1)
LOOPS = Interval(1, 1000)


@dataclass(frozen=True)
class Scenario:
    """The settings of a run. `clip` is a file or the name of a built-in clip; without it the character holds its pose."""

    clip: str | None = None
    duration: float | None = None  # seconds
    robustness: Robustness | None = None  # or anything that `Robustness.of` takes
    seed: int | None = None
    controller: str | None = None
    character: str | None = None
    loop: int = 1  # how many times the clip is played
    feedforward: Feedforward | None = None  # how the controller of that name is put together
    ground: AnyGround = field(default_factory=Ground)
    start: Start = field(default_factory=Start)
    hold_level: tuple[HoldLevel, ...] = ()
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        for key, check in (("clip", checked.path), ("character", checked.path), ("controller", checked.text)):
            if getattr(self, key) is not None:
                check("", key, getattr(self, key))
        if self.controller is not None and self.controller not in CONTROLLERS:
            raise BadSetting(unknown(self.controller), "controller")
        if self.duration is not None:
            object.__setattr__(self, "duration", checked.number("", "duration", self.duration, DURATION, "s"))
        if self.robustness is not None:
            object.__setattr__(self, "robustness", _robustness(self.robustness))
        if self.seed is not None:
            checked.integer("", "seed", self.seed, SEED)
        checked.integer("", "loop", self.loop, LOOPS)
        checked.kind("", "feedforward", self.feedforward, Feedforward | None)
        checked.kind("", "ground", self.ground, AnyGround)
        checked.kind("", "start", self.start, Start)
        checked.kind("", "hold_level", self.hold_level, tuple)
        object.__setattr__(self, "events", listed(self.events))


def read_scenario(path: str | Path) -> Scenario:
    """The scenario of a TOML file; a relative clip or character file is looked for beside it."""
    toml = read_toml(path)
    if not toml.data:
        raise BadFile(path, 'says nothing; a scenario has settings such as clip = "walk" or [[event]] tables (docs/scenarios.md)')
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
    tables = {
        "ground": single(data, "ground", ground_from_dict),
        "feedforward": _feedforward(data),
        "start": single(data, "start", lambda table: made("start", Start, table)),
        "hold_level": several(data, "hold_level", lambda table: made("hold_level", HoldLevel, table)),
    }
    settings = {key: value for key, value in data.items() if key not in (*tables, "event")}
    return Scenario(**settings, **tables, events=several(data, "event", event_from_dict))


def check_bodies(scenario: Scenario, names: Iterable[str]) -> None:
    """Raises where an event is aimed at a body that the character does not have, or one is to be held that it has not."""
    known = list(names)
    for event in scenario.events:
        if isinstance(event, AimedEvent) and event.body != RANDOM and event.body not in known:
            hint = choices(event.body, [*known, RANDOM])
            raise BadScenario(f"{event.type} at {event.at:g} s: body '{event.body}' unknown{hint}")
    for hold in scenario.hold_level:
        if hold.body not in known[1:]:
            raise BadScenario(f"hold_level: body '{hold.body}' unknown or without a joint{choices(hold.body, known[1:])}")


def choose_bodies(scenario: Scenario, names: Iterable[str], seed: int) -> Scenario:
    """The scenario with every "random" body replaced by one of the names; the same seed chooses the same."""
    dice = random.Random(seed)
    known = list(names)
    return replace(scenario, events=tuple(_aimed(event, dice.choice(known)) for event in scenario.events))


def _aimed(event: Event, body: str) -> Event:
    if not isinstance(event, AimedEvent) or event.body != RANDOM:
        return event
    return replace(event, target=body) if isinstance(event, Ball) else replace(event, body=body)


def _feedforward(data: Mapping[str, Any]) -> Feedforward | None:
    if "feedforward" not in data:
        return None
    return single(data, "feedforward", lambda table: made("feedforward", Feedforward, table))


def _robustness(value: Any) -> Robustness:
    try:
        return Robustness.of(value)
    except BadSetting as problem:
        raise BadSetting(str(problem), "robustness", *problem.key) from None


def _beside(folder: Path, name: str | None) -> str | None:
    """A file's path seen from the working folder; a name without an ending is left alone, it is built in."""
    if name is None or (Path(name).suffix == "" and len(Path(name).parts) == 1):
        return name
    return str(folder / name)
