"""A TOML file with the line of every key, so that an error can point at it."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from poise.errors import BadFile

LARGEST = 1_000_000  # bytes; a scenario of a thousand events has a tenth of that

_ARRAY = re.compile(r"\s*\[\[([^\]]+)\]\]")
_TABLE = re.compile(r"\s*\[([^\[\]]+)\]\s*(#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_\-.\"' ]+?)\s*=")
_AT_LINE = re.compile(r"\s*\(at line (\d+), column \d+\)")

Key = tuple[str | int, ...]


@dataclass(frozen=True)
class Toml:
    """What a file says, and in which line: `data` as tomllib gives it, `lines` by key, such as ("event", 1, "force")."""

    path: Path
    data: dict[str, Any]
    lines: dict[Key, int]

    def error(self, problem: str, key: Key) -> BadFile:
        """The error that names the line of a key, or of the nearest table around it."""
        while key and key not in self.lines:
            key = key[:-1]
        return BadFile(self.path, problem, self.lines.get(key))


def read_toml(path: str | Path) -> Toml:
    """The file's data with the line of each key."""
    path = Path(path)
    text = _text(path)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # ValueError: also integers of thousands of digits
        raise _syntax_error(path, problem) from None
    return Toml(path, data, key_lines(text))


def key_lines(text: str) -> dict[Key, int]:
    """The line of each table, array of tables and key. A scan by eye: keys inside inline tables are not found."""
    lines: dict[Key, int] = {}
    table: Key = ()
    counts: Counter[str] = Counter()
    for line, content in enumerate(text.splitlines(), start=1):
        if match := _ARRAY.match(content):
            name = match[1].strip()
            table = (*_parts(name), counts[name])
            counts[name] += 1
            lines.setdefault(table, line)
        elif match := _TABLE.match(content):
            table = _parts(match[1])
            lines.setdefault(table, line)
        elif match := _KEY.match(content):
            lines.setdefault((*table, *_parts(match[1])), line)
    return lines


def _parts(dotted: str) -> Key:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as problem:
        raise BadFile(path, f"cannot be read: {problem.strerror}") from None
    if len(content) > LARGEST:
        raise BadFile(path, f"is larger than {LARGEST // 1000} kB; a scenario is a short TOML file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise BadFile(path, "is not UTF-8 text; a scenario is a TOML file", line) from None


def _syntax_error(path: Path, problem: Exception) -> BadFile:
    message = str(problem)
    place = _AT_LINE.search(message)
    if isinstance(problem, RecursionError):
        message = "arrays or tables are nested too deep"
    return BadFile(path, f"is no valid TOML: {_AT_LINE.sub('', message)}", int(place[1]) if place else None)
