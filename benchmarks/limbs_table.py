"""How the limbs controller follows a folder of clips on several characters, as a Markdown table.

    python benchmarks/limbs_table.py ../shared/mocap/cmu/*.bvh [--characters raptor,alien,human] [--dynamics generalized,forward]
                                     [--seconds 20] [--strict] [--preview 0.8]

One row per clip, one column per character: the largest distance of the root from where it is asked to be, the residual wrench
on the root (root mean square; force in body weights, torque in body weights times leg length, the larger of the two), and the
sliding of standing feet. A clip is tracked when the root is never farther away than 0.25 m and the character does not fall;
clips that are not are in italics.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from poise.control.limbs.controller import PREVIEW, LimbsController
from poise.control.limbs.weights import support_length
from poise.controller_names import DYNAMICS
from poise.errors import PoiseError
from poise.measure import fell_at_s, foot_slide_m_s
from poise.simulation import perform, prepare
from poise.take import Take

ASTRAY, HELP, SLIDE = 0.25, 0.1, 0.02  # m, body weights, m/s: what the counts at the end ask for
GRAVITY = 9.81


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="+", type=Path)
    parser.add_argument("--characters", default="raptor,alien,human")
    parser.add_argument("--dynamics", default="generalized,forward", help=", ".join(DYNAMICS))
    parser.add_argument("--seconds", type=float, default=20.0, help="of each clip, at most")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--preview", type=float, default=PREVIEW, help="s that a run is behind its actor")
    options = parser.parse_args()
    characters = options.characters.split(",")
    for dynamics in options.dynamics.split(","):
        settings = dynamics, options.seconds, options.strict, options.preview
        jobs = [(str(clip), name, *settings) for clip, name in product(options.clips, characters)]
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            found = dict(zip([job[:2] for job in jobs], pool.map(follow, jobs), strict=True))
        print(f"\n**{dynamics}**\n\n| clip | " + " | ".join(characters) + " |\n|---|" + "---|" * len(characters))
        for clip in options.clips:
            print(f"| {clip.stem} | " + " | ".join(cell(found[str(clip), name]) for name in characters) + " |", flush=True)
        print("| all | " + " | ".join(totals([found[str(clip), name] for clip in options.clips]) for name in characters) + " |")


def follow(job: tuple[str, str, str, float, bool, float]) -> dict[str, Any]:
    """What came of one run, or what kept it from running."""
    clip, name, dynamics, seconds, strict, preview = job
    try:
        law = LimbsController(dynamics, strict=strict, preview=preview)
        run = prepare(clip, controller=law, dynamics=dynamics, character=name)
        return figures(perform(replace(run, duration=min(run.duration, seconds))))
    except PoiseError as error:
        return {"tracked": False, "error": str(error)}


def figures(take: Take) -> dict[str, Any]:
    """The figures of a take."""
    weight, leg = take.character.mass * GRAVITY, support_length(take.character)
    away = float(np.linalg.norm(take.position[:, 0] - take.ref_position[:, 0], axis=-1).max())
    force, torque = (float(np.sqrt(np.mean(values**2))) / weight for values in (take.help_force, take.help_torque))
    fell = fell_at_s(take)
    return {
        "tracked": away <= ASTRAY and fell is None,
        "away": away,
        "fell": fell,
        "help": max(force, torque / leg),
        "slide": foot_slide_m_s(take),
    }


def cell(result: dict[str, Any]) -> str:
    if "error" in result:
        return result["error"]
    away, slide = 100 * result["away"], 100 * result["slide"]
    figures = f"{away:.0f} cm, {result['help']:.2f}, {slide:.1f} cm/s"
    return figures if result["tracked"] else f"*{figures}*"


def totals(results: list[dict[str, Any]]) -> str:
    ran = [result for result in results if "error" not in result]
    tracked = sum(result["tracked"] for result in results)
    little = sum(result["help"] < HELP for result in ran)
    still = sum(result["slide"] < SLIDE for result in ran)
    middle = float(np.median([result["help"] for result in ran])) if ran else 0.0
    counts = f"{little} with help < {HELP:g} (median {middle:.3f}), {still} sliding < {100 * SLIDE:g} cm/s"
    return f"**{tracked} of {len(results)} tracked**, {counts}"


if __name__ == "__main__":
    main()
