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
        solution = self._attempt(quadratic, gradient, lower, upper)
        if solution is None:
            solution = self._attempt_scaled(quadratic, gradient, lower, upper)
        self.failures += solution is None
        return solution

    def _attempt_scaled(self, quadratic: Array, gradient: Array, lower: Array, upper: Array) -> Array | None:
        """The same with a diagonal of ones: newtons beside newton metres of limits can make the method go round in circles."""
        diagonal = np.diag(quadratic)
        if not np.all(diagonal > 0.0):
            return None
        unit = 1.0 / np.sqrt(diagonal)
        scaled = self._attempt(quadratic * np.outer(unit, unit), gradient * unit, lower / unit, upper / unit)
        return None if scaled is None else unit * scaled

    def _attempt(self, quadratic: Array, gradient: Array, lower: Array, upper: Array) -> Array | None:
        none, sense = _no_rows(len(gradient))
        try:
            solution, _, flag, _ = self._solve(quadratic, gradient, none, upper, lower, sense, iter_limit=_MOST_ITERATIONS)
        except (ValueError, ArithmeticError):
            return None
        return solution if flag > 0 and np.isfinite(solution).all() else None


@cache
def _daqp() -> Callable[..., Any]:
    """Loaded only when a law needs it."""
    import daqp

    return daqp.solve


@cache
def _no_rows(n: int) -> tuple[Array, NDArray[np.int32]]:
    """No general constraints for n variables, and bounds of the ordinary sense."""
    return np.zeros((0, n)), np.zeros(n, np.int32)
