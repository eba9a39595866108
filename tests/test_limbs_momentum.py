"""Tails move by themselves: angular momentum of a raptor that bows."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation
from poise.control.limbs.controller import LimbsController
from poise.control.limbs.weights import Settings, Weights
from poise.simulation import simulate

SWING_DEG, STILL_DEG = 30.0, 3.0
AGAINST = -0.6  # the largest correlation of the tail's and the torso's turns that counts as opposite


@pytest.fixture(scope="module")
def bows():
    """The bow on a raptor with and without the momentum objective."""
    return [bow(momentum) for momentum in (Weights().momentum, 0.0)]


def bow(momentum):
    law = LimbsController("generalized", settings=Settings(Weights(momentum=momentum)))
    return simulate("bow", controller=law, dynamics="generalized", character="raptor")


def forward_turn_deg(take, segment, seen_from=None):
    """How far a segment has turned nose down since the start (N,), degrees; in the world, or seen from another segment."""
    turn = take.rotation[:, take.character.index(segment)]
    if seen_from is not None:
        turn = rotation.multiply(rotation.conjugate(take.rotation[:, take.character.index(seen_from)]), turn)
    away = rotation.multiply(turn, rotation.conjugate(turn[0]))
    side = np.array([0.0, 1.0, 0.0])
    if seen_from is None:
        side = rotation.rotate(rotation.about_z(rotation.heading(take.rotation[0, 0])), side)
    return np.degrees(rotation.log(away) @ side)


def angular_momentum(take):
    """About the centre of mass (N, 3), kg m2/s."""
    character = take.character
    turn = rotation.to_matrix(take.rotation)
    inertia = turn @ character.inertias @ np.swapaxes(turn, -1, -2)
    share = character.masses / character.mass
    place = take.position + rotation.rotate(take.rotation, character.coms)
    spin, velocity = take.velocity[..., :3], take.velocity[..., 3:]
    arm, pace = place - (share @ place)[:, None], velocity - (share @ velocity)[:, None]
    return np.sum(np.einsum("nsij,nsj->nsi", inertia, spin) + character.masses[:, None] * np.cross(arm, pace), axis=1)


def test_the_tail_swings_against_the_torso(bows):
    torso, tail = forward_turn_deg(bows[0], "chest"), forward_turn_deg(bows[0], "tail_5", "pelvis")
    assert np.ptp(tail) > SWING_DEG
    assert np.corrcoef(torso, tail)[0, 1] < AGAINST


def test_without_the_objective_the_tail_stays_still(bows):
    assert np.ptp(forward_turn_deg(bows[1], "tail_5", "pelvis")) < STILL_DEG


def test_the_objective_makes_the_total_momentum_smaller(bows):
    calm, free = (np.sqrt(np.mean(angular_momentum(take) ** 2)) for take in bows)
    assert calm < 0.8 * free
