"""Turning a clip while it runs: the joints do not notice, the world does, and the way goes on."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation
from poise.reference.turning import Turn, turned
from poise.simulation import build_reference

EXACT = 1e-9  # the same arithmetic in another order
SMOOTH = 0.02  # m/s, of differences at 100 frames per second


@pytest.fixture(scope="module")
def walk():
    return build_reference("walk", "human")[0]


def test_no_turn_is_the_same_reference(walk):
    assert turned(walk, []) is walk
    assert turned(walk, [Turn(0.0, 1.0, 1.0)]) is walk


def test_joints_stay_and_headings_turn(walk):
    result = turned(walk, [Turn(0.8, 1.0, 0.5)])
    joints, before = result.column("joint_rotation"), walk.column("joint_rotation")
    assert rotation.angle_between(joints[:, 1:], before[:, 1:]).max() < 1e-6
    after = rotation.multiply(rotation.about_z(0.8), before[-1, 0])
    assert rotation.angle_between(joints[-1, 0], after) < 1e-6
    assert np.array_equal(result.stance, walk.stance)


def test_only_what_comes_after_a_turn_depends_on_it(walk):
    result = turned(walk, [Turn(0.8, 2.0, 0.5)])
    until = int(1.9 * walk.fps)
    assert np.allclose(result.column("position")[:until], walk.column("position")[:until], atol=EXACT)
    assert np.allclose(result.column("com_velocity")[:until], walk.column("com_velocity")[:until], atol=EXACT)


def test_the_way_goes_on_at_the_same_pace_in_the_new_direction(walk):
    result = turned(walk, [Turn(0.8, 1.0, 0.5)])
    pace, before = result.column("com_velocity"), walk.column("com_velocity")
    assert np.linalg.norm(pace, axis=1) == pytest.approx(np.linalg.norm(before, axis=1), abs=SMOOTH)
    after = rotation.rotate(rotation.about_z(0.8), before[-20])
    assert pace[-20] == pytest.approx(after, abs=SMOOTH)
    assert np.allclose(result.column("com")[:, 2], walk.column("com")[:, 2], atol=EXACT)
    steps = np.linalg.norm(np.diff(result.column("com"), axis=0), axis=1)
    assert steps.max() < 2.0 / walk.fps  # nowhere a jump


def test_turns_add_up(walk):
    there_and_back = turned(walk, [Turn(0.8, 0.5, 0.5), Turn(-0.8, 1.5, 0.5)])
    assert rotation.angle_between(there_and_back.column("rotation")[-1], walk.column("rotation")[-1]).max() < 1e-6
