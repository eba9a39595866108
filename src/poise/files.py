"""Files are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from poise.errors import BadFile, BadInput


def path_of(given: object, also: str = "") -> Path:
    """The path that was given; `also` says what could stand in its place, such as " or a built-in character"."""
    if not isinstance(given, str | Path) or not str(given).strip() or "\0" in str(given):
        raise BadInput(f"{textwrap.shorten(repr(given), 60)} must be the name of a file{also}")
    return Path(given)


@contextmanager
def whole(path: str | Path) -> Iterator[Path]:
    """A temporary file beside `path` to write to; it takes the place of `path` when the block ends without an error."""
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}.", suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise BadFile(path, f"cannot be written in '{path.parent}': {error.strerror}; choose a folder that exists") from None
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
        draft.chmod(0o644)
        draft.replace(path)
    except OSError as error:
        raise BadFile(path, f"cannot be written: {error.strerror}") from None
    finally:
        draft.unlink(missing_ok=True)


def write_whole(path: str | Path, data: bytes) -> None:
    """Writes bytes to a file, whole or not at all."""
    with whole(path) as draft:
        draft.write_bytes(data)
