"""The box-constrained quadratic program, by daqp (Arnström et al., a dual active-set method)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.rotation import Array

_MOST_ITERATIONS = 500  # ten times what any clip has needed; a problem that takes more is no problem but a mistake


class BoxSolver:
    """min 1/2 x^T H x + g^T x within lower <= x <= upper. Where there is no solution it says so and counts."""

    def __init__(self) -> None:
        self.failures = 0
        self._solve = _daqp()

    def solve(self, quadratic: Array, gradient: Array, lower: Array, upper: Array) -> Array | None:
        """The solution, or None: numbers that are not finite, a matrix that is not positive definite, too many iterations."""
        none, sense = _no_rows(len(gradient))
        try:
            solution, _, flag, _ = self._solve(quadratic, gradient, none, upper, lower, sense, iter_limit=_MOST_ITERATIONS)
        except (ValueError, ArithmeticError):
            flag, solution = -1, gradient
        if flag <= 0 or not np.isfinite(solution).all():
            self.failures += 1
            return None
        return solution


@cache
def _daqp() -> Callable[..., Any]:
    """Loaded only when a law needs it."""
    import daqp

    return daqp.solve


@cache
def _no_rows(n: int) -> tuple[Array, NDArray[np.int32]]:
    """No general constraints for n variables, and bounds of the ordinary sense."""
    return np.zeros((0, n)), np.zeros(n, np.int32)
