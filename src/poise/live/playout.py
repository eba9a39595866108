"""How long frames are held back so that late ones are there in time: nothing on a good line, no more than needed on a bad one."""

from __future__ import annotations

_LONGEST = 0.12  # s
_HARMLESS = 0.012  # s of lateness that the follower bridges by itself
_SLOWER, _FASTER = 0.15, 0.05  # s per second by which the delay grows and shrinks: motion runs 15 % slower, 5 % faster


class Playout:
    """The delay between a frame's moment and its use, seconds."""

    def __init__(self) -> None:
        self.delay = 0.0

    def start(self, lateness: float) -> None:
        """Takes what is needed at once: nothing moves yet."""
        self.delay = _wanted(lateness)

    def adapt(self, dt: float, lateness: float) -> None:
        """Moves the delay towards what the lateness of frames asks for."""
        wanted = _wanted(lateness)
        if wanted > self.delay:
            self.delay = min(self.delay + _SLOWER * dt, wanted)
        else:
            self.delay = max(self.delay - _FASTER * dt, wanted)


def _wanted(lateness: float) -> float:
    return min(max(lateness - _HARMLESS, 0.0), _LONGEST)
