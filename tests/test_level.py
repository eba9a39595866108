"""A segment held level: its joint answers to the world about the horizontal axes and to the clip about the vertical."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation
from poise.control.level import hold_level

UP = np.array([0.0, 0.0, 1.0])
STIFFNESS = 20.0


def torque_of(turn, told=(0.0, 0.0, 0.0), weight=0.0, spin=(0.0, 0.0, 0.0)):
    """The world's torque on a hand (segment 1 of two) that is turned so, has its cup along its own z and its weight at x = 0.1 m.

    `told` is what the controller inside asks for, `spin` the forearm's angular velocity.
    """
    turns = np.array([rotation.IDENTITY, turn])
    position = np.zeros((2, 3))
    link_com = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0]])
    velocity = np.zeros((2, 6))
    velocity[0, :3] = spin
    torque = np.array([rotation.rotate(rotation.conjugate(turn), told)])
    hold_level(
        np.array([1]), np.array([0]), UP[None], np.array([STIFFNESS]), np.full((1, 3), 0.5), np.array([0.0, weight]),
        position, turns, link_com, velocity, np.zeros((2, 3)), torque, np.zeros((1, 3)),
    )  # fmt: skip
    return rotation.rotate(turn, torque[0])


def test_a_level_hand_is_left_alone():
    assert torque_of(rotation.about_z(0.7)) == pytest.approx(np.zeros(3), abs=1e-12)


@pytest.mark.parametrize("angle", [0.1, -0.5, 2.0])
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.6, -0.8, 0.0)])
def test_a_tilted_hand_is_turned_back_by_the_angle_times_the_stiffness(axis, angle):
    turn = rotation.from_axis_angle(axis, np.array(angle))
    assert torque_of(turn) == pytest.approx(-STIFFNESS * angle * np.array(axis), abs=1e-9)


def test_about_the_vertical_the_clip_is_followed():
    assert torque_of(rotation.IDENTITY, told=(3.0, -2.0, 1.5)) == pytest.approx([0.0, 0.0, 1.5], abs=1e-12)


def test_the_hands_own_weight_is_carried():
    assert torque_of(rotation.IDENTITY, weight=10.0) == pytest.approx(np.cross([0.1, 0.0, 0.0], 10.0 * UP), abs=1e-12)


def test_the_turning_forearm_does_not_drag_the_hand_along():
    # The integrator damps the hand against the forearm by -0.5 (w - w_forearm); what is left must not depend on the forearm.
    assert torque_of(rotation.IDENTITY, spin=(2.0, 1.0, 4.0)) == pytest.approx([-1.0, -0.5, 0.0], abs=1e-12)
