"""Reads a motion file of any known format; its ending tells which."""

from __future__ import annotations

from pathlib import Path

from poise.errors import BadFile
from poise.motion.clip import Clip

ENDINGS = (".bvh",)


def read(path: str | Path, *, animation: str | None = None) -> Clip:
    """The clip in a file, in the file's own units, axes and frame rate."""
    path = Path(path)
    ending = path.suffix.lower()
    if ending == ".bvh":
        from poise.motion import bvh

        return bvh.read(path)
    raise BadFile(path, f"ending '{path.suffix}' is unknown; expected one of {', '.join(ENDINGS)}")
