"""The `poise` command, also as `python -m poise`. It runs first, so that an interruption is one line from the start."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import NoReturn

_INTERRUPTED = 130


def main() -> int:
    """Runs the command line. An interruption may hit while modules are still loading, and then shows as any kind of error."""
    hits: list[int] = []

    def interrupt(number: int, _: FrameType | None) -> NoReturn:
        hits.append(number)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    try:
        from poise.cli import main as run

        code = run()
    except BaseException:
        if not hits:
            raise
        print("poise: interrupted", file=sys.stderr)
        code = _INTERRUPTED
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is done is done: too late to interrupt
    return code


if __name__ == "__main__":
    sys.exit(main())
