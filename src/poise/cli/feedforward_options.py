"""Options of the feedforward controller."""

from __future__ import annotations

import argparse
from dataclasses import replace

from poise.errors import BadInput
from poise.scenario.feedforward import SOURCES, STRATEGIES, Feedforward
from poise.scenario.scenario import Scenario

_OPTIONS = {
    "source": "--feedforward",
    "strategy": "--strategy",
    "stiffness_ratio": "--stiffness-ratio",
    "damping_ratio": "--damping-ratio",
}


def add_feedforward_options(group: argparse._ArgumentGroup) -> None:
    """Adds what the command line can say about `Feedforward`; a scenario file can say more."""
    group.add_argument(
        "--feedforward",
        dest="source",
        choices=SOURCES,
        help="where its torques come from (default: auxiliary, a second simulation)",
    )
    group.add_argument("--strategy", choices=STRATEGIES, help="what keeps the balance underneath (default: balance)")
    for key, what in (("stiffness", "0.05"), ("damping", "1")):
        group.add_argument(
            f"--{key}-ratio", type=_number, metavar="X",
            help=f"{key} of the character, of the auxiliary's, 0 … 1 (default: {what})",
        )  # fmt: skip


def chosen_feedforward(args: argparse.Namespace, scenario: Scenario) -> Feedforward | None:
    """What the scenario says, overruled by the options; they are for no other controller."""
    given = {key: getattr(args, key) for key in _OPTIONS if getattr(args, key) is not None}
    if given and scenario.controller != "feedforward":
        raise BadInput(f"{_OPTIONS[next(iter(given))]} is for --controller feedforward")
    return replace(scenario.feedforward or Feedforward(), **given) if given else scenario.feedforward


def _number(word: str) -> float:
    """A number; `Feedforward` knows its limits, and the reason for them."""
    try:
        return float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{word}' is no number") from None
