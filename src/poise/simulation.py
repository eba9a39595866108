"""The one loop: sense, act, advance. Command line, studio, live and games all come through here."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from poise import rotation
from poise.character.anthropometry import BODY_MASS
from poise.character.binding import bind
from poise.character.character import Character
from poise.character.from_skeleton import character_from_clip
from poise.character.toml import load_character
from poise.control.balance import BalanceController
from poise.control.controller import Command, Controller
from poise.control.footing import Footing
from poise.control.level import Level, LevelController
from poise.control.limbs.controller import LimbsController
from poise.control.limbs.puppet import puppet_of
from poise.control.pose import PoseController
from poise.control.simbicon import SimbiconController
from poise.controller_names import CONTROLLERS, DEFAULT, DYNAMICS, STEPS, unknown
from poise.controllers import auxiliary_of, feedforward_controller, feedforward_of
from poise.errors import BadCharacter, BadInput, SimulationDiverged, choices
from poise.heeding import unheeded
from poise.motion.clip import Clip
from poise.motion.edit import loop as looped
from poise.motion.load import load_tidied
from poise.motion.tidy import Findings
from poise.physics.state import State
from poise.physics.world import BallShape, World, check_step
from poise.recorder import Recorder
from poise.reference.reference import AnyReference, Reference, Target, reference_from_clip, still_reference
from poise.reference.retarget import joint_segments
from poise.reference.stance import read_stance
from poise.reference.turning import Turn, turned
from poise.scenario.events import Event, Heading, is_expected, listed
from poise.scenario.feedforward import Feedforward
from poise.scenario.first_pose import first_pose
from poise.scenario.ground import AnyGround
from poise.scenario.hold_level import HoldLevel
from poise.scenario.robustness import Robustness
from poise.scenario.scenario import Scenario, check_bodies, choose_bodies, read_scenario
from poise.scenario.script import Script, ball_shapes
from poise.scenario.start import Start
from poise.scenario.terrain import terrain_of
from poise.settings import check_settings
from poise.take import Take

LONGEST = 3600.0  # s
_STILL_SECONDS = 10.0  # how long a character without a clip is simulated, unless told
_CHECK_EVERY = 200  # steps between looks for divergence
_PROGRESS_EVERY = 200


@dataclass(frozen=True, eq=False)
class Run:
    """Everything that one simulation needs, checked and ready."""

    reference: AnyReference
    controller: Controller
    events: tuple[Event, ...]
    ground: AnyGround
    dt: float
    duration: float
    info: dict[str, Any]
    start: Start = field(default_factory=Start)
    holds: tuple[HoldLevel, ...] = ()


class Settings(TypedDict, total=False):
    """What a run can be told beside its clip; what is left out has the default of `prepare`."""

    character: str | Path | Character  # "auto" (from the clip's own skeleton), a built-in name, a .toml file or a Character
    controller: str | Controller | None  # a name of `poise.controller_names` or a law; None is balance
    robustness: Any  # what `Robustness.of` takes: a name, a number 0 … 1, or (thr_min, thr_max)
    events: Sequence[Event]
    scenario: str | Path | Scenario | None  # a file or a Scenario; what it says goes before the other settings
    dt: float | None  # s; by default 0.002, and 0.01 in generalized dynamics
    dynamics: str  # of the limbs controller: forward or generalized
    style: str | None  # of the limbs controller: the name of a rest pose in the character's file
    seed: int
    duration: float | None  # s; the clip's own by default
    root_forces: bool  # of the pose controller
    feedforward: Feedforward | None  # how the feedforward controller is put together; what a scenario says goes before it
    mass: float | None  # kg, of an automatic character
    stance: str | Path | None  # a file that says when each foot stands
    units: str | float | None  # this and what follows: overrides of `poise.tidy`
    up: str | None
    floor: float | str | None
    fps: float | None
    keep_first_frame: bool | None
    keep_jumps: bool | None
    animation: str | None  # of a glTF file that holds several


def simulate(
    clip: str | Path | Clip | None = None, *, progress: Callable[[float], None] | None = None, **settings: Unpack[Settings]
) -> Take:
    """Simulates a character that follows a clip (a file, a built-in name or a Clip), or holds its pose without one.

    `progress` is called with the share of the run that is done.
    """
    return perform(prepare(clip, **settings), progress)


def perform(
    run: Run,
    progress: Callable[[float], None] | None = None,
    until: Callable[[State, Target], bool] | None = None,
) -> Take:
    """Runs a simulation from its first moment to its last, or until the given condition on state and target holds.

    Interrupted from the keyboard, it keeps what it has.
    """
    stepper = Stepper(run)
    recorder = stepper.recorder
    nsteps = recorder.nsteps
    info, began = dict(run.info), 0.0
    try:
        for step in range(nsteps + 1):
            if step == 1:  # by now everything is compiled
                began = clock.perf_counter()
            stepper.step()
            if progress and (step % _PROGRESS_EVERY == 0 or step == nsteps):
                progress(step / nsteps)
            if until and until(stepper.world.state, stepper.target):
                break
    except KeyboardInterrupt:
        if recorder.nsamples == 0:
            raise  # there is nothing yet to keep
        info["interrupted"] = True
    except SimulationDiverged as error:
        told = SimulationDiverged(f"{error}; {_remedy(info['warnings'])}")
        told.take = recorder.take(info, _as_dicts(run.events), last_seconds=1.0)
        raise told from None
    info["warnings"] = [*info["warnings"], *getattr(run.controller, "warnings", ())]
    take = recorder.take(info, _as_dicts(run.events))
    return replace(take, realtime_factor=float(take.times[-1]) / max(clock.perf_counter() - began, 1e-9))


class Stepper:
    """A run, one step at a time. `perform` takes all its steps at once, the studio takes them by the clock."""

    def __init__(self, run: Run, spare_balls: tuple[BallShape, ...] = ()) -> None:
        self.run, self.reference = run, run.reference
        self.world = build_world(run, spare_balls)
        self.script = Script(run.events, self.world, run.reference)
        self.recorder = Recorder(self.world, run.reference, self.script, run.duration, run.holds)
        self.target = run.reference.target()
        self._footing = None if self.world.terrain.is_level else Footing(self.world)
        self.nsteps = 0  # taken so far
        self.hand_to(run.controller)

    @property
    def time(self) -> float:
        """Seconds since the run began."""
        return self.nsteps * self.run.dt

    def hand_to(self, controller: Controller) -> None:
        """Lets a controller take over from here."""
        self.world.unbrace()
        controller.start(self.world, self.reference)  # first: one that cannot must not be stepped
        self.controller = controller
        self.command = Command(self.world.character.nsegments)
        self.auxiliary = auxiliary_of(controller)
        if self.auxiliary:  # what is expected, and is still to come, happens to the auxiliary world as well
            coming = tuple(event for event in self.script.events if is_expected(event) and event.at >= self.time)
            self._rehearsal = Script(coming, self.auxiliary.world, self.reference)
            self.auxiliary.scene = self._rehearsal if coming else None

    def add(self, event: Event) -> None:
        """Lets one more event happen; it is also rehearsed where it is expected."""
        self.script.add(event)
        if self.auxiliary and is_expected(event):
            self._rehearsal.add(event)
            self.auxiliary.scene = self._rehearsal

    def step(self) -> None:
        """Sense, act, advance."""
        world, recorder, target, time = self.world, self.recorder, self.target, self.nsteps * self.run.dt
        state = world.sense()
        self.reference.advance(time)
        self.reference.sample(time, target)
        if self._footing:
            self._footing.fit(state, target)
        script = self.script
        eventful = script.events or script.grips or script.acting
        if eventful:
            script.tune(self.controller, time)
        self.controller.act(state, target, self.command)
        if eventful:
            script.act(state, time)
        world.let_slide(target.stance)
        recorder.apply(self.command)
        if self.nsteps % recorder.every == 0:
            recorder.sample(time, state, target)
        world.advance()
        if self.nsteps % _CHECK_EVERY == 0:
            world.check()
        self.nsteps += 1


def prepare(
    clip: str | Path | Clip | None = None,
    *,
    character: str | Path | Character = "auto",
    controller: str | Controller | None = None,
    robustness: Any = "plausible",
    events: Sequence[Event] = (),
    scenario: str | Path | Scenario | None = None,
    dt: float | None = None,
    dynamics: str = "forward",
    style: str | None = None,
    seed: int = 0,
    duration: float | None = None,
    root_forces: bool = True,
    feedforward: Feedforward | None = None,
    mass: float | None = None,
    stance: str | Path | None = None,
    **tidying: Any,
) -> Run:
    """Reads, tidies, builds and checks everything before the first step; see `Settings`."""
    told = {"character": character, "controller": controller, "scenario": scenario, "stance": stance, "root_forces": root_forces}
    told |= {"dynamics": dynamics, "style": style, "feedforward": feedforward}
    check_settings(Settings.__annotations__, **told, dt=dt, mass=mass, duration=duration, seed=seed, **tidying)
    dt = _step(dt, dynamics)
    scene = read_scenario(scenario) if isinstance(scenario, str | Path) else scenario or Scenario()
    clip = clip if clip is not None else scene.clip
    character = scene.character or character
    reference, findings = build_reference(clip, character, mass, stance, scene.loop, **tidying)
    scene = replace(scene, events=(*scene.events, *listed(events)))
    check_bodies(scene, reference.character.names)
    reference = turned(reference, [Turn(-math.radians(e.degrees), e.at, e.over) for e in scene.events if isinstance(e, Heading)])
    seed = int(scene.seed if scene.seed is not None else seed)
    scene = choose_bodies(scene, reference.character.names, seed)
    limits = scene.robustness or Robustness.of(robustness)
    length = _duration(duration or scene.duration, reference)
    parts, period = scene.feedforward or feedforward, reference.duration / scene.loop if scene.loop > 1 else None
    law = make_controller(scene.controller or controller, limits, root_forces, dynamics, parts, period, style)
    if isinstance(law, LimbsController) and character != "auto":
        reference = puppet_of(law, reference)
    if not isinstance(law, LimbsController) and (dynamics != "forward" or style is not None):
        raise BadInput(f"dynamics and style are for the limbs controller, not for '{law.name}' (--controller limbs)")
    law = with_levels(law, scene.hold_level)
    info = {
        "clip": _named(clip),
        "character": character if isinstance(character, str) else reference.character.name,
        "controller": law.name,
        "robustness": limits.to_dict() if law.tunable else None,
        "feedforward": feedforward_of(law),
        "dt_s": dt,
        "duration_s": length,
        "seed": seed,
        "repairs": list(findings.repairs) if findings else [],
        "warnings": [*(findings.warnings if findings else ()), *unheeded(law, scene, parts, length)],
        "joint_segment": joint_segments(reference.binding, reference.character) if reference.binding else None,
    }
    return Run(reference, law, scene.events, scene.ground, dt, length, info, scene.start, scene.hold_level)


def build_reference(
    clip: str | Path | Clip | None,
    character: str | Path | Character = "auto",
    mass: float | None = None,
    stance: str | Path | None = None,
    loop: int = 1,
    **tidying: Any,
) -> tuple[Reference, Findings | None]:
    """The reference of a clip on a character, and what was found when the clip was tidied."""
    if mass is not None and (clip is None or character != "auto"):
        raise BadInput(f"mass {mass:g} kg is for automatic characters; a character of its own has its masses in its file")
    if clip is None:
        given = character if isinstance(character, Character) else load_character("human" if character == "auto" else character)
        return still_reference(given), None
    tidied, findings = load_tidied(clip, **tidying)
    if loop > 1:
        tidied = looped(tidied, loop)
    try:
        binding = bind(tidied)
    except BadCharacter as error:
        raise BadCharacter(f"{_named(clip)}: {error}") from None
    if isinstance(character, Character):
        body = character
    elif character == "auto":
        body = character_from_clip(tidied, mass=BODY_MASS if mass is None else mass, binding=binding)
    else:
        body = load_character(character)
    feet = None if stance is None else read_stance(stance, tidied.nframes, tidied.fps, body.feet)
    return reference_from_clip(tidied, binding, body, feet), findings


def make_controller(
    controller: str | Controller | None,
    limits: Robustness,
    root_forces: bool = True,
    dynamics: str = "forward",
    feedforward: Feedforward | None = None,
    period: float | None = None,
    style: str | None = None,
) -> Controller:
    """The controller of a name, with its default gains; who names none and wants no root forces means `pose`.

    `period` (seconds) is that of a looped clip, for feedforward that is learned.
    """
    controller = controller or (DEFAULT if root_forces else "pose")
    if not isinstance(controller, str):
        return controller
    if controller not in CONTROLLERS:
        raise BadInput(unknown(controller))
    if controller == "balance":
        return BalanceController(limits.thr_min, limits.thr_max)
    if controller == "simbicon":
        return SimbiconController(BalanceController(limits.thr_min, limits.thr_max))
    if controller == "feedforward":
        return feedforward_controller(feedforward or Feedforward(), limits, period)
    if controller == "limbs":
        return LimbsController(dynamics, style=style)
    return PoseController() if root_forces else PoseController(root_forces=None)


def with_levels(controller: Controller, holds: Sequence[HoldLevel]) -> Controller:
    """The controller with some segments held level; itself where there are none."""
    bends = [None if hold.bend_deg is None else math.radians(hold.bend_deg) for hold in holds]
    levels = [Level(hold.body, hold.axis, hold.stiffness, bend) for hold, bend in zip(holds, bends, strict=True)]
    return LevelController(controller, levels) if levels else controller


def build_world(run: Run, spare_balls: tuple[BallShape, ...] = ()) -> World:
    """The world of a run, with the character in the reference's first pose and moving as it moves.

    Spare balls are for events that come while it runs.
    """
    first, seed = run.reference.target(), run.info["seed"]
    run.reference.advance(0.0)
    run.reference.sample(0.0, first)
    place, heading = first.position[0] * [1.0, 1.0, 0.0], float(rotation.heading(first.rotation[0]))
    terrain = terrain_of(run.ground, place, heading, seed)
    world = World(run.reference.character, dt=run.dt, terrain=terrain, balls=ball_shapes(run.events) + spare_balls)
    joints, root, root_velocity = first_pose(run.start, first, seed)
    world.reset(joints, root, first.joint_velocity, root_velocity)
    if run.start.is_off_balance or not terrain.is_level_floor or terrain.solids:
        world.put_on_ground()
    return world


def _step(dt: float | None, dynamics: str) -> float:
    """The step that is told, or the usual one, in seconds."""
    if dynamics not in DYNAMICS:
        raise BadInput(f"unknown dynamics '{dynamics}'{choices(dynamics, DYNAMICS)}")
    dt = STEPS[dynamics] if dt is None else dt
    check_step(dt)
    return dt


def _named(clip: str | Path | Clip | None) -> str | None:
    """What a clip is called in a summary: the file's name, ending included, or the built-in or given name."""
    return None if clip is None else clip.name if isinstance(clip, Clip) else Path(clip).name


def _remedy(warnings: Sequence[str]) -> str:
    """What to do about a simulation that diverged: a clip that was doubted is the likelier reason."""
    return f"see to the clip first ({'; '.join(warnings)}), then try a smaller --dt" if warnings else "try a smaller --dt"


def _as_dicts(events: tuple[Event, ...]) -> tuple[dict[str, Any], ...]:
    return tuple(event.to_dict() for event in events)


def _duration(wanted: float | None, reference: Reference) -> float:
    length = wanted if wanted is not None else (reference.duration or _STILL_SECONDS)
    if not 0.0 < length <= LONGEST:
        raise BadInput(f"duration {length} s must lie between 0 and {LONGEST:g} s")
    return float(length)
