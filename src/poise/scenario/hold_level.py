"""A segment that is to stay level, as plain data: a hand with a cup in it (da Silva section 6, holding cup)."""

from __future__ import annotations

from dataclasses import dataclass

from poise.scenario import checked
from poise.scenario.checked import BadSetting, Interval, Vec3

_LONGEST_AXIS = 1e3


@dataclass(frozen=True)
class HoldLevel:
    """The joint above `body` keeps the body's own `axis` upright in the world; about the vertical it goes on as it would.

    The default axis of a hand that hangs with its thumb to the front is the thumb's: that of a cup in its grip. With `bend_deg`
    the next joint above, a hand's elbow, is kept bent forward by so much instead of following the clip.
    """

    body: str
    axis: Vec3 = (1.0, 0.0, 0.0)
    stiffness: float = 20.0  # Nm/rad
    bend_deg: float | None = None

    def __post_init__(self) -> None:
        values = {
            "body": checked.text("hold_level", "body", self.body),
            "axis": checked.vector("hold_level", "axis", self.axis, _LONGEST_AXIS, "any unit"),
            "stiffness": checked.number("hold_level", "stiffness", self.stiffness, Interval(0, 1e4), "Nm/rad"),
        }
        if self.bend_deg is not None:
            values["bend_deg"] = checked.number("hold_level", "bend_deg", self.bend_deg, Interval(-180, 180), "degrees")
        if not any(values["axis"]):
            raise BadSetting("hold_level: axis = [0, 0, 0] points nowhere", "axis")
        for name, value in values.items():
            object.__setattr__(self, name, value)
