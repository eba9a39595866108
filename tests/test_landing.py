"""Legs that land: a foot that should stand keeps its turn in the world, wherever the pelvis has turned."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation
from poise.character.toml import load_character
from poise.control.landing import hips_of, land
from poise.reference.retarget import local_rotations

TURN_RAD = 1e-6  # how exactly hip and ankle make up for the pelvis
HUMAN = load_character("human")
PARENTS = np.array(HUMAN.parents)
FEET = np.array([HUMAN.index(name) for name in HUMAN.feet])
HIPS = hips_of(HUMAN)
PELVIS = rotation.exp([0.2, 0.4, -0.1])  # how far the simulated body has turned away from the clip's


def turns(seed=1):
    """The clip's rotations in the world (S, 4), and those of a body that is in the same pose but has turned as a whole."""
    clip = rotation.exp(0.3 * np.random.default_rng(seed).standard_normal((HUMAN.nsegments, 3)))
    return clip, rotation.multiply(PELVIS, clip)


def landed(wanted, seconds_since_contact, steps=1, rate=1.0, sinks=False):
    clip, body = turns()
    joint = local_rotations(HUMAN, clip[None])[0]
    landing = np.zeros(2)
    for _ in range(steps):
        goal = joint.copy()
        since = np.broadcast_to(seconds_since_contact, 2).astype(float)
        land(0.02, rate, sinks, HIPS, FEET, PARENTS, np.array(wanted), since, body, clip, landing, goal)
    return clip, body, joint, goal


def test_thigh_and_sole_keep_the_turn_of_the_clip_in_the_world():
    clip, body, joint, goal = landed([True, False], seconds_since_contact=1.0)
    for k in (HIPS[0], FEET[0]):
        world = rotation.multiply(body[PARENTS[k]], goal[k])
        assert rotation.angle_between(world, clip[k]) < TURN_RAD
    others = [k for k in range(HUMAN.nsegments) if k not in (HIPS[0], FEET[0])]
    assert np.array_equal(goal[others], joint[others])


@pytest.mark.parametrize(("wanted", "since"), [([False, False], 1.0), ([True, True], 0.0)])
def test_legs_that_swing_or_stand_follow_the_clip(wanted, since):
    _, _, joint, goal = landed(wanted, since)
    assert np.array_equal(goal, joint)


@pytest.mark.parametrize(("since", "lands"), [((1.0, 1.0), True), ((1.0, 0.0), False)])
def test_both_legs_land_where_the_body_sinks_and_no_foot_touches(since, lands):
    _, _, joint, goal = landed([False, False], since, sinks=True)
    for k in (*HIPS, *FEET):
        assert np.array_equal(goal[k], joint[k]) != lands


def test_a_leg_begins_to_land_without_a_jump():
    _, _, joint, goal = landed([True, True], 1.0, steps=2, rate=0.04)
    moved = rotation.angle_between(goal[HIPS[0]], joint[HIPS[0]])
    assert 0.0 < moved < 0.1 * np.linalg.norm(rotation.log(PELVIS))


def test_hips_are_where_legs_begin():
    assert [HUMAN.names[k] for k in HIPS] == ["left_thigh", "right_thigh"]
    raptor = load_character("raptor")
    assert all(raptor.parents[k] == 0 for k in hips_of(raptor))
