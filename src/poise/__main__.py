"""The `poise` command, also as `python -m poise`. It runs first, so that an interruption is one line from the start."""

from __future__ import annotations

import signal
import sys

from poise import interruption


def main() -> int:
    """Runs the command line. An interruption may hit while modules are still loading, and then shows as any kind of error."""
    interruption.watch()
    try:
        from poise.cli import main as run

        code = run()
    except BaseException:
        if not interruption.was_hit():
            raise
        print("poise: interrupted", file=sys.stderr)
        code = interruption.INTERRUPTED
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is done is done: too late to interrupt
    return code


if __name__ == "__main__":
    sys.exit(main())
