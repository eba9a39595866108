"""Feet that stand: on a ground that only the law knows of they come to rest at once, and nowhere do they slide."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation
from poise.character.soles import sole_corners
from poise.character.toml import load_character
from poise.control.controller import Command
from poise.control.limbs.controller import LimbsController
from poise.measure import foot_slide_m_s
from poise.physics.world import SLIP, World
from poise.reference.reference import still_reference
from poise.simulation import simulate

SHAKEN = 0.3  # rad/s and m/s of every coordinate
AT_ONCE = 0.1  # of a foot's speed may be left after one step: its objective is heavy, not absolute
SLIDE = 0.02  # m/s
ROUNDING = 1e-6  # N
DEEP = 0.02  # m that a sole may be in the ground while the body lands on it


def soles(position, turn, character):
    """The corners (feet, 4, 3) of the soles in the world."""
    feet = [character.index(foot) for foot in character.feet]
    return np.array([position[k] + rotation.rotate(turn[k], sole_corners(character.segments[k])) for k in feet])


def test_feet_that_stand_lose_their_velocity_in_one_step():
    human = load_character("human")
    world, reference, command = World(human, dt=0.01), still_reference(human), Command(human.nsegments)
    target = reference.target()
    reference.sample(0.0, target)
    law = LimbsController("generalized")
    world.data.qvel[:] = SHAKEN * np.random.default_rng(2).normal(size=world.model.nv)
    law.start(world, reference)
    places = []
    for _ in range(3):
        state = world.sense()
        places.append(soles(state.position, state.rotation, human).mean(axis=1))
        law.act(state, target, command)
        world.joint_torque[:], world.wrench[:] = command.joint_torque, command.wrench
        if len(places) == 1:
            before = np.linalg.norm(law.follower.motion.velocity[state.feet], axis=-1).max()
        world.advance()
    assert np.abs(np.diff(places, axis=0)[..., :2]).max() / world.dt < AT_ONCE * before


@pytest.mark.parametrize("character", ["raptor", "human"])
def test_feet_of_a_walk_neither_slide_nor_sink(character):
    take = simulate("walk", controller="limbs", dynamics="generalized", character=character)
    assert foot_slide_m_s(take) < SLIDE
    lowest = min(soles(p, q, take.character)[..., 2].min() for p, q in zip(take.position, take.rotation, strict=True))
    assert lowest > -DEEP


@pytest.mark.parametrize("character", ["raptor", "human"])
def test_feet_of_a_walk_do_not_slide_in_real_contacts(character):
    assert foot_slide_m_s(simulate("walk", controller="limbs", character=character)) < SLIDE


class Watched(LimbsController):
    """Writes down what is planned at every step: contacts of the feet, stance of the target, the ground's forces on the feet."""

    def start(self, world, reference):
        super().start(world, reference)
        self.feet, self.planned = world.state.feet, []

    def act(self, state, target, command):
        super().act(state, target, command)
        forces = self.follower.outcome.ground[self.feet, :3].copy()
        self.planned.append((self.features.contact[self._feet], target.stance.copy(), forces))


def test_in_real_contacts_feet_are_planned_with_the_friction_that_they_have():
    law = Watched()
    simulate("walk", controller=law, character="human")
    contact, stance, force = (np.array(column) for column in zip(*law.planned, strict=True))
    assert np.array_equal(contact, stance)  # who stands is who grips
    aside, up = np.abs(force[..., :2]).sum(axis=-1), force[..., 2]
    slips = ~contact[:-1] & (up[1:] > 0.0)  # a contact has the friction that was set in the step before
    assert slips.any() and (up[1:][slips] > 10.0).any()
    assert np.all(aside[1:][slips] <= SLIP * up[1:][slips] + ROUNDING)
