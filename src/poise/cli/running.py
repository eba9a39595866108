"""A run with a progress bar and its files, for all commands that simulate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poise.cli.outputs import Written
from poise.cli.progress import PREPARING, Report, progress
from poise.errors import BadFile, SimulationDiverged
from poise.interruption import at_once

if TYPE_CHECKING:
    from poise.take import Take


def simulate_and_save(outputs: Sequence[Path], **settings: Any) -> tuple[Take, Written]:
    """The take of `poise.simulate(**settings)` and what was written of it."""
    written = Written()
    try:
        with progress("simulating", before=PREPARING) as report:
            take = _simulate(report, settings)
        written.save(take, outputs)
    except SimulationDiverged as problem:
        raise SimulationDiverged(f"{problem}{_kept(problem.take, outputs)}") from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; {written}") from None
    return take, written


def _simulate(report: Report | None, settings: dict[str, Any]) -> Take:
    """Simulates; until the first step is done, an interruption ends the process."""
    with at_once() as prepared:
        from poise.simulation import simulate

        def tell(share: float) -> None:
            prepared()
            if report:
                report(share)

        return simulate(**settings, progress=tell)


def tell_of_interruption(take: Take, written: Written) -> None:
    """Ends the command where the simulation was cut short from the keyboard; what it had by then is kept."""
    if take.info.get("interrupted"):
        raise KeyboardInterrupt(f"interrupted after {take.times[-1]:.2f} s of the simulation; {written}")


def _kept(take: Take | None, outputs: Sequence[Path]) -> str:
    """Saves the last second before a divergence beside the first output, and says so at the end of the message."""
    if take is None:
        return ""
    path = outputs[0].with_name(f"{outputs[0].stem}_diverged.npz") if outputs else Path("diverged.npz")
    written = Written()
    try:
        written.save(take, [path])
    except BadFile as problem:
        return f"; the last second could not be kept: {problem}"
    return f"; the last second is in {path} (poise.Take.load opens it)"
