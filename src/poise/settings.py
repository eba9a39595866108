"""Settings of a run as they are given in Python: a wrong type or an unknown name is told in one line, not by a traceback."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from poise.character.character import Character
from poise.controller_names import CONTROLLERS, unknown
from poise.errors import BadInput, choices
from poise.limits import MASS_KG, STEP_S
from poise.motion.frame_rate import FPS_LIMITS
from poise.scenario import checked
from poise.scenario.checked import Interval, shown
from poise.scenario.events import DURATION
from poise.scenario.feedforward import Feedforward
from poise.scenario.scenario import SEED, Scenario

Check = Callable[[str, Any], object]
_NEEDED = ("character", "root_forces", "seed")  # None does not stand for "not given" here


def check_settings(known: Iterable[str], **settings: Any) -> None:
    """Raises where a setting is not among the known ones, or of the wrong kind; what it means is checked where it is used."""
    for key, value in settings.items():
        if key not in known:
            raise BadInput(f"unknown setting {key} = {shown(value)}{choices(key, known)}")
        if key in _CHECKS and (value is not None or key in _NEEDED):
            _CHECKS[key](key, value)


def _number(within: Interval, unit: str = "") -> Check:
    return lambda key, value: checked.number("", key, value, within, unit)


def _file_or(kind: type | None, also: str = "") -> Check:
    """A check for the name of a file, or for what such a file holds."""

    def check(key: str, value: Any) -> None:
        given = isinstance(value, str | Path) and str(value).strip()
        if not given and not (kind and isinstance(value, kind)):
            raise BadInput(f"{key} = {shown(value)} must be the name of a file{also}")

    return check


def _controller(key: str, value: Any) -> None:
    if isinstance(value, str):
        if value not in CONTROLLERS:
            raise BadInput(unknown(value))
    elif not (callable(getattr(value, "act", None)) and callable(getattr(value, "start", None))):
        raise BadInput(f"{key} = {shown(value)} must be one of {', '.join(CONTROLLERS)}, or an object that acts as they do")


_CHECKS: dict[str, Check] = {
    "dt": _number(Interval(*STEP_S), "s"),
    "mass": _number(Interval(*MASS_KG), "kg"),
    "duration": _number(DURATION, "s"),
    "fps": _number(Interval(*FPS_LIMITS)),
    "seed": lambda key, value: checked.integer("", key, value, SEED),
    "controller": _controller,
    "character": _file_or(Character, ", a built-in character, 'auto' or a Character"),
    "scenario": _file_or(Scenario, " or a Scenario"),
    "stance": _file_or(None),
    "style": lambda key, value: checked.text("", key, value),
    "feedforward": lambda key, value: checked.kind("", key, value, Feedforward),
    "dynamics": lambda key, value: checked.text("", key, value),
    "up": lambda key, value: checked.text("", key, value),
    "animation": lambda key, value: checked.text("", key, value),
    "root_forces": lambda key, value: checked.flag("", key, value),
    "keep_first_frame": lambda key, value: checked.flag("", key, value),
    "keep_jumps": lambda key, value: checked.flag("", key, value),
}
