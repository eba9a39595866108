"""How much superhuman help a character may use: the two thresholds of da Silva et al. (14).

The artificial torque on a standing foot is the part of the wanted torque between `thr_min` and `thr_max`. On the dial,

    0 realistic     (200, 200) Nm    nothing lies between: no artificial torque at all
    0.5 plausible    (20, 200) Nm    the paper's usual choice
    1 superhuman     (0, 1000) Nm    the foot hardly ever topples

and in between both thresholds change linearly: from 0 to 0.5 help sets in ever earlier, from 0.5 to 1 it also reaches ever
farther. Realistic has the thresholds of plausible's end, not (20, 20), so that a little help is never worse than none: a
character gives up where `thr_max` is exceeded, and ordinary standing asks for far more than 20 Nm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from poise.errors import choices
from poise.scenario.checked import BadSetting, Interval, number, shown

DIAL = {"realistic": 0.0, "plausible": 0.5, "superhuman": 1.0}
TORQUE = Interval(0, 1e6)


@dataclass(frozen=True)
class Robustness:
    """Artificial torque on a standing foot sets in at `thr_min` and grows up to `thr_max`, newton metres."""

    thr_min: float
    thr_max: float

    def __post_init__(self) -> None:
        for key in ("thr_min", "thr_max"):
            object.__setattr__(self, key, number("robustness", key, getattr(self, key), TORQUE, "Nm"))
        if self.thr_min > self.thr_max:
            problem = f"thr_min = {self.thr_min:g} is greater than thr_max = {self.thr_max:g}"
            raise BadSetting(f"robustness: {problem} Nm; swap them, or make them equal for no help", "robustness")

    @property
    def helps(self) -> bool:
        """Whether any artificial torque can come of it."""
        return self.thr_max > self.thr_min

    def to_dict(self) -> dict[str, float]:
        """The thresholds as the summary of a run has them."""
        return asdict(self)

    @classmethod
    def of(cls, value: Any) -> Robustness:
        """The robustness of a name, a number on the dial 0 … 1, a pair (thr_min, thr_max) or a table of both."""
        if isinstance(value, Robustness):
            return value
        if isinstance(value, str):
            return _on_dial(_dial_of(value))
        if isinstance(value, Mapping):
            return _of_table(value)
        if isinstance(value, Sequence) and len(value) == 2:
            return cls(*value)
        return _on_dial(number("", "robustness", value, Interval(0, 1)))


def _dial_of(word: str) -> float:
    """The place on the dial of a name, or of a number written as text."""
    if word in DIAL:
        return DIAL[word]
    try:
        return number("", "robustness", float(word), Interval(0, 1))
    except ValueError:
        hint = choices(word, DIAL)
        raise BadSetting(f"robustness {shown(word)} is neither a name nor a number in [0, 1]{hint}", "robustness") from None


def _on_dial(dial: float) -> Robustness:
    if dial <= 0.5:
        return Robustness(200.0 - 360.0 * dial, 200.0)
    return Robustness(40.0 * (1.0 - dial), 1600.0 * dial - 600.0)


def _of_table(table: Mapping[str, Any]) -> Robustness:
    if set(table) != {"thr_min", "thr_max"}:
        raise BadSetting(f"robustness {shown(dict(table))} must have the keys thr_min and thr_max, in Nm", "robustness")
    return Robustness(table["thr_min"], table["thr_max"])
