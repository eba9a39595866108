"""The plan of the centre of mass: a pendulum that stays over the feet to come, and near the actor's."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character.toml import load_character
from poise.control.limbs import pendulum
from poise.control.limbs.ground_forces import soles_of
from poise.physics.world import GRAVITY
from poise.reference.features import Features, effector_limbs

LEG, HEIGHT, SPACING, MOMENTS = 0.9, 0.9, 0.02, 41
SQUARE = np.array([(0.1, 0.05), (-0.1, 0.05), (-0.1, -0.05), (0.1, -0.05)])  # a sole's corners, counter-clockwise
COSTS = pendulum.Costs()
LEASHES = 4.0  # times the leash that the plan may be away: it is not forbidden either, its cost grows with the fourth power
ON_THE_RIM = 0.03  # m that a planned centre of pressure may be outside of its support: that is dear, not forbidden


def course(com, velocity=(0.0, 0.0), feet=None):
    """A course along the actor's places (N, 2) with the middle of the foot at each moment (N, 2); None in flight."""
    human = load_character("human")
    result = pendulum.course_of(MOMENTS, soles_of(human, effector_limbs(human)))
    result.com[:, :2], result.com[:, 2], result.height[:], result.hold[:] = com, HEIGHT, HEIGHT, 1.0
    result.velocity[:, :2] = velocity
    for k, foot in enumerate(np.zeros((MOMENTS, 2)) if feet is None else feet):
        if foot is not None:
            result.support[k, :4], result.corners[k] = SQUARE + foot, 4
    result.state[0], result.state[1] = result.com[0, :2], result.velocity[0, :2]
    return result


def planned(course, seconds):
    """Where the plan leads (N, 2) when it is made anew at every moment, as in a run; the last moment stays as it is."""
    way = []
    for _ in range(round(seconds / SPACING)):
        pendulum.plan(course, SPACING, LEG, COSTS)
        way.append(course.state[0].copy())
        pendulum.forget_first(course, SPACING)
    return np.array(way)


def test_an_actor_who_stands_over_the_foot_is_followed_to_the_millimetre():
    place = np.array([0.02, -0.01])
    assert np.abs(planned(course(place), 1.0) - place).max() < 1e-3


def test_an_actor_who_stands_beside_the_foot_is_followed_only_as_far_as_it_carries():
    way = planned(course(np.array([0.0, 0.15]), feet=np.zeros((MOMENTS, 2))), 3.0)
    assert 0.0 < way[-1, 1] < SQUARE[:, 1].max() + ON_THE_RIM
    assert np.abs(np.diff(way[-20:], axis=0)).max() < 1e-3


def test_the_body_leans_before_a_foot_leaves():
    feet = [np.array([0.0, 0.0])] * 25 + [np.array([0.0, 0.15])] * 16
    both = course(np.zeros(2), feet=feet)
    both.support[:25, :4], both.corners[:25] = np.array([(0.1, 0.2), (-0.1, 0.2), (-0.1, -0.05), (0.1, -0.05)]), 4
    way = planned(both, 0.5)
    assert way[-1, 1] > 0.015
    assert way[10, 1] < 0.5 * way[-1, 1]


def test_between_moments_the_plan_swings_as_the_pendulum_does():
    here = course(np.array([0.03, 0.0]), velocity=(0.2, 0.1))
    pendulum.plan(here, SPACING, LEG, COSTS)
    pressure, square = here.pressure[0].copy(), GRAVITY / HEIGHT
    place, velocity, step = here.state[0].copy(), here.state[1].copy(), 1e-6
    for _ in range(13000):  # the leapfrog method
        velocity += 0.5 * step * square * (place - pressure)
        place += step * velocity
        velocity += 0.5 * step * square * (place - pressure)
    human = load_character("human")
    features, carried = Features(human), np.array([limb.kind != "support" for limb in effector_limbs(human)])
    features.com[:2] = 0.5, -0.5  # the actor's, with root and effectors at the origin
    pendulum.lead(here, 0.013, features.row, carried, human.nsegments)
    np.testing.assert_allclose([features.com, features.com_velocity], [[*place, 0.0], [*velocity, 0.0]], atol=1e-8)
    aside, moving = [place[0] - 0.5, place[1] + 0.5, 0.0], [*velocity, 0.0]
    np.testing.assert_allclose(features.root_position, aside, atol=1e-8)
    np.testing.assert_allclose(features.root_velocity, moving, atol=1e-8)
    np.testing.assert_allclose(features.position, np.outer(carried, aside), atol=1e-8)
    np.testing.assert_allclose(features.velocity, np.outer(carried, moving), atol=1e-8)


def test_in_flight_the_centre_of_mass_goes_straight_on():
    flight = course(np.zeros(2), feet=[None] * 10 + [np.array([0.1, 0.0])] * (MOMENTS - 10))
    flight.state[1] = 0.5, 0.1
    way = planned(flight, 0.2)
    np.testing.assert_allclose(way, np.outer(SPACING * np.arange(10), [0.5, 0.1]), atol=1e-12)


@pytest.mark.parametrize("far", [0.5, 3.0])
def test_a_body_that_can_not_be_carried_stays_on_the_leash(far):
    way = planned(course(np.array([0.0, far]), feet=np.zeros((MOMENTS, 2))), 3.0)
    assert np.linalg.norm(way - [0.0, far], axis=1).max() < LEASHES * COSTS.leash * LEG


def test_where_every_point_carries_the_plan_is_the_least_squares_solution():
    """The sweeps must find what a dense least-squares solver finds."""
    chance = np.random.default_rng(3)
    here = course(np.cumsum(0.004 * chance.normal(size=(MOMENTS, 2)), axis=0), velocity=0.1 * chance.normal(size=(MOMENTS, 2)))
    here.support[:, :4] = 100.0 * SQUARE
    pendulum.plan(here, SPACING, LEG, pendulum.Costs(leash=1e3))
    np.testing.assert_allclose(here.pressure[:-1], dense_solution(here), atol=1e-8)


def dense_solution(here):
    """The centres of pressure (N - 1, 2) by numpy's least squares, from the definition of the costs."""
    n = MOMENTS - 1
    to_state = np.zeros((MOMENTS, 2, n))  # of the centres of pressure, at each moment
    free = np.zeros((MOMENTS, 2, 2))  # what the start alone makes of it, in both directions
    free[0] = here.state[:2]
    for k in range(n):
        _, ch, sh, whs = here.swing[k]
        step, push = np.array([[ch, sh], [whs, ch]]), np.array([1.0 - ch, -whs])
        to_state[k + 1], free[k + 1] = step @ to_state[k], step @ free[k]
        to_state[k + 1, :, k] += push
    later = np.sqrt(HEIGHT / GRAVITY)
    rows = [np.sqrt(COSTS.astray) * to_state[:n, 0], np.sqrt(COSTS.unlike) * np.eye(n)]
    rows.append(np.sqrt(COSTS.end) * (to_state[n, 0] + later * to_state[n, 1])[None])
    end = here.com[n, :2] + later * here.velocity[n, :2] - free[n, 0] - later * free[n, 1]
    sides = [np.sqrt(COSTS.astray) * (here.com[:n, :2] - free[:n, 0]), np.sqrt(COSTS.unlike) * here.actor[:n]]
    sides.append(np.sqrt(COSTS.end) * end[None])
    return np.linalg.lstsq(np.concatenate(rows), np.concatenate(sides), rcond=None)[0]
