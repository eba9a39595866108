"""What a whole simulation step costs against bare `mj_step` on the same model and states, measured in one run.

    python benchmarks/step_cost.py [CLIP] [--dt 0.0005] [--seconds 2] [--rounds 7]

Prints one JSON line per controller. Rounds of both kinds alternate, so that noise of the machine hits both; the ratio of
the medians is what counts. The bare rounds replay the controlled run: same poses, same contacts, same applied forces.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace

import mujoco
import numpy as np

from poise.control.names import CONTROLLERS
from poise.simulation import Run, Stepper, build_world, perform, prepare


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clip", nargs="?", default="punch")
    parser.add_argument("--dt", type=float, default=0.0005)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    for controller in CONTROLLERS:
        run = prepare(options.clip, controller=controller, dt=options.dt, duration=options.seconds)
        print(json.dumps(cost(run, options.rounds)), flush=True)


def cost(run: Run, rounds: int) -> dict[str, object]:
    """Microseconds per step of the whole loop and of bare `mj_step`, medians over interleaved rounds."""
    perform(replace(run, duration=min(run.duration, 0.1)))  # compiles everything
    states = _states(run)
    whole, bare = [], []
    for _ in range(rounds):
        whole.append(_whole(run))
        bare.append(_bare(run, states))
    ratio = float(np.median(np.array(whole) / np.array(bare)))
    return {
        "controller": run.controller.name,
        "ratio": round(ratio, 3),
        "us_per_step": round(float(np.median(whole)) * 1e6, 2),
        "bare_us_per_step": round(float(np.median(bare)) * 1e6, 2),
        "dt_s": run.dt,
        "clip": run.info["clip"],
        "realtime_factor": round(run.dt / float(np.median(whole)), 1),
    }


def _states(run: Run) -> list[np.ndarray]:
    """The full physics state before every step of the controlled run, forces included."""
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    states: list[np.ndarray] = []

    def keep(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        state = np.empty(mujoco.mj_stateSize(model, kind))
        mujoco.mj_getState(model, data, state, kind)
        states.append(state)

    step2 = mujoco.mj_step2
    try:
        mujoco.mj_step2 = lambda model, data: (keep(model, data), step2(model, data))
        perform(run)
    finally:
        mujoco.mj_step2 = step2
    return states


def _bare(run: Run, states: list[np.ndarray]) -> float:
    """Seconds per bare `mj_step`, free-running in stretches that start at states of the controlled run."""
    world = build_world(run)
    run.controller.start(world, run.reference)
    model, data = world.model, world.data
    kind, stretch, total = mujoco.mjtState.mjSTATE_INTEGRATION, 20, 0.0
    for k in range(0, len(states), stretch):
        mujoco.mj_setState(model, data, states[k], kind)
        began = time.perf_counter()
        mujoco.mj_step(model, data, stretch)
        total += time.perf_counter() - began
    return total / (stretch * len(range(0, len(states), stretch)))


def _whole(run: Run) -> float:
    """Seconds per step of the simulate loop: sensing, law, events, recording, physics. Building the world is not in it."""
    stepper = Stepper(run)
    nsteps = stepper.recorder.nsteps + 1
    began = time.perf_counter()
    for _ in range(nsteps):
        stepper.step()
    return (time.perf_counter() - began) / nsteps


if __name__ == "__main__":
    main()
