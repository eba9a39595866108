"""Limits of torques and joints, and input that nobody should give."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation
from poise.character.character import Character
from poise.character.toml import load_character
from poise.control.controller import Command
from poise.control.limbs.controller import LimbsController
from poise.control.limbs.weights import Settings, Strength, joint_strength, support_length
from poise.errors import BadCharacter
from poise.physics.world import GRAVITY, World
from poise.reference.reference import still_reference
from poise.simulation import simulate

OVER = 1.06  # how far a torque may end above its limit: its direction changes while it is kept along the old one, the more as
# shaken feet are stopped within one step
BEYOND_DEG = 3.0  # how far a joint may go beyond its limit, which gives a little


def standing(law, speed=0.0):
    """A human with a law after one step of standing, or of being shaken while it stands (speeds of the joints in rad/s)."""
    human = load_character("human")
    world, reference, command = World(human, dt=0.01), still_reference(human), Command(human.nsegments)
    target = reference.target()
    reference.sample(0.0, target)
    world.data.qvel[:] = speed * np.random.default_rng(1).normal(size=world.model.nv)
    law.start(world, reference)
    law.act(world.sense(), target, command)
    return world, target, command


def limited(torque, strict=False):
    """The largest torque of a shaken human (Nm), with torques limited to this many Nm."""
    human = load_character("human")
    share = torque / (human.mass * GRAVITY * support_length(human))
    law = LimbsController("generalized", strict=strict, settings=Settings(strength=Strength(torque=share)))
    _, _, command = standing(law, speed=0.5)
    return np.linalg.norm(command.joint_torque, axis=-1).max()


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("share", [0.8, 0.4])
def test_torques_stay_below_a_limit_that_they_would_break(share, strict):
    wanted = limited(1e6, strict)
    assert limited(share * wanted, strict) < OVER * share * wanted


def test_joints_keep_their_limits():
    take = simulate("punch", controller="limbs", dynamics="generalized", character="human")
    for k, segment in enumerate(take.character.segments):
        if segment.limit:
            above = take.rotation[:, take.character.parents[k]]
            bent = rotation.multiply(rotation.conjugate(above), take.rotation[:, k])
            angle = np.degrees(rotation.angle_between(bent, np.array(segment.limit.center)))
            assert angle.max() < segment.limit.angle_deg + BEYOND_DEG, segment.name


def test_features_that_are_no_numbers_leave_the_last_torques_and_are_told():
    law = LimbsController("generalized")
    world, target, command = standing(law)
    before = command.joint_torque.copy()
    target.position[0] = np.nan
    law.act(world.sense(), target, command)
    assert np.array_equal(command.joint_torque, before)
    assert law.warnings == ("1 step had no solution; the torques before it were kept",)


def test_an_actor_out_of_reach_is_survived():
    law = LimbsController("generalized")
    world, target, command = standing(law)
    target.position[:] += [50.0, 0.0, 0.0]
    law.act(world.sense(), target, command)
    assert np.isfinite(command.joint_torque).all()
    assert np.abs(law.follower.residual[:3]).max() < 30.0 * world.character.mass * GRAVITY


def test_a_character_that_nothing_carries_is_refused():
    human = load_character("human")
    arms = tuple(segment for segment in human.segments if not segment.name.endswith(("thigh", "shin", "foot")))
    floating = Character("floating", arms, feet=())
    with pytest.raises(BadCharacter, match="no support limb"):
        LimbsController().start(World(floating), still_reference(floating))


def test_in_real_contacts_neither_joints_nor_residual_exceed_their_strength_whatever_the_state():
    raptor = load_character("raptor")
    world, reference, command = World(raptor), still_reference(raptor), Command(raptor.nsegments)
    target = reference.target()
    reference.sample(0.0, target)
    controller = LimbsController("forward")
    controller.start(world, reference)
    world.data.qvel[:] = 200.0 * np.random.default_rng(3).normal(size=world.model.nv)  # beyond all saving
    controller.act(world.sense(), target, command)
    strength, leg = Strength(), support_length(raptor)
    weight = raptor.mass * GRAVITY
    allowed = joint_strength(raptor, strength.torque * weight * leg, strength)
    assert np.all(np.linalg.norm(command.joint_torque, axis=1) <= allowed * (1.0 + 1e-9))
    assert np.linalg.norm(command.wrench[0, :3]) <= strength.residual * weight * (1.0 + 1e-9)
    assert np.array_equal(command.wrench[0], command.help[0])
    assert allowed[raptor.index("tail_5") - 1] < 0.5 * allowed[raptor.index("left_foot") - 1]
