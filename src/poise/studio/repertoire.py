"""The clips that a page may choose from, and the runs that come of them. A page names clips, never files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any, Protocol

from poise.controllers import feedforward_of
from poise.errors import BadInput, choices
from poise.motion import library
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.motion.load import load_tidied
from poise.simulation import Run, prepare
from poise.studio.tuning import Tuning, make_controller

STILL = "no clip: stand still"
KEPT_SECONDS = 30.0  # how much of a run can be saved, counted from its end
LOOP_SECONDS = 60.0  # a looped clip goes on for at least as long, then the run starts over
_AS_IT_IS = {"units": "m", "up": "z", "floor": "keep", "keep_first_frame": True, "keep_jumps": True}  # already tidied


class AnyRepertoire(Protocol):
    """What a page may choose from: clips, or an actor live (`poise.live`)."""

    first: str

    @property
    def names(self) -> tuple[str, ...]: ...

    def prepare(self, name: str, looped: bool, tuning: Tuning) -> Run: ...


class Repertoire:
    """Built-in clips, standing still, and the clip given on the command line, which is tidied with its own overrides."""

    def __init__(
        self, given: str | Path | None = None, *, character: str | Path = "auto", dt: float | None = None, **tidying: Any
    ) -> None:
        self._character, self._dt = character, dt
        self._sources: dict[str, tuple[str | Path | None, Mapping[str, Any]]] = {name: (name, {}) for name in library.names()}
        self._sources[STILL] = (None, {})
        self._ready: tuple[tuple[str, bool, Mapping[str, str]] | None, Run | None] = (None, None)
        self.first = "stand"
        if given is not None:
            self.first = Path(given).name if str(given) not in self._sources else str(given)
            self._sources = {self.first: (given, tidying)} | self._sources

    @property
    def names(self) -> tuple[str, ...]:
        """What can be chosen; the first is what was asked for."""
        return tuple(self._sources)

    def prepare(self, name: str, looped: bool, tuning: Tuning) -> Run:
        """A run of the clip of that name, ready to be stepped; it keeps its last 30 seconds."""
        if name not in self._sources:
            raise BadInput(f"unknown clip '{name}'{choices(name, self.names)}")
        apart = tuning.controller == "limbs" and (self._character != "auto" or tuning.dynamics != "forward")
        own = {"controller": "limbs", "dynamics": tuning.dynamics, "style": tuning.style} if apart else {}
        if (name, looped, own) != self._ready[0]:
            self._ready = (name, looped, own), self._prepare(name, looped, own)
        run = self._ready[1]
        assert run is not None
        law = make_controller(tuning)
        robustness = tuning.robustness.to_dict() if law.tunable else None
        info = run.info | {"controller": law.name, "robustness": robustness, "feedforward": feedforward_of(law)}
        return replace(run, controller=law, info=info)

    def _prepare(self, name: str, looped: bool, own: Mapping[str, Any]) -> Run:
        """A run with the settings of a controller that needs its `own`: limbs leads a character of its own as a puppet."""
        source, tidying = self._sources[name]
        settings = {"character": self._character, "dt": self._dt, **own}
        if source is None:
            run = prepare(None, **settings)
        else:
            clip, findings = load_tidied(source, **tidying)
            clip = _repeated(clip) if looped and clip.nframes > 1 else clip
            run = prepare(clip, fps=clip.fps, **settings, **_AS_IT_IS)
            told = {"clip": name, "repairs": list(findings.repairs), "warnings": list(findings.warnings)}
            run = replace(run, info=run.info | told)
        return replace(run, duration=KEPT_SECONDS)


def _repeated(clip: Clip) -> Clip:
    times = ceil(LOOP_SECONDS / clip.duration)
    return loop(clip.with_(lead_in=None), times, blend_s=min(0.2, 0.5 * clip.duration))
