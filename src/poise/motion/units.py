"""How long a file's unit is, judged by the size of the body: motion files hardly ever say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.errors import BadInput, choices

METRES_PER_UNIT = {
    "m": 1.0,
    "cm": 0.01,
    "mm": 0.001,
    "inch": 0.0254,
    "cmu": 0.0254 / 0.45,  # the CMU database: the ASF length 0.45 makes a unit of 1/0.45 inch
    "dm": 0.1,
    "foot": 0.3048,
}
HEIGHT_LIMITS_M = (1.0, 2.3)  # from the ankles to the top of the head
UNIT_LIMITS_M = (1e-6, 1e4)
FALLBACK_HEIGHT_M = 1.7

_USUAL_HEIGHT_M, _SPREAD = 1.6, 0.15  # of people, ankle to head, as a logarithm
_SURPRISE = {"dm": 1.5, "foot": 1.5}  # rare units must fit better: minus the logarithm of how much rarer they are


@dataclass(frozen=True)
class Units:
    """The file's unit: its name, its length in metres, and the height of the body that follows, from ankles to head."""

    name: str  # of METRES_PER_UNIT; "given" for a number, "body" where none fits and the body sets the scale
    scale: float
    height_m: float

    @property
    def plausible(self) -> bool:
        """Whether the body is as tall as people are, in a unit that exists."""
        low, high = HEIGHT_LIMITS_M
        return self.name != "body" and low <= self.height_m <= high

    @property
    def repair(self) -> str | None:
        if self.name == "body" or self.scale == 1.0:
            return None
        return f"units are {self.scale:.4g} m ({self.name}): the body is {self.height_m:.2f} m from ankles to head (--units)"

    @property
    def warning(self) -> str | None:
        low, high = HEIGHT_LIMITS_M
        if self.plausible:
            return None
        if self.name == "body":
            return f"no common unit makes the body {low:g} to {high:g} m tall: made it {self.height_m:.2f} m; tell with --units"
        return f"the body is {self.height_m:.2f} m from ankles to head, people are {low:g} to {high:g} m; check --units"


def find_units(height: float) -> Units:
    """The unit in which a body of this height (file units) is most like a person; if none fits, it is made 1.7 m tall."""
    low, high = HEIGHT_LIMITS_M
    fits = {name: scale for name, scale in METRES_PER_UNIT.items() if low <= height * scale <= high}
    if fits:
        name = min(fits, key=lambda unit: _doubt(unit, height * fits[unit]))
        return Units(name, fits[name], height * fits[name])
    if height == 0.0:  # a skeleton without length says nothing
        return Units("m", 1.0, 0.0)
    return Units("body", FALLBACK_HEIGHT_M / height, FALLBACK_HEIGHT_M)


def given_units(units: str | float, height: float) -> Units:
    """The unit that the caller names, or gives as metres per unit."""
    name = units if isinstance(units, str) and units in METRES_PER_UNIT else "given"
    scale = METRES_PER_UNIT.get(name) or _number(units)
    return Units(name, scale, height * scale)


def _doubt(name: str, height_m: float) -> float:
    return 0.5 * (np.log(height_m / _USUAL_HEIGHT_M) / _SPREAD) ** 2 + _SURPRISE.get(name, 0.0)


def _number(units: str | float) -> float:
    low, high = UNIT_LIMITS_M
    try:
        scale = float(units)
    except (ValueError, TypeError):
        raise BadInput(f"units '{units}' unknown{choices(str(units), METRES_PER_UNIT)}, or give metres per unit") from None
    if not low <= scale <= high:
        raise BadInput(f"units {scale:g} metres per unit must lie between {low:g} and {high:g}")
    return scale
