"""Tables of a scenario file as the settings they describe; errors say which key is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from poise.errors import choices
from poise.scenario.checked import BadSetting, shown

T = TypeVar("T")


def made(where: str, kind: type[T], table: Any, chooser: str | None = None) -> T:
    """The dataclass `kind` from a table with its fields as keys; `chooser` is the key by which the kind was chosen."""
    if not isinstance(table, Mapping):
        raise BadSetting(f"{where} {shown(table)} must be a table of keys and values")
    known = fields(kind)  # pyright: ignore[reportArgumentType]
    names = [f.name for f in known]
    for key in table:
        if key not in names and key != chooser:
            raise BadSetting(f"{where}: key {shown(key)} unknown{choices(str(key), names)}", key)
    for needed in known:
        if needed.name not in table and needed.default is MISSING:
            raise BadSetting(f"{where}: key '{needed.name}' is missing; it has: {', '.join(names)}")
    return kind(**{key: value for key, value in table.items() if key != chooser})


def chosen(where: str, kinds: Mapping[str, T], key: str, name: Any) -> T:
    """The kind of a name."""
    if not isinstance(name, str) or name not in kinds:
        asked = f"has no {key}" if name is None else f"{key} {shown(name)} unknown"
        raise BadSetting(f"{where}: {asked}{choices(str(name), kinds)}", key)
    return kinds[name]


def single(data: Mapping[str, Any], key: str, make: Callable[[Any], T]) -> T:
    """What a table [key] describes; an empty table where there is none."""
    table = data.get(key, {})
    if not isinstance(table, Mapping):
        raise BadSetting(f"{key} = {shown(table)} must be a table: [{key}]", key)
    return _at((key,), make, table)


def several(data: Mapping[str, Any], key: str, make: Callable[[Any], T]) -> tuple[T, ...]:
    """What the tables [[key]] describe, in their order."""
    tables = data.get(key, [])
    if not isinstance(tables, list):
        raise BadSetting(f"{key} must be an array of tables: [[{key}]]", key)
    return tuple(_at((key, k), make, table) for k, table in enumerate(tables))


def _at(place: tuple[str | int, ...], make: Callable[[Any], T], table: Any) -> T:
    try:
        return make(table)
    except BadSetting as problem:
        raise BadSetting(str(problem), *place, *problem.key) from None
