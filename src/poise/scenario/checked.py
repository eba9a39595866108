"""Settings of a scenario, checked: each function returns the value or says what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from poise.errors import BadScenario

Vec3 = tuple[float, float, float]


class BadSetting(BadScenario):
    """A setting that cannot be; `key` is where it stands, so that the reader of a file can point at its line."""

    def __init__(self, message: str, *key: str | int) -> None:
        self.key = key
        super().__init__(message)


@dataclass(frozen=True)
class Interval:
    """The numbers from `low` to `high`; `low` itself only where not `above`."""

    low: float
    high: float
    above: bool = False

    def __contains__(self, value: float) -> bool:
        return (self.low < value if self.above else self.low <= value) and value <= self.high

    def __str__(self) -> str:
        return f"{'(' if self.above else '['}{self.low:g}, {self.high:g}]"


def number(where: str, key: str, value: Any, within: Interval, unit: str = "") -> float:
    """A finite number inside the limits."""
    limits = f"a number in {within}{' ' + unit if unit else ''}"
    if not isinstance(value, Real) or isinstance(value, bool):
        raise BadSetting(f"{_said(where, key, value)} must be {limits}", key)
    if not _is_finite(value) or float(value) not in within:
        raise BadSetting(f"{_said(where, key, value)} must be {limits}", key)
    return float(value)


def integer(where: str, key: str, value: Any, within: Interval) -> int:
    """A whole number inside the limits."""
    if not isinstance(value, Integral) or isinstance(value, bool) or not within.low <= int(value) <= within.high:
        raise BadSetting(f"{_said(where, key, value)} must be a whole number in {within}", key)
    return int(value)


def vector(where: str, key: str, value: Any, longest: float, unit: str) -> Vec3:
    """Three finite numbers (x, y, z) whose norm is at most `longest`."""
    try:
        parts = list(value) if not isinstance(value, str | bytes | dict) else []
    except TypeError:
        parts = []
    if len(parts) != 3 or not all(isinstance(part, Real) and not isinstance(part, bool) for part in parts):
        raise BadSetting(f"{_said(where, key, value)} must be three numbers [x, y, z] in {unit}", key)
    if not all(map(_is_finite, parts)) or math.hypot(*map(float, parts)) > longest:
        raise BadSetting(f"{_said(where, key, value)} must be finite and at most {longest:g} {unit} long", key)
    x, y, z = map(float, parts)
    return (x, y, z)


def text(where: str, key: str, value: Any) -> str:
    """A name that says something, on one line."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise BadSetting(f"{_said(where, key, value)} must be text", key)
    return value


def path(where: str, key: str, value: Any) -> str:
    """The path of a file, or a name in its place. File names may hold nearly anything."""
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise BadSetting(f"{_said(where, key, value)} must be the name of a file", key)
    return value


def flag(where: str, key: str, value: Any) -> bool:
    """True or false, not 0 or 1."""
    if not isinstance(value, bool):
        raise BadSetting(f"{_said(where, key, value)} must be true or false", key)
    return value


def kind(where: str, key: str, value: Any, wanted: Any) -> None:
    """An object of a class, or of one of several (`A | B`)."""
    if not isinstance(value, wanted):
        names = " or ".join(each.__name__ for each in getattr(wanted, "__args__", [wanted]))
        raise BadSetting(f"{_said(where, key, value)} must be of the kind {names}", key)


def shown(value: Any, longest: int = 60) -> str:
    """The value as one short line of a message."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        value = list(value[:8])
    try:
        line = repr(value)
    except ValueError:  # an integer of thousands of digits
        line = type(value).__name__
    line = " ".join(line.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def _said(where: str, key: str, value: Any) -> str:
    """A setting and its value, as messages begin; `where` may be empty where the key says enough."""
    return f"{where}: {key} = {shown(value)}" if where else f"{key} = {shown(value)}"


def _is_finite(value: Real) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False
