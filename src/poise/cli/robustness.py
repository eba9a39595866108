"""`poise robustness [CLIP]`: the largest push that a character survives, per direction and setting of the dial."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poise.cli.clip_options import add_overrides, numeric, overrides
from poise.cli.outputs import check_outputs
from poise.cli.printing import as_json
from poise.cli.progress import PREPARING, progress
from poise.cli.robustness_report import ENDINGS, table, write
from poise.limits import MASS_KG, STEP_S
from poise.scenario.robustness import DIAL, Robustness

if TYPE_CHECKING:
    from poise.robustness.survey import RobustnessMap

EPILOG = """\
examples:
  poise robustness -o map.png
  poise robustness punch --at 0.5 --directions 16 -o punch.png -o punch.csv
  poise robustness --settings realistic,0.25,plausible,0.75,superhuman --directions 4 --json

A direction is where the force points, in degrees clockwise from straight ahead of the character: 0 pushes it forward,
90 to its right. A push is survived where the character neither falls nor gives up nor hops, its feet move less than
0.3 m (unless the clip steps), and it still stands 5 s later. docs/robustness.md tells how the limit is found.

exit codes: 0 done, 2 bad input, 130 interrupted; what was measured by then is printed and written
"""


def add(commands: Any) -> None:
    """Adds the command and its options to the parser."""
    parser = commands.add_parser(
        "robustness",
        help="the largest push survived per direction, at several settings of the dial",
        description="Measures the largest push that a character survives, tracking a clip or, without one, standing still.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("clip", nargs="?", metavar="CLIP", help="a motion file or a built-in clip (default: quiet standing)")
    parser.add_argument(
        "-o", "--output", action="append", type=Path, default=[], metavar="OUT", help=f"a file to write: {' '.join(ENDINGS)}"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    _add_push_options(parser.add_argument_group("push"))
    _add_run_options(parser.add_argument_group("character and machine"))
    add_overrides(parser)


def run(args: argparse.Namespace) -> int:
    """Measures, writes the outputs, prints the table."""
    check_outputs(args.output, Path(args.clip) if args.clip else None, ENDINGS)
    found = _measure(args)
    for path in args.output:
        write(found, path)
    print(as_json(found.to_dict()) if args.json else "\n".join(table(found)))
    if args.output and not args.json:
        print("wrote", ", ".join(map(str, args.output)))
    if not found.complete:
        done = sum(len(setting.limits) for setting in found.settings)
        total = len(found.settings) * len(found.directions)
        raise KeyboardInterrupt(f"interrupted; {done} of {total} limits were measured and kept")
    return 0


def _add_push_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--settings", type=_settings, default=tuple(DIAL), metavar="LIST", help=f"of {', '.join(DIAL)}, 0 … 1")
    group.add_argument("--directions", type=int, default=8, metavar="N", help="evenly spaced (default: 8)")
    group.add_argument("--body", default="chest", metavar="NAME", help="the segment that is pushed (default: chest)")
    group.add_argument("--push-duration", type=numeric("push-duration", 0, 10, above=True), default=0.2, metavar="S")
    group.add_argument("--at", type=numeric("at", 0, 3600), metavar="S", help="when (default: 1, or the middle of a short clip)")


def _add_run_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--character", default="auto", metavar="auto|NAME|FILE", help="auto, a built-in one, or a TOML file")
    group.add_argument("--mass", type=numeric("mass", *MASS_KG), metavar="KG", help="of the whole character")
    group.add_argument("--stance", type=Path, metavar="FILE", help="a TOML file that says when each foot stands")
    group.add_argument("--dt", type=numeric("dt", *STEP_S), default=0.002, metavar="S", help="step (default: 0.002)")
    group.add_argument("--jobs", type=_count, metavar="N", help="processes (default: one per core)")
    group.add_argument("--ray", action="store_true", help="run on Ray, on the cluster of RAY_ADDRESS if that is set")


def _settings(words: str) -> tuple[str | float, ...]:
    """Names and numbers of the dial, separated by commas, each checked."""
    settings = tuple(word.strip() for word in words.split(","))
    for word in settings:
        Robustness.of(word)
    if len(set(settings)) < len(settings):
        raise argparse.ArgumentTypeError(f"'{words}' names a setting twice")
    return tuple(word if word in DIAL else float(word) for word in settings)


def _count(word: str) -> int:
    if not word.isdecimal() or not 1 <= int(word) <= 1024:
        raise argparse.ArgumentTypeError(f"'{word}' must be a whole number from 1 to 1024")
    return int(word)


def _measure(args: argparse.Namespace) -> RobustnessMap:
    from poise.robustness.survey import survey

    with progress("pushing", before=PREPARING) as report:
        return survey(
            args.clip,
            settings=args.settings,
            directions=args.directions,
            body=args.body,
            push_s=args.push_duration,
            at=args.at,
            jobs=args.jobs,
            ray=args.ray,
            progress=report,
            character=args.character,
            mass=args.mass,
            stance=args.stance,
            dt=args.dt,
            **overrides(args),
        )
