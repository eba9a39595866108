"""Looking ahead: what it changes of the features, what it knows, and what it is good for."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character.toml import load_character
from poise.control.limbs.controller import LimbsController
from poise.control.limbs.foresight import Foresight
from poise.control.limbs.pendulum import Costs
from poise.control.limbs.weights import support_length
from poise.errors import BadInput
from poise.motion.edit import cut
from poise.reference.clip_features import ClipFeatures
from poise.reference.features import Features
from poise.simulation import prepare, simulate

AHEAD, STEP = 0.4, 0.01  # s
ROUNDING = 1e-9  # samples are taken at sums of steps that round otherwise


@pytest.fixture(scope="module")
def raptor():
    return load_character("raptor")


@pytest.fixture(scope="module")
def clip():
    clip = prepare("front_kick", controller="limbs", character="raptor").reference.clip
    assert clip is not None
    return clip


def foreseen(clip, raptor, seconds, ahead=AHEAD):
    """Features of every step, with and without a preview."""
    plain, source = ClipFeatures(clip, raptor), Foresight(ClipFeatures(clip, raptor), raptor, ahead, STEP, Costs())
    pairs = []
    for k in range(round(seconds / STEP)):
        pairs.append((Features(raptor), Features(raptor)))
        plain.sample(k * STEP, pairs[-1][0])
        source.sample(k * STEP, pairs[-1][1])
    return pairs


def test_feet_and_contacts_are_those_of_the_actor_and_the_rest_goes_aside_together(clip, raptor):
    for plain, led in foreseen(clip, raptor, 2.0):
        feet = [0, 1]
        np.testing.assert_array_equal(led.contact, plain.contact)
        np.testing.assert_allclose(led.position[feet], plain.position[feet], atol=ROUNDING)
        aside = led.com - plain.com
        np.testing.assert_allclose(led.root_position - plain.root_position, aside, atol=ROUNDING)
        np.testing.assert_allclose(
            led.position[2:] - plain.position[2:], np.tile(aside, (len(led.position) - 2, 1)), atol=ROUNDING
        )
        np.testing.assert_allclose(led.pose, plain.pose, atol=ROUNDING)
        assert abs(aside[2]) < ROUNDING


def test_the_plan_leans_toward_the_standing_foot_but_stays_near_the_actor(clip, raptor):
    aside = np.array([led.com - plain.com for plain, led in foreseen(clip, raptor, 4.0)])
    assert 0.01 < np.linalg.norm(aside, axis=1).max() < 2.5 * Costs().leash * support_length(raptor)


def test_nothing_is_known_beyond_the_preview(clip, raptor):
    shortened = cut(clip, 0.0, 1.5)
    delay = ClipFeatures(clip, raptor).delay
    for k, ((_, whole), (_, part)) in enumerate(zip(foreseen(clip, raptor, 1.0), foreseen(shortened, raptor, 1.0), strict=True)):
        if k * STEP + AHEAD + delay < 1.5 - STEP:
            np.testing.assert_array_equal(whole.row, part.row)


def test_a_kick_takes_less_help_with_a_preview():
    help_ = []
    for preview in (0.0, 0.8):
        law = LimbsController("generalized", preview=preview)
        take = simulate("front_kick", controller=law, dynamics="generalized", character="raptor")
        help_.append(np.sqrt(np.mean(take.help_force**2)))
    assert help_[1] < 0.7 * help_[0]


@pytest.mark.parametrize("preview", [-0.1, 5.0, float("nan")])
def test_a_preview_that_is_none_or_too_long_is_refused(preview):
    with pytest.raises(BadInput, match="preview"):
        LimbsController(preview=preview)
