"""Events in one word, for the command line.

    BODY:X,Y,Z[,expected]@AT[+DURATION]              a push       chest:250,0,0@1.0+0.2
    TARGET[:MASSkg,SPEEDm/s,FROMdeg,expected]@AT     a ball       head:5kg,5m/s,90deg@2.0

A ball's parts may come in any order, and what is left out is that of `Ball`.
"""

from __future__ import annotations

from typing import Any

from poise.errors import BadScenario
from poise.scenario.checked import shown
from poise.scenario.events import Ball, Push

PUSH_EXAMPLE = "chest:250,0,0@1.0+0.2"
BALL_EXAMPLE = "head:5kg,5m/s,90deg@2.0"

_UNITS = {"kg": "mass", "m/s": "speed", "deg": "from_deg"}


def parse_push(word: str) -> Push:
    """The push of `chest:250,0,0@1.0+0.2`: 250 N along x on the chest, at 1 s, for 0.2 s."""
    try:
        body, rest = word.rsplit(":", 1)
        force, when = rest.split("@")
        at, plus, duration = when.partition("+")
        numbers, expected = force.removesuffix(",expected"), force.endswith(",expected")
        x, y, z = (float(part) for part in numbers.split(","))
        timing: dict[str, Any] = {"at": float(at)} | ({"duration": float(duration)} if plus else {})
    except ValueError:
        raise BadScenario(
            f"push {shown(word)} is not BODY:X,Y,Z[,expected]@AT+DURATION (newtons, seconds), such as {PUSH_EXAMPLE}"
        ) from None
    return Push(body.strip(), (x, y, z), **timing, expected=expected)


def parse_ball(word: str) -> Ball:
    """The ball of `head:5kg,5m/s,90deg@2.0`: it meets the head at 2 s, coming from the right."""
    try:
        aim, at = word.rsplit("@", 1)
        target, colon, parts = aim.partition(":")
        settings = dict(_ball_part(part.strip()) for part in parts.split(",")) if colon else {}
        settings["at"] = float(at)
    except ValueError:
        raise BadScenario(
            f"ball {shown(word)} is not TARGET:MASSkg,SPEEDm/s,FROMdeg[,expected]@AT, such as {BALL_EXAMPLE}"
        ) from None
    return Ball(target=target.strip(), **settings)


def _ball_part(part: str) -> tuple[str, Any]:
    if part == "expected":
        return "expected", True
    for unit, name in _UNITS.items():
        if part.endswith(unit):
            return name, float(part.removesuffix(unit))
    raise ValueError(part)
