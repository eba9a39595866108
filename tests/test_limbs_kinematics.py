"""Kinematics and dynamics of the limbs law against MuJoCo's own, at random states."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise import rotation
from poise.character.toml import load_character
from poise.control.limbs.kinematics import body_of, generalized_force, mass_row, motion_of, place, root_rows
from poise.physics.world import World

EXACT = 1e-11  # relative: both sides are sums of a few hundred products


@pytest.fixture(scope="module", params=[0, 1, 2])
def state(request):
    """A human in a random pose with random velocities, far from the world's origin, and the law's view of it."""
    human = load_character("human")
    world, rng = World(human), np.random.default_rng(request.param)
    turns = rotation.exp(rng.normal(size=(human.nsegments, 3)))
    world.reset(turns, np.array([20.0, -3.0, 5.0]), rng.normal(size=(human.nsegments, 3)), rng.normal(size=3))
    body, motion = body_of(world), motion_of(human.nsegments)
    seen = world.sense()
    place(body, seen.position, seen.rotation, seen.root_velocity, seen.joint_velocity, motion)
    return world, body, motion


def to_spins(world, motion):
    """The matrix from MuJoCo's velocities to the law's: spins turned into the world frame."""
    n = 3 + 3 * world.character.nsegments
    matrix = np.eye(n)
    for k, turn in enumerate(motion.turn):
        matrix[3 + 3 * k : 6 + 3 * k, 3 + 3 * k : 6 + 3 * k] = turn
    return matrix


def full_mass(body, motion):
    n = len(motion.bias)
    rows, row = np.zeros((n, n)), np.zeros(n)
    root_rows(motion, rows[:6])
    for k in range(1, len(body.mass)):
        for i in range(3):
            mass_row(body, motion, k, np.eye(3)[i], row)
            rows[3 + 3 * k + i] = row
    return rows


def test_the_mass_matrix_is_mujocos(state):
    world, body, motion = state
    theirs = np.zeros((world.model.nv, world.model.nv))
    mujoco.mj_fullM(world.model, world.data, theirs)
    turn = to_spins(world, motion)
    ours = turn.T @ full_mass(body, motion) @ turn
    assert np.abs(ours - theirs).max() < EXACT * np.abs(theirs).max()


def test_bias_forces_are_mujocos(state):
    world, body, motion = state
    turn = to_spins(world, motion)
    velocity = world.data.qvel.copy()
    # MuJoCo's velocities standing still is not the same as spins standing still: the segments' frames turn meanwhile.
    spins = (turn @ velocity)[3:].reshape(-1, 3)
    rate = np.concatenate([np.zeros(3), np.cross(motion.spin, spins).ravel()])
    drift, force = np.zeros_like(motion.drift), np.zeros_like(motion.bias)
    generalized_force(body, motion, rate, drift, force)
    theirs = world.data.qfrc_bias
    assert np.abs(turn.T @ force - theirs).max() < EXACT * np.abs(theirs).max()


def test_jacobians_and_their_drift_are_mujocos(state):
    world, _, motion = state
    turn, nv = to_spins(world, motion), world.model.nv
    for k in (0, 4, world.character.nsegments - 1):
        jacobian, spin_rows, rate = np.zeros((3, nv)), np.zeros((3, nv)), np.zeros((3, nv))
        mujoco.mj_jac(world.model, world.data, jacobian, spin_rows, world.data.xpos[k + 1], k + 1)
        mujoco.mj_jacDot(world.model, world.data, rate, None, world.data.xpos[k + 1], k + 1)
        assert np.allclose(jacobian @ world.data.qvel, motion.velocity[k], atol=EXACT * 10)
        assert np.allclose(spin_rows @ world.data.qvel, motion.spin[k], atol=EXACT * 10)
        still = np.linalg.inv(turn) @ np.concatenate([np.zeros(3), -np.cross(motion.spin, motion.joint_spin).ravel()])
        assert np.allclose(rate @ world.data.qvel + jacobian @ still, motion.drift[k], atol=1e-9)


def test_momentum_rows_are_mujocos(state):
    world, _, motion = state
    rows = np.zeros((6, len(motion.bias)))
    root_rows(motion, rows)
    com = motion.load[0, 1:4] / motion.load[0, 0]
    spin_rows = rows[3:] - np.cross(com, rows[:3], axisb=0, axisc=0)
    theirs = np.zeros((3, world.model.nv))
    mujoco.mj_angmomMat(world.model, world.data, theirs, 1)
    ours = spin_rows @ to_spins(world, motion)
    assert np.abs(ours - theirs).max() < EXACT * np.abs(theirs).max()


def test_forces_are_linear_in_accelerations(state):
    _, body, motion = state
    acceleration = np.random.default_rng(5).normal(size=len(motion.bias))
    drift, force = np.zeros_like(motion.drift), np.zeros_like(motion.bias)
    generalized_force(body, motion, acceleration, drift, force)
    expected = full_mass(body, motion) @ acceleration + motion.bias
    assert np.abs(force - expected).max() < EXACT * np.abs(expected).max()
