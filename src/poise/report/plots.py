"""How a take went over time, in one small picture: error, help, and the feet."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from poise.files import whole
from poise.measure import com_error_m, fell_at_s, joint_error_deg
from poise.report import palette, sheet
from poise.report.take_scene import pushes
from poise.take import Take

_SIZE = (9.0, 6.2)  # inches
_DPI = 150
_INK, _FAINT, _GRID = "#262c38", "#707886", "#e6e9ee"
_FIRST, _SECOND, _PUSH = palette.CENTRE[:3], palette.BALL[:3], palette.PUSH[:3]
_GRAVITY = 9.81


def plot(take: Take, path: str | Path) -> None:
    """Write a PNG of joint and centre-of-mass error, artificial help, and the load of each foot against its stance."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE, dpi=_DPI, facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    name, remarks = sheet.take_title(take)
    figure.suptitle(name, x=0.012, ha="left", fontsize=12, fontweight="bold", color=_INK, parse_math=False)
    rows = figure.subplots(3, 1, sharex=True, height_ratios=[1.2, 1.2, 0.8])
    rows[0].set_title(remarks, loc="left", fontsize=8, color=_FAINT, pad=24)
    _errors(rows[0], take)
    _help(rows[1], take)
    _feet(rows[2], take)
    for row in rows:
        _mark_events(row, take)
    rows[2].set_xlabel("time (s)", color=_FAINT, fontsize=8)
    with whole(path) as draft, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # names in scripts that the font lacks show as boxes
        figure.savefig(draft, format="png", metadata={"Software": None})


def _errors(axes: Any, take: Take) -> None:
    joint = joint_error_deg(take)
    axes.fill_between(take.times, 0.0, joint.max(axis=1), color=_FIRST, alpha=0.15, linewidth=0.0, label="worst joint")
    axes.plot(take.times, joint.mean(axis=1), color=_FIRST, label="mean of joints")
    _dress(axes, "joint error (°)", at_least=1.0)
    beside = axes.twinx()
    beside.plot(take.times, 100.0 * com_error_m(take), color=_SECOND, linewidth=1.2, label="centre of mass (right)")
    _dress(beside, "centre of mass (cm)", at_least=1.0, grid=False)
    _legend(axes, beside)


def _help(axes: Any, take: Take) -> None:
    weight = take.character.mass * _GRAVITY
    axes.fill_between(take.times, 0.0, take.help_peak[:, 0], color=_FIRST, alpha=0.15, linewidth=0.0)
    axes.plot(take.times, take.help_torque, color=_FIRST, label="artificial torque")
    _dress(axes, "help torque (Nm)", at_least=1.0)
    beside = axes.twinx()
    beside.fill_between(take.times, 0.0, 100.0 * take.help_peak[:, 1] / weight, color=_SECOND, alpha=0.12, linewidth=0.0)
    beside.plot(take.times, 100.0 * take.help_force / weight, color=_SECOND, label="artificial force (right)")
    _dress(beside, "help force (% of weight)", at_least=1.0, grid=False)
    _legend(axes, beside)


def _feet(axes: Any, take: Take) -> None:
    """For each foot a band: how much it carries, above a bar where the reference wants it to stand."""
    weight = take.character.mass * _GRAVITY
    for k, foot in enumerate(take.character.feet):
        base = len(take.character.feet) - 1 - k
        color = palette.of_part(foot)[:3]
        load = np.clip(take.contact[:, k] / weight, 0.0, 1.5) / 1.5
        axes.fill_between(take.times, base + 0.12, base + 0.12 + 0.78 * load, color=color, alpha=0.55, linewidth=0.0)
        wanted = take.stance[:, k].astype(bool)
        axes.fill_between(take.times, base, base + 0.08, where=wanted, color=color, linewidth=0.0, step="mid")
    _dress(axes, "", at_least=1.0, grid=False)
    axes.set_ylim(-0.05, len(take.character.feet))
    names = [foot.replace("_", " ") for foot in reversed(take.character.feet)]
    axes.set_yticks(np.arange(len(names)) + 0.45, names)
    axes.set_title("load of the feet, and below it where the reference stands", loc="left", fontsize=8, color=_FAINT)


def _mark_events(axes: Any, take: Take) -> None:
    for event in pushes(take):
        axes.axvspan(event["at"], event["at"] + event["duration"], color=_PUSH, alpha=0.12, linewidth=0.0)
    fall = fell_at_s(take)
    if fall is not None:
        axes.axvline(fall, color=_PUSH, linewidth=1.0, linestyle=(0, (4, 3)))


def _dress(axes: Any, label: str, *, at_least: float, grid: bool = True) -> None:
    """Quiet axes from 0 up; `at_least` keeps numerical dust from filling them."""
    axes.set_ylabel(label, color=_FAINT, fontsize=8)
    axes.tick_params(colors=_FAINT, labelsize=8, length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.margins(x=0.0)
    axes.set_ylim(0.0, max(axes.get_ylim()[1], at_least))
    if grid:
        axes.grid(True, color=_GRID, linewidth=0.8)
        axes.set_axisbelow(True)


def _legend(axes: Any, beside: Any) -> None:
    """One legend for both scales, out of the way of the curves."""
    handles, labels = (a + b for a, b in zip(axes.get_legend_handles_labels(), beside.get_legend_handles_labels(), strict=True))
    axes.legend(
        handles, labels, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3, fontsize=8, frameon=False, labelcolor=_INK
    )
