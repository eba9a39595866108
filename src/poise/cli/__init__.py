"""The command line: one file per command, all of them thin."""

from poise.cli.main import main

__all__ = ["main"]
