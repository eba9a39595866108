"""Our own clips, shipped with the package: authored, not captured. See docs/library.md.

They are BVH files (Y up, centimetres, 60 frames per second, Mixamo-like names), written by `python -m tools.author_clips`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from poise.errors import BadInput, choices

if TYPE_CHECKING:
    from poise.motion.clip import Clip

_FOLDER = Path(__file__).parent


def names() -> tuple[str, ...]:
    """The clips that there are, in alphabetical order."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.bvh")))


def load(name: str) -> Clip:
    """The clip of that name, as its file has it: centimetres, Y up. `tidy` turns it into metres, Z up."""
    from poise.motion.bvh import read

    return read(path(name))


def path(name: str) -> Path:
    """The file of the clip of that name."""
    if name not in names():
        raise BadInput(f"unknown clip '{name}'{choices(name, names())}")
    return _FOLDER / f"{name}.bvh"
