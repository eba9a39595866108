"""A take at other times."""

from __future__ import annotations

import numpy as np
import pytest

import handmade
from poise import rotation
from poise.report.resample import resampled, steady_times


@pytest.fixture(scope="module")
def take():
    return handmade.take(rate=50.0)


def test_at_its_own_times_a_take_is_itself_to_the_bit(take):
    again = resampled(take, take.times)
    for name in ("position", "rotation", "com", "contact", "stance", "help_peak"):
        assert np.array_equal(getattr(again, name), getattr(take, name))
    assert np.array_equal(again.props[0].position, take.props[0].position)


def test_halfway_between_samples_lies_halfway(take):
    middle = resampled(take, 0.5 * (take.times[:1] + take.times[1:2]))
    assert middle.com[0] == pytest.approx(0.5 * (take.com[0] + take.com[1]))
    there = rotation.angle_between(take.rotation[0], middle.rotation[0])
    assert there == pytest.approx(0.5 * rotation.angle_between(take.rotation[0], take.rotation[1]), abs=1e-8)


def test_rotations_stay_unit_and_switches_stay_switches(take):
    fine = resampled(take, steady_times(take, 333.0))
    assert np.abs(np.linalg.norm(fine.rotation, axis=-1) - 1.0).max() < 1e-12
    assert fine.stance.dtype == bool and fine.props[0].visible.dtype == bool


def test_outside_of_its_time_a_take_stands_still(take):
    beyond = resampled(take, np.array([-1.0, 99.0]))
    assert np.array_equal(beyond.position, take.position[[0, -1]])


def test_steady_times_reach_the_end_in_spite_of_rounding(take):
    times = steady_times(take, 30.0)
    assert len(times) == 61 and times[-1] == pytest.approx(2.0)


def test_a_single_sample_can_be_asked_for_at_any_time():
    one = handmade.take(seconds=0.0, clip=handmade.source_clip(1.0))
    assert np.array_equal(resampled(one, np.array([0.0, 5.0])).com, one.com[[0, 0]])
