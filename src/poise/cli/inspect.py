"""`poise inspect CLIP`: what Poise understood of a motion file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from poise.cli.clip_options import add_overrides, overrides
from poise.cli.printing import as_json, as_table, inspection_rows

EPILOG = """\
examples:
  poise inspect walk.bvh
  poise inspect walk.bvh --units inch --fps 60
  poise inspect punch --json
  poise inspect walk.bvh --stance walk.stance.toml     (edit it, then: poise simulate walk.bvh --stance walk.stance.toml)
"""


def add(commands: Any) -> None:
    """Adds the command and its options to the parser."""
    parser = commands.add_parser(
        "inspect",
        help="what Poise understood of a file: skeleton, roles, units, up, floor, frame rate, stance",
        description="Reads a motion file and tells what Poise makes of it, guesses and doubts included. Simulates nothing.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("clip", metavar="CLIP", help="a motion file, or the name of a built-in clip")
    parser.add_argument("--stance", type=Path, metavar="OUT", help="also write when each foot stands, as TOML to edit")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    add_overrides(parser)


def run(args: argparse.Namespace) -> int:
    """Prints what was understood."""
    from poise.inspection import inspect

    findings = inspect(args.clip, stance_file=args.stance, **overrides(args))
    print(as_json(findings) if args.json else as_table(inspection_rows(findings)))
    return 0
