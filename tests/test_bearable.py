"""What feet and ground bear of a virtual wrench: friction, and the couple about the feet."""

from __future__ import annotations

import numpy as np
import pytest

from poise.control.bearable import bearable, ease, keep_grip

COUPLE_NM = 1e-9  # rounding of a couple of some hundred Nm
COM, SUPPORT = np.array([0.1, 0.05, 0.9]), np.array([[0.0, 0.1, 0.0], [0.1, -0.1, 0.02]])
PART = np.array([0.3, 0.7])


def couple(wrench):
    """About the point between the feet, by the cross product."""
    return wrench[3:] + np.cross(COM - PART @ SUPPORT, wrench[:3])


def test_a_force_within_the_friction_stays():
    wrench = np.array([100.0, -200.0, 700.0, 1.0, 2.0, 3.0])
    kept = wrench.copy()
    keep_grip(0.5, 0.0, kept)
    assert np.array_equal(kept, wrench)


@pytest.mark.parametrize(("held", "most"), [(0.0, 50.0), (300.0, 300.0)])
def test_a_force_beyond_the_friction_keeps_its_direction(held, most):
    wrench = np.array([300.0, -400.0, 100.0, 1.0, 2.0, 3.0])
    keep_grip(0.5, held, wrench)
    assert wrench[:2] == pytest.approx([0.6 * most, -0.8 * most])
    assert wrench[2:].tolist() == [100.0, 1.0, 2.0, 3.0]


def test_a_couple_that_is_borne_stays():
    wrench = np.array([50.0, 20.0, 700.0, 30.0, 10.0, 5.0])
    eased = wrench.copy()
    assert ease(np.linalg.norm(couple(wrench)) + 1.0, PART, SUPPORT, COM, eased) == 0.0
    assert np.array_equal(eased, wrench)


def test_a_couple_beyond_what_is_borne_comes_down_to_it_and_the_weight_is_still_carried():
    wrench = np.array([400.0, -300.0, 700.0, 150.0, -80.0, 60.0])
    before = wrench.copy()
    asked = ease(200.0, PART, SUPPORT, COM, wrench)
    assert asked == pytest.approx(np.linalg.norm(couple(before)))
    assert np.linalg.norm(couple(wrench)) == pytest.approx(200.0, abs=COUPLE_NM)
    assert wrench[2] == before[2]
    rest = [0, 1, 3, 4, 5]
    assert wrench[rest] / before[rest] == pytest.approx(np.full(5, wrench[0] / before[0]))


def test_where_the_weight_alone_is_too_much_the_couple_is_as_small_as_it_can_be():
    wrench = np.array([60.0, 30.0, 7000.0, 20.0, 10.0, 5.0])
    eased = wrench.copy()
    ease(20.0, PART, SUPPORT, COM, eased)
    scales = np.linspace(0.0, 1.0, 1001)[:, None]
    candidates = np.where(np.arange(6) == 2, wrench, scales * wrench)
    assert np.linalg.norm(couple(eased)) <= min(np.linalg.norm(couple(w)) for w in candidates) + COUPLE_NM


def test_feet_that_stand_bear_their_help_and_their_load_times_the_sole():
    loads = np.array([1000.0, 500.0])
    assert bearable(np.array([True, False]), loads, 0.1, 20.0, 200.0) == pytest.approx(280.0)
    assert bearable(np.array([True, True]), loads, 0.1, 20.0, 200.0) == pytest.approx(280.0 + 230.0)
    assert bearable(np.array([False, False]), loads, 0.1, 20.0, 200.0) == 0.0
