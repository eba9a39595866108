"""A map of robustness as a table for people, and as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from poise.cli.printing import as_json
from poise.files import write_whole

if TYPE_CHECKING:
    from poise.robustness.survey import RobustnessMap

ENDINGS = (".png", ".csv", ".json")


def write(found: RobustnessMap, path: Path) -> None:
    """Writes one output in the format of its ending."""
    if path.suffix.lower() == ".json":
        write_whole(path, (as_json(found.to_dict()) + "\n").encode())
    elif path.suffix.lower() == ".csv":
        write_whole(path, ("\n".join(_csv(found)) + "\n").encode())
    else:
        from poise.report.polar import polar

        curves = {_name(s.robustness): s.impulse_ns(found.push_s) for s in found.settings if s.limits}
        polar(curves, path, title=f"robustness of {_named(found)}", remarks=_how(found))


def table(found: RobustnessMap) -> list[str]:
    """Lines of a table: a row per setting, a column per direction, impulses in newton seconds."""
    head = ["robustness", "thr_min", "thr_max", *(f"{k:g}°" for k in found.directions), "mean"]
    rows = [head]
    for setting in found.settings:
        impulse, mean = setting.impulse_ns(found.push_s), found.mean_ns(setting)
        cells = [f"{impulse[k]:.1f}" if k in impulse else "-" for k in found.directions]
        limits = setting.thresholds
        rows.append([_name(setting.robustness), f"{limits.thr_min:g}", f"{limits.thr_max:g}", *cells, _or_dash(mean)])
    return [f"largest push survived, Ns: {_named(found)}, {_how(found)}", *_aligned(rows), *_failures(found)]


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [f"{row[0]:<{widths[0]}}  " + "  ".join(f"{c:>{w}}" for c, w in zip(row[1:], widths[1:], strict=True)) for row in rows]


def _failures(found: RobustnessMap) -> list[str]:
    """A line for each setting that fails without any push, which no number of newtons tells."""
    return [
        f"{_name(setting.robustness)}: {limit.ended_by} without any push"
        for setting in found.settings
        for limit in list(setting.limits.values())[:1]
        if limit.ended_by and limit.ntrials == 1
    ]


def _csv(found: RobustnessMap) -> list[str]:
    lines = ["robustness,thr_min_nm,thr_max_nm,direction_deg,force_n,impulse_ns,ended_by"]
    for setting in found.settings:
        start = f"{_name(setting.robustness)},{setting.thresholds.thr_min:g},{setting.thresholds.thr_max:g}"
        lines += [
            f"{start},{toward:g},{limit.force_n:.6g},{limit.force_n * found.push_s:.6g},{limit.ended_by or ''}"
            for toward, limit in setting.limits.items()
        ]
    return lines


def _how(found: RobustnessMap) -> str:
    return f"{found.body} pushed for {found.push_s:g} s at {found.at_s:g} s, steps of {found.dt_s * 1000:g} ms"


def _named(found: RobustnessMap) -> str:
    return found.clip or "quiet standing"


def _name(setting: str | float) -> str:
    return setting if isinstance(setting, str) else f"{setting:g}"


def _or_dash(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
