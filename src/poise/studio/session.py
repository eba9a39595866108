"""A running simulation with hands on it: stepped by the clock in a thread of its own, told what to do from anywhere.

Every command is put in a queue and carried out between two steps, so nobody else ever touches the simulation.
"""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from typing import TypeVar

import numpy as np

from poise import rotation
from poise.character.style import NEUTRAL
from poise.controllers import balance_of
from poise.errors import PoiseError, SimulationDiverged
from poise.physics.world import BallShape
from poise.reference.reference import Reference
from poise.rotation import Array
from poise.scenario.checked import Interval, number
from poise.scenario.events import Ball, Push, compass
from poise.scenario.grip import STIFFNESS, grip
from poise.simulation import LONGEST, Run, Stepper
from poise.studio.keeping import from_zero
from poise.studio.lift import Lift
from poise.studio.orders import Orders
from poise.studio.pace import Pace
from poise.studio.repertoire import KEPT_SECONDS, AnyRepertoire
from poise.studio.snapshot import Snapshot, snapshot
from poise.studio.tuning import Tuning, retune
from poise.take import Take

SPEED = Interval(0.02, 2.0)
SPARE_BALLS = 6
FRAME_RATE = 30.0  # snapshots per second
_WARNING = 0.5  # s between the order to throw a ball and its arrival: no shorter than any flight
_NAP = 0.004  # s
_PATIENCE = 30.0  # s to wait for an answer of the simulation's thread

T = TypeVar("T")


class Session:
    """The simulation behind a page. `latest` is its newest snapshot."""

    def __init__(self, repertoire: AnyRepertoire, tuning: Tuning | None = None, looped: bool = True) -> None:
        self.repertoire = repertoire
        self.clip, self.looped, self.tuning = repertoire.first, looped, tuning or Tuning()
        self.pace = Pace()
        self.playing = True
        self.orders = Orders()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._stepper = self._fresh()
        self._lift: Lift | None = None
        self.latest: Snapshot = self._look()

    @property
    def styles(self) -> tuple[str, ...]:
        """The rest poses that the controller can be told to relax into; none where it has no use for them."""
        reference = self._stepper.reference
        known = self.tuning.controller == "limbs" and isinstance(reference, Reference) and reference.clip is not None
        return tuple(style.name for style in (NEUTRAL, *reference.character.styles)) if known else ()

    def start(self) -> None:
        """Lets time run."""
        self._thread = threading.Thread(target=self._live, name="poise simulation", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread."""
        self._stopped.set()
        if self._thread:
            self._thread.join(_PATIENCE)

    def play(self, playing: bool = True) -> Future[None]:
        """Goes on, or holds still."""
        return self._order(lambda: self._play(playing))

    def reset(self) -> Future[None]:
        """Starts over from the first pose of the clip."""
        return self._order(self._reset)

    def choose(self, clip: str | None = None, looped: bool | None = None) -> Future[None]:
        """Starts over with another clip of the repertoire, or with the same one looped or not."""
        return self._order(lambda: self._choose(clip or self.clip, self.looped if looped is None else looped))

    def tune(self, **changes: float | str) -> Future[None]:
        """Changes fields of the tuning; the run goes on, or starts over where a controller needs another reference."""
        return self._order(lambda: self._tune(replace(self.tuning, **changes)))

    def set_speed(self, speed: float) -> Future[None]:
        """Slow motion below 1, at most twice real time."""
        return self._order(lambda: setattr(self.pace, "speed", number("studio", "speed", speed, SPEED)))

    def push(self, body: str, newtons: float, toward_deg: float, duration: float = 0.2) -> Future[None]:
        """Pushes a segment from now on, towards a direction of the character's compass."""
        return self._order(lambda: self._push(body, newtons, toward_deg, duration))

    def throw(self, target: str, mass: float, speed: float, from_deg: float, expected: bool = False) -> Future[None]:
        """Throws a ball at a segment from a direction of the character's compass; an expected one hits its auxiliary, too."""
        return self._order(lambda: self._throw(target, mass, speed, from_deg, expected))

    def grab(self, who: str, body: str, spot: Array, point: Array, stiffness: float = STIFFNESS) -> Future[None]:
        """Somebody takes hold of a segment at a spot and draws it to a point, both in the world."""
        return self._order(lambda: self._grab(who, body, spot, point, stiffness))

    def drag(self, who: str, point: Array) -> Future[None]:
        """Leads what somebody holds to another point of the world."""
        return self._order(lambda: self._drag(who, point))

    def let_go(self, who: str) -> Future[None]:
        """Ends a grip."""
        return self._order(lambda: self._let_go(who))

    def get_up(self) -> Future[None]:
        """Lets a character that has fallen try again: by itself where the dial allows that, else lifted by a hand."""
        return self._order(self._get_up)

    def record(self, seconds: float = KEPT_SECONDS) -> Take:
        """What happened in the last seconds, with the times of the run; waits for the simulation's thread."""
        number("studio", "seconds", seconds, Interval(0.1, KEPT_SECONDS), "s")
        return self._order(lambda: self._kept(seconds)).result(_PATIENCE)

    def take(self, seconds: float = KEPT_SECONDS) -> Take:
        """What happened in the last seconds as a take of its own, to be saved; waits for the simulation's thread."""
        return from_zero(self.record(seconds))

    def advance(self, seconds: float) -> None:
        """Carries out all orders and simulates, without a clock: for sessions that were not started."""
        self.orders.carry_out()
        for _ in range(round(seconds / self._stepper.run.dt)):
            self._step()
        self.latest = self._look()

    def _live(self) -> None:
        shown = 0.0
        while not self._stopped.wait(_NAP):
            self.orders.carry_out()
            now = clock.perf_counter()
            if self.playing:
                self._catch_up(now)
            if now - shown >= 1.0 / FRAME_RATE:
                shown, self.latest = now, self._look()

    def _catch_up(self, now: float) -> None:
        try:
            for _ in range(self.pace.due(now, self._stepper.run.dt)):
                self._step()
        except SimulationDiverged as problem:
            self.orders.problem = f"{problem}; started over"
            self._reset()
        self.pace.spent(clock.perf_counter() - now)

    def _step(self) -> None:
        if self._lift and not self._lift.lead():
            self._lift = None
        self._stepper.step()
        over = self.looped and self._stepper.time > self._stepper.reference.duration > 0.0
        if over or self._stepper.time >= LONGEST:
            self._reset()

    def _order(self, what: Callable[[], T]) -> Future[T]:
        answer = self.orders.put(what)
        if self._thread is None:
            self.orders.carry_out()
        return answer

    def _prepared(self) -> Run:
        return self.repertoire.prepare(self.clip, self.looped, self.tuning)

    def _fresh(self) -> Stepper:
        spare = tuple(BallShape(0.13, 5.0) for _ in range(SPARE_BALLS))
        stepper = Stepper(self._prepared(), spare)
        stepper.step()
        return stepper

    def _look(self) -> Snapshot:
        return snapshot(self._stepper)

    def _play(self, playing: bool) -> None:
        self.playing = playing
        self.pace.rest()

    def _reset(self) -> None:
        self._stepper, self._lift = self._fresh(), None
        self.pace.rest()

    def _choose(self, clip: str, looped: bool) -> None:
        before = self.clip, self.looped
        self.clip, self.looped = clip, looped
        try:
            self._reset()
        except PoiseError:
            self.clip, self.looped = before
            raise

    def _tune(self, tuning: Tuning) -> None:
        before, self.tuning = self.tuning, tuning
        try:
            if tuning.is_planned != before.is_planned or self._prepared().reference is not self._stepper.reference:
                self._reset()
            else:
                retune(self._stepper, tuning)
        except PoiseError:
            self.tuning = before
            raise

    def _push(self, body: str, newtons: float, toward_deg: float, duration: float) -> None:
        heading = rotation.about_z(self._stepper.world.state.heading)
        x, y, z = newtons * rotation.rotate(heading, compass(toward_deg))
        self._stepper.script.add(Push(body, (float(x), float(y), float(z)), self._stepper.time, duration))

    def _throw(self, target: str, mass: float, speed: float, from_deg: float, expected: bool) -> None:
        self._stepper.add(Ball(mass, speed, target, from_deg, self._stepper.time + _WARNING, expected))

    def _grab(self, who: str, body: str, spot: Array, point: Array, stiffness: float) -> None:
        segment = self._stepper.world.character.index(body)
        self._stepper.script.grips[who] = grip(self._stepper.world.state, segment, spot, point, stiffness)

    def _drag(self, who: str, point: Array) -> None:
        grips = self._stepper.script.grips
        if who in grips:
            grips[who] = replace(grips[who], point=np.asarray(point, float))

    def _let_go(self, who: str) -> None:
        self._stepper.script.grips.pop(who, None)

    def _get_up(self) -> None:
        law = balance_of(self._stepper.controller)
        if law and law.can_rise:
            law.get_up()
        else:
            self._lift = Lift(self._stepper)

    def _kept(self, seconds: float) -> Take:
        stepper = self._stepper
        events = tuple(event.to_dict() for event in stepper.script.events)
        return stepper.recorder.take(dict(stepper.run.info), events, last_seconds=seconds)
