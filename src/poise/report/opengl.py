"""Which off-screen OpenGL works here, found out without harm."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module

_PROBE = """
import importlib, mujoco
context = importlib.import_module("mujoco.{backend}").GLContext(64, 64)
context.make_current()
model = mujoco.MjSpec().compile()
mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100.value)
print("works", flush=True)
__import__("os")._exit(0)
"""
_PROBE_SECONDS = 60.0


@cache
def backend() -> str | None:
    """The name of the OpenGL backend to draw with ("egl", "osmesa", "glfw", "cgl"), or None where there is none.

    `MUJOCO_GL`, where set, is the only one tried ("disable" means none). Each is tried in a process of its own,
    because a broken driver may crash or leave PyOpenGL bound to the wrong platform.
    """
    return next((name for name in _candidates() if _works(name)), None)


@contextmanager
def context(width: int, height: int) -> Iterator[None]:
    """An off-screen OpenGL context of the working backend, current until the block ends."""
    made = import_module(f"mujoco.{backend()}").GLContext(width, height)
    made.make_current()
    try:
        yield
    finally:
        made.free()


def _candidates() -> list[str]:
    wanted = os.environ.get("MUJOCO_GL", "").lower().strip()
    if wanted in ("disable", "disabled", "off", "false", "0"):
        return []
    if wanted in ("egl", "osmesa", "glfw", "cgl"):
        return [wanted]
    if sys.platform == "darwin":
        return ["cgl", "glfw"]
    if sys.platform == "win32":
        return ["glfw"]
    return ["egl", "osmesa", *(["glfw"] if os.environ.get("DISPLAY") else [])]


def _works(name: str) -> bool:
    try:
        run = subprocess.run(
            [sys.executable, "-c", _PROBE.format(backend=name)],
            env={**os.environ, "MUJOCO_GL": name},
            capture_output=True,
            text=True,
            timeout=_PROBE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return "works" in run.stdout
