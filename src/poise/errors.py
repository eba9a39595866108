"""What can go wrong, as a small tree.

    PoiseError
    ├── BadInput               something the caller gave; the command line exits with 2
    │   ├── BadFile            a file that cannot be read: names file and, where known, line
    │   ├── BadCharacter       a skeleton or character that cannot be simulated
    │   └── BadScenario        an event, ground or robustness that cannot be
    └── SimulationDiverged     the physics blew up; the command line exits with 3

A message is one line: the thing, its value, the limits, the remedy. Falling is a result, not an error.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from poise.take import Take


class PoiseError(Exception):
    """Every error that Poise raises on purpose."""


class BadInput(PoiseError):
    """The caller gave something that cannot be used."""


class BadFile(BadInput):
    """A file that cannot be read or written: `walk.bvh:214: problem; remedy`."""

    def __init__(self, path: str | Path, problem: str, line: int | None = None) -> None:
        self.path = Path(path)
        self.line = line
        self.problem = problem
        where = f"{self.path.name}:{line}" if line else f"{self.path.name}"
        super().__init__(f"{where}: {problem}")


class BadCharacter(BadInput):
    """A skeleton or a character that cannot be simulated."""


class BadScenario(BadInput):
    """A scenario, an event or a setting that cannot be."""


class SimulationDiverged(PoiseError):
    """The physics produced NaN or exploding energy; `take` holds the last second before it, to be saved and replayed."""

    take: Take | None = None


def choices(given: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest match, then what there is."""
    names = sorted(known)
    near = difflib.get_close_matches(given, names, n=1, cutoff=0.5)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return f"{hint} (there are: {', '.join(names)})"
