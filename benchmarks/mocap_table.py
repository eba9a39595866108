"""What Poise understood of a folder of motion files, and how well the pose controller follows them, as a Markdown table.

    python benchmarks/mocap_table.py FOLDER [--dt 0.002] > docs/mocap_table.md

One row per file, found by its ending in the folder and below it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from poise.character.binding import bind
from poise.errors import PoiseError
from poise.measure import summary
from poise.motion.clip import Clip
from poise.motion.read import read
from poise.motion.tidy import Findings, tidy
from poise.simulation import simulate

ENDINGS = (".bvh", ".amc", ".glb")
UNDERSTOOD = ("file", "height", "up", "units", "frame rate", "roles found")
HEAD = (*UNDERSTOOD, "joint error", "centre of mass", "sliding", "help", "warnings")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dt", type=float, default=0.002)
    options = parser.parse_args()
    print("| " + " | ".join(HEAD) + " |")
    print("|" + "---|" * len(HEAD))
    for path in sorted(p for p in options.folder.rglob("*") if p.suffix in ENDINGS):
        name = path.relative_to(options.folder)
        print(f"| {name} | " + " | ".join(row(path, options.dt)) + " |", flush=True)
        print(name, file=sys.stderr)


def row(path: Path, dt: float) -> list[str]:
    """The cells of one file; a file that cannot be simulated says why."""
    try:
        source = read(path)
        clip, found = tidy(source)
        understood = [f"{found.height_m:.2f} m", found.up, found.units, _rate(found)]
    except PoiseError as error:
        return [str(error)] + [""] * (len(HEAD) - 2)
    try:
        return [*understood, _roles(clip), *_followed(source, dt), "; ".join(found.warnings)]
    except PoiseError as error:
        return [*understood, str(error)] + [""] * 5


def _rate(found: Findings) -> str:
    return f"{found.fps:.4g}" if found.fps == found.stamped_fps else f"{found.fps:.4g}, stamped {found.stamped_fps:.4g}"


def _roles(clip: Clip) -> str:
    roles = bind(clip).roles
    by_name = sum(how == "name" for how in roles.how.values())
    return f"{len(roles.of)}, {by_name} by name"


def _followed(source: Clip, dt: float) -> list[str]:
    result = summary(simulate(source, dt=dt))
    joint, com, used = result["joint_error_deg"], result["com_error_m"], result["help"]
    fall = "" if result["completed"] else f", falls at {result['fell_at_s']} s"
    return [
        f"{joint['mean']:.1f}° (95 %: {joint['p95']:.1f}°){fall}",
        f"{100 * com['mean']:.1f} cm",
        f"{100 * result['foot_slide_m_s']:.1f} cm/s",
        f"{used['force_mean_bw']:.2f} bw, {used['torque_mean_nm']:.0f} Nm",
    ]


if __name__ == "__main__":
    main()
