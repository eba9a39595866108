"""Joint names that every format can hold: printable, without braces, not blank, no two alike."""

from __future__ import annotations

from collections.abc import Iterable


def usable_names(names: Iterable[str]) -> tuple[str, ...]:
    """The same names, changed only where they must be: odd characters become '_', repeated names get a number."""
    taken: set[str] = set()
    usable = []
    for k, name in enumerate(names):
        plain = "".join(c if c.isprintable() and c not in "{}" else "_" for c in name).strip() or f"joint_{k}"
        free, number = plain, 2
        while free in taken:
            free, number = f"{plain}_{number}", number + 1
        taken.add(free)
        usable.append(free)
    return tuple(usable)
