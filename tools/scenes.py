"""Runs the scenes of `scenarios/` and writes table and pictures of docs/scenes.md: `python -m tools.scenes [SCENE ...]`.

The table is written only when all scenes are run. `--no-table` and `--no-pictures` leave one of them as it is.
"""

from __future__ import annotations

import argparse
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tools.gallery import IMAGES, shrink

import poise
from poise.files import write_whole
from poise.report.filmstrip import AZIMUTH_DEG
from poise.scenario.robustness import DIAL, Robustness
from poise.scenario.scenario import read_scenario

ROOT = Path(__file__).resolve().parent.parent
SCENES = ROOT / "scenarios"
PAGE = ROOT / "docs" / "scenes.md"
STEPS = (0.002, 0.0005)  # s
WIDTH, FRAMES = 1200, 8
PICTURED = "plausible"
FRONT, SIDE = 0.0, -85.0  # degrees: where the viewer stands; elsewhere in between
SEEN_FROM = {
    "change_support": FRONT,
    "ramp": SIDE,
    "slope_down": SIDE,
    "slope_left": FRONT,
    "slope_right": FRONT,
    "slope_up": SIDE,
    "slope_walk_down": SIDE,
    "slope_walk_up": SIDE,
}


@dataclass(frozen=True)
class Result:
    """One scene at one robustness and step."""

    scene: str
    robustness: str
    dt: float
    summary: dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", nargs="*", help="names of scenario files without .toml; all unless told")
    parser.add_argument("--no-table", action="store_true")
    parser.add_argument("--no-pictures", action="store_true")
    options = parser.parse_args()
    scenes = options.scene or names()
    with ProcessPoolExecutor(max_workers=2) as workers:
        if not options.no_table:
            jobs = [workers.submit(run, scene, robustness, dt) for scene in scenes for dt in STEPS for robustness in DIAL]
            results = [job.result() for job in jobs]
            print(table(results))
            if not options.scene:
                write_table(table(results))
        if not options.no_pictures:
            list(workers.map(draw, scenes))


def names() -> list[str]:
    """All scenes, by the names of their files."""
    return sorted(path.stem for path in SCENES.glob("*.toml"))


def run(scene: str, robustness: str, dt: float) -> Result:
    """Simulates a scene and sums it up."""
    return Result(scene, robustness, dt, poise.summary(_take(scene, robustness, dt)))


def draw(scene: str) -> None:
    """Writes the filmstrip of a scene."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    path = IMAGES / f"scene_{scene}.png"
    _take(scene, PICTURED, STEPS[0]).save(path, frames=FRAMES, width=WIDTH, azimuth_deg=SEEN_FROM.get(scene, AZIMUTH_DEG))
    shrink(path)


def table(results: list[Result]) -> str:
    """A row per scene and step: whether it holds at each robustness, and help and joint error at plausible."""
    rows = [
        "| scene | step | realistic | plausible | superhuman | help, mean / most | joint error |",
        "|---|--:|:-:|:-:|:-:|--:|--:|",
    ]
    by_key = {(r.scene, r.dt, r.robustness): r.summary for r in results}
    for scene, dt in dict.fromkeys((r.scene, r.dt) for r in results):
        at = {robustness: by_key[scene, dt, robustness] for robustness in DIAL}
        help_, error = at[PICTURED]["help"], at[PICTURED]["joint_error_deg"]["mean"]
        used = f"{help_['torque_mean_nm']:.0f} / {help_['torque_max_nm']:.0f} Nm"
        held = " | ".join(_held(at[robustness]) for robustness in DIAL)
        rows.append(f"| `{scene}` | {1000 * dt:g} ms | {held} | {used} | {error:.1f}° |")
    return "\n".join(rows)


def write_table(text: str) -> None:
    """Puts the table between its marks on the page."""
    page = PAGE.read_text(encoding="utf-8")
    marked = re.sub(r"(<!-- table -->\n).*?(<!-- end -->)", lambda m: f"{m[1]}{text}\n{m[2]}", page, flags=re.DOTALL)
    write_whole(PAGE, marked.encode())


def _take(scene: str, robustness: str, dt: float) -> poise.Take:
    scenario = replace(read_scenario(SCENES / f"{scene}.toml"), robustness=Robustness.of(robustness))
    return poise.simulate(scenario=scenario, dt=dt)


def _held(summary: dict[str, Any]) -> str:
    return "holds" if summary["completed"] else f"falls at {summary['fell_at_s']:.1f} s"


if __name__ == "__main__":
    main()
