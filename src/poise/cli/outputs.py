"""The files that a run shall leave: checked before the work begins, written after it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from poise.cli.progress import progress
from poise.errors import BadFile, choices

if TYPE_CHECKING:
    from poise.take import Take

ENDINGS = (".bvh", ".glb", ".npz", ".mp4", ".png", ".csv")


def check_outputs(paths: Sequence[Path], clip: Path | None = None, endings: Sequence[str] = ENDINGS) -> None:
    """Raises where a file cannot be written, so that nobody waits for a run in vain."""
    for k, path in enumerate(paths):
        if path.suffix.lower() not in endings:
            raise BadFile(path, f"unknown ending '{path.suffix}'{choices(path.suffix, endings)}")
        if path.is_dir():
            raise BadFile(path, "is a folder; name a file in it")
        if path in paths[:k]:
            raise BadFile(path, "is asked for twice")
        if clip is not None and path.exists() and clip.exists() and path.samefile(clip):
            raise BadFile(path, "is the clip itself; choose another name, Poise does not overwrite its input")
        check_folder(path)


def check_folder(path: Path) -> None:
    """Raises where no file can be made beside `path`."""
    if not path.parent.is_dir():
        raise BadFile(path, f"there is no folder '{path.parent}'; make it first")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as problem:
        raise BadFile(path, f"cannot be written in '{path.parent}': {problem.strerror}") from None


class Written:
    """Writes the files one after the other and knows, at any time, which are there."""

    def __init__(self) -> None:
        self.paths: list[Path] = []
        self.notes: list[str] = []

    def save(self, take: Take, paths: Sequence[Path]) -> None:
        from poise.export.save import save

        for path in paths:
            with progress(f"writing {path.name}") as report:
                self.notes += list(save(take, path, progress=report) or [])
            self.paths.append(path)

    def __str__(self) -> str:
        return "nothing was written" if not self.paths else "wrote " + ", ".join(map(str, self.paths))
