"""How rigs that became characters follow human clips: a table for docs/rigs.md, and JSON lines.

    python -m benchmarks.rig_table RIGS CLIP... [--controller pose balance limbs] [--json out.jsonl] [--glb FOLDER]

RIGS is a folder of .glb files. Every rig becomes a character by `propose`, with nothing told; every clip is then simulated on
it with every controller. A run that ends before the clip does is a fall; one that cannot be done says why.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from poise.character.rig.proposal import Proposal, propose
from poise.errors import PoiseError
from poise.measure import summary
from poise.simulation import simulate

COLUMNS = "| rig | clip | controller | result | joint error ° | centre of mass m | foot slide m/s | help force, torque |"


def main() -> None:
    """Proposes, simulates, prints."""
    args = _arguments()
    lines: list[dict[str, Any]] = []
    print(COLUMNS, "|---|---|---|---|--:|--:|--:|---|", sep="\n")
    for path in sorted(args.rigs.rglob("*.glb")):
        began = time.perf_counter()
        try:
            proposal = propose(path)
        except PoiseError as problem:
            print(f"| {path.stem} | | | {problem} | | | | |")
            continue
        lines.append(_about(proposal, time.perf_counter() - began))
        for clip in args.clips:
            for controller in args.controller:
                lines.append(_run(proposal, clip, controller, args.glb))
                print(_row(lines[-1]), flush=True)
    if args.json:
        args.json.write_text("".join(json.dumps(line) + "\n" for line in lines))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rigs", type=Path)
    parser.add_argument("clips", nargs="+", type=Path)
    parser.add_argument("--controller", nargs="+", default=["pose", "balance"])
    parser.add_argument("--json", type=Path, help="where to leave everything that was measured")
    parser.add_argument("--glb", type=Path, help="a folder for the rigs with their simulated motion")
    return parser.parse_args()


def _about(proposal: Proposal, seconds: float) -> dict[str, Any]:
    character = proposal.character
    return {
        "rig": character.name,
        "seconds": round(seconds, 2),
        "height_m": round(proposal.placed.height, 3),
        "mass_kg": round(character.mass, 1),
        "segments": proposal.bones,
        "doubts": proposal.doubts,
    }


def _run(proposal: Proposal, clip: Path, controller: str, folder: Path | None) -> dict[str, Any]:
    name = proposal.character.name
    line: dict[str, Any] = {"rig": name, "clip": clip.stem, "controller": controller}
    try:
        take = simulate(clip, character=proposal.character, controller=controller)
    except PoiseError as problem:
        return line | {"problem": str(problem).split(";")[0]}
    if folder:
        take.save(folder / f"{name}_{clip.stem}_{controller}.glb")
    return line | summary(take) | {"clip": clip.stem, "rig": name}


def _row(line: dict[str, Any]) -> str:
    head = f"| {line['rig']} | {line['clip']} | {line['controller']} |"
    if "problem" in line:
        return f"{head} {line['problem']} | | | | |"
    fell = line["fell_at_s"]
    result = "completed" if line["completed"] else f"fell at {fell:.2f} of {line['duration_s']:.2f} s" if fell else "cut short"
    receipt = line["help"]
    helped = f"{receipt['force_mean_bw']:.2f} of weight, {receipt['torque_mean_nm']:.0f} Nm"
    error, com, slide = line["joint_error_deg"]["mean"], line["com_error_m"]["mean"], line["foot_slide_m_s"]
    return f"{head} {result} | {error:.1f} | {com:.3f} | {slide:.3f} | {helped} |"


if __name__ == "__main__":
    main()
