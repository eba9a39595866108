"""Interruptions from the keyboard (SIGINT): one line and exit code 130, whenever they come.

Python raises KeyboardInterrupt wherever it happens to be. Inside a callback of the compiler of the control laws that is
swallowed, or takes the process down. So while laws are loaded or compiled, which may take a while, an interruption ends
the process on the spot: by then nothing has been written, and nothing is left to be tidied up but the terminal's cursor.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130
_SHOW_CURSOR = b"\x1b[?25h\r\x1b[K"  # a progress bar may have hidden it

_hits = 0
_at_once = False


def watch() -> None:
    """Takes over the signal, unless somebody else already has."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)


def was_hit() -> bool:
    """Whether there has been an interruption: it may come to light as any kind of error."""
    return _hits > 0


@contextmanager
def at_once() -> Iterator[Callable[[], None]]:
    """While laws are loaded and compiled an interruption ends the process; until the function that is given is called."""
    _set_at_once(True)
    try:
        yield lambda: _set_at_once(False)
    finally:
        _set_at_once(False)


def _set_at_once(value: bool) -> None:
    global _at_once
    _at_once = value


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _hits
    _hits += 1
    if _at_once:
        os.write(2, (_SHOW_CURSOR if sys.stderr.isatty() else b"") + b"poise: interrupted; nothing was written\n")
        os._exit(INTERRUPTED)
    raise KeyboardInterrupt
