"""What a whole control step of the limbs controller costs, with bare `mj_step` and, where installed, TSID timed in the same run.

    python benchmarks/limbs_cost.py [CLIP] [--characters raptor,human] [--seconds 4] [--rounds 3]

The step is everything from one moment to the next: features from the actor's frames, kinematics, objectives, the quadratic
program, torques, and the integration in generalized coordinates, with recording. `law` is the part of it from the state to the
torques, which is what TSID does, too: on the same body, and on one with hinges for knees and elbows (`tsid_body.py`). Steps are
timed one by one in processor time, which other work on the machine does not count into; slices of each kind take turns.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # TSID's: its threads would wait for each other, and that counts as processor time

import argparse
import json
import time
from collections.abc import Callable

import mujoco
import numpy as np
from tsid_body import TsidBody, is_installed

from poise.character.character import Character
from poise.physics.world import World
from poise.simulation import Stepper, prepare

SLICE = 50  # steps of one kind between two slices of the others
Step = Callable[[], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clip", nargs="?", default="walk")
    parser.add_argument("--characters", default="raptor,human")
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    for character in options.characters.split(","):
        for line in cost(options.clip, character, options.seconds, options.rounds):
            print(json.dumps(line), flush=True)


def cost(clip: str, character: str, seconds: float, rounds: int) -> list[dict[str, object]]:
    """Times of the whole step, of the law in it, of `mj_step` and of TSID, in turns."""
    run = prepare(clip, controller="limbs", dynamics="generalized", character=character, duration=seconds)
    body, times = run.reference.character, {"step": [], "law": []}
    others = others_of(body, run.dt)
    for number in range(rounds + 1):
        stepper = Stepper(run)
        law = Timed(stepper.controller.follower.follow)
        stepper.controller.follower.follow = law
        for start in range(0, round(seconds / run.dt), SLICE):
            warm = number > 0 or start > 0  # the first slice compiles
            for name, (step, after) in {"step": (stepper.step, None), **others}.items():
                taken = [seconds_of(step, after) for _ in range(SLICE)]
                times.setdefault(name, []).extend(taken if warm else [])
            times["law"] += law.taken[-SLICE:] if warm else []
    bare = float(np.median(times["mj_step"]))
    told = {"character": character, "velocities": 3 + 3 * body.nsegments}
    return [{"what": name, **told, **figures(taken, bare)} for name, taken in times.items()]


def others_of(body: Character, dt: float) -> dict[str, tuple[Step, Step | None]]:
    """What to compare with: a step that is timed, and what is to be done after it."""
    world = World(body)
    others: dict[str, tuple[Step, Step | None]] = {"mj_step": (lambda: mujoco.mj_step(world.model, world.data), None)}
    if is_installed():
        for name, hinged in (("TSID", False), ("TSID, hinges", True)):
            tsid = TsidBody(body, dt, hinged=hinged)
            others[f"{name}, {tsid.model.nv} velocities"] = tsid.solve, tsid.advance
    return others


class Timed:
    """A function that writes down how long it takes."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.function, self.taken = function, []

    def __call__(self, *arguments: object) -> None:
        began = time.thread_time()
        self.function(*arguments)
        self.taken.append(time.thread_time() - began)


def seconds_of(step: Step, after: Step | None) -> float:
    began = time.thread_time()
    step()
    taken = time.thread_time() - began
    if after:
        after()
    return taken


def figures(taken: list[float], bare: float) -> dict[str, float]:
    """Microseconds per step, and the median as a multiple of bare `mj_step`."""
    micro = 1e6 * np.array(taken)
    figures = {"mean_us": micro.mean(), "median_us": np.median(micro), "p99_us": np.percentile(micro, 99)}
    return {name: round(float(value), 1) for name, value in figures.items()} | {"ratio": round(float(np.median(taken)) / bare, 2)}


if __name__ == "__main__":
    main()
