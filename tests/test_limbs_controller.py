"""The limbs law as a whole: exact dynamics, standing, priorities, limits, bad input."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character.toml import load_character
from poise.control.controller import Command
from poise.control.limbs.controller import LimbsController
from poise.physics.world import World
from poise.reference.reference import still_reference
from poise.simulation import simulate

STILL_M = 1e-3  # how near to its place a standing root stays
EXACT = 1e-6  # relative, of accelerations that went through two different factorisations
WEIGHT_SHARE = 0.01  # of the weight: how near the feet's loads come to it, at rest


def stepped(controller, dt=0.01, pushed=None):
    """World, command after one step of standing; `pushed` changes the state before."""
    human = load_character("human")
    world, reference, command = World(human, dt=dt), still_reference(human), Command(human.nsegments)
    target = reference.target()
    reference.sample(0.0, target)
    if pushed:
        pushed(world)
    controller.start(world, reference)
    state = world.sense()
    controller.act(state, target, command)
    world.joint_torque[:], world.wrench[:] = command.joint_torque, command.wrench
    return world, command


def shaken(world):
    rng = np.random.default_rng(1)
    world.data.qvel[:] = 0.5 * rng.normal(size=world.model.nv)


@pytest.mark.parametrize("strict", [False, True])
def test_the_accelerations_of_the_law_are_those_of_the_engine(strict):
    law = LimbsController("generalized", strict=strict)
    world, _ = stepped(law, pushed=shaken)
    before = world.data.qvel.copy()
    world.advance()
    engine = (world.data.qvel - before) / world.dt
    motion = law._motion
    spins = law.outcome.acceleration[3:].reshape(-1, 3) - np.cross(motion.spin, motion.joint_spin)
    own = np.einsum("kji,kj->ki", motion.turn, spins).ravel()  # the rate of MuJoCo's velocities
    ours = np.concatenate([law.outcome.acceleration[:3], own])
    assert np.abs(ours - engine).max() < EXACT * np.abs(engine).max()


@pytest.mark.parametrize("dynamics", ["forward", "generalized"])
def test_a_character_stands_on_the_ground_alone(dynamics):
    take = simulate(None, controller=LimbsController(dynamics), dt=0.01 if dynamics == "generalized" else 0.002, duration=5.0)
    weight = take.character.mass * 9.81
    assert np.linalg.norm(take.position[:, 0] - take.ref_position[:, 0], axis=-1).max() < STILL_M
    assert abs(take.contact[-1].sum() / weight - 1.0) < WEIGHT_SHARE
    assert take.help_force.max() < WEIGHT_SHARE * weight
