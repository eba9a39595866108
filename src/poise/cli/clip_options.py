"""The clip on the command line, and the options that overrule what Poise guesses about it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from poise.scenario.checked import Interval, number

UNITS = ("m", "dm", "cm", "mm", "inch", "foot", "cmu")
OVERRIDES = ("units", "up", "floor", "fps", "keep_first_frame", "keep_jumps", "animation")


def add_overrides(parser: argparse.ArgumentParser) -> None:
    """Adds one option per guess of `poise.motion.tidy`."""
    group = parser.add_argument_group("if Poise has misunderstood the file")
    group.add_argument("--units", help=f"length unit: {', '.join(UNITS)}, or metres per unit as a number")
    group.add_argument("--up", choices=("x", "y", "z", "-x", "-y", "-z"), help="the axis that points up, such as --up=-y")
    group.add_argument("--floor", type=_floor, metavar="M|keep", help="height of the floor above the file's zero; keep: at zero")
    group.add_argument("--fps", type=numeric("fps", 0.1, 1e4), help="true frame rate, whatever the file says")
    group.add_argument("--animation", metavar="NAME", help="which one, of a glTF file that holds several")
    first = group.add_mutually_exclusive_group()
    first.add_argument("--keep-first-frame", dest="keep_first_frame", action="store_true", default=None, help="it is no T-pose")
    first.add_argument("--drop-first-frame", dest="keep_first_frame", action="store_false", help="it is an added T-pose")
    group.add_argument("--keep-jumps", action="store_true", default=None, help="leave jumps of the motion unmended")


def overrides(args: argparse.Namespace) -> dict[str, Any]:
    """The overrides that were given, as `tidy` takes them."""
    return {name: getattr(args, name) for name in OVERRIDES if getattr(args, name) is not None}


def numeric(name: str, low: float, high: float, above: bool = False) -> Callable[[str], float]:
    """A converter for argparse: a finite number within limits."""

    def convert(word: str) -> float:
        try:
            value = float(word)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{word}' is no number") from None
        return number("command line", f"--{name}", value, Interval(low, high, above))

    return convert


def _floor(word: str) -> float | str:
    return word if word == "keep" else numeric("floor", -1000, 1000)(word)
