"""When each foot stands: it is low and slow (da Silva section 5), cleaned of flicker, and editable by hand.

The paper looks at the ankle. An ankle leaves the floor when the heel does, long before the foot stops carrying weight, and
then a walk has moments with no foot in stance. So heel and ball are looked at: a foot stands while either is low and slow.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from poise.errors import BadFile, choices
from poise.files import write_whole
from poise.rotation import Array, Mask


@dataclass(frozen=True)
class StanceRule:
    """Thresholds for a body with legs of 1 m; heights and speeds scale with the leg."""

    low: float = 0.035  # m above the floor: below it a slow point of the sole starts to stand
    high: float = 0.06  # m: above it none stands
    slow: float = 0.3  # m/s: slower than this a low point starts to stand
    fast: float = 0.6  # m/s: faster than this it stops
    shortest_stance: float = 0.06  # s
    shortest_swing: float = 0.06  # s


def find_stance(points: Array, leg: float, fps: float, rule: StanceRule | None = None) -> Mask:
    """Frames (F,) in which a foot stands, from world positions (F, P, 3) of its heel and its ball."""
    rule = rule or StanceRule()
    standing = np.stack([_point_stance(points[:, p], leg, fps, rule) for p in range(points.shape[1])])
    stance: Mask = np.any(standing, axis=0)
    stance = _drop_short(stance, False, rule.shortest_swing * fps)
    return _drop_short(stance, True, rule.shortest_stance * fps)


def _point_stance(point: Array, leg: float, fps: float, rule: StanceRule) -> Mask:
    speed = np.linalg.norm(np.gradient(point, 1.0 / fps, axis=0), axis=-1) if len(point) > 1 else np.zeros(len(point))
    speed = _smooth(speed, round(0.025 * fps)) / leg
    height = point[:, 2] / leg
    begin = (height < rule.low) & (speed < rule.slow)
    stop = (height > rule.high) | (speed > rule.fast)
    return _hysteresis(begin, stop)


def intervals(stance: Mask, fps: float) -> list[tuple[float, float]]:
    """Stance as (from, to) in seconds; the last frame of a stance is its end."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], stance, [False]]).astype(int)))
    return [(float(a / fps), float((b - 1) / fps)) for a, b in edges.reshape(-1, 2)]


def write_stance(stance: Mask, fps: float, feet: Sequence[str], path: str | Path) -> None:
    """Writes stance (F, feet) as a TOML file of intervals in seconds, to be edited by hand."""
    lines = ["# When each foot stands, in seconds from the clip's start. Edit, then use with --stance."]
    for k, foot in enumerate(feet):
        spans = ", ".join(f"[{a:.3f}, {b:.3f}]" for a, b in intervals(stance[:, k], fps))
        lines.append(f"{foot} = [{spans}]")
    write_whole(path, ("\n".join(lines) + "\n").encode())


def read_stance(path: str | Path, nframes: int, fps: float, feet: Sequence[str]) -> Mask:
    """Stance (F, feet) from an edited file. A foot that the file does not name never stands."""
    path = Path(path)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadFile(path, f"cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadFile(path, f"is not a stance file: {error}") from None
    if not data:
        raise BadFile(path, f"names no foot; `poise inspect CLIP --stance FILE` writes lines such as {feet[0]} = [[0.0, 0.5]]")
    stance = np.zeros((nframes, len(feet)), bool)
    times = np.arange(nframes) / fps
    for foot, spans in data.items():
        if foot not in feet:
            raise BadFile(path, f"unknown foot '{foot}'{choices(foot, feet)}")
        if not isinstance(spans, list):
            raise BadFile(path, f"{foot} must be a list of [from, to] in seconds")
        for span in spans:
            start, end = _span(path, foot, span)
            stance[(times >= start - 0.5 / fps) & (times <= end + 0.5 / fps), list(feet).index(foot)] = True
    return stance


def _span(path: Path, foot: str, span: object) -> tuple[float, float]:
    good = isinstance(span, list) and len(span) == 2 and all(isinstance(v, int | float) for v in span)
    if not good or not 0 <= span[0] <= span[1]:  # type: ignore[index]
        raise BadFile(path, f"{foot}: {span!r} must be [from, to] in seconds with 0 <= from <= to")
    return float(span[0]), float(span[1])  # type: ignore[index]


def _smooth(values: Array, half: int) -> Array:
    if half < 1 or len(values) <= 2 * half:
        return values
    padded = np.pad(values, half, mode="edge")
    return np.convolve(padded, np.full(2 * half + 1, 1.0 / (2 * half + 1)), mode="valid")


def _hysteresis(begin: Mask, stop: Mask) -> Mask:
    """On from a frame that begins until one that stops."""
    events = np.where(stop, -1, np.where(begin, 1, 0))
    last = np.maximum.accumulate(np.where(events != 0, np.arange(len(events)), -1))
    return (last >= 0) & (events[np.maximum(last, 0)] == 1)


def _drop_short(stance: Mask, value: bool, shortest: float) -> Mask:
    """Flips runs of `value` shorter than `shortest` frames, except at the clip's ends."""
    stance = stance.copy()
    edges = np.flatnonzero(np.diff(stance.astype(int))) + 1
    bounds = np.concatenate([[0], edges, [len(stance)]])
    for a, b in pairwise(bounds[1:-1]):
        if stance[a] == value and b - a < shortest:
            stance[a:b] = not value
    return stance
