"""`poise studio [CLIP]`: the interactive page."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from poise.cli.clip_options import add_overrides, numeric, overrides
from poise.cli.progress import PREPARING, progress
from poise.controller_names import DYNAMICS
from poise.errors import BadInput
from poise.limits import STEP_S
from poise.scenario.robustness import DIAL

EPILOG = """\
examples:
  poise studio
  poise studio punch --robustness realistic
  poise studio walk --controller limbs --character raptor
  poise studio boxing.bvh --no-browser --port 9000
  poise studio --host 0.0.0.0          from other machines, with the token that is printed

The page is served to this machine alone unless --host says otherwise. Ctrl-C ends it. docs/studio.md tells more.
"""


def add(commands: Any) -> None:
    """Adds the command and its options to the parser."""
    parser = commands.add_parser(
        "studio",
        help="the interactive page: run, push, tune and watch a character live",
        description="Serves a page on which a character runs in real time, to be pushed, tuned and watched.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("clip", nargs="?", metavar="CLIP", help="a motion file, or the name of a built-in clip (default: stand)")
    _add_server_options(parser.add_argument_group("page"))
    group = parser.add_argument_group("character and control")
    group.add_argument(
        "--character", default="auto", metavar="auto|NAME|FILE", help="auto (from the clip), built in, or a TOML file"
    )
    group.add_argument(
        "--controller", default="balance", metavar="NAME", help="balance (the default), feedforward, limbs or pose"
    )
    group.add_argument("--robustness", type=_dial, default=0.5, metavar="HOW", help=f"{', '.join(DIAL)} or a number 0 … 1")
    group.add_argument("--dt", type=numeric("dt", *STEP_S), metavar="S", help="step (0.002; generalized: 0.01)")
    group.add_argument(
        "--style", default="neutral", metavar="NAME", help="limbs: a rest pose of the character's file, such as sad"
    )
    group.add_argument("--dynamics", choices=DYNAMICS, default=DYNAMICS[0], help="limbs: real contacts, or planned forces")
    add_overrides(parser)


def run(args: argparse.Namespace) -> int:
    """Prepares the character, opens the page and shows it until Ctrl-C."""
    from poise.studio.gate import Gate

    gate = Gate(args.host, args.port)  # first, so that a port that is taken is told at once
    try:
        _serve(args, gate)
    except KeyboardInterrupt:
        print("studio closed")
    finally:
        gate.close()
    return 0


def _add_server_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (default: this machine alone)")
    group.add_argument("--port", type=port_number, default=8080, metavar="N", help="default: 8080; 0 takes any that is free")
    group.add_argument("--no-browser", action="store_true", help="do not open a browser, only print the address")


def _serve(args: argparse.Namespace, gate: Any) -> None:
    with progress(PREPARING):
        session = _session(args)
    serve(session, gate, browser=not args.no_browser)


def _session(args: argparse.Namespace) -> Any:
    """The simulation that the options describe, after its first step."""
    from poise.studio.repertoire import Repertoire
    from poise.studio.session import Session
    from poise.studio.tuning import Tuning

    repertoire = Repertoire(args.clip, character=args.character, dt=args.dt, **overrides(args))
    tuning = Tuning(controller=args.controller, dial=args.robustness, dynamics=args.dynamics, style=args.style)
    return Session(repertoire, tuning)


def serve(session: Any, gate: Any, browser: bool) -> None:
    """Shows a session behind a gate until somebody interrupts."""
    from poise.studio.page import Page

    page = Page(session)
    try:
        session.start()
        gate.open(page.port)
        print(f"studio: {gate.url}  (Ctrl-C ends it)", flush=True)
        if browser:
            _open_browser(gate.url)
        page.show_forever()
    finally:
        session.stop()
        page.close()


def _open_browser(url: str) -> None:
    """Only where there is a screen: elsewhere Python may find a browser for the terminal, which shows nothing of it."""
    if sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        import webbrowser

        webbrowser.open(url)


def _dial(word: str) -> float:
    """A place on the dial, by name or number."""
    return DIAL[word] if word in DIAL else numeric("robustness", 0, 1)(word)


def port_number(word: str) -> int:
    """A converter for argparse."""
    if not word.isdecimal() or int(word) > 65535:
        raise BadInput(f"--port '{word}' must be a whole number in [0, 65535]")
    return int(word)
