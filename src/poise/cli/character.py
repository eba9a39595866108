"""`poise character new RIG -o CHARACTER.toml`: a character from an artist's rig."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poise.cli.clip_options import numeric
from poise.cli.outputs import check_outputs
from poise.cli.printing import as_json, as_table

if TYPE_CHECKING:
    from poise.character.rig.proposal import Proposal

ENDINGS = (".toml", ".png")
EPILOG = """\
examples:
  poise character new raptor.glb -o raptor.toml -o proposal.png
  poise simulate walk.bvh --character raptor.toml -o walking_raptor.glb

The picture shows what was understood: bones in the colours of their parts, boxes, soles. What was unsure is printed. The
TOML file can be edited: masses, boxes, joints, limbs, and which of the rig's nodes move with which segment.
"""


def add(commands: Any) -> None:
    """Adds the command and its options to the parser."""
    parser = commands.add_parser("character", help="make a character from an artist's rig", allow_abbrev=False)
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    new = actions.add_parser(
        "new",
        help="propose a character for a rig",
        description="Reads skeleton, skin and mesh of a glTF file and proposes a character: segments, limbs, boxes, masses.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    new.set_defaults(run=run)
    new.add_argument("rig", type=Path, metavar="RIG", help="a .glb or .gltf file with a skin")
    new.add_argument(
        "-o", "--output", action="append", type=Path, default=[], metavar="OUT", help="a .toml or .png file to write"
    )
    new.add_argument("--name", help="what the character is called (default: the file's name)")
    new.add_argument("--height", type=numeric("height", 0.1, 20.0), metavar="M", help="from the soles to the top of the head")
    new.add_argument("--mass", type=numeric("mass", 0.1, 1e5), metavar="KG", help="of the whole character")
    new.add_argument(
        "--up", metavar="AXIS", help="of the file: x, y, z, -x, -y or -z (default: y, unless the legs say otherwise)"
    )
    new.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def run(args: argparse.Namespace) -> int:
    """Proposes a character, writes the outputs, tells what was unsure."""
    from poise.character.rig.proposal import propose

    check_outputs(args.output, args.rig, ENDINGS)
    proposal = propose(args.rig, height=args.height, mass=args.mass, up=args.up, name=args.name)
    for path in args.output:
        _write(proposal, path)
    found = _findings(proposal) | {"outputs": [str(path) for path in args.output]}
    print(as_json(found) if args.json else as_table(_rows(found)))
    return 0


def _write(proposal: Proposal, path: Path) -> None:
    if path.suffix.lower() == ".toml":
        from poise.character.toml import write_character

        write_character(proposal.character, path)
    else:
        from poise.report.proposal import draw_proposal

        draw_proposal(proposal, path)


def _findings(proposal: Proposal) -> dict[str, Any]:
    character, placed = proposal.character, proposal.placed
    return {
        "rig": placed.rig.path.name,
        "character": character.name,
        "joints": len(placed.rig.joints),
        "built_like": "a human" if proposal.resting.human else "a creature",
        "metres_per_unit": placed.scale,
        "height_m": placed.height,
        "mass_kg": character.mass,
        "segments": proposal.bones,
        "limbs": {limb.name: {"kind": limb.kind, "segments": list(limb.segments)} for limb in character.limbs},
        "doubts": list(proposal.doubts),
    }


def _rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    """The rows that tell a person what was understood of a rig."""
    segments = [f"{segment} {bone}" for segment, bone in found["segments"].items()]
    lines = [", ".join(segments[k : k + 4]) for k in range(0, len(segments), 4)]
    return [
        ("rig", f"{found['rig']}, {found['joints']} joints, built like {found['built_like']}"),
        ("size", f"{found['height_m']:.2f} m tall, {found['mass_kg']:.1f} kg; 1 file unit is {found['metres_per_unit']:.4g} m"),
        *(("segments" if k == 0 else "", line) for k, line in enumerate(lines)),
        *((name.replace("_", " "), f"{of['kind']}: {' > '.join(of['segments'])}") for name, of in found["limbs"].items()),
        *(("unsure", doubt) for doubt in found["doubts"]),
        *([("wrote", ", ".join(found["outputs"]))] if found["outputs"] else []),
    ]
