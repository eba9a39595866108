"""`poise live`: an actor's stream leads a simulated character; `poise live replay` plays the actor."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poise.cli import live_replay
from poise.cli.clip_options import numeric
from poise.cli.outputs import ENDINGS, Written, check_outputs
from poise.cli.printing import as_json, as_table, summary_rows
from poise.cli.studio import port_number
from poise.controller_names import CONTROLLERS, DEFAULT
from poise.errors import BadInput, choices
from poise.scenario.robustness import DIAL, Robustness
from poise.scenario.scenario import Scenario, read_scenario
from poise.scenario.shorthand import BALL_EXAMPLE, PUSH_EXAMPLE, parse_ball, parse_push

if TYPE_CHECKING:
    from poise.live.performance import Guest
    from poise.simulation import Run
    from poise.take import Take

SOURCES = ("axis-neuron", "vmc", "replay")
LOOPBACK = "127.0.0.1"
PORTS = {("axis-neuron", False): 7002, ("axis-neuron", True): 7001, ("vmc", False): 39539}  # by protocol and whether it is TCP
VMC_PORT, PAGE_PORT = 39539, 8080  # out
_LAP = 60.0  # s of a clip that is repeated without a seam; then it begins anew
_COMING_IN = 20.0  # s: more than it takes to meet the actor and to get everything ready
_SHORTEST = 2.0  # s: the actor is measured by the first second, and then comes in
_SLOW = 0.2  # s that may get lost on the way without being told

EPILOG = """\
examples:
  poise live --from axis-neuron --to vmc                        Axis Neuron's UDP in, an avatar program out
  poise live --from axis-neuron --connect 192.168.0.7 --to studio    its TCP server on another machine
  poise live --from vmc --port 39540 --to take.bvh --duration 30
  poise live --from replay --clip dance --to studio             no suit at hand
  poise live replay walk --as axis-neuron                       sends a clip as an actor's stream, for the first line

Stand upright for a second when it starts: the actor is measured by the first frames. Datagrams are taken from this machine
alone unless --listen says otherwise (--listen 0.0.0.0: from anywhere). Ctrl-C ends the run and writes the files.
docs/live.md tells more.
"""


def add(commands: Any) -> None:
    """Adds the command and its options to the parser."""
    parser = commands.add_parser(
        "live",
        help="an actor's live stream leads the character; the result goes to the studio, an avatar program or a file",
        description="Follows a live motion-capture stream in physics.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    _add_source_options(parser.add_argument_group("actor"))
    _add_character_options(parser.add_argument_group("character and control"))
    _add_target_options(parser.add_argument_group("where it goes"))
    live_replay.add(parser.add_subparsers(title="commands", metavar="replay", required=False))


def run(args: argparse.Namespace) -> int:
    """Waits for the actor, runs until the end, writes what is wanted."""
    if args.source is None:
        raise BadInput(f"give --from {'|'.join(SOURCES)}, or 'poise live replay CLIP'; see 'poise live --help'")
    files = _files(args)
    check_outputs(files)
    _check(args)
    packets = _packets(args)
    try:
        guest = _meet(args, packets)
        run = _prepare(args, guest)
        if "studio" in args.to:
            _show(args, run, guest)
            return 0
        take = _perform(args, run, packets, guest)
    finally:
        packets.close()
    _tell(args, take, files)
    return 0


def _add_source_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--from", dest="source", choices=SOURCES, help="the kind of stream, or a clip in its place")
    group.add_argument("--listen", default=LOOPBACK, metavar="ADDRESS", help="where to listen, UDP (default: this machine alone)")
    group.add_argument("--connect", metavar="HOST", help="axis-neuron over TCP: the machine that sends")
    group.add_argument("--port", type=port_number, metavar="N", help="default: 7002 (UDP), 7001 (TCP), vmc 39539")
    group.add_argument("--clip", metavar="CLIP", help="replay: a motion file, or the name of a built-in clip")
    group.add_argument("--skeleton", type=Path, metavar="FILE.bvh", help="the actor's bones, where the stream sends none")
    group.add_argument(
        "--patience", type=numeric("patience", 0, 1e6), default=1e6, metavar="S", help="to wait for the first frame"
    )


def _add_character_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--character", default="auto", metavar="auto|NAME|FILE", help="auto (the actor), built in, or a TOML file")
    group.add_argument("--controller", default=DEFAULT, metavar="NAME", help=f"{', '.join(CONTROLLERS)} (default: {DEFAULT})")
    group.add_argument("--robustness", default="plausible", metavar="HOW", help=f"{', '.join(DIAL)} or a number 0 … 1")
    group.add_argument("--scenario", type=Path, metavar="FILE", help="a TOML file: ground, events, settings")
    group.add_argument("--push", action="append", type=parse_push, default=[], metavar="PUSH", help=f"such as {PUSH_EXAMPLE}")
    group.add_argument("--ball", action="append", type=parse_ball, default=[], metavar="BALL", help=f"such as {BALL_EXAMPLE}")


def _add_target_options(group: argparse._ArgumentGroup) -> None:
    kinds = " ".join(ENDINGS)
    group.add_argument(
        "--to", action="append", default=[], metavar="studio|vmc|FILE", help=f"several allowed; a FILE ends in {kinds}"
    )
    group.add_argument("--to-host", default=LOOPBACK, metavar="ADDRESS", help="of vmc or the page (default: this machine)")
    group.add_argument("--to-port", type=port_number, metavar="N", help="default: 39539 for vmc, 8080 for the page")
    group.add_argument("--rate", type=numeric("rate", 1, 500), default=120.0, metavar="N", help="vmc: poses per second (120)")
    group.add_argument("--duration", type=numeric("duration", 0, 3600, above=True), metavar="S", help="default: until Ctrl-C")
    group.add_argument(
        "--keep", type=numeric("keep", 1, 3600), default=60.0, metavar="S", help="how much of a longer run is kept for the files"
    )
    group.add_argument("--no-browser", action="store_true", help="studio: do not open a browser, only print the address")
    group.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def _files(args: argparse.Namespace) -> list[Path]:
    """The outputs that are files; refuses what cannot be together."""
    files = [Path(word) for word in args.to if word not in ("studio", "vmc")]
    for path in files:
        if not path.suffix:
            raise BadInput(f"--to '{path}' is unknown{choices(str(path), ('studio', 'vmc', *ENDINGS))}")
    if "studio" in args.to and len(args.to) > 1:
        raise BadInput("--to studio stands alone; the page itself saves what is wanted")
    if "studio" in args.to and (args.duration or args.json):
        raise BadInput("--duration and --json are for --to vmc and files; the page runs until Ctrl-C")
    if not args.to:
        raise BadInput("say where it goes: --to studio, --to vmc or --to FILE")
    own_port = args.port or PORTS.get((args.source, False))
    if args.source == "vmc" and "vmc" in args.to and (args.to_port or VMC_PORT) == own_port and args.to_host == args.listen:
        raise BadInput(f"it would listen to itself at port {own_port}; give another --port or --to-port")
    return files


def _check(args: argparse.Namespace) -> None:
    """Refuses what cannot be prepared before the actor is asked to stand still."""
    from poise.character.toml import load_character
    from poise.live.sockets import way_to
    from poise.simulation import make_controller

    scene = read_scenario(args.scenario) if args.scenario else Scenario()
    make_controller(scene.controller or args.controller, scene.robustness or Robustness.of(args.robustness))
    if (character := scene.character or args.character) != "auto":
        load_character(character)
    if "vmc" in args.to:
        way_to(args.to_host, VMC_PORT)


def _packets(args: argparse.Namespace) -> Any:
    """What the stream comes from."""
    from poise.live.replay import FPS, ReplayedPackets, axis_neuron_motion, binary_frames
    from poise.live.sockets import TcpSocket, UdpSocket

    if args.source == "replay":
        if args.clip is None:
            raise BadInput("--from replay needs a --clip: a motion file, or the name of a built-in clip")
        endless = "studio" in args.to  # the page runs until somebody ends it
        seconds = _LAP if endless else None if args.duration is None else args.duration + _COMING_IN
        motion = axis_neuron_motion(args.clip, FPS, seconds)
        if not endless and motion.nframes / motion.fps < _SHORTEST:
            told = f"{motion.nframes} {'frame' if motion.nframes == 1 else 'frames'}, {motion.nframes / motion.fps:.2f} s"
            raise BadInput(f"--clip {args.clip} is too short to be performed: {told} of at least {_SHORTEST:g} s")
        return ReplayedPackets(binary_frames(motion), motion.nframes, motion.fps, endless=endless, waits=True)
    if args.connect and args.source != "axis-neuron":
        raise BadInput(f"--connect is for axis-neuron, which serves TCP; {args.source} sends datagrams")
    port = args.port if args.port is not None else PORTS[args.source, bool(args.connect)]
    if args.connect:
        return TcpSocket(args.connect, port)
    return UdpSocket(args.listen, port)


def _meet(args: argparse.Namespace, packets: Any) -> Guest:
    from poise.live.notices import Notices
    from poise.live.performance import wait_for_actor
    from poise.live.protocols import axis_neuron_protocol, vmc_protocol

    protocol = vmc_protocol() if args.source == "vmc" else axis_neuron_protocol(joined=bool(args.connect))
    where = f"{args.connect}, TCP" if args.connect else f"{args.listen}, UDP port {getattr(packets, 'port', 0)}"
    _say(f"waiting for the actor ({args.clip if args.source == 'replay' else where}); stand upright for a second")
    guest = wait_for_actor(packets, protocol, Notices(_say), patience=args.patience, skeleton=args.skeleton)
    _say(
        f"the actor has {guest.actor.clip.skeleton.njoints} bones and sends {1.0 / guest.intake.period:.0f} frames/s; preparing …"
    )
    return guest


def _prepare(args: argparse.Namespace, guest: Guest) -> Run:
    from poise.live.performance import live_run

    scene = read_scenario(args.scenario) if args.scenario else Scenario()
    return live_run(
        guest,
        name=f"live {args.source}",
        character=scene.character or args.character,
        controller=scene.controller or args.controller,
        robustness=scene.robustness or args.robustness,
        scenario=scene,
        events=[*args.push, *args.ball],
        duration=args.duration or scene.duration or args.keep,
    )


def _perform(args: argparse.Namespace, run: Run, packets: Any, guest: Guest) -> Take:
    from poise.live.getting_up import GettingUp
    from poise.live.performance import Performance
    from poise.live.vmc_out import VmcOut

    show = Performance(run)
    outputs = [VmcOut(show.stepper, args.to_host, args.to_port or VMC_PORT, args.rate)] if "vmc" in args.to else []
    end = float("inf") if args.duration is None else args.duration
    _say("running; Ctrl-C ends it")
    try:
        show.perform([GettingUp(guest.notices), *outputs], lambda time: time > end or getattr(packets, "over", False))
    except KeyboardInterrupt:
        if show.stepper.recorder.nsamples == 0:
            raise  # there is nothing yet to keep
        _say("ended")
    finally:
        for output in outputs:
            output.close()
    if show.stepper.recorder.nsamples == 0:
        raise BadInput("the stream was over before the run began; send a longer clip")
    if show.pace.figures.lost_s > _SLOW:
        _say(f"this machine was too slow: {show.pace.figures.lost_s:.1f} s of the motion were left out")
    return show.take()


def _show(args: argparse.Namespace, run: Run, guest: Guest) -> None:
    from poise.cli.studio import serve
    from poise.live.repertoire import LiveRepertoire
    from poise.studio.gate import Gate
    from poise.studio.session import Session
    from poise.studio.tuning import Tuning

    gate = Gate(args.to_host, PAGE_PORT if args.to_port is None else args.to_port)
    try:
        tuning = Tuning(controller=run.controller.name, dial=_dial(args.robustness))
        serve(Session(LiveRepertoire(run, guest), tuning, looped=False), gate, browser=not args.no_browser)
    except KeyboardInterrupt:
        _say("ended")
    finally:
        gate.close()


def _tell(args: argparse.Namespace, take: Take, files: list[Path]) -> None:
    from poise.measure import summary

    written = Written()
    written.save(take, files)
    result = summary(take)
    if args.json:
        print(as_json(result | {"outputs": [str(path) for path in written.paths], "notes": written.notes}))
        return
    print(as_table(summary_rows(result)))
    for line in (*written.notes, *([str(written)] if written.paths else [])):
        print(line)


def _dial(word: str) -> float:
    """A place on the dial, by name or number."""
    return DIAL[word] if word in DIAL else numeric("robustness", 0, 1)(word)


def _say(line: str) -> None:
    print(f"live: {line}", file=sys.stderr, flush=True)
