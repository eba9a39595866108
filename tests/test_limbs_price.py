"""What help costs, and where the actor's centre of mass is."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character.style import NEUTRAL
from poise.character.toml import load_character
from poise.control.limbs.price import leeway, price_of
from poise.control.limbs.weights import Weights
from poise.reference.actor import Actor
from poise.reference.actor_mass import actor_mass_of, place_com
from poise.reference.actor_smoothing import smoothed

EXACT = 1e-12
WEIGHT, LEG = 700.0, 0.9


def leeway_at(away):
    result = np.zeros(6)
    leeway(price_of(Weights(), WEIGHT, LEG, by_hand=True), away, result)
    return result


def test_help_is_dear_where_the_root_is_near_and_cheaper_the_farther_it_is():
    weights = Weights()
    near, far = weights.astray
    assert leeway_at(0.0)[0] == pytest.approx(WEIGHT**2 / weights.w_max / weights.residual)
    assert leeway_at(2.0 * far)[0] == pytest.approx(WEIGHT**2 / weights.w_max / weights.residual_astray)
    along = np.array([leeway_at(away)[0] for away in np.linspace(near, far, 20)])
    assert (np.diff(along) > 0.0).all()


def test_a_torque_costs_as_much_as_the_force_that_makes_it_on_a_leg():
    each = leeway_at(0.1)
    assert np.allclose(each[3:], LEG**2 * each[:3])


@pytest.mark.parametrize("name", ["human", "raptor", "alien"])
def test_an_actor_at_rest_asks_for_the_centre_of_mass_that_the_character_has_at_rest(name):
    human, character = load_character("human"), load_character(name)
    actor = Actor(tuple(human.names), human.joints)
    mass = actor_mass_of(actor, character, NEUTRAL, 0, 1.3)
    standing = smoothed(len(actor.roles))
    standing.position[:] = actor.rest
    com = np.zeros(3)
    place_com(mass, standing, 0, 1.3, 0.0, character.joints[0], com)
    assert com == pytest.approx(character.masses @ (character.joints + character.coms) / character.mass, abs=EXACT)


def test_the_masses_of_an_actor_are_those_of_a_character_of_its_size():
    human = load_character("human")
    actor = Actor(tuple(human.names), human.joints)
    mass = actor_mass_of(actor, human, NEUTRAL, 0, 1.0)
    assert np.allclose(mass.share, human.masses / human.mass, atol=1e-3)
    assert np.linalg.norm(mass.offset) < 0.02  # m: boxes are drawn from fewer points than the character's were
