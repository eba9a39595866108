"""The receipt of what has run so far, in one line."""

from __future__ import annotations

from html import escape

from poise.measure import fell_at_s, receipt
from poise.studio.pace import Figures
from poise.studio.snapshot import Snapshot
from poise.take import Take


def receipt_line(take: Take) -> str:
    """The help that a take used, and whether it fell, as Markdown."""
    used, fell = receipt(take), fell_at_s(take)
    end = "no fall" if fell is None else f"**fell at {fell:.1f} s**"
    return (
        f"**Receipt** {take.times[0]:.0f}–{take.times[-1]:.0f} s: help torque {used['torque_mean_nm']:.0f} Nm mean, "
        f"{used['torque_max_nm']:.0f} Nm most; help force {used['force_mean_bw']:.2f} of body weight; "
        f"active {100 * used['active_share']:.0f} % of the time; {end}"
    )


def status_line(clip: str, now: Snapshot, playing: bool, asked_speed: float, figures: Figures) -> str:
    """Where the run is and how well it keeps real time, as Markdown."""
    state = "**has given up**" if now.gave_up else "**is down**" if now.down else "running" if playing else "paused"
    pace = f"{figures.speed:.2f} of {asked_speed:g} times real time" if playing else f"{asked_speed:g} times real time"
    late = f", {figures.lost_s:.1f} s lost" if figures.lost_s > 0.05 else ""
    return f"{escape(clip)} · {now.time:.1f} s · {state} · {figures.steps_per_s:.0f} steps/s, {pace}{late}"
