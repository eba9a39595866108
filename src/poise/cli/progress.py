"""A progress bar on standard error where that is a terminal; nothing in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[float], None]  # takes the share that is done, 0 … 1


@contextmanager
def progress(label: str, before: str | None = None) -> Iterator[Report | None]:
    """Where to report progress, or None where nobody watches. `before` is shown until the first report."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(before or label, total=1.0)
        yield lambda share: bar.update(task, completed=share, description=label)
