"""What a whole simulation step costs against bare `mj_step` on the same model and states, measured in one run.

    python benchmarks/step_cost.py [CLIP] [--dt 0.0005] [--seconds 2] [--rounds 7]

Prints one JSON line per controller. Slices of both kinds, a tenth of a second of the run each, take turns, so that noise of the
machine hits both; the ratio is the median over all slices. The bare steps start from states of the controlled run: same poses,
same contacts, same applied forces.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace

import mujoco
import numpy as np

from poise.controller_names import CONTROLLERS
from poise.simulation import Run, Stepper, build_world, perform, prepare

SLICE, STRETCH = 200, 20  # steps that are timed in one go, and steps that run free of control between two known states


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
    """Microseconds per step of the simulate loop and of bare `mj_step`, medians over short slices that take turns."""
    perform(replace(run, duration=min(run.duration, 0.1)))  # compiles everything
    states = _states(run)
    bare = _BareRun(run)
    whole_us, bare_us = [], []
    for _ in range(rounds):
        stepper = Stepper(run)  # building the world is not part of a step
        for start in range(0, len(states) - SLICE, SLICE):
            began = time.perf_counter()
            for _ in range(SLICE):
                stepper.step()
            whole_us.append(1e6 * (time.perf_counter() - began) / SLICE)
            bare_us.append(1e6 * bare.seconds(states[start : start + SLICE]) / SLICE)
    return {
        "controller": run.controller.name,
        "ratio": round(float(np.median(np.array(whole_us) / np.array(bare_us))), 3),
        "us_per_step": round(float(np.median(whole_us)), 2),
        "bare_us_per_step": round(float(np.median(bare_us)), 2),
        "dt_s": run.dt,
        "clip": run.info["clip"],
        "realtime_factor": round(1e6 * run.dt / float(np.median(whole_us)), 1),
    }


def _states(run: Run) -> list[np.ndarray]:
    """The full physics state before every step of the controlled run, forces included."""
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    states: list[np.ndarray] = []

    stepper = Stepper(run)

    def keep(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        if data is not stepper.world.data:
            return  # that of an auxiliary simulation
        state = np.empty(mujoco.mj_stateSize(model, kind))
        mujoco.mj_getState(model, data, state, kind)
        states.append(state)

    step2 = mujoco.mj_step2
    try:
        mujoco.mj_step2 = lambda model, data: (keep(model, data), step2(model, data))
        for _ in range(stepper.recorder.nsteps + 1):
            stepper.step()
    finally:
        mujoco.mj_step2 = step2
    return states


class _BareRun:
    """A world of its own in which bare steps start from the states of the controlled run."""

    def __init__(self, run: Run) -> None:
        world = build_world(run)
        run.controller.start(world, run.reference)  # sets the same damping
        self.model, self.data = world.model, world.data

    def seconds(self, states: list[np.ndarray]) -> float:
        """Time of as many bare `mj_step` as there are states, free-running in stretches that start at one of them."""
        total = 0.0
        for state in states[::STRETCH]:
            mujoco.mj_setState(self.model, self.data, state, mujoco.mjtState.mjSTATE_INTEGRATION)
            began = time.perf_counter()
            mujoco.mj_step(self.model, self.data, STRETCH)
            total += time.perf_counter() - began
        return total


if __name__ == "__main__":
    main()
