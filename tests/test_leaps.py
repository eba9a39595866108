"""A body that is suddenly elsewhere goes on from where it was; one that is back at once, or merely fast, is left to others."""

from __future__ import annotations

import numpy as np
import pytest

from people import with_handle
from poise.motion import library
from poise.motion.glitches import mend
from poise.motion.leaps import rejoin
from poise.motion.tidy import tidy
from poise.simulation import simulate

SMOOTH_M = 0.01  # how well the way goes on over a leap: less than a step of one frame


@pytest.fixture(scope="module")
def walk():
    return tidy(library.load("walk"))[0]


def displaced(clip, frames, by, joint=0):
    translations = clip.translations.copy()
    translations[frames, joint] += by
    return clip.with_(translations=translations)


@pytest.mark.parametrize("way", [(100.0, 0.0, 0.0), (0.0, -0.6, 0.0), (3.0, 4.0, 20.0)])
def test_what_follows_a_leap_is_moved_back(walk, way):
    rejoined, sentence = rejoin(displaced(walk, slice(120, None), way))
    assert sentence is not None
    assert f"{np.linalg.norm(way):.1f}" in sentence
    assert np.abs(rejoined.world_positions - walk.world_positions).max() < SMOOTH_M


def test_a_leap_of_the_hips_below_a_handle_is_moved_back_too(walk):
    clip = with_handle(walk)
    rejoined, sentence = rejoin(displaced(clip, slice(120, None), (50.0, 0.0, 0.0), joint=1))
    assert sentence is not None
    assert np.abs(rejoined.world_positions - clip.world_positions).max() < SMOOTH_M


def test_two_leaps_are_two(walk):
    twice = displaced(displaced(walk, slice(60, None), (5.0, 0.0, 0.0)), slice(150, None), (0.0, 7.0, 0.0))
    rejoined, sentence = rejoin(twice)
    assert sentence is not None
    assert "2 times" in sentence
    assert np.abs(rejoined.world_positions - walk.world_positions).max() < 2 * SMOOTH_M


@pytest.mark.parametrize("joint", [0, 1])
def test_a_body_that_is_away_for_a_moment_is_bridged_instead(walk, joint):
    clip = with_handle(walk) if joint else walk
    away = displaced(clip, slice(120, 123), (100.0, 0.0, 0.0), joint)
    assert rejoin(away) == (away, None)
    assert np.abs(mend(away)[0].world_positions - clip.world_positions).max() < 5 * SMOOTH_M


@pytest.mark.parametrize("name", library.names())
def test_our_own_clips_do_not_leap(name):
    clip = tidy(library.load(name))[0]
    assert rejoin(clip) == (clip, None)


def test_a_clip_that_leaps_is_simulated_as_if_it_did_not(walk):
    take = simulate(displaced(walk, slice(120, None), (100.0, 0.0, 0.0)), controller="pose", duration=2.5)
    assert any("leaps once" in warning for warning in take.info["warnings"])
    assert np.ptp(take.com[:, 0]) < 10.0


def test_leaps_are_kept_where_that_is_asked_for(walk):
    leaping = displaced(walk, slice(120, None), (100.0, 0.0, 0.0))
    tidied, found = tidy(leaping, keep_jumps=True)
    assert np.ptp(tidied.world_positions[:, 0, 0]) > 99.0
    assert any("jumps" in warning for warning in found.warnings)
