"""A clip by name or by file, read and tidied."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from poise.errors import BadFile, BadInput, choices
from poise.motion import library
from poise.motion.clip import Clip
from poise.motion.read import read
from poise.motion.tidy import Findings, tidy


def load(clip: str | Path, animation: str | None = None) -> Clip:
    """A built-in clip by name, or one read from a file, in the file's own units and axes."""
    if not isinstance(clip, str | Path) or not str(clip):
        raise BadInput(f"clip {clip!r} must be a file or the name of a built-in clip{choices(str(clip), library.names())}")
    if str(clip) in library.names():
        if animation is not None:
            raise BadInput(f"the built-in '{clip}' holds one motion, not animations such as '{animation}'; leave the name out")
        return library.load(str(clip))
    path = Path(clip)
    if not path.suffix and not path.exists():
        raise BadFile(path, f"is neither a file nor a built-in clip{choices(str(clip), library.names())}")
    return read(path, animation=animation)


def load_tidied(clip: str | Path | Clip, animation: str | None = None, **tidying: Any) -> tuple[Clip, Findings]:
    """The clip in metres, Z up, floor at 0, and what was found; `tidying` are the overrides of `tidy`."""
    if isinstance(clip, Clip) and animation is not None:
        raise BadInput(f"animation '{animation}' is chosen where a file is read; the clip '{clip.name}' has been read already")
    return tidy(clip if isinstance(clip, Clip) else load(clip, animation), **tidying)
