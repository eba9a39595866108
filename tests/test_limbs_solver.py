"""The box-constrained program: against its optimality conditions, and when there is no solution."""

from __future__ import annotations

import numpy as np
import pytest

from poise.control.limbs.linear import factorise, invert, solve, solve_rows
from poise.control.limbs.solver import BoxSolver

OPTIMAL = 1e-8  # of gradients, in problems whose numbers are about one
EXACT = 1e-10


def random_problem(seed, n=20):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(6, n))
    return rows.T @ rows + 1e-2 * np.eye(n), rng.normal(size=n), np.zeros(n), np.where(rng.random(n) < 0.5, np.inf, 0.3)


@pytest.mark.parametrize("seed", range(5))
def test_the_solution_fulfils_the_conditions_of_optimality(seed):
    quadratic, linear, lower, upper = random_problem(seed)
    x = BoxSolver().solve(quadratic, linear, lower, upper)
    slope = quadratic @ x + linear
    inside = (x > lower + OPTIMAL) & (x < upper - OPTIMAL)
    assert np.all(x >= lower - OPTIMAL)
    assert np.all(x <= upper + OPTIMAL)
    assert np.abs(slope[inside]).max(initial=0.0) < OPTIMAL
    assert slope[x <= lower + OPTIMAL].min(initial=0.0) > -OPTIMAL
    assert slope[x >= upper - OPTIMAL].max(initial=0.0) < OPTIMAL


@pytest.mark.parametrize("seed", range(5))
def test_the_units_of_the_variables_do_not_matter(seed):
    quadratic, linear, lower, upper = random_problem(seed)
    unit = 10.0 ** np.random.default_rng(seed).uniform(-4.0, 4.0, len(linear))
    x = BoxSolver().solve(quadratic * np.outer(unit, unit), linear * unit, lower / unit, upper / unit)
    assert np.allclose(unit * x, BoxSolver().solve(quadratic, linear, lower, upper), atol=OPTIMAL)


@pytest.mark.parametrize("broken", ["nan", "negative", "empty box"])
def test_a_problem_without_solution_is_counted_and_survived(broken):
    quadratic, linear, lower, upper = random_problem(0)
    if broken == "nan":
        linear = linear * np.nan
    elif broken == "negative":
        quadratic = -quadratic
    else:
        upper = lower - 1.0
    solver = BoxSolver()
    assert solver.solve(quadratic, linear, lower, upper) is None
    assert solver.failures == 1
    assert solver.solve(*random_problem(1)) is not None


def test_no_variables_at_all_are_no_problem():
    assert BoxSolver().solve(np.zeros((0, 0)), np.zeros(0), np.zeros(0), np.zeros(0)) is not None


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20])  # rows are taken three at a time, and one or two may be left
def test_factors_and_inverses_are_those_of_numpy(n):
    matrix = random_problem(3, n)[0] + np.eye(n)
    upper, vector, inverse = np.triu(matrix), np.arange(float(n)), np.zeros((n, n))
    expected = np.linalg.solve(matrix, vector)
    factorise(upper)
    assert np.allclose(upper, np.linalg.cholesky(matrix).T, rtol=EXACT, atol=EXACT)
    solve(upper, vector)
    assert np.allclose(vector, expected, rtol=EXACT, atol=EXACT)
    invert(matrix.copy(), inverse)
    assert np.allclose(inverse, np.linalg.inv(matrix), rtol=EXACT, atol=EXACT)


@pytest.mark.parametrize("m", [0, 1, 3, 5])
def test_rows_that_are_solved_abreast_come_out_as_one_by_one(m):
    upper, rows = np.triu(random_problem(3)[0] + np.eye(20)), np.random.default_rng(m).normal(size=(m, 20))
    factorise(upper)
    alone = rows.copy()
    for row in alone:
        solve(upper, row)
    solve_rows(upper, rows)
    assert np.array_equal(rows, alone)
