"""Symmetric positive definite matrices: factor, solve, invert. Compiled; numba's own would need SciPy."""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.rotation import Array


@njit(cache=True)
def factorise(matrix: Array) -> None:
    """Cholesky in place: of the upper triangle of A it makes U with A = U^T U; the rest is left alone."""
    n = matrix.shape[0]
    for k in range(n):
        pivot = 1.0 / np.sqrt(matrix[k, k])
        for j in range(k, n):
            matrix[k, j] *= pivot
        for i in range(k + 1, n):
            factor = matrix[k, i]
            if factor != 0.0:
                for j in range(i, n):
                    matrix[i, j] -= factor * matrix[k, j]


@njit(cache=True)
def solve(factor: Array, vector: Array) -> None:
    """vector = A^-1 vector, in place, with A = U^T U."""
    n = vector.shape[0]
    for k in range(n):
        vector[k] /= factor[k, k]
        for j in range(k + 1, n):
            vector[j] -= factor[k, j] * vector[k]
    for k in range(n - 1, -1, -1):
        total = vector[k]
        for j in range(k + 1, n):
            total -= factor[k, j] * vector[j]
        vector[k] = total / factor[k, k]


@njit(cache=True)
def invert(matrix: Array, inverse: Array) -> None:
    """The inverse of a small matrix, which is spoilt (its upper triangle becomes the factor)."""
    factorise(matrix)
    inverse[:] = 0.0
    for k in range(matrix.shape[0]):
        inverse[k, k] = 1.0
        solve(matrix, inverse[k])
