"""The map of robustness as a picture: a polar plot as seen from above, the character facing up, one curve per setting."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from poise.files import whole
from poise.report import palette

_SIZE = (8.0, 6.4)  # inches
_AXES = (0.09, 0.08, 0.6, 0.75)  # left, bottom, width and height as shares of the picture
_DPI = 150
_INK, _FAINT, _GRID = "#262c38", "#707886", "#e0e4ea"
_RAMP = (palette.LEFT[:3], palette.GHOST[:3], palette.BALL[:3], palette.PUSH[:3])  # little to much help
_SIDES = {0: "forward", 90: "right", 180: "backward", 270: "left"}

Curve = Mapping[float, float]  # radius by direction, degrees clockwise from straight ahead


def polar(curves: Mapping[str, Curve], path: str | Path, *, title: str, remarks: str = "", unit: str = "Ns") -> None:
    """Write a PNG of closed curves, each under its name; a curve that lacks directions of the longest one stays open."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE, dpi=_DPI, facecolor="white")
    FigureCanvasAgg(figure)
    figure.text(0.02, 0.955, title, fontsize=12, fontweight="bold", color=_INK, parse_math=False)
    figure.text(0.02, 0.925, remarks, fontsize=8, color=_FAINT, parse_math=False)
    axes = figure.add_axes(_AXES, projection="polar", theta_offset=np.pi / 2, theta_direction=-1)
    whole_turn = max((len(curve) for curve in curves.values()), default=0)
    for (name, curve), color in zip(curves.items(), _colors(len(curves)), strict=True):
        _draw(axes, name, curve, color, closed=len(curve) == whole_turn)
    _dress(axes, unit)
    if curves:
        _explain(axes, unit)
    with whole(path) as draft, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # names in scripts that the font lacks show as boxes
        figure.savefig(draft, format="png", metadata={"Software": None})


def _draw(axes: Any, name: str, curve: Curve, color: tuple[float, ...], *, closed: bool) -> None:
    angles, radii = np.radians(list(curve)), np.array(list(curve.values()))
    if closed and len(curve) > 1:
        angles, radii = np.append(angles, angles[0]), np.append(radii, radii[0])
        axes.fill(angles, radii, color=color, alpha=0.10, linewidth=0.0)
    mean = f", mean {np.mean(list(curve.values())):.0f}" if closed and curve else ""
    axes.plot(angles, radii, color=color, linewidth=1.8, marker="o", markersize=4, label=f"{name}{mean}")


def _dress(axes: Any, unit: str) -> None:
    """Quiet axes; directions in degrees, with words for the four sides."""
    marks = range(0, 360, 45)
    axes.set_xticks(np.radians(list(marks)), [f"{k}°\n{_SIDES[k]}" if k in _SIDES else f"{k}°" for k in marks])
    axes.tick_params(colors=_FAINT, labelsize=8, pad=6)
    axes.set_rlim(0.0, max(axes.get_rmax(), 1.0))
    axes.set_rlabel_position(22.5)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g} {unit}" if value else "")
    axes.grid(True, color=_GRID, linewidth=0.8)
    axes.spines["polar"].set_color(_GRID)
    axes.annotate("", (0.0, 0.09 * axes.get_rmax()), (0.0, 0.0), arrowprops={"arrowstyle": "-|>", "color": _INK})


def _explain(axes: Any, unit: str) -> None:
    legend = axes.legend(loc="upper left", bbox_to_anchor=(1.06, 1.1), fontsize=8, frameon=False, labelcolor=_INK)
    legend.set_title(f"largest push survived ({unit})", prop={"size": 8})
    legend.get_title().set_color(_FAINT)


def _colors(count: int) -> list[tuple[float, ...]]:
    """Colours along the ramp, evenly spaced."""
    places = np.linspace(0.0, len(_RAMP) - 1.0, count)
    channels = [np.interp(places, range(len(_RAMP)), channel) for channel in zip(*_RAMP, strict=True)]
    return [tuple(float(c) for c in color) for color in zip(*channels, strict=True)]
