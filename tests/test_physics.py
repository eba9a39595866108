"""The world and its sensors, held against MuJoCo's own quantities and against mechanics."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from poise import rotation
from poise.character.toml import load_character
from poise.control.controller import Command
from poise.control.pose import PoseController
from poise.physics.contact import convex_hull, inside_polygon
from poise.physics.world import GRAVITY, World
from poise.reference.reference import still_reference

EXACT = 1e-9  # both sides are the same arithmetic in another order
SETTLED = 0.01  # of the weight: what is left of the landing after the character has stood for a while


@pytest.fixture(scope="module")
def human():
    return load_character("human")


@pytest.fixture
def tumbling(human):
    """A world in a seeded, non-trivial state: bent, spinning, in the air."""
    rng = np.random.default_rng(7)
    world = World(human)
    turns = rotation.exp(rng.normal(0, 0.4, (human.nsegments, 3)))
    world.reset(turns, np.array([0.3, -0.2, 2.5]), rng.normal(0, 2, (human.nsegments, 3)), rng.normal(0, 1, 3))
    return world


def standing(human, seconds, *, balance=True):
    """A world in which the character has stood for a while, held by root forces."""
    world = World(human)
    controller, reference = PoseController(), still_reference(human)
    controller.start(world, reference)
    command, target = Command(human.nsegments), reference.target()
    reference.sample(0.0, target)
    for _ in range(round(seconds / world.dt)):
        state = world.sense()
        controller.act(state, target, command)
        world.joint_torque[:], world.wrench[:] = command.joint_torque, command.wrench
        world.advance()
    return world, command


def test_joint_rotations_survive_the_way_through_mujoco(tumbling, human):
    state = tumbling.sense()
    parents = np.array(human.parents)
    own = rotation.multiply(rotation.conjugate(state.rotation[parents[1:]]), state.rotation[1:])
    assert rotation.angle_between(own, state.joint_rotation[1:]).max() < 1e-7
    assert rotation.angle_between(state.rotation[0], state.joint_rotation[0]) < 1e-7


def test_centre_of_mass_and_momenta_agree_with_mujoco(tumbling):
    state = tumbling.sense()
    model, data = tumbling.model, tumbling.data
    mujoco.mj_subtreeVel(model, data)
    assert np.allclose(state.com, data.subtree_com[1], atol=EXACT)
    assert np.allclose(state.com_velocity, data.subtree_linvel[1], atol=EXACT)
    assert np.allclose(state.angular_momentum, data.subtree_angmom[1], atol=EXACT)


def test_link_velocities_agree_with_mujoco(tumbling, human):
    state = tumbling.sense()
    for k in range(human.nsegments):
        velocity = np.zeros(6)
        mujoco.mj_objectVelocity(tumbling.model, tumbling.data, mujoco.mjtObj.mjOBJ_BODY, k + 1, velocity, 0)
        assert np.allclose(state.link_velocity[k], velocity, atol=EXACT)


def test_a_push_changes_momentum_by_its_impulse(tumbling, human):
    force = np.array([120.0, -40.0, 60.0])
    chest = human.index("chest")
    before = tumbling.sense().com_velocity * human.mass
    seconds = 0.1
    for _ in range(round(seconds / tumbling.dt)):
        tumbling.sense()
        tumbling.wrench[chest, :3] = force
        tumbling.advance()
    after = tumbling.sense().com_velocity * human.mass
    fall = np.array([0.0, 0.0, -human.mass * GRAVITY * seconds])
    # MuJoCo's semi-implicit Euler keeps linear momentum to first order in the step; 1 % of the impulse is its error here.
    assert np.allclose(after - before, force * seconds + fall, atol=0.01 * np.linalg.norm(force * seconds + fall))


def test_angular_momentum_is_kept_in_flight(tumbling):
    start = tumbling.sense().angular_momentum.copy()
    for _ in range(50):
        tumbling.sense()
        tumbling.advance()
    assert np.linalg.norm(tumbling.sense().angular_momentum - start) < 0.02 * np.linalg.norm(start)


def test_standing_forces_sum_to_the_weight(human):
    world, command = standing(human, 2.0)
    state = world.sense()
    held = command.help[:, 2].sum()
    assert state.foot_force[:, 2].sum() + held == pytest.approx(human.mass * GRAVITY, rel=SETTLED)


def test_the_foot_sensors_agree_with_the_single_contacts(human):
    world, _ = standing(human, 1.0)
    state = world.sense()
    for k, foot in enumerate(state.feet):
        assert np.allclose(state.foot_force[k], state.contacts.of(np.array([foot])).force.sum(axis=0), atol=1.0)


def test_pressure_lies_inside_the_support_polygon_and_on_the_zero_moment_point(human):
    world, _ = standing(human, 2.0)
    state = world.sense()
    polygon = state.contacts.of(state.feet).support_polygon
    pressure, zmp = state.center_of_pressure, state.zero_moment_point
    assert inside_polygon(pressure, polygon) > 0.0
    assert inside_polygon(zmp, polygon) > 0.0


def test_the_hull_of_a_square_with_points_inside_is_the_square():
    points = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5], [0.2, 0.7]], float)
    hull = convex_hull(points)
    assert len(hull) == 4
    assert inside_polygon(np.array([0.5, 0.5]), hull) == pytest.approx(0.5)
    assert inside_polygon(np.array([1.5, 0.5]), hull) == pytest.approx(-0.5)


def test_a_ball_waits_out_of_sight_until_it_is_thrown(human):
    from poise.physics.world import BallShape

    world = World(human, balls=(BallShape(0.1, 3.0),))
    for _ in range(20):
        world.sense()
        world.advance()
    assert world.ball_pose(0)[0][2] == pytest.approx(100.0)
    world.throw(0, np.array([2.0, 0.0, 1.0]), np.array([-5.0, 0.0, 0.0]))
    for _ in range(50):
        world.sense()
        world.advance()
    assert world.ball_pose(0)[0][0] == pytest.approx(1.5, abs=0.02)
