"""Feet that land arrive at rest; loads are planned where a sole touches."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.character.toml import load_character
from poise.control.limbs.ground_forces import EDGES, find_pushes, ground_of, pushes_of, soles_of
from poise.control.limbs.kinematics import motion_of
from poise.control.limbs.landing import land
from poise.motion.load import load_tidied
from poise.physics.ground import Terrain
from poise.reference.clip_features import ClipFeatures
from poise.reference.features import Features, effector_limbs

DT = 0.002  # s
AT_REST = 0.05  # of the speed at which a landing began may be left: steps are finite
LEVEL, NEAR = 0.3, 0.003  # of the tilt, m: the stiffness is bounded, so the end is not met exactly
ON_TIME = 2 * DT


def test_a_foot_arrives_at_rest_level_and_on_the_ground():
    motion, position, turn = motion_of(1), np.array([[0.0, 0.0, 0.12]]), rotation.exp(np.array([[0.1, -0.05, 0.0]]))
    motion.velocity[0], motion.spin[0] = (2.0, 1.0, -0.8), (0.5, 0.0, 1.0)
    fast, tilt, wanted = np.linalg.norm(motion.velocity[0]), rotation.angle_between(turn[0], rotation.IDENTITY), np.zeros(6)
    for left in np.arange(0.06, 0.0, -DT):
        land(motion, position, turn, 0, np.array([left, 0.1, 1.0, 0.0, 0.0, 0.0]), DT, wanted)
        motion.velocity[0] += DT * wanted[:3]
        motion.spin[0] += DT * wanted[3:]
        position[0] += DT * motion.velocity[0]
        turn[0] = rotation.multiply(rotation.exp(DT * motion.spin[0]), turn[0])
    assert np.linalg.norm(motion.velocity[0]) < AT_REST * fast
    assert abs(position[0, 2] - 0.1) < NEAR
    assert rotation.angle_between(turn[0], rotation.IDENTITY) < LEVEL * tilt
    assert np.allclose(position[0, :2], [0.06, 0.03], atol=NEAR)  # braked evenly: half of the way at full speed


def test_features_tell_when_a_foot_is_to_stand():
    human = load_character("human")
    features, source = Features(human), ClipFeatures(load_tidied("walk")[0], human)
    told, stood = [], []
    for time in np.arange(0.0, 3.0, DT):
        source.sample(time, features)
        told.append(features.landing[:, 0].copy())
        stood.append(features.contact.copy())
    told, stood = np.array(told), np.array(stood)
    assert not told[stood].any()
    begins = np.argwhere(stood[1:] & ~stood[:-1])
    assert len(begins) > 3
    for k, e in begins:
        assert 0.0 < told[k, e] <= ON_TIME
        before = told[k - 8 : k + 1, e]  # a landing takes 40 ms and more
        assert np.allclose(np.diff(before), -DT)


def test_loads_on_corners_that_do_not_touch_are_dear():
    human = load_character("human")
    soles = soles_of(human, effector_limbs(human))
    ground, pushes, motion = ground_of(Terrain(), (0.6, 0.1), (0.0, 1e6), 0.05, 1.0), pushes_of(soles), motion_of(human.nsegments)
    motion.place[:] = human.joints - human.joints[0]
    motion.turn[:] = rotation.to_matrix(rotation.exp(np.array([0.1, 0.0, 0.0])))
    planned = np.ones(len(effector_limbs(human)), np.bool_)
    count = find_pushes(soles, ground, motion, human.joints[0], planned, planned, pushes)
    price, height = pushes.price[:count:EDGES], pushes.point[:count:EDGES, 2]
    foot = pushes.segment[:count:EDGES] == soles.segment[0]
    order = np.argsort(height[foot])
    assert price[foot][order[0]] == 1.0
    assert np.all(np.diff(price[foot][order]) >= 0.0) and price[foot][order[-1]] > 1e4
