"""How laws are compiled that only compiled laws call."""

from __future__ import annotations

from typing import Any

from numba import njit

# What Python would need to call them is left out: for tuples of many arrays it takes as long to compile as the law itself.
_NOT_FROM_PYTHON: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

inner: Any = njit(cache=True, **_NOT_FROM_PYTHON)
