"""SIMBICON's virtual force: J^T f on the swing leg alone, nothing while the character does what the clip does."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise import rotation
from poise.character.toml import load_character
from poise.control.simbicon import step
from poise.control.support import legs_of
from poise.physics.world import World

EXACT = 1e-9  # both sides are the same arithmetic in another order
LEFT_STANDS = np.array([True, False])


@pytest.fixture
def world():
    """A human in a seeded, non-trivial pose."""
    rng = np.random.default_rng(11)
    world = World(load_character("human"))
    turns = rotation.exp(rng.normal(0, 0.3, (world.character.nsegments, 3)))
    world.reset(turns, np.array([0.3, -0.2, 1.2]), rng.normal(0, 1, (world.character.nsegments, 3)), rng.normal(0, 1, 3))
    world.sense()
    return world


def stepped(world, k_sp, k_sd, ref_com, ref_com_velocity, stance=LEFT_STANDS):
    """Joint torques where pose control asks for 1 and balance for 5 everywhere, and the reference stands as the world does."""
    state, n = world.state, world.character.nsegments
    pose, torque, felt = np.ones((n - 1, 3)), np.full((n - 1, 3), 5.0), np.full((n - 1, 3), 5.0)
    step(
        k_sp, k_sd, stance, state.feet, world.character.coms[state.feet], legs_of(world.character), pose, pose.copy(),
        state.position, state.rotation, state.link_com, state.com, state.com_velocity, state.position, state.rotation,
        ref_com, ref_com_velocity, torque, felt,
    )  # fmt: skip
    return torque


def test_the_swing_leg_gets_the_transposed_jacobian_of_its_foot(world):
    state, character = world.state, world.character
    torque = stepped(world, 0.0, 100.0, state.com, np.zeros(3))
    force = 100.0 * state.com_velocity * [1.0, 1.0, 0.0]
    jacobian = np.zeros((3, world.model.nv))
    foot = int(state.feet[1])
    mujoco.mj_jac(world.model, world.data, jacobian, None, state.link_com[foot], foot + 1)
    expected = (jacobian.T @ force)[6 : 3 + 3 * character.nsegments].reshape(-1, 3)
    for name in ("right_thigh", "right_shin", "right_foot"):
        k = character.index(name) - 1
        assert torque[k] == pytest.approx(1.0 + expected[k], abs=EXACT)


def test_other_joints_keep_their_balance(world):
    torque = stepped(world, 0.0, 100.0, world.state.com, np.zeros(3))
    swing = [world.character.index(f"right_{part}") - 1 for part in ("thigh", "shin", "foot")]
    assert np.all(np.delete(torque, swing, axis=0) == 5.0)


def test_there_is_no_force_while_the_character_does_what_the_clip_does(world):
    torque = stepped(world, 600.0, 300.0, world.state.com, world.state.com_velocity)
    k = world.character.index("right_thigh") - 1
    assert torque[k] == pytest.approx(1.0, abs=EXACT)  # the pose torque alone


@pytest.mark.parametrize("stance", [(True, True), (False, False)])
def test_without_a_single_standing_foot_nothing_changes(world, stance):
    assert np.all(stepped(world, 600.0, 300.0, np.zeros(3), np.zeros(3), np.array(stance)) == 5.0)
