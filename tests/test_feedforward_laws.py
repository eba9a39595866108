"""The parts of feedforward control: inertias beyond joints, stiffening springs, antagonists, inverse dynamics."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from poise import rotation
from poise.character.toml import load_character
from poise.control.antagonist import antagonist, set_points
from poise.control.bracing import Brace
from poise.control.controller import Command
from poise.control.fed import Fed
from poise.control.feedforward import NoFeedforward
from poise.control.inertia_pd import InertiaGains, stiffening
from poise.control.inverse_dynamics import InverseDynamics
from poise.control.local_feedback import NO_POSE, LocalFeedback
from poise.control.outboard_inertia import outboard_inertias
from poise.control.pose import PoseController
from poise.errors import BadInput
from poise.physics.world import World
from poise.simulation import build_reference

ROUNDING = 1e-12  # kg m2, beside values around 1
DIFFERENCES = 0.06  # of the torque: accelerations by differences over 10 ms on both sides, against MuJoCo's with the same ones


def posed(name="human", seed=0, scale=0.5):
    """A world with the character in a random pose, sensed."""
    character = load_character(name)
    world = World(character)
    turns = rotation.exp(np.random.default_rng(seed).normal(size=(character.nsegments, 3), scale=scale))
    world.reset(turns, np.array([1.0, -2.0, 3.0]))
    world.sense()
    return world


def inertias_of(world):
    character, state = world.character, world.state
    s = character.nsegments
    result = np.zeros((s, 3, 3))
    armature = np.array(world.model.dof_armature[3 : 3 + 3 * s : 3])
    principal = np.array([g.inertia for g in character.segments])
    outboard_inertias(
        np.array(character.parents), character.masses, principal, state.inertia_turn, state.position, state.rotation,
        state.link_com, state.com, armature, np.zeros((s, 10)), result,
    )  # fmt: skip
    return result


@pytest.mark.parametrize("name", ["human", "raptor"])
@pytest.mark.parametrize("seed", range(3))
def test_inertias_beyond_joints_are_the_diagonal_blocks_of_the_mass_matrix(name, seed):
    world = posed(name, seed)
    full = np.zeros((world.model.nv, world.model.nv))
    mujoco.mj_fullM(world.model, world.data, full)
    ours = inertias_of(world)
    for k in range(1, world.character.nsegments):
        block = full[3 + 3 * k : 6 + 3 * k, 3 + 3 * k : 6 + 3 * k]
        assert np.abs(ours[k] - block).max() < ROUNDING


def test_the_spring_stiffens_with_the_error_as_the_paper_draws_it():
    assert [stiffening(e, 0.1, 5.0) for e in (0.0, 0.1, 0.2, 0.5, 2.0)] == pytest.approx([1.0, 1.0, 2.0, 5.0, 5.0])


@pytest.mark.parametrize("bad", [{"stiffness": -1.0}, {"damping": float("nan")}, {"delay": 0.0}, {"most": 0.5}])
def test_gains_that_make_no_sense_are_refused(bad):
    with pytest.raises(BadInput, match="must be"):
        InertiaGains(**bad)


class Nothing:
    """A strategy that does not keep any balance."""

    tunable = False

    def start(self, world, reference):
        pass

    def act(self, state, target, command):
        command.joint_torque[:], command.felt_torque[:] = 0.0, 0.0


def feedback_on(world, gains, fed=None, velocity=0.3, brace=None):
    """Command and feedback of one step, with the character off its reference and moving."""
    reference, _ = build_reference(None, world.character)
    law = LocalFeedback(Nothing(), gains, firm=None)
    law.start(world, reference)
    target, command = reference.target(), Command(world.character.nsegments)
    reference.sample(0.0, target)
    world.state.joint_velocity[:] = velocity
    source = NoFeedforward()
    source.start(world, reference)
    if fed is not None:
        source.fed.torque[:], source.fed.share[:] = fed, 1.0
    if brace is not None:
        source.fed = replace(source.fed, brace=brace)
    law.act(world.state, target, command, source.fed)
    return law, command


def test_feedback_is_inertia_times_what_nunes_1_says():
    world = posed()
    gains = InertiaGains(strength=1e9, quickest=1e9)
    _, command = feedback_on(world, gains)
    inertia, state = inertias_of(world), world.state
    for k in range(1, world.character.nsegments):
        error = rotation.log(rotation.multiply(rotation.conjugate(state.joint_rotation[k]), rotation.IDENTITY))
        spring = gains.stiffness * stiffening(float(np.linalg.norm(error)), gains.delay, gains.most)
        ahead = error - world.dt * state.joint_velocity[k]  # of the end of the step
        wanted = inertia[k] @ (spring * ahead - gains.damping * state.joint_velocity[k])
        assert command.felt_torque[k - 1] == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def test_low_gains_fed_by_high_ones_in_the_same_state_give_the_same_torque():
    """So that two worlds that are left alone go the same way; the paper's sum would give the low-gain part in addition."""
    world, gains = posed(), InertiaGains(strength=1e9, quickest=1e9)
    high, command = feedback_on(world, gains)
    wanted = command.felt_torque.copy()
    reference, _ = build_reference(None, world.character)
    low = LocalFeedback(Nothing(), gains.softer(0.05, 1.0), firm=None)
    low.start(world, reference)
    target = reference.target()
    reference.sample(0.0, target)
    low.act(world.state, target, command, high.fed)
    assert command.felt_torque == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def test_joints_that_are_fed_grow_stiffer_with_the_square_of_their_speed():
    world, gains, speed = posed(scale=0.2), InertiaGains(strength=1e9, quickest=1e9, stiffness=200.0), 10.0
    reference, _ = build_reference(None, world.character)
    target, springs = reference.target(), []
    reference.sample(0.0, target)
    world.state.joint_velocity[:] = speed
    for share in (0.0, 1.0):
        fed = Fed.nothing(world.character.nsegments, share)
        fed.velocity[:] = speed  # as fast as it should be: damping is silent, the springs are left
        law, command = LocalFeedback(Nothing(), gains, firm=None), Command(world.character.nsegments)
        law.start(world, reference)
        law.act(world.state, target, command, fed)
        springs.append(command.felt_torque)
    assert springs[1] == pytest.approx((1.0 + gains.fast * 3.0 * speed**2 / gains.stiffness) * springs[0])


def test_soft_joints_are_damped_less_while_something_drives_them_away():
    world, gains, speed = posed(), InertiaGains(strength=1e9, quickest=1e9, stiffness=0.0), 10.0
    turned = np.array([rotation.log(q) for q in world.state.joint_rotation])  # from the reference, which stands upright
    size = np.linalg.norm(turned, axis=1, keepdims=True)
    away = speed * turned / np.maximum(size, 1e-9)
    stiff = feedback_on(world, gains, velocity=away)[1].felt_torque
    soft, back = (feedback_on(world, gains.softer(0.05, 1.0), velocity=v)[1].felt_torque for v in (away, -away))
    rest = 1.0 / (1.0 + 0.95 * 0.2 * speed * size[1:] / (size[1:] + 0.01))
    assert soft == pytest.approx(rest * stiff, rel=1e-6, abs=1e-9)
    assert back == pytest.approx(-stiff, rel=1e-6, abs=1e-9)


def test_joints_that_are_braced_hold_on_to_a_twin_however_soft_they_are_else():
    world, gains = posed(), InertiaGains(strength=1e9, quickest=1e9).softer(0.05, 1.0)
    brace, inertia = Brace.none(world.character.nsegments), inertias_of(world)[1:]
    brace.coordinate[:] = world.state.joint_coordinate
    away = np.full(3, 0.01)
    brace.coordinate[1:] = rotation.multiply(brace.coordinate[1:], rotation.exp(away))
    soft = feedback_on(world, gains)[1].felt_torque
    brace.extent[:] = 1.0
    braced = feedback_on(world, gains, brace=brace)[1].felt_torque
    assert braced - soft == pytest.approx(gains.braced_stiffness * inertia @ away, rel=1e-6, abs=1e-9)
    damping = (gains.braced_damping + world.dt * gains.braced_stiffness) * np.diagonal(inertia, axis1=1, axis2=2)
    assert world.armature == pytest.approx(world.rotor[1:, None] + world.dt * damping)  # damps from the next step on


def test_standing_legs_grow_soft_less_than_the_rest():
    assert InertiaGains().softer(1.0, 1.0).standing == 1.0
    assert 0.05 < InertiaGains().softer(0.05, 1.0).standing < 0.3


def test_damping_is_left_to_the_integrator():
    """It has taken off what was damped so far already; what changes acts within the step."""
    world = posed()
    damping = world.damping[6:].reshape(-1, 3)
    damping[:] = so_far = 0.7
    _, command = feedback_on(world, InertiaGains())
    assert (damping > 0.0).all()
    assert (damping != so_far).all()
    assert command.joint_torque - so_far * world.state.joint_velocity[1:] == pytest.approx(command.felt_torque)


def test_a_joint_far_from_the_other_worlds_gets_nothing_of_its_torque():
    world, gains = posed(), InertiaGains(strength=1e9, quickest=1e9, stiffness=0.0)
    fed, turned = np.full((world.character.nsegments - 1, 3), 10.0), rotation.exp(np.array([0.0, 0.0, 2.5]))
    world.state.joint_coordinate[1:] = rotation.conjugate(world.state.joint_center[1:])
    near = feedback_on(world, gains, fed, velocity=0.0)[1].felt_torque
    world.state.joint_coordinate[1:] = rotation.multiply(world.state.joint_coordinate[1:], turned)
    far = feedback_on(world, gains, fed, velocity=0.0)[1].felt_torque
    assert near == pytest.approx(fed)
    assert far == pytest.approx(0.0)


def test_no_joint_gives_more_than_its_strength():
    world = posed()
    fed = np.full((world.character.nsegments - 1, 3), 1e4)
    _, command = feedback_on(world, InertiaGains(strength=100.0), fed, velocity=0.0)
    assert np.linalg.norm(command.felt_torque, axis=1).max() <= 110.0  # Nm: scaled to a body a little larger than the standard


def test_a_limb_that_whips_is_braked_beyond_any_strength():
    world = posed()
    _, command = feedback_on(world, InertiaGains(strength=1.0), velocity=500.0)
    assert (np.sum(command.felt_torque * world.state.joint_velocity[1:], axis=1) < -1e3).all()  # W, taken out


def test_an_antagonist_pair_without_load_is_a_spring_of_its_tension():
    for angle in (-1.0, 0.2, 1.5):
        assert antagonist(angle, 0.4, -2.0, 2.5, 30.0, 0.0) == pytest.approx(30.0 * (0.4 - angle))


@pytest.mark.parametrize("load", [-200.0, -5.0, 0.0, 5.0, 200.0])
def test_an_antagonist_pair_gives_its_load_where_it_is_wanted_and_only_pulls(load):
    low, high, wanted, tension = -2.0, 2.5, 0.4, 30.0
    assert antagonist(wanted, wanted, low, high, tension, load) == pytest.approx(load)
    assert antagonist(low, wanted, low, high, tension, load) >= 0.0  # at one set point only the other spring acts
    assert antagonist(high, wanted, low, high, tension, load) <= 0.0


def test_set_points_are_the_joint_limits_of_hinges():
    human = load_character("human")
    points = np.degrees(set_points(human))
    assert points[human.index("left_forearm")] == pytest.approx([-170.0, 30.0])
    assert points[human.index("left_thigh")] == pytest.approx([0.0, 0.0])


def test_antagonists_and_springs_hold_hinges_alike():
    """The same stiffness about the bending axis, as long as the error is small (their springs do not stiffen)."""
    gains = {"stiffness": 900.0, "delay": 10.0, "strength": 1e9}
    results = []
    for tension in (0.0, 900.0):
        world = World(load_character("human"))
        bent = np.broadcast_to(rotation.IDENTITY, (world.character.nsegments, 4)).copy()
        elbow = world.character.index("left_forearm")
        bent[elbow] = rotation.exp([0.0, -0.05, 0.0])
        world.reset(bent, world.character.joints[0])
        world.sense()
        _, command = feedback_on(world, InertiaGains(tension=tension, **gains), velocity=0.0)
        results.append(command.felt_torque[elbow - 1])
    assert results[0] == pytest.approx(results[1], rel=1e-6, abs=1e-6)


def test_inverse_dynamics_agrees_with_mujoco():
    """The torques of a moving reference with its root prescribed, against mj_inverse with the same accelerations."""
    reference, _ = build_reference("punch", "human")
    world = World(reference.character)
    law, target = InverseDynamics(carried=False), reference.target()
    law.start(world, reference)
    worst, largest = 0.0, 0.0
    for time in np.arange(0.5, 2.5, 0.25):
        reference.sample(time, target)
        law.update(world.state, target)
        wanted = _mujoco_inverse(world, reference, time)
        worst = max(worst, float(np.abs(law.fed.torque - wanted).max()))
        largest = max(largest, float(np.abs(wanted).max()))
    assert worst < DIFFERENCES * largest


def _mujoco_inverse(world, reference, time):
    """Joint torques (S - 1, 3) in free space, with accelerations by differences of the reference's velocities."""
    model, data, moment = world.model, world.data, 0.01
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT) | int(mujoco.mjtDisableBit.mjDSBL_LIMIT)
    model.dof_armature[:] = 0.0
    targets = [reference.target() for _ in range(3)]
    for target, shift in zip(targets, (-moment, moment, 0.0), strict=True):
        reference.sample(time + shift, target)
    now = targets[-1]
    world.reset(now.joint_rotation, now.position[0], now.joint_velocity, now.velocity[0])
    s = reference.character.nsegments
    rates = [np.concatenate([t.velocity[0], t.joint_velocity.ravel()]) for t in targets[:2]]
    data.qacc[: 3 + 3 * s] = (rates[1] - rates[0]) / (2.0 * moment)
    mujoco.mj_inverse(model, data)
    return data.qfrc_inverse[6 : 3 + 3 * s].reshape(-1, 3).copy()


def test_a_strategy_without_pose_gains_leaves_the_joints_alone():
    world = posed()
    reference, _ = build_reference(None, world.character)
    strategy, command, target = PoseController(NO_POSE), Command(world.character.nsegments), reference.target()
    strategy.start(world, reference)
    reference.sample(0.0, target)
    strategy.act(world.state, target, command)
    assert not command.joint_torque.any() and command.wrench.any()
