"""`poise demo`: the two-minute tour. A built-in clip is pushed about; animation, picture and summary stay in a folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poise.cli.outputs import Written, check_folder
from poise.cli.printing import as_json, as_table, summary_rows
from poise.cli.running import simulate_and_save, tell_of_interruption
from poise.errors import BadFile
from poise.scenario.events import Ball, Push

if TYPE_CHECKING:
    from poise.take import Take

CLIP = "punch"
EVENTS = (
    Push("chest", (400.0, 0.0, 0.0), at=1.0, duration=0.2),
    Push("chest", (0.0, -400.0, 0.0), at=2.3, duration=0.2),
    Ball(mass=5.0, speed=6.0, target="head", from_deg=30.0, at=3.6),
)
ENDINGS = (".glb", ".bvh", ".png")


def add(commands: Any) -> None:
    """Adds the command and its option to the parser."""
    parser = commands.add_parser(
        "demo",
        help="the two-minute tour: no arguments, no display needed",
        description=f"Simulates the built-in clip '{CLIP}' while it is pushed and a ball is thrown at it, and leaves an "
        "animation (demo.glb, demo.bvh), a filmstrip (demo.png) and a summary (demo.json, demo.txt).",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("-o", "--output", type=Path, default=Path("out"), metavar="FOLDER", help="where to (default: out)")


def run(args: argparse.Namespace) -> int:
    """Simulates, writes everything into the folder, says what to look at."""
    folder: Path = args.output
    _make(folder)
    take, written = simulate_and_save([folder / f"demo{ending}" for ending in ENDINGS], clip=CLIP, events=EVENTS)
    print(_summarise(take, folder, written))
    tell_of_interruption(take, written)
    print(f"{written}: look at demo.png, or drop demo.glb into Blender or any glTF viewer")
    return 0


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BadFile(folder, f"folder cannot be made: {problem.strerror}") from None
    check_folder(folder / "demo.glb")


def _summarise(take: Take, folder: Path, written: Written) -> str:
    from poise.files import write_whole
    from poise.measure import summary

    result = summary(take)
    text = as_table([*summary_rows(result), *(("note", note) for note in written.notes)])
    for path, content in ((folder / "demo.json", as_json(result)), (folder / "demo.txt", text)):
        write_whole(path, f"{content}\n".encode())
        written.paths.append(path)
    return text
