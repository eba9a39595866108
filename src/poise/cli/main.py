"""`poise COMMAND …`: reads the words, runs the command, turns errors into one line and an exit code.

    0    done; a fall is a result, not an error
    2    bad input: one line on standard error says what and why
    3    the simulation diverged
    130  interrupted

Nothing heavy is imported here or by the commands' modules before a command runs: `poise --help` is instant.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from poise import __version__
from poise.cli import character, demo, inspect, live, robustness, simulate, studio
from poise.errors import PoiseError, SimulationDiverged

DONE, BAD_INPUT, DIVERGED, INTERRUPTED = 0, 2, 3, 130

EPILOG = """\
examples:
  poise demo
  poise inspect walk.bvh
  poise simulate walk.bvh -o walk_simulated.bvh -o walk_simulated.glb --push chest:250,0,0@1.0+0.2

`poise COMMAND --help` tells more about a command.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    _never_choke_on_names()
    try:
        return _run(argv)
    except SimulationDiverged as problem:
        return _complain(problem, DIVERGED)
    except PoiseError as problem:
        return _complain(problem, BAD_INPUT)
    except OSError as problem:
        _drop_unwritable_stdout()
        return DONE if isinstance(problem, BrokenPipeError) else _complain(problem, BAD_INPUT)
    except KeyboardInterrupt as stop:
        return _complain(str(stop) or "interrupted", INTERRUPTED)


def _run(argv: Sequence[str] | None) -> int:
    try:
        args = _parser().parse_args(argv)
        return args.run(args)
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()  # here, where a closed pipe or a full disk can still be answered


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line, like all others."""

    def error(self, message: str) -> NoReturn:
        raise PoiseError(f"{message}; see '{self.prog} --help'")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="poise",
        description="Motion capture in, a character that lives in physics, animation out.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"poise {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (demo, inspect, character, simulate, robustness, studio, live):
        command.add(commands)
    return parser


def _complain(problem: object, code: int) -> int:
    """One printable line on standard error."""
    line = " ".join(str(problem).split())
    print("poise:", "".join(c if c.isprintable() else "?" for c in line), file=sys.stderr)
    return code


def _never_choke_on_names() -> None:
    """File and joint names may hold what the terminal's encoding does not."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")


def _drop_unwritable_stdout() -> None:
    """Where the reader has gone (`poise … | head`), Python's own flush at exit shall not complain once more."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
