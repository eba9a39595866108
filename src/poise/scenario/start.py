"""How a character starts, as plain data: in the pose of its clip, or off balance."""

from __future__ import annotations

from dataclasses import dataclass

from poise.scenario import checked
from poise.scenario.checked import Interval


@dataclass(frozen=True)
class Start:
    """The whole body leans about the ground below its pelvis; every joint is turned by `scatter_deg` about a random axis."""

    lean_deg: float = 0.0
    lean_toward_deg: float = 0.0  # on the character's compass: 0 leans forward
    scatter_deg: float = 0.0

    def __post_init__(self) -> None:
        limits = {"lean_deg": Interval(0, 45), "lean_toward_deg": Interval(-360, 360), "scatter_deg": Interval(0, 90)}
        for key, within in limits.items():
            object.__setattr__(self, key, checked.number("start", key, getattr(self, key), within, "degrees"))

    @property
    def is_off_balance(self) -> bool:
        """Whether it differs from the clip's own first pose."""
        return self.lean_deg > 0.0 or self.scatter_deg > 0.0
