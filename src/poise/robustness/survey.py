"""The map of robustness: the largest push survived, per direction and per setting of the dial."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from poise.errors import BadInput
from poise.motion.clip import Clip
from poise.reference.reference import AnyReference
from poise.robustness.ladder import Limit
from poise.robustness.trial import Job, find_limit
from poise.robustness.workers import check_ray, cores, in_processes, on_ray
from poise.scenario.events import RANDOM, Push
from poise.scenario.robustness import DIAL, Robustness
from poise.simulation import Run, make_controller, prepare

SETTINGS = tuple(DIAL)
SETTLED = 1.0  # s: by then a standing character is at rest
MOST_DIRECTIONS = 360


@dataclass(frozen=True)
class SettingLimits:
    """The limits at one setting of the dial by direction, degrees; an interrupted survey lacks some."""

    robustness: str | float  # as it was asked for
    thresholds: Robustness
    limits: dict[float, Limit]

    def impulse_ns(self, push_s: float) -> dict[float, float]:
        """The largest impulses survived by direction, newton seconds."""
        return {toward: limit.force_n * push_s for toward, limit in self.limits.items()}


@dataclass(frozen=True)
class RobustnessMap:
    """What a survey found. `directions` in degrees on the compass: where the force points, 0 straight ahead, 90 to the right."""

    clip: str | None
    character: str
    body: str
    push_s: float
    at_s: float
    dt_s: float
    directions: tuple[float, ...]
    settings: tuple[SettingLimits, ...]

    @property
    def complete(self) -> bool:
        return all(len(setting.limits) == len(self.directions) for setting in self.settings)

    def to_dict(self) -> dict[str, Any]:
        """The map as `poise robustness --json` prints it; a mean over missing directions is null."""
        about = {key: getattr(self, key) for key in ("clip", "character", "body", "push_s", "at_s", "dt_s")}
        return about | {"complete": self.complete, "settings": [self._setting(setting) for setting in self.settings]}

    def mean_ns(self, setting: SettingLimits) -> float | None:
        """The mean of the impulses over all directions; None where some are missing."""
        impulses = setting.impulse_ns(self.push_s).values()
        return sum(impulses) / len(impulses) if len(impulses) == len(self.directions) else None

    def _setting(self, setting: SettingLimits) -> dict[str, Any]:
        mean = self.mean_ns(setting)
        return {
            "robustness": setting.robustness,
            **setting.thresholds.to_dict(),
            "impulse_ns": {f"{k:g}": round(impulse, 2) for k, impulse in setting.impulse_ns(self.push_s).items()},
            "mean_ns": None if mean is None else round(mean, 2),
            "ended_by": {f"{k:g}": limit.ended_by for k, limit in setting.limits.items()},
        }


def survey(
    clip: str | Path | Clip | None = None,
    *,
    settings: Sequence[str | float] = SETTINGS,
    directions: int = 8,
    body: str = "chest",
    push_s: float = 0.2,
    at: float | None = None,
    jobs: int | None = None,
    ray: bool = False,
    progress: Callable[[float], None] | None = None,
    **run_settings: Any,
) -> RobustnessMap:
    """Measures the map of a clip's character, or of the built-in human that stands still; other settings go to `prepare`.

    Runs on all cores, or on `jobs` of them. Interrupted from the keyboard it returns what it has. Scripts that call it with
    more than one job need the usual `if __name__ == "__main__":`.
    """
    if ray:
        check_ray()
    if body == RANDOM:
        raise BadInput(f"body '{RANDOM}' makes no map; name the segment to push")
    towards = _directions(directions)
    push = Push(body, (0.0, 0.0, 0.0), at or 0.0, push_s)  # checks the numbers and, in `prepare`, the body
    run = prepare(clip, controller="balance", events=[push], **run_settings)
    at = _settled_at(run.reference) if at is None else push.at
    dial = [(setting, Robustness.of(setting)) for setting in settings]
    work = [Job(_at_setting(run, limits), body, toward, at, push.duration) for _, limits in dial for toward in towards]
    found = _collect(_results(work, jobs, ray), len(work), progress)
    by_setting = [{k: found[n + m] for m, k in enumerate(towards) if n + m in found} for n in range(0, len(work), len(towards))]
    limits = tuple(SettingLimits(*setting, found_here) for setting, found_here in zip(dial, by_setting, strict=True))
    return RobustnessMap(run.info["clip"], run.info["character"], body, push.duration, at, run.dt, towards, limits)


def _collect(results: Iterator[tuple[int, Limit]], count: int, progress: Callable[[float], None] | None) -> dict[int, Limit]:
    """The results by number, those that came before an interruption."""
    found: dict[int, Limit] = {}
    try:
        for number, limit in results:
            found[number] = limit
            if progress:
                progress(len(found) / count)
    except KeyboardInterrupt:
        pass
    return found


def _directions(count: int) -> tuple[float, ...]:
    if not 1 <= count <= MOST_DIRECTIONS:
        raise BadInput(f"directions {count} must be a whole number from 1 to {MOST_DIRECTIONS}")
    return tuple(360.0 * k / count for k in range(count))


def _settled_at(reference: AnyReference) -> float:
    """When to push unless told: after a second, or in the middle of a clip of less than two."""
    return SETTLED if reference.clip is None else min(SETTLED, 0.5 * reference.duration)


def _at_setting(run: Run, thresholds: Robustness) -> Run:
    return replace(run, controller=make_controller("balance", thresholds))


def _results(work: Sequence[Job], jobs: int | None, ray: bool) -> Iterator[tuple[int, Limit]]:
    if ray:
        return on_ray(find_limit, work, jobs)
    return in_processes(find_limit, work, jobs or cores())
