"""Knees and elbows of the limbs law."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from poise import rotation
from poise.character.toml import load_character
from poise.control.limbs.controller import LimbsController
from poise.control.limbs.hinges import hinges_of
from poise.simulation import simulate

BACKWARD_DEG = 5.0  # what a stance leg that is nearly straight may give way backward
SIDEWAYS_DEG = 8.0
ASTRAY_DEG = 25.0  # segments of a raptor that punches, on average; folded arms were 80 to 100° away
LIKE_DEG = 10.0  # joints of a human that is led by hands, feet, head and root against those of the actor, on average


@cache
def walked(dynamics="generalized"):
    return simulate("walk", controller=LimbsController(dynamics), dynamics=dynamics, duration=3.0)


def bends(take, segment):
    """The rotation vectors (N, 3) of a segment against its parent, degrees."""
    k = take.character.index(segment)
    parent = take.character.parents[k]
    return np.degrees(rotation.log(rotation.multiply(rotation.conjugate(take.rotation[:, parent]), take.rotation[:, k])))


@pytest.mark.parametrize("dynamics", ["generalized", "forward"])
@pytest.mark.parametrize("knee", ["left_shin", "right_shin"])
def test_knees_bend_neither_backward_nor_sideways(knee, dynamics):
    bend = bends(walked(dynamics), knee)
    assert bend[:, 1].min() > -BACKWARD_DEG
    assert np.abs(bend[:, [0, 2]]).max() < SIDEWAYS_DEG


def test_a_human_bends_its_joints_as_the_actor_does():
    take = walked()
    for segment in ("abdomen", "chest", "left_upper_arm", "right_shin"):
        assert np.abs(bends(take, segment) - _reference_bends(take, segment)).mean() < LIKE_DEG


def test_knees_of_a_human_bend_backward_and_elbows_forward():
    human = load_character("human_hands")
    hinges = hinges_of(human)
    axes = {human.names[k]: axis for k, axis in zip(hinges.segment, hinges.axis, strict=True)}
    assert set(axes) == {"left_shin", "right_shin", "left_forearm", "right_forearm"}
    for name, axis in axes.items():
        assert axis @ [0.0, 1.0 if name.endswith("shin") else -1.0, 0.0] > 0.9


def test_a_limb_that_is_bent_at_rest_tells_its_own_axis():
    raptor = load_character("raptor")
    hinges = hinges_of(raptor)
    for axis, bone, above in zip(hinges.axis, hinges.bone, hinges.above, strict=True):
        assert np.cross(above, bone) @ axis > -1e-9  # a positive turn bends it further


def _reference_bends(take, segment):
    k = take.character.index(segment)
    parent = take.character.parents[k]
    own = rotation.multiply(rotation.conjugate(take.ref_rotation[:, parent]), take.ref_rotation[:, k])
    return np.degrees(rotation.log(own))


def test_arms_that_are_bent_at_rest_are_not_folded_by_the_actors_elbows():
    take = simulate("punch", controller="limbs", character="raptor", duration=3.5)
    for segment in ("left_upper_arm", "right_upper_arm", "chest"):
        k = take.character.index(segment)
        assert np.degrees(rotation.angle_between(take.rotation[:, k], take.ref_rotation[:, k])).mean() < ASTRAY_DEG
