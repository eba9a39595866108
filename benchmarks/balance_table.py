"""How the balance controller follows clips at every preset, as a Markdown table.

    python benchmarks/balance_table.py ../shared/mocap/cmu                        the clips on which the gains were chosen
    python benchmarks/balance_table.py ../shared/mocap --without cmu              clips that had no say in them
    python benchmarks/balance_table.py                                            the built-in clips
    options: [--dt 0.002] [--presets realistic,plausible,superhuman]

Clips are files, or folders that are searched with all below them. Files without two legs are left out, and told at the end.
One row per clip, one column per preset: the mean joint error, the sliding of standing feet and the mean artificial torque of
clips that are completed, the time of the fall of the others. The last row counts.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

from poise.errors import BadCharacter, PoiseError
from poise.measure import summary
from poise.motion import library
from poise.simulation import simulate

ENDINGS = (".bvh", ".amc", ".txt", ".json", ".glb", ".gltf")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=Path, nargs="*", help="files or folders; without them the built-in clips")
    parser.add_argument("--without", default="", metavar="FOLDERS", help="names of folders to leave out, with commas")
    parser.add_argument("--dt", type=float, default=0.002)
    parser.add_argument("--presets", default="realistic,plausible,superhuman")
    options = parser.parse_args()
    clips = find(options.clips, options.without.split(",")) or [library.path(name) for name in library.names()]
    presets = options.presets.split(",")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        jobs = [(str(clip), preset, options.dt) for clip, preset in product(clips, presets)]
        results = dict(zip([job[:2] for job in jobs], pool.map(follow, jobs), strict=True))
    legless = [clip for clip in clips if results[str(clip), presets[0]].get("legless")]
    clips = [clip for clip in clips if clip not in legless]
    print("| clip | " + " | ".join(presets) + " |\n|---|" + "---|" * len(presets))
    for clip in clips:
        print(f"| {clip.parent.name}/{clip.stem} | " + " | ".join(cell(results[str(clip), preset]) for preset in presets) + " |")
    print("| completed | " + " | ".join(totals([results[str(clip), preset] for clip in clips]) for preset in presets) + " |")
    for clip in legless:
        print(f"\nleft out: {results[str(clip), presets[0]]['error']}")


def find(paths: list[Path], without: list[str]) -> list[Path]:
    """The motion files among the paths and in the folders among them."""
    files = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    return [file for file in files if file.suffix in ENDINGS and not set(file.parts) & set(without)]


def follow(job: tuple[str, str, float]) -> dict[str, Any]:
    """The summary of one run, or what kept it from running."""
    clip, preset, dt = job
    try:
        return summary(simulate(clip, controller="balance", robustness=preset, dt=dt))
    except BadCharacter as error:
        return {"completed": False, "legless": True, "error": str(error)}
    except PoiseError as error:
        return {"completed": False, "fell_at_s": None, "error": str(error)}


def cell(result: dict[str, Any]) -> str:
    if not result["completed"]:
        return result.get("error") or f"falls at {result['fell_at_s']:.1f} s"
    slide, torque = 100 * result["foot_slide_m_s"], result["help"]["torque_mean_nm"]
    return f"{result['joint_error_deg']['mean']:.1f}°, {slide:.1f} cm/s, {torque:.0f} Nm"


def totals(results: list[dict[str, Any]]) -> str:
    done = [result for result in results if result["completed"]]
    if not done:
        return f"0 of {len(results)}"
    error = sum(result["joint_error_deg"]["mean"] for result in done) / len(done)
    slide = sum(100 * result["foot_slide_m_s"] for result in done) / len(done)
    return f"**{len(done)} of {len(results)}**, {error:.1f}°, {slide:.1f} cm/s"


if __name__ == "__main__":
    main()
