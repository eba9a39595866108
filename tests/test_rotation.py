"""Quaternions against matrices, and against themselves."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation

EXACT = 1e-12
ORDERS = ("xyz", "xzy", "yxz", "yzx", "zxy", "zyx")


@pytest.fixture
def turns():
    return rotation.normalize(np.random.default_rng(3).normal(size=(5, 7, 4)))


def test_rotating_a_vector_is_multiplying_by_the_matrix(turns):
    v = np.random.default_rng(4).normal(size=(5, 7, 3))
    assert np.allclose(rotation.rotate(turns, v), np.einsum("...ij,...j", rotation.to_matrix(turns), v), atol=EXACT)


def test_a_product_turns_by_the_right_factor_first(turns):
    v = [0.3, -1.0, 2.0]
    both = rotation.rotate(rotation.multiply(turns[0], turns[1]), v)
    assert np.allclose(both, rotation.rotate(turns[0], rotation.rotate(turns[1], v)), atol=EXACT)


def test_log_and_exp_undo_each_other(turns):
    assert rotation.angle_between(rotation.exp(rotation.log(turns)), turns).max() < 1e-7
    small = np.array([1e-14, 0.0, 0.0])
    assert np.allclose(rotation.log(rotation.exp(small)), small, atol=1e-20)


def test_matrices_come_back_as_the_same_rotation(turns):
    assert rotation.angle_between(rotation.from_matrix(rotation.to_matrix(turns)), turns).max() < 1e-7
    half_turns = np.eye(4)[1:]
    assert rotation.angle_between(rotation.from_matrix(rotation.to_matrix(half_turns)), half_turns).max() < 1e-7


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_come_back_as_the_same_rotation(turns, order):
    assert rotation.angle_between(rotation.from_euler(rotation.to_euler(turns, order), order), turns).max() < 1e-7
    for middle in (np.pi / 2, -np.pi / 2):
        locked = rotation.from_euler([0.3, middle, 0.7], order)
        assert rotation.angle_between(rotation.from_euler(rotation.to_euler(locked, order), order), locked) < 1e-6


def test_the_rotation_between_two_vectors_takes_one_to_the_other():
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 50, 3))
    turned = rotation.rotate(rotation.between(a, b), a / np.linalg.norm(a, axis=-1, keepdims=True))
    assert np.allclose(turned, b / np.linalg.norm(b, axis=-1, keepdims=True), atol=1e-9)
    assert np.allclose(rotation.rotate(rotation.between([0, 0, 1], [0, 0, -1]), [0, 0, 1]), [0, 0, -1], atol=1e-9)


def test_angular_velocity_of_a_steady_turn_is_its_rate():
    fps, rate = 100.0, np.array([0.4, -0.3, 0.9])
    turns = rotation.exp(np.arange(20)[:, None] / fps * rate)
    assert np.allclose(rotation.angular_velocity(turns, fps), rate, atol=1e-9)


def test_continuous_quaternions_never_flip(turns):
    flipped = turns.reshape(-1, 4)[:, None] * np.where(np.arange(35) % 2, 1.0, -1.0)[:, None, None]
    steps = np.sum(rotation.continuous(flipped)[1:] * rotation.continuous(flipped)[:-1], axis=-1)
    assert (steps >= 0).all()


def test_the_mean_of_turns_about_one_axis_is_the_middle_turn():
    turns = rotation.about_z(np.array([0.1, 0.2, 0.3]))
    assert rotation.angle_between(rotation.mean(turns), rotation.about_z(0.2)) < 1e-9
