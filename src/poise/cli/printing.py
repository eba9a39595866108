"""What commands print on standard output: JSON, or a short table for people."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any


def as_json(data: Mapping[str, Any]) -> str:
    """One JSON object; numbers that JSON has no word for become null."""
    return json.dumps(_plain(data), indent=2, allow_nan=False)


def as_table(rows: Iterable[tuple[str, str]]) -> str:
    """Lines of a word and what it is, in two columns. Names of files may hold anything: what does not print becomes '?'."""
    rows = list(rows)
    width = max(len(word) for word, _ in rows)
    return "\n".join(f"{word:<{width}}  {_printable(text)}".rstrip() for word, text in rows)


def summary_rows(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The rows that tell a person how a run went."""
    return [
        ("clip", f"{summary['clip'] or 'none'} on character {summary['character']}, controller {summary['controller']}"),
        ("result", _result(summary)),
        ("joint error", "{mean:.1f}° mean, {p95:.1f}° for 95 %".format_map(_numbers(summary["joint_error_deg"]))),
        ("centre of mass", "{mean:.3f} m off on average, {max:.3f} m at most".format_map(_numbers(summary["com_error_m"]))),
        ("foot slide", f"{_number(summary['foot_slide_m_s']):.3f} m/s"),
        *(
            [("robustness", "{thr_min:g} … {thr_max:g} Nm".format_map(_numbers(limits)))]
            if (limits := summary["robustness"])
            else []
        ),
        ("help used", _help(summary["help"])),
        ("speed", f"{_speed(summary['realtime_factor'])}steps of {summary['dt_s'] * 1000:g} ms"),
        *(("warning", warning) for warning in summary["warnings"]),
    ]


def inspection_rows(findings: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The rows that tell a person what was understood of a clip."""
    by_shape = set(findings["roles_by_shape"])
    roles = [f"{role} {joint}{' (by shape)' if role in by_shape else ''}" for role, joint in findings["roles"].items()]
    return [
        ("clip", f"{findings['clip']} ({findings['format']}), {findings['joints']} joints"),
        ("length", f"{findings['frames']} frames, {findings['duration_s']:.2f} s{_rate(findings)}"),
        ("size", "{height_m:.2f} m tall; 1 file unit is {metres_per_unit:.4g} m ({units})".format_map(findings)),
        ("axes", "{up} is up, floor at {floor_m:.3f} m above the file's zero".format_map(findings)),
        *([("faces", "x {:.2f}, y {:.2f} of the world at the start".format(*findings["facing"]))] if findings["facing"] else []),
        *_lines("roles", roles, together=4),
        *_lines("bodies", findings["segments"], together=6),
        *((foot.replace("_", " "), f"stands {_share(of['share'])} of the time") for foot, of in findings["stance"].items()),
        *(("repaired", repair) for repair in findings["repairs"]),
        *(("warning", warning) for warning in findings["warnings"]),
    ]


def _result(summary: Mapping[str, Any]) -> str:
    duration = f"{_number(summary['duration_s']):.2f} s"
    if summary["fell_at_s"] is not None:
        return f"fell at {summary['fell_at_s']:.2f} s of {duration}"
    return f"completed {duration}" if summary["completed"] else f"stopped before the end, after {duration}"


def _help(used: Mapping[str, Any]) -> str:
    line = "torque {torque_mean_nm:.0f} Nm mean, {torque_max_nm:.0f} Nm most; force {force_mean_bw:.2f} of body weight; "
    whole = line.format_map(_numbers(used)) + f"active {_share(used['active_share'])} of the time"
    if not (used["root_torque_mean_nm"] or used["root_force_mean_bw"]):
        return whole  # nothing but torques on standing feet
    parts = "; on the root {root_torque_mean_nm:.0f} Nm, {root_force_mean_bw:.2f}; on feet {foot_torque_mean_nm:.0f} Nm, "
    return whole + (parts + "{foot_force_mean_bw:.2f}").format_map(_numbers(used))


def _rate(findings: Mapping[str, Any]) -> str:
    stamped = "" if findings["fps"] == findings["stamped_fps"] else f" (the file says {findings['stamped_fps']:g})"
    return f" at {findings['fps']:g} frames per second{stamped}"


def _lines(word: str, names: list[str], together: int) -> list[tuple[str, str]]:
    """Names, a few in each row; only the first row has the word."""
    rows = [", ".join(names[k : k + together]) for k in range(0, len(names), together)]
    return [("" if k else word, row) for k, row in enumerate(rows)]


def _share(value: float | None) -> str:
    return f"{100 * _number(value):.0f} %"


def _speed(factor: float | None) -> str:
    """How fast it ran; nothing for a live run, which goes by the clock."""
    return "" if factor is None or math.isnan(factor) else f"{factor:.1f} times real time, "


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _numbers(table: Mapping[str, Any]) -> dict[str, float]:
    return {key: _number(value) for key, value in table.items()}


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)


def _plain(value: Any) -> Any:
    """The value with JSON's own types only; `item` and `tolist` are those of NumPy's scalars and arrays."""
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)
