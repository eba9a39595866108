"""How the feedforward controller is put together, as plain data: where torques come from, what keeps the balance, gains."""

from __future__ import annotations

import math
from dataclasses import dataclass

from poise.scenario import checked
from poise.scenario.checked import BadSetting, Interval
from poise.scenario.tables import chosen

SOURCES = ("auxiliary", "inverse-dynamics", "learning", "none")
STRATEGIES = ("balance", "root-forces")
_STIFFNESS = Interval(0, 1e5, above=True)
_DAMPING = Interval(0, 1e3)
_STRENGTH = Interval(0, 1e5, above=True)
_PERIOD = Interval(0.1, 3600)


@dataclass(frozen=True)
class Feedforward:
    """The gains are those of the auxiliary simulation; the main one has the ratios of them (Nunes section 6).

    `source = "none"` with both ratios at 1 is high-gain tracking everywhere.
    """

    source: str = "auxiliary"
    strategy: str = "balance"  # underneath, in both worlds
    stiffness: float = 4000.0  # k_s, 1/s2
    damping: float = 18.0  # k_d, 1/s
    stiffness_ratio: float = 0.05
    damping_ratio: float = 1.0
    strength: float = 300.0  # Nm: the cap on a joint's torque, for a 72 kg adult
    tension: float = 0.0  # 1/s2, of antagonist springs at elbows and knees; 0 is without
    period: float | None = None  # s after which the clip repeats itself, for learning; by default that of a looped clip

    def __post_init__(self) -> None:
        where = "feedforward"
        chosen(where, dict.fromkeys(SOURCES), "source", self.source)
        chosen(where, dict.fromkeys(STRATEGIES), "strategy", self.strategy)
        checked.number(where, "stiffness", self.stiffness, _STIFFNESS, "1/s2")
        checked.number(where, "damping", self.damping, _DAMPING, "1/s")
        checked.number(where, "strength", self.strength, _STRENGTH, "Nm")
        checked.number(where, "tension", self.tension, Interval(0, _STIFFNESS.high), "1/s2")
        for key in ("stiffness_ratio", "damping_ratio"):
            _check_ratio(where, key, getattr(self, key))
        if self.period is not None:
            checked.number(where, "period", self.period, _PERIOD, "s")


def _check_ratio(where: str, key: str, value: object) -> None:
    if isinstance(value, int | float) and 1.0 < value < math.inf:
        why = "the main simulation would be stiffer than the auxiliary one, whose torques it is fed"
        raise BadSetting(f"{where}: {key} = {checked.shown(value)} is greater than 1: {why}; give a number in [0, 1]", key)
    checked.number(where, key, value, Interval(0, 1))
