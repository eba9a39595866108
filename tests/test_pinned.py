"""Arrays handed to compiled functions by address are the same arrays."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from numba import njit

from poise.pinned import Pinned, views

LAYOUT = "f2 b1 i1 f3"


@njit
def _sum_and_mark(where, start):
    numbers, marks, counts, deep = views(where, LAYOUT)
    total = start + numbers.sum() + counts.sum()
    for k in range(marks.shape[0]):
        total += 100.0 if marks[k] else 0.0
        marks[k] = not marks[k]
    deep[1, 2, 3] = numbers[3, 2]
    return total


def _arrays():
    return np.arange(12.0).reshape(4, 3), np.array([True, False, True]), np.array([1000, 2000]), np.zeros((2, 3, 4))


def test_a_pinned_array_is_read_and_written_where_it_lies():
    numbers, marks, counts, deep = _arrays()
    pinned = Pinned(LAYOUT, numbers, marks, counts, deep)
    assert _sum_and_mark(pinned.where, 0.5) == 0.5 + 66.0 + 3000.0 + 200.0
    assert marks.tolist() == [False, True, False]
    assert deep[1, 2, 3] == 11.0 and np.count_nonzero(deep) == 1


def test_pinned_arrays_live_as_long_as_what_pins_them():
    pinned = Pinned(LAYOUT, *_arrays())
    gc.collect()
    assert _sum_and_mark(pinned.where, 0.0) == 3266.0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda a: (a[0].astype(np.float32), *a[1:]),
        lambda a: (a[0].T, *a[1:]),
        lambda a: (a[0].ravel(), *a[1:]),
        lambda a: a[:3],
    ],
)
def test_arrays_that_do_not_fit_the_layout_are_refused(wrong):
    with pytest.raises(ValueError, match="layout"):
        Pinned(LAYOUT, *wrong(_arrays()))
