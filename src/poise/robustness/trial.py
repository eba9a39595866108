"""Pushes of growing force on one character in one direction."""

from __future__ import annotations

from dataclasses import dataclass, replace

from poise import rotation
from poise.errors import SimulationDiverged
from poise.physics.state import State
from poise.reference.reference import Target
from poise.robustness.ladder import Limit, largest_survived
from poise.robustness.survival import HOP, longest_airtime, what_ended
from poise.scenario.events import Push, compass
from poise.simulation import Run, perform
from poise.take import Take

STANDS_AFTER = 5.0  # s after the push that the character must still stand
OWN_HOPS = 2.0  # times as long as without a push a character may leave the ground, where it does that by itself
_LOST = 0.4  # of the reference's height of the centre of mass: nobody comes back from there, the trial can end


@dataclass(frozen=True, eq=False)
class Job:
    """One limit to be found: a run, and a push of unknown force in a direction. Plain data that can go to another process."""

    run: Run
    body: str
    toward_deg: float  # the force points there on the compass: 0 straight ahead of the character, 90 to its right
    at: float  # s
    push_s: float


def find_limit(job: Job) -> Limit:
    """The largest push that the character of a job survives."""
    unpushed = _pushed(job, 0.0)
    hop = max(HOP, OWN_HOPS * longest_airtime(unpushed, job.at)) if unpushed else HOP
    return largest_survived(lambda force: what_ends(job, force, hop))


def what_ends(job: Job, force: float, hop: float = HOP) -> str | None:
    """What ends the character under one push (newtons), in words; None where it survives. Longer than `hop` (s) is a hop."""
    take = _pushed(job, force)
    if take is None:
        return "diverged"
    ended = what_ended(take, job.at, hop)
    if ended is None and take.times[-1] < _end(job) - job.run.dt:
        ended = f"gave up at {take.times[-1]:.2f} s" if _gave_up(job.run) else f"fell by {take.times[-1]:.2f} s"
    return ended


def _pushed(job: Job, force: float) -> Take | None:
    """The run with a push (newtons), cut short where all is lost; None where it diverges."""
    push = Push(job.body, _vector(job, force), job.at, job.push_s)
    run = replace(job.run, events=(push,), duration=_end(job))

    def lost(state: State, target: Target) -> bool:
        return _gave_up(run) or state.com[2] < _LOST * target.com[2]

    try:
        take = perform(run, until=lost)
    except SimulationDiverged:
        return None
    if take.info.get("interrupted"):
        raise KeyboardInterrupt
    return take


def _end(job: Job) -> float:
    return job.at + job.push_s + STANDS_AFTER


def _gave_up(run: Run) -> bool:
    """Whether the falling strategy has latched, for controllers that have one."""
    return getattr(run.controller, "fallen", False)


def _vector(job: Job, force: float) -> tuple[float, float, float]:
    """The push in the world frame, newtons. The character faces where the reference's pelvis does at the time of the push."""
    reference = job.run.reference
    then = reference.target()
    reference.sample(job.at, then)
    x, y, z = force * rotation.rotate(rotation.about_z(rotation.heading(then.rotation[0])), compass(job.toward_deg))
    return float(x), float(y), float(z)
