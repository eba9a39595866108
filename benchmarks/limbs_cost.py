"""What a whole control step of the limbs controller costs, with bare `mj_step` and, where installed, TSID timed in the same run.

    python benchmarks/limbs_cost.py [CLIP] [--characters raptor,human] [--seconds 4] [--rounds 3]

The step is everything from one moment to the next: features from the actor's frames, kinematics, objectives, the quadratic
program, torques, and the integration in generalized coordinates, with recording. Steps are timed one by one in processor time,
which other work on the machine does not count into; slices of bare `mj_step` with contacts take turns. TSID does less: it
assembles and solves, on a humanoid, without retargeting or integration.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
from collections.abc import Callable

import mujoco
import numpy as np

from poise.physics.world import World
from poise.simulation import Stepper, prepare

SLICE = 50  # steps of one kind between two slices of the others


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
    """Times of the law's step, of `mj_step` and of TSID, in turns."""
    run = prepare(clip, controller="limbs", dynamics="generalized", character=character, duration=seconds)
    world = World(run.reference.character)
    others: dict[str, Callable[[], object]] = {"mj_step": lambda: mujoco.mj_step(world.model, world.data)}
    if tsid := tsid_step():
        others["tsid"] = tsid
    times: dict[str, list[float]] = {name: [] for name in ("limbs", *others)}
    for number in range(rounds + 1):
        stepper = Stepper(run)
        for start in range(0, round(seconds / run.dt), SLICE):
            for name, step in {"limbs": stepper.step, **others}.items():
                taken = [seconds_of(step) for _ in range(SLICE)]
                if number > 0 or start > 0:  # the first slice compiles
                    times[name] += taken
    bare = float(np.median(times["mj_step"]))
    told = {"character": character, "velocities": 3 + 3 * run.reference.character.nsegments}
    return [{"what": name, **told, **figures(taken, bare)} for name, taken in times.items()]


def seconds_of(step: Callable[[], object]) -> float:
    began = time.thread_time()
    step()
    return time.thread_time() - began


def figures(taken: list[float], bare: float) -> dict[str, float]:
    """Microseconds per step, and the median as a multiple of bare `mj_step`."""
    micro = 1e6 * np.array(taken)
    figures = {"mean_us": micro.mean(), "median_us": np.median(micro), "p99_us": np.percentile(micro, 99)}
    return {name: round(float(value), 1) for name, value in figures.items()} | {"ratio": round(float(np.median(taken)) / bare, 2)}


def tsid_step() -> Callable[[], object] | None:
    """One step of TSID (assemble and solve) on a humanoid that stands, or None where it is not installed."""
    if not (importlib.util.find_spec("tsid") and importlib.util.find_spec("pinocchio")):
        return None
    import pinocchio
    import tsid

    model = pinocchio.buildSampleModelHumanoid()
    robot = tsid.RobotWrapper(model, tsid.RobotWrapper.FLOATING_BASE_SYSTEM, False)
    formulation = tsid.InverseDynamicsFormulationAccForce("tsid", robot, False)
    q, v = pinocchio.neutral(model), np.zeros(model.nv)
    formulation.computeProblemData(0.0, q, v)
    posture = tsid.TaskJointPosture("posture", robot)
    posture.setKp(20.0 * np.ones(robot.nv - 6))
    posture.setReference(tsid.TrajectoryEuclidianConstant("posture", q[7:]).computeNext())
    formulation.addMotionTask(posture, 0.1, 1, 0.0)
    solver = tsid.SolverHQuadProgFast("solver")
    solver.resize(formulation.nVar, formulation.nEq, formulation.nIn)
    return lambda: solver.solve(formulation.computeProblemData(0.0, q, v))


if __name__ == "__main__":
    main()
