"""A progress bar on standard error where that is a terminal; nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PREPARING = "preparing (the first run compiles the laws, once)"
Report = Callable[[float], None]  # takes the share that is done, 0 … 1


@contextmanager
def progress(label: str, before: str | None = None) -> Iterator[Report | None]:
    """Where to report progress, or None where nobody watches. `before` is shown until the first report."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    text, bar = TextColumn("{task.description}"), BarColumn(16)  # with its times it fits into 80 columns
    with Progress(
        text, bar, TaskProgressColumn(), TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as shown:
        task = shown.add_task(before or label, total=None)  # until something is reported, the bar moves to and fro
        yield lambda share: shown.update(task, completed=share, total=1.0, description=label)
