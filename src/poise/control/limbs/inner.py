"""How laws are compiled that only compiled laws call."""

from __future__ import annotations

from numba import njit

# What Python would need to call them is left out: for tuples of many arrays it takes as long to compile as the law itself.
inner = njit(cache=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
