"""The actor leads, the character follows: from the first packet to the last step."""

from __future__ import annotations

import time as wall
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import radians
from pathlib import Path
from typing import Any, Protocol

from poise.character.binding import Binding, bind
from poise.character.character import Character
from poise.character.from_skeleton import character_from_clip
from poise.character.style import style_of
from poise.control.controller import Controller
from poise.control.limbs.controller import LimbsController
from poise.errors import BadInput
from poise.live.actor import Actor, meet
from poise.live.intake import Intake, Packets, TimedFrame
from poise.live.limbs_reference import LimbsReference
from poise.live.live_pose import Retargeter
from poise.live.live_reference import Frames, LiveReference
from poise.live.notices import Notices
from poise.live.protocols import Protocol as StreamProtocol
from poise.live.protocols import own_bones
from poise.reference.turning import Turn
from poise.scenario.events import Heading
from poise.simulation import Run, Stepper, prepare
from poise.studio.keeping import from_zero
from poise.studio.pace import Pace
from poise.take import Take

CALIBRATION = 1.0  # s of frames by which the actor is measured
_NAP = 0.001  # s between looks at the clock
_WATCHED = 0.3  # s
_AS_IT_IS = {"units": "m", "up": "z", "floor": "keep", "keep_first_frame": True, "keep_jumps": True}  # already tidied


class After(Protocol):
    """Something that looks at every step that has been taken: an output, for one."""

    def after(self, stepper: Stepper) -> None: ...


@dataclass(frozen=True, eq=False)
class Guest:
    """An actor that has been met, and what comes of them from here on."""

    actor: Actor
    intake: Frames
    newest: TimedFrame
    notices: Notices


def wait_for_actor(
    packets: Packets,
    protocol: StreamProtocol,
    notices: Notices,
    *,
    seconds: float = CALIBRATION,
    patience: float = float("inf"),
    skeleton: str | Path | None = None,
    clock: Callable[[], float] = wall.perf_counter,
    sleep: Callable[[float], None] = wall.sleep,
) -> Guest:
    """Gathers frames until there are some `seconds` of them, and takes the actor's measure.

    `skeleton` is a BVH file with the actor's bones, for streams that do not send their lengths.
    """
    bones = protocol.bones if skeleton is None else own_bones(skeleton, protocol)
    intake = Intake(packets, protocol.new_reader, notices, protocol.lossless)
    frames: list[TimedFrame] = []
    began = clock()
    while not frames or frames[-1].moment - frames[0].moment < seconds:
        if clock() - began > patience + (seconds if frames else 0.0):
            raise BadInput(f"no {protocol.name} frames came within {patience:g} s; check the sender's address, port and format")
        frames += intake.take(clock())
        sleep(_NAP)
    actor = meet([timed.frame for timed in frames], bones, protocol.metres, 1.0 / intake.period, skeleton is not None)
    return Guest(actor, intake, frames[-1], notices)


def live_run(guest: Guest, *, name: str, clock: Callable[[], float] = wall.perf_counter, **settings: Any) -> Run:
    """A run that the actor leads; `settings` are those of `poise.simulate`. It keeps its last `duration` seconds."""
    clip = guest.actor.clip
    run = prepare(clip, fps=clip.fps, **_AS_IT_IS, **settings)
    _rehearse(run)
    reference = live_reference(guest, run, getattr(run.controller, "inner", run.controller), clock)
    return replace(run, reference=reference, info=run.info | {"clip": name})


def live_reference(
    guest: Guest, run: Run, law: Controller, clock: Callable[[], float] = wall.perf_counter
) -> LiveReference | LimbsReference:
    """What a law follows in the run of a live actor: poses of the character, or, for limbs, what the actor asks of it."""
    character = run.reference.character
    turns = [Turn(-radians(e.degrees), e.at, e.over) for e in run.events if isinstance(e, Heading)]
    if not isinstance(law, LimbsController):
        return _led(guest, character, bind(guest.actor.clip), turns, clock)
    binding = bind(guest.actor.clip, hands=True)
    stand_in = character_from_clip(guest.actor.clip, binding=binding)
    return LimbsReference(_led(guest, stand_in, binding, turns, clock), character, style_of(character, law.style))


def watch(
    reference: LiveReference | LimbsReference,
    clock: Callable[[], float] = wall.perf_counter,
    sleep: Callable[[float], None] = wall.sleep,
) -> None:
    """The actor comes in: sees for a moment how they move, before a run starts there."""
    reference.enter()
    reference.advance(0.0)  # compiles, which may take a while
    reference.enter()
    began = clock()
    while (passed := clock() - began) < _WATCHED:
        reference.advance(passed)
        sleep(_NAP)


def _led(
    guest: Guest, character: Character, binding: Binding, turns: Sequence[Turn], clock: Callable[[], float]
) -> LiveReference:
    retargeter = Retargeter(guest.actor, binding, character)
    return LiveReference(
        retargeter, character, guest.intake, guest.notices, guest.newest, clip=guest.actor.clip, binding=binding, turns=turns,
        clock=clock,
    )  # fmt: skip


def _rehearse(run: Run) -> None:
    """A step with what is known of the actor, so that all laws are compiled before anything depends on the clock."""
    Stepper(run).step()


class Performance:
    """A run by the clock. The actor, who has gone on moving, is met in the middle of it."""

    def __init__(
        self, run: Run, *, clock: Callable[[], float] = wall.perf_counter, sleep: Callable[[float], None] = wall.sleep
    ) -> None:
        self.pace = Pace()
        self._clock, self._sleep = clock, sleep
        assert isinstance(run.reference, LiveReference | LimbsReference)
        watch(run.reference, clock, sleep)
        self.stepper = Stepper(run)

    def perform(self, afters: Sequence[After], until: Callable[[float], bool]) -> None:
        """Steps by the clock until the condition on simulated time holds."""
        stepper, pace, clock = self.stepper, self.pace, self._clock
        while not until(stepper.time):
            now = clock()
            for _ in range(pace.due(now, stepper.run.dt)):
                stepper.step()
                for each in afters:
                    each.after(stepper)
            pace.spent(clock() - now)
            self._sleep(_NAP)

    def take(self) -> Take:
        """What has been recorded, as a take that begins at zero. It is complete: nobody said how long the actor would go on."""
        stepper = self.stepper
        taken = stepper.recorder.take(stepper.run.info, tuple(event.to_dict() for event in stepper.script.events))
        taken = from_zero(replace(taken, clip=None))
        return replace(taken, info=taken.info | {"duration_s": float(taken.times[-1])})
