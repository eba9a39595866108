"""The foot torque against its two thresholds, as a bar (da Silva, Fig. 4) and over time with the help."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from poise.studio.snapshot import Snapshot

_SECONDS = 10.0
_LINES = (("help, Nm", "#f0a030", 2), ("foot, Nm", "#4878b0", 2), ("thr_min", "#a0a0a0", 1), ("thr_max", "#404040", 1))
_CALM, _HELPED, _TOO_MUCH = "#3caa5a", "#f0a030", "#dc3c50"


class History:
    """The last ten seconds of what is plotted, one entry per snapshot."""

    def __init__(self) -> None:
        self._rows: deque[tuple[float, float, float, float, float]] = deque()

    def add(self, now: Snapshot) -> None:
        """Takes in a snapshot; a clock that goes back starts the history anew."""
        if self._rows and now.time < self._rows[-1][0]:
            self._rows.clear()
        if self._rows and now.time == self._rows[-1][0]:
            return
        low, high = now.thresholds or (0.0, 0.0)  # a chart cannot scale a line of nothing but NaN
        torque = 0.0 if now.foot_torque is None or now.gave_up else now.foot_torque
        self._rows.append((now.time, now.help_torque, torque, low, high))
        while self._rows[0][0] < now.time - _SECONDS:
            self._rows.popleft()

    def columns(self) -> tuple[np.ndarray, ...]:
        """Time, help torque, foot torque, thr_min and thr_max: arrays (n,), seconds and Nm."""
        rows = np.array(self._rows) if self._rows else np.zeros((1, 5))
        return tuple(np.ascontiguousarray(column) for column in rows.T)


def add_plot(gui: Any, history: History) -> Any:
    """A chart of the history; set its `data` to redraw it."""
    series = ({"label": "s"}, *({"label": label, "stroke": color, "width": width} for label, color, width in _LINES))
    return gui.add_uplot(
        history.columns(),
        series=series,
        scales={"x": {"time": False, "auto": True}, "y": {"auto": True}},
        legend={"show": True},
        height=220,
    )


def bar(now: Snapshot) -> str:
    """The bar as HTML: green below thr_min, yellow where help sets in, red from thr_max on."""
    if now.thresholds is None or now.foot_torque is None:
        return _box("This controller has no thresholds: all its help is on the receipt.")
    low, high = now.thresholds
    torque = 0.0 if now.gave_up else now.foot_torque
    full = max(1.25 * high, 1.0)
    color = _CALM if torque < low else _HELPED if torque < high else _TOO_MUCH
    width = 100.0 * min(torque / full, 1.0)
    ticks = "".join(_tick(100.0 * value / full, name) for value, name in ((low, "min"), (high, "max")) if value > 0.0)
    words = f"foot torque <b>{torque:.0f} Nm</b> &nbsp; thr_min {low:.0f} &nbsp; thr_max {high:.0f}"
    track = "position:relative;height:18px;background:#e4e7ec;border-radius:3px;margin-top:4px;overflow:hidden"
    filled = f"height:100%;width:{width:.1f}%;background:{color}"
    return _box(f'{words}<div style="{track}"><div style="{filled}"></div>{ticks}</div>')


def _tick(percent: float, name: str) -> str:
    style = f"position:absolute;left:{percent:.1f}%;top:0;height:100%;border-left:2px solid #222;font-size:10px;padding-left:2px"
    return f'<div style="{style}">{name}</div>'


def _box(content: str) -> str:
    return f'<div style="font-size:12px;padding:2px 12px 6px 12px">{content}</div>'
