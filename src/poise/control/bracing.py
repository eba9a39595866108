"""Bracing for blows that are expected: joints around the place of the blow grow firm before it comes."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from poise.character.character import Character
from poise.rotation import Mask

_BEFORE, _AFTER = 0.1, 0.05  # s: who sees a blow coming is tense so long before it, and until so long after it
_TENSING = 0.03  # s: time constant with which muscles grow tense, and slack again
_SLACK = 1e-3  # what is less is none


class Expectation(Protocol):
    """What is known of blows to come."""

    def struck(self, since: float, until: float) -> set[int]:
        """The segments that something hits, pushes or drags within a span of time."""
        ...


class Bracing:
    """How far each joint of a body is braced: `extent` (S - 1,), 0 ... 1, brought up to date in place.

    Nunes section 5 strikes the auxiliary world as well and leaves it at that: an expected blow then moves a limb as far as with
    high gains, which in a leg that carries the body is hardly less than with low ones. Who sees a blow coming grows tense.
    """

    def __init__(self, character: Character, dt: float) -> None:
        self.extent = np.zeros(character.nsegments - 1)
        self._around, self._rate = joints_around(character), 1.0 - np.exp(-dt / _TENSING)
        self._is_tense = False

    def update(self, expectation: Expectation, time: float) -> None:
        """Takes one step towards what the blows around this moment ask for."""
        struck = expectation.struck(time - _AFTER, time + _BEFORE)
        if struck or self._is_tense:
            self.extent += self._rate * (self._around[list(struck)].any(axis=0) - self.extent)
            self._is_tense = bool(self.extent.max() > _SLACK)


def joints_around(character: Character) -> Mask:
    """For each segment which joints (S, S - 1) brace it: its own, those of its limb above it, and those of what hangs on it."""
    parents, number = np.array(character.parents), np.arange(character.nsegments)
    hangs = parents[None, :] == number[:, None]
    around = hangs | np.eye(len(parents), dtype=bool)
    for k in number[1:]:
        above = parents[k]
        while above > 0 and hangs[above].sum() == 1:  # where the body branches, a limb ends
            around[k, above] = True
            above = parents[above]
    return around[:, 1:]
