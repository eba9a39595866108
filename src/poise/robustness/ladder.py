"""The largest force that is survived, found by climbing a ladder and bisecting its last rung."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

FIRST_RUNG = 20.0  # N
RISE = 1.25  # of one rung over the one below it: finer finds narrower gaps of failure, and takes more trials
FINEST, SHARE = 2.0, 0.01  # N, and of the force: the bisection ends at the coarser of both
STRONGEST = 20000.0  # N: who survives this is not measured any further

Trial = Callable[[float], str | None]  # what ends the character under a force in newtons; None where it survives


@dataclass(frozen=True)
class Limit:
    """The largest force survived, newtons; what ends the character just above it, and how many trials that took."""

    force_n: float
    ended_by: str | None  # None: nothing did, up to the strongest force that is tried
    ntrials: int


def largest_survived(trial: Trial) -> Limit:
    """The largest force below which no tried force fails.

    Survival need not be monotonic in the force: a stronger push may be survived where a weaker one is not. Therefore the
    search climbs from nothing in steps of a quarter and stops at the first rung that fails, instead of doubling until it
    has a failure; then it bisects between the last two rungs. Every force tried below the result was survived, and the
    result is within 2 N or 1 % of one that was not. A gap of failure narrower than a rung can be stepped over.
    """
    low, high, count = 0.0, 0.0, 1
    ended_by = trial(0.0)
    while ended_by is None:
        low, high = high, max(FIRST_RUNG, RISE * high)
        if high > STRONGEST:
            return Limit(low, None, count)
        ended_by = trial(high)
        count += 1
    while high - low > max(FINEST, SHARE * high):
        middle = 0.5 * (low + high)
        how = trial(middle)
        count += 1
        low, high, ended_by = (middle, high, ended_by) if how is None else (low, middle, how)
    return Limit(low, ended_by, count)
