"""What Poise understood of a folder of motion files, and how well the pose controller follows them, as a Markdown page.

    python benchmarks/mocap_table.py FOLDER > docs/mocap_table.md
    python benchmarks/mocap_table.py FOLDER --json              one JSON line per file instead

FOLDER is POISE_MOCAP or ../shared/mocap unless told. One row per file, found by its ending in the folder and below it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from statistics import median
from typing import Any

from poise.character.binding import bind
from poise.errors import PoiseError
from poise.measure import summary
from poise.motion.load import load_tidied
from poise.motion.tidy import Findings
from poise.simulation import simulate

ENDINGS = (".bvh", ".amc", ".glb", ".gltf")
BESIDE = Path(__file__).resolve().parents[2] / "shared" / "mocap"
COLUMNS = {
    "file": "in the folder",
    "length": "seconds, at the rate that Poise settled on",
    "height": "metres along the bones from ankle to top of the head, after units were found",
    "up": "the file's axis that points up",
    "units": "length of a file unit; `cmu` is 1/0.45 inch",
    "frame rate": "what the file says, and the verdict: *ok*, *suspect* (a warning) or **repaired**",
    "roles": "parts of the body that were found; all by name unless it says otherwise",
    "joint error": "angle between simulated and captured joint, mean over joints and time, and what 95 % stay below, degrees",
    "centre of mass": "its mean distance from the captured motion's, centimetres",
    "sliding": "mean speed of soles that carry weight and should stand, cm/s",
    "help": "the receipt: mean artificial force as a share of body weight, mean artificial torque in Nm",
    "result": "end of the clip reached, or when the character fell",
}
PAGE = """\
# Every file of the mocap folder

Made by `python benchmarks/mocap_table.py ../shared/mocap > docs/mocap_table.md`; the folder is not part of the repository.
The character is `auto` (from the file's own skeleton, 72 kg), the controller `pose` with its root forces, the step {dt_ms:g} ms.
Nothing was told to Poise about any file.

{totals}

## What is remarkable

{remarks}

## The columns

{columns}

## The table

{table}

## What Poise warned about

{warnings}

The CMU data used in this project was obtained from mocap.cs.cmu.edu. The database was created with funding from NSF EIA-0196217.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path(os.environ.get("POISE_MOCAP") or BESIDE))
    parser.add_argument("--dt", type=float, default=0.002, help="step, seconds")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    paths = sorted(p for p in options.folder.rglob("*") if p.suffix.lower() in ENDINGS)
    if not paths:
        print(f"SKIPPED: no motion files in {options.folder}; name a folder or set POISE_MOCAP", file=sys.stderr)
        return
    files = []
    for path in paths:
        files.append({"file": path.relative_to(options.folder).as_posix()} | measured(path, options.dt))
        print(json.dumps(files[-1]) if options.json else files[-1]["file"], file=None if options.json else sys.stderr, flush=True)
    if not options.json:
        print(page(files, options.dt), end="")


def measured(path: Path, dt: float) -> dict[str, Any]:
    """What was understood of a file and how well it was followed; a file that cannot be simulated says why under "refused"."""
    try:
        clip, found = load_tidied(path)
        understood = _understood(clip.duration, found)
        how = bind(clip).roles.how
        roles = {"roles": len(how), "roles_by_name": sum(by == "name" for by in how.values())}
        return understood | roles | summary(simulate(path, controller="pose", dt=dt)) | {"warnings": list(found.warnings)}
    except PoiseError as error:
        return {"refused": str(error)}


def page(files: list[dict[str, Any]], dt: float) -> str:
    """The whole Markdown page."""
    followed = [f for f in files if "refused" not in f]
    refused = [f for f in files if "refused" in f]
    rows = [_row(f) for f in followed]
    return PAGE.format(
        dt_ms=1000 * dt,
        totals=_totals(followed, len(files)),
        remarks=_bullets([*_remarks(followed), *(f"`{f['file']}` is refused: {f['refused']}." for f in refused)]),
        columns=_bullets([f"**{name}**: {meaning}." for name, meaning in COLUMNS.items()]),
        table="\n".join(["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS), *rows]),
        warnings=_bullets([f"`{f['file']}`: {'; '.join(f['warnings'])}." for f in followed if f["warnings"]]),
    )


def _understood(seconds: float, found: Findings) -> dict[str, Any]:
    suspected = any(warning.startswith("frame rate") for warning in found.warnings)
    verdict = "repaired" if found.fps != found.stamped_fps else "suspect" if suspected else "ok"
    return {
        "seconds": round(seconds, 2),
        "height_m": round(found.height_m, 3),
        "up": found.up,
        "units": found.units,
        "stamped_fps": found.stamped_fps,
        "fps": found.fps,
        "rate_verdict": verdict,
    }


def _totals(files: list[dict[str, Any]], nfiles: int) -> str:
    ended = sum(f["completed"] for f in files)
    errors = [f["joint_error_deg"]["mean"] for f in files]
    com = [100 * f["com_error_m"]["mean"] for f in files]
    force = [f["help"]["force_mean_bw"] for f in files]
    return (
        f"**{nfiles} files, {len(files)} of them bodies with two legs; {ended} of these {len(files)} ran to the end.** "
        f"Median joint error {median(errors):.1f}°\n(worst {max(errors):.1f}°), median distance of the centre of mass "
        f"{median(com):.1f} cm (worst {max(com):.1f} cm), median help {median(force):.2f} of body weight."
    )


def _remarks(files: list[dict[str, Any]]) -> list[str]:
    """Sentences about the extremes, computed like everything else on the page."""
    repaired = [f for f in files if f["rate_verdict"] == "repaired"]
    suspect = [f for f in files if f["rate_verdict"] == "suspect"]
    by_shape = [f for f in files if f["roles_by_name"] < f["roles"]]
    return [
        *(f"`{f['file']}` says {f['stamped_fps']:g} frames per second and falls as at {f['fps']:g}: repaired." for f in repaired),
        f"The frame rate of {_listed(suspect)} is doubted but left alone.",
        f"Names give every role in {len(files) - len(by_shape)} of {len(files)} files.",
        f"Hardest to follow: {_ranked(files, lambda f: f['joint_error_deg']['mean'], '{:.1f}°')}.",
        f"Most help: {_ranked(files, lambda f: f['help']['force_mean_bw'], '{:.2f} of body weight')}. Magnitudes are summed over "
        "pelvis and feet; beyond 1 the root forces carry and brake more than the body's weight, as in runs and fast turns.",
        f"Most torque: {_ranked(files, lambda f: f['help']['torque_mean_nm'], '{:.0f} Nm')}.",
        f"Soles slide most in {_ranked(files, lambda f: 100 * f['foot_slide_m_s'], '{:.0f} cm/s')}.",
        *(f"`{f['file']}` falls at {f['fell_at_s']:.2f} s." for f in files if f["fell_at_s"] is not None),
    ]


def _ranked(files: list[dict[str, Any]], key: Any, text: str) -> str:
    most = sorted(files, key=key, reverse=True)[:3]
    return ", ".join(f"`{f['file']}` ({text.format(key(f))})" for f in most)


def _listed(files: list[dict[str, Any]]) -> str:
    return ", ".join(f"`{f['file']}`" for f in files) or "no file"


def _row(f: dict[str, Any]) -> str:
    joint, used = f["joint_error_deg"], f["help"]
    rate = f"{f['stamped_fps']:.4g}"
    verdict = {"ok": f"{rate} ok", "suspect": f"{rate} *suspect*", "repaired": f"{rate} **repaired** to {f['fps']:.4g}"}
    by_name = "" if f["roles_by_name"] == f["roles"] else f", {f['roles_by_name']} by name"
    cells = [
        f["file"],
        f"{f['seconds']:.1f}",
        f"{f['height_m']:.2f}",
        f["up"],
        f["units"],
        verdict[f["rate_verdict"]],
        f"{f['roles']}{by_name}",
        f"{joint['mean']:.1f}, {joint['p95']:.1f}",
        f"{100 * f['com_error_m']['mean']:.1f}",
        f"{100 * f['foot_slide_m_s']:.1f}",
        f"{used['force_mean_bw']:.2f}, {used['torque_mean_nm']:.0f}",
        "completed" if f["completed"] else f"fell at {f['fell_at_s']:.2f} s",
    ]
    return "| " + " | ".join(cells) + " |"


def _bullets(lines: list[str]) -> str:
    return "\n".join(f"* {line}" for line in lines) or "* nothing"


if __name__ == "__main__":
    main()
