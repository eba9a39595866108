"""One clear line for each kind of trouble, when it begins and, if it goes on, now and then with its count."""

from __future__ import annotations

from collections.abc import Callable

_AGAIN = 10.0  # s between two lines of one kind


class Notices:
    """Counts what happens by kind and tells it through `tell`, at most one line of a kind in ten seconds."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.counts: dict[str, int] = {}
        self._tell = tell
        self._told: dict[str, tuple[float, int]] = {}

    def note(self, kind: str, line: str, now: float, times: int = 1) -> None:
        """Something of this kind happened (so many times) at `now`, seconds on any steady clock."""
        count = self.counts[kind] = self.counts.get(kind, 0) + times
        at, before = self._told.get(kind, (-_AGAIN, 0))
        if now - at < _AGAIN:
            return
        self._told[kind] = (now, count)
        self._tell(line if count - before == times else f"{line} ({count - before} times by now)")
