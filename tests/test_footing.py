"""Legs that fit the ground: nothing changes on a level floor, soles lie on slopes, and the body hangs where it did."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation
from poise.control.footing import fit_legs, legs
from poise.physics.below import feel_ground
from poise.scenario.ground import Ground, RampGround, RubbleGround
from poise.scenario.scenario import Scenario
from poise.simulation import build_world, prepare

EXACT = 1e-6  # m, of closed formulas; knees are kept from being quite straight
UP = np.array([0.0, 0.0, 1.0])


@pytest.fixture(scope="module", params=["walk", "squat", "stand"])
def moment(request):
    """A reference with bent legs, somewhere in its middle."""
    run = prepare(request.param, character="human")
    target = run.reference.target()
    run.reference.sample(1.3, target)
    return run.reference.character, target


def ankles(character, target, joint_rotation):
    """World positions of hips, ankles and rotations of the feet that follow from joint rotations, the root staying."""
    turn, place = [joint_rotation[0]], [target.position[0]]
    for k in range(1, character.nsegments):
        p = character.parents[k]
        turn.append(rotation.multiply(turn[p], joint_rotation[k]))
        place.append(place[p] + rotation.rotate(turn[p], character.offsets[k]))
    feet = [character.index(foot) for foot in character.feet]
    return np.array(place)[feet], np.array(turn)[feet]


def fitted(character, target, height, normal):
    joints = target.joint_rotation.copy()
    fit_legs(legs(character), np.array(height), np.array(normal), target.position, target.rotation, joints)
    return joints


def test_on_level_ground_nothing_changes(moment):
    character, target = moment
    joints = fitted(character, target, [0.3, 0.3, 0.3], [UP, UP, UP])
    before, _ = ankles(character, target, target.joint_rotation)
    after, _ = ankles(character, target, joints)
    assert np.abs(after - before).max() < 0.005  # m: a straight knee is bent by a few degrees
    assert np.degrees(rotation.angle_between(joints, target.joint_rotation)).max() < 8.0


@pytest.mark.parametrize("lift", [0.02, 0.08])
def test_the_foot_on_higher_ground_is_lifted_by_the_difference(moment, lift):
    character, target = moment
    before, _ = ankles(character, target, target.joint_rotation)
    after, _ = ankles(character, target, fitted(character, target, [0.0, lift, 0.0], [UP, UP, UP]))
    assert after[1] - before[1] == pytest.approx([0.0, 0.0, lift], abs=EXACT)
    assert np.abs(after[0] - before[0]).max() < 0.005


@pytest.mark.parametrize("lift", [0.02, 0.08])
def test_hips_sink_where_a_leg_does_not_reach_its_foot(moment, lift):
    character, target = moment
    before, _ = ankles(character, target, target.joint_rotation)
    after, _ = ankles(character, target, fitted(character, target, [-lift, 0.0, 0.0], [UP, UP, UP]))
    apart = (after - before)[1, 2] - (after - before)[0, 2]
    assert apart == pytest.approx(lift, abs=0.003)  # m: legs that lean sink a little further than they are short


def test_feet_tilt_with_the_ground(moment):
    character, target = moment
    normal = np.array([0.1, -0.2, 1.0]) / np.linalg.norm([0.1, -0.2, 1.0])
    _, before = ankles(character, target, target.joint_rotation)
    _, after = ankles(character, target, fitted(character, target, [0.0, 0.0, 0.0], [normal, normal, normal]))
    tilted = rotation.multiply(rotation.between(UP, normal), before)
    assert np.degrees(rotation.angle_between(after, tilted)).max() < 0.01


def test_the_ground_is_felt_as_it_is_and_loose_stones_are_not():
    slope = build_world(prepare("stand", scenario=Scenario(ground=Ground(slope_deg=10.0))))
    ramp = build_world(prepare("stand", scenario=Scenario(ground=RampGround(height=0.1, ahead=0.0))))
    stones = build_world(prepare("stand", scenario=Scenario(ground=RubbleGround(height=0.1))))
    height, normal = np.zeros(1), np.zeros((1, 3))
    place = slope.state.position[0] * [1.0, 1.0, 0.0]
    feel_ground(slope, place[None], height, normal)
    assert height[0] == pytest.approx(0.0, abs=EXACT) and normal[0] == pytest.approx(slope.terrain.normal, abs=EXACT)
    top = np.array(ramp.terrain.solids[1].position)
    feel_ground(ramp, top[None], height, normal)
    assert height[0] == pytest.approx(0.1, abs=EXACT) and normal[0] == pytest.approx(UP, abs=EXACT)
    feel_ground(stones, np.array([stones.terrain.solids[0].position]), height, normal)
    assert height[0] == pytest.approx(0.0, abs=EXACT)
