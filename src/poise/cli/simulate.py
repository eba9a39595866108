"""`poise simulate CLIP -o OUT`: the clip on a character in physics."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poise.cli.clip_options import add_overrides, numeric, overrides
from poise.cli.feedforward_options import add_feedforward_options, chosen_feedforward
from poise.cli.hints import better_controller
from poise.cli.outputs import ENDINGS, Written, check_outputs
from poise.cli.printing import as_json, as_table, summary_rows
from poise.cli.running import simulate_and_save, tell_of_interruption
from poise.cli.skins import skinned_character
from poise.controller_names import CONTROLLERS, DEFAULT, DYNAMICS
from poise.errors import BadInput
from poise.limits import MASS_KG, STEP_S
from poise.scenario.robustness import DIAL, Robustness
from poise.scenario.scenario import Scenario, read_scenario
from poise.scenario.shorthand import BALL_EXAMPLE, PUSH_EXAMPLE, parse_ball, parse_push

if TYPE_CHECKING:
    from poise.take import Take

EPILOG = f"""\
examples:
  poise simulate walk.bvh -o walked.bvh -o walked.glb
  poise simulate punch -o punched.png --push {PUSH_EXAMPLE} --ball {BALL_EXAMPLE}
  poise simulate boxing.bvh --robustness realistic --json > result.json
  poise simulate --scenario scene.toml -o scene.mp4

A push is BODY:X,Y,Z@AT+DURATION (newtons in the world frame, seconds). A ball is TARGET:MASSkg,SPEEDm/s,FROMdeg@AT;
it comes from 0 = front, 90 = right. With ",expected" before the @ the feedforward controller knows of it beforehand:
--ball head:3kg,5m/s,90deg,expected@1.5. Both may be given several times; docs/scenarios.md has the whole language.

exit codes: 0 done (a fall is a result), 2 bad input, 3 the simulation diverged (its last second is kept,
as OUT_diverged.npz or diverged.npz), 130 interrupted
"""


def add(commands: Any) -> None:
    """Adds the command and its options to the parser."""
    parser = commands.add_parser(
        "simulate",
        help="track a clip in physics, push it about, write the result",
        description="Simulates a character that tracks a clip, and writes the result as animation, picture or table.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("clip", nargs="?", metavar="CLIP", help="a motion file, or the name of a built-in clip")
    parser.add_argument(
        "-o", "--output", action="append", type=Path, default=[], metavar="OUT", help=f"a file to write: {' '.join(ENDINGS)}"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    _add_character_options(parser.add_argument_group("character and control"))
    add_feedforward_options(parser.add_argument_group("feedforward controller"))
    _add_scene_options(parser.add_argument_group("scene"))
    add_overrides(parser)


def run(args: argparse.Namespace) -> int:
    """Simulates, writes the outputs, prints the summary."""
    scenario = _scenario(args)
    check_outputs(args.output, Path(scenario.clip) if scenario.clip else None)
    character, doubts = skinned_character(args, scenario.character)
    take, written = simulate_and_save(
        args.output,
        scenario=replace(scenario, character=None) if character else scenario,
        **({"character": character} if character else {}),
        dt=args.dt,
        dynamics=args.dynamics,
        style=args.style,
        root_forces=not args.no_root_forces,
        mass=args.mass,
        stance=args.stance,
        **overrides(args),
    )
    written.notes += [f"unsure about the rig: {doubt}" for doubt in doubts]
    if not take.info.get("robustness") and (args.robustness, args.thr_min, args.thr_max) != (None, None, None):
        written.notes.append(f"robustness means nothing to the {take.info.get('controller')} controller")
    written.notes += [hint] if (hint := better_controller(take)) else []
    _tell(args, take, written)
    tell_of_interruption(take, written)
    return 0


def _add_character_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--character", metavar="auto|NAME|FILE", help="auto (from the clip), a built-in one, or a TOML file")
    group.add_argument("--skin", metavar="RIG|none", help="a rig (.glb) that plays the clip and is shown; none: boxes")
    group.add_argument("--controller", metavar="NAME", help=f"{', '.join(CONTROLLERS)} (default: {DEFAULT})")
    group.add_argument("--robustness", metavar="HOW", help=f"{', '.join(DIAL)} or a number 0 … 1 (default: plausible)")
    group.add_argument("--thr-min", type=numeric("thr-min", 0, 1e6), metavar="NM", help="artificial torque sets in here")
    group.add_argument("--thr-max", type=numeric("thr-max", 0, 1e6), metavar="NM", help="and ends here")
    group.add_argument("--no-root-forces", action="store_true", help="pose: without external forces on root and feet")
    group.add_argument("--mass", type=numeric("mass", *MASS_KG), metavar="KG", help="of the whole character")
    group.add_argument("--dt", type=numeric("dt", *STEP_S), metavar="S", help="step (0.002; generalized: 0.01)")
    group.add_argument("--style", metavar="NAME", help="limbs: a rest pose of the character's file, such as sad")
    group.add_argument("--dynamics", choices=DYNAMICS, default=DYNAMICS[0], help="limbs: real contacts, or planned forces")


def _add_scene_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--scenario", type=Path, metavar="FILE", help="a TOML file: ground, events, settings")
    group.add_argument("--push", action="append", type=parse_push, default=[], metavar="PUSH", help=f"such as {PUSH_EXAMPLE}")
    group.add_argument("--ball", action="append", type=parse_ball, default=[], metavar="BALL", help=f"such as {BALL_EXAMPLE}")
    group.add_argument("--stance", type=Path, metavar="FILE", help="a TOML file that says when each foot stands")
    group.add_argument("--duration", type=numeric("duration", 0, 3600, above=True), metavar="S", help="default: the clip's")
    group.add_argument("--seed", type=int, metavar="N", help="decides everything random (default: 0)")


def _scenario(args: argparse.Namespace) -> Scenario:
    """The scenario file, if any, overruled and added to by the options."""
    scenario = read_scenario(args.scenario) if args.scenario else Scenario()
    if not (args.clip or args.scenario or args.character):
        raise BadInput(f"give a CLIP, a --scenario, or a --character that stands{_built_in()}")
    given = {key: getattr(args, key) for key in ("clip", "duration", "seed", "controller", "character", "robustness")}
    given = {key: value for key, value in given.items() if value is not None}
    scenario = replace(scenario, **given, events=(*scenario.events, *args.push, *args.ball))
    return replace(scenario, robustness=_thresholds(args, scenario.robustness), feedforward=chosen_feedforward(args, scenario))


def _built_in() -> str:
    from poise.motion.library import names

    return f"; built-in clips: {', '.join(names())}"


def _thresholds(args: argparse.Namespace, robustness: Robustness | None) -> Robustness:
    base = robustness or Robustness.of("plausible")
    given = {"thr_min": args.thr_min, "thr_max": args.thr_max}
    return replace(base, **{key: value for key, value in given.items() if value is not None})


def _tell(args: argparse.Namespace, take: Take, written: Written) -> None:
    from poise.measure import summary

    result = summary(take)
    if args.json:
        print(as_json(result | {"outputs": [str(path) for path in written.paths], "notes": written.notes}))
        return
    print(as_table(summary_rows(result)))
    for line in (*written.notes, *([str(written)] if written.paths else [])):
        print(line)
