"""Problem (1) with its torques and accelerations eliminated; compiled.

Joint torques can make any accelerations of the joints, so the equations of motion bind only at the root, which nothing drives:
M_r u' + h_r = G x + r. Here G x is what the ground gives along the edges x >= 0 of its friction cones, r the residual wrench
that should not be. For given x and r the best accelerations are those of a least-squares problem with six equations, solved
once and for all by a Schur complement, and so is the best r for given x. What is left is a small box-constrained problem:

    min 1/2 (G x - y)^T Q (G x - y) + 1/2 e |x|^2,   x >= 0,        Q = (M_r A^-1 M_r^T + W_r^-1)^-1,   y = h_r + M_r A^-1 c,

where 1/2 u'^T A u' - c^T u' is the sum of the objectives. Then p = Q (y - G x), r = W_r^-1 p and u' = A^-1 (c - M_r^T p).
Each limit that a solution breaks, and each objective of a higher level, adds a row to M_r and, if it may give way, a number to x.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.control.limbs.ground_forces import Pushes, root_effect
from poise.control.limbs.inner import inner
from poise.control.limbs.kinematics import copy
from poise.control.limbs.linear import factorise, invert, solve, solve_rows
from poise.rotation import Array

_SINGULAR = 3e-11  # of the largest diagonal entry: keeps the complement invertible where rows depend on each other


class Problem(NamedTuple):
    """Room for a problem of n accelerations, at most R rows and X variables."""

    form: Array  # (n, n) A, then its Cholesky factor U with A = U^T U
    linear: Array  # (n,) c
    rows: Array  # (R, n) M_r and what is added to it
    offset: Array  # (R,) h_r and what is added to it
    slack: Array  # (R,) the diagonal of W_r^-1: how cheaply a row may be missed
    effect: Array  # (R, X) G
    lower: Array  # (X,)
    upper: Array  # (X,)
    free: Array  # (n,) A^-1 c
    answer: Array  # (R, n) A^-1 M_r^T, transposed
    inverse: Array  # (R, R) Q
    target: Array  # (R,) y
    quadratic: Array  # (X X,) the box problem's matrix, as much of it as is used
    gradient: Array  # (X,)
    used: NDArray[np.int64]  # (2,) rows, variables


def problem_of(nspins: int, nrows: int, nvariables: int) -> Problem:
    """Room for a problem."""
    n, r, x = nspins, nrows, nvariables
    shapes = [(n, n), (n,), (r, n), (r,), (r,), (r, x), (x,), (x,), (n,), (r, n), (r, r), (r,), (x * x,), (x,)]
    return Problem(*[np.zeros(shape) for shape in shapes], used=np.zeros(2, np.int64))


@inner
def begin(problem: Problem, root_rows: Array, bias: Array, residual: Array, pushes: Pushes, count: int) -> None:
    """The problem with the root's six rows and the ground's pushes only; `residual` (6,) is the diagonal of W_r^-1."""
    for r in range(6):
        copy(root_rows[r], problem.rows[r])
        problem.offset[r], problem.slack[r] = bias[r], residual[r]
    problem.effect[:] = 0.0
    root_effect(pushes, count, problem.effect)
    problem.lower[:count] = 0.0
    problem.upper[:count] = np.inf
    problem.used[0], problem.used[1] = 6, count


@inner
def factorise_objectives(problem: Problem) -> None:
    """Factors the objectives' matrix and finds the best accelerations without any row."""
    factorise(problem.form)
    copy(problem.linear, problem.free)
    solve(problem.form, problem.free)


@inner
def reduce_rows(problem: Problem, first: int) -> None:
    """What each row from `first` on does to the accelerations, and the complement's inverse over all rows."""
    used = problem.used[0]
    for r in range(first, used):
        copy(problem.rows[r], problem.answer[r])
    solve_rows(problem.form, problem.answer[first:used])
    complement = np.empty((used, used))
    largest = 0.0
    for r in range(used):
        problem.target[r] = problem.offset[r] + _dot(problem.rows[r], problem.free)
        for k in range(r, used):
            complement[r, k] = _dot(problem.rows[r], problem.answer[k])
        largest = max(largest, complement[r, r])
    for r in range(used):
        complement[r, r] += problem.slack[r] + _SINGULAR * largest
    invert(complement, problem.inverse[:used, :used])


@inner
def box_problem(problem: Problem, smallest: float, pushes: Pushes, npushes: int) -> None:
    """The matrix and the gradient at zero of the box-constrained problem; `smallest` is e, for the ground's pushes."""
    used, count = problem.used
    quadratic = problem.quadratic[: count * count].reshape(count, count)
    weighted = np.empty(used)
    for i in range(count):
        problem.gradient[i] = 0.0
        for r in range(used):
            weighted[r] = 0.0
            for k in range(used):
                weighted[r] += problem.inverse[r, k] * problem.effect[k, i]
            problem.gradient[i] -= weighted[r] * problem.target[r]
        quadratic[i, i:] = 0.0
        for r in range(used):
            for j in range(i, count):
                quadratic[i, j] += weighted[r] * problem.effect[r, j]
        quadratic[i, i] += smallest * pushes.price[i] if i < npushes else 0.0
        for j in range(i):
            quadratic[i, j] = quadratic[j, i]


@inner
def recover(problem: Problem, solution: Array, missed: Array, acceleration: Array) -> None:
    """The accelerations u' and what each row misses, W^-1 p: the first six are the residual wrench on the root."""
    used, count = problem.used
    copy(problem.free, acceleration)
    gap = problem.target[:used].copy()
    for r in range(used):
        for j in range(count):
            gap[r] -= problem.effect[r, j] * solution[j]
    for r in range(used):
        price = 0.0
        for k in range(used):
            price += problem.inverse[r, k] * gap[k]
        missed[r] = problem.slack[r] * price
        for i in range(acceleration.shape[0]):
            acceleration[i] -= problem.answer[r, i] * price


@njit(cache=True)
def _dot(a: Array, b: Array) -> float:
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total
