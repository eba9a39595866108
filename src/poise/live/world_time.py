"""How simulated time lies beside the clock on the wall, while steps are taken in small batches and some time may get lost."""

from __future__ import annotations

_WINDOW = 0.25  # s
_LOST = 0.15  # s: more than a batch of steps catches up with


class WorldTime:
    """Simulated time minus wall time, as it is at the end of each batch of steps: the largest of the last moments."""

    def __init__(self) -> None:
        self._offset: float | None = None
        self._newest = 0.0  # the largest since the window began
        self._began = 0.0

    def keep(self, time: float, now: float) -> None:
        """Takes note of the step at the simulated `time`, taken at `now`."""
        offset = time - now
        if self._offset is None or abs(offset - self._offset) > _LOST:
            self._offset, self._newest, self._began = offset, offset, now
            return
        self._newest = max(self._newest, offset)
        self._offset = max(self._offset, offset)
        if now - self._began > _WINDOW:
            self._offset, self._newest, self._began = self._newest, offset, now

    def simulated(self, moment: float) -> float:
        """The simulated time of a moment on the wall."""
        return moment + (self._offset or 0.0)
