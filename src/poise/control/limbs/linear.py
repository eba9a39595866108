"""Symmetric positive definite matrices: factor, solve, invert. Compiled; numba's own would need SciPy.

Inner loops go along slices, whose indices need no checks, and over three rows at once where that saves passes or waiting.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.rotation import Array


@njit(cache=True)
def factorise(matrix: Array) -> None:
    """Cholesky in place: of the upper triangle of A it makes U with A = U^T U; the rest is left alone.

    Three rows of U at a time are taken from those below, which are so read and written a third as often.
    """
    n = matrix.shape[0]
    for first in range(0, n, 3):
        after = min(first + 3, n)
        for k in range(first, after):
            pivot = 1.0 / np.sqrt(matrix[k, k])
            for j in range(k, n):
                matrix[k, j] *= pivot
            for i in range(k + 1, after):
                factor = matrix[k, i]
                for j in range(i, n):
                    matrix[i, j] -= factor * matrix[k, j]
        for i in range(after, n):
            a, b, c, row = matrix[first, i:], matrix[first + 1, i:], matrix[first + 2, i:], matrix[i, i:]
            x, y, z = a[0], b[0], c[0]
            if x != 0.0 or y != 0.0 or z != 0.0:
                for j in range(row.shape[0]):
                    row[j] = row[j] - x * a[j] - y * b[j] - z * c[j]


@njit(cache=True)
def solve(factor: Array, vector: Array) -> None:
    """vector = A^-1 vector, in place, with A = U^T U."""
    _go_down(factor, vector)
    _go_up(factor, vector)


@njit(cache=True)
def solve_rows(factor: Array, rows: Array) -> None:
    """The same for each of some rows (m, n)."""
    m = rows.shape[0]
    whole = m - m % 3
    for r in range(m):
        _go_down(factor, rows[r])
    for r in range(0, whole, 3):
        _go_up_abreast(factor, rows[r], rows[r + 1], rows[r + 2])
    for r in range(whole, m):
        _go_up(factor, rows[r])


@njit(cache=True)
def invert(matrix: Array, inverse: Array) -> None:
    """The inverse of a small matrix, which is spoilt (its upper triangle becomes the factor)."""
    factorise(matrix)
    inverse[:] = 0.0
    for k in range(matrix.shape[0]):
        inverse[k, k] = 1.0
        solve(matrix, inverse[k])


@njit(cache=True)
def _go_down(factor: Array, vector: Array) -> None:
    """vector = U^-T vector."""
    for k in range(vector.shape[0]):
        vector[k] /= factor[k, k]
        own, row, below = vector[k], factor[k, k + 1 :], vector[k + 1 :]
        for j in range(below.shape[0]):
            below[j] -= row[j] * own


@njit(cache=True)
def _go_up(factor: Array, vector: Array) -> None:
    """vector = U^-1 vector."""
    for k in range(vector.shape[0] - 1, -1, -1):
        total = vector[k]
        for j in range(k + 1, vector.shape[0]):
            total -= factor[k, j] * vector[j]
        vector[k] = total / factor[k, k]


@njit(cache=True)
def _go_up_abreast(factor: Array, a: Array, b: Array, c: Array) -> None:
    """The same for three vectors: each of their sums would wait for itself, number by number."""
    for k in range(a.shape[0] - 1, -1, -1):
        row, x, y, z = factor[k], a[k], b[k], c[k]
        for j in range(k + 1, a.shape[0]):
            x -= row[j] * a[j]
            y -= row[j] * b[j]
            z -= row[j] * c[j]
        a[k], b[k], c[k] = x / row[k], y / row[k], z / row[k]
