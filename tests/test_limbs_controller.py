"""The limbs law as a whole: exact dynamics, standing, priorities, limits, bad input."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character.toml import load_character
from poise.control.controller import Command
from poise.control.limbs.controller import LimbsController
from poise.control.limbs.objectives import effector_rows
from poise.control.limbs.weights import Settings, Weights
from poise.physics.world import World
from poise.reference.reference import still_reference
from poise.scenario.events import Ball, Heading, Push
from poise.simulation import prepare, simulate

STILL_M = 1e-3  # how near to its place a standing root stays
KNEES_M = 0.01  # how far it sinks before, because knees that are straight at rest bend a little
EXACT = 1e-6  # relative, of accelerations that went through two different factorisations
BRIEFLY = 0.04  # of the weight: what help gives in the worst moment of a push
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
    motion = law.follower.motion
    spins = law.follower.outcome.acceleration[3:].reshape(-1, 3) - np.cross(motion.spin, motion.joint_spin)
    own = np.einsum("kji,kj->ki", motion.turn, spins).ravel()  # the rate of MuJoCo's velocities
    ours = np.concatenate([law.follower.outcome.acceleration[:3], own])
    assert np.abs(ours - engine).max() < EXACT * np.abs(engine).max()


@pytest.mark.parametrize("dynamics", ["forward", "generalized"])
def test_a_character_stands_on_the_ground_alone(dynamics):
    take = simulate(None, controller=LimbsController(dynamics), dt=0.01 if dynamics == "generalized" else 0.002, duration=5.0)
    weight = take.character.mass * 9.81
    settled = take.position[take.times > 2.0, 0]
    assert np.linalg.norm(settled - settled[0], axis=-1).max() < STILL_M
    assert np.linalg.norm(take.position[:, 0] - take.ref_position[:, 0], axis=-1).max() < KNEES_M
    assert abs(take.contact[-1].sum() / weight - 1.0) < WEIGHT_SHARE
    assert take.help_force[take.times > 0.1].max() < WEIGHT_SHARE * weight


class Reaching(LimbsController):
    """A law whose left hand is asked to be somewhere else."""

    def __init__(self, away, **options):
        super().__init__("generalized", **options)
        self.away = away

    def _read(self, target):
        super()._read(target)
        self.features.position[2] += self.away


def accelerations(law, segments):
    """Linear and angular acceleration of some segments in the solution."""
    rows = np.zeros((6, len(law.follower.outcome.acceleration)))
    result = []
    for k in segments:
        effector_rows(law.follower.body, law.follower.motion, k, rows)
        result.append(rows @ law.follower.outcome.acceleration)
    return np.array(result)


def solved(away, **options):
    law = Reaching(np.array(away), **options)
    stepped(law, pushed=shaken)
    return law


BALANCE = (0, 10, 13)  # of the human: pelvis and feet


def test_an_unreachable_hand_moves_root_and_feet_when_objectives_are_weighed():
    near, far = solved((0.0, 0.0, 0.0)), solved((3.0, 0.0, 0.0))
    change = accelerations(far, BALANCE) - accelerations(near, BALANCE)
    assert np.abs(change).max() > 1.0


def test_whatever_a_hand_is_asked_for_a_strict_law_keeps_root_feet_and_residual():
    near, far = solved((0.0, 0.0, 0.0), strict=True), solved((3.0, 0.0, 0.0), strict=True)
    wanted = accelerations(near, BALANCE)
    assert np.abs(accelerations(far, BALANCE) - wanted).max() < 1e-5 * np.abs(wanted).max()
    assert np.abs(far.follower.residual - near.follower.residual).max() < 1e-6 * 700.0
    assert (
        np.abs(accelerations(far, [near.follower.effectors[2]]) - accelerations(near, [near.follower.effectors[2]])).max() > 10.0
    )


def test_a_strict_law_is_as_good_at_balance_as_balance_alone():
    both = solved((3.0, 0.0, 0.0), strict=True)
    weights = Weights(momentum=0.0, effector={"support": 1.0, "targeted": 1e-9}, body=1e-9)
    alone = solved((3.0, 0.0, 0.0), settings=Settings(weights))
    assert balance_cost(both) < 1.001 * balance_cost(alone) + 1e-6


def balance_cost(law):
    asked = np.array([law.follower.asked.root, *law.follower.asked.effector[:2]])
    ours = accelerations(law, [0, *law.follower.effectors[:2]])
    force, torque = law.follower.residual[:3], law.follower.residual[3:]
    return (
        np.sum((ours - asked) ** 2)
        + np.sum(np.concatenate([force, torque]) ** 2 / law.follower.leeway) / law.settings.weights.w_max
    )


def test_a_raptor_takes_a_ball_and_a_push_without_help():
    events = [
        Ball(target="chest", mass=3.0, speed=5.0, from_deg=90.0, at=0.6),
        Push("chest", (150.0, 0.0, 0.0), at=1.2, duration=0.2),
    ]
    take = simulate("stand", controller="limbs", character="raptor", events=events, duration=2.5)
    weight = take.character.mass * 9.81
    assert np.linalg.norm(take.com - take.ref_com, axis=-1).max() > 5 * STILL_M  # they did hit it
    assert np.linalg.norm(take.position[-1, 0] - take.ref_position[-1, 0]) < 0.02
    assert take.help_force.max() < BRIEFLY * weight
    assert take.help_force.mean() < 0.1 * WEIGHT_SHARE * weight


def test_events_that_cannot_be_heeded_are_told():
    run = prepare(
        "stand",
        controller="limbs",
        character="raptor",
        dynamics="generalized",
        events=[Ball(target="chest"), Heading(90.0, at=0.5)],
    )
    assert any("balls fly through" in warning for warning in run.info["warnings"])
    assert any("headings" in warning for warning in run.info["warnings"])


def test_the_same_run_gives_the_same_take():
    takes = [simulate("walk", controller="limbs", character="raptor", duration=0.5) for _ in range(2)]
    assert np.array_equal(takes[0].position, takes[1].position)
    assert np.array_equal(takes[0].help_force, takes[1].help_force)
