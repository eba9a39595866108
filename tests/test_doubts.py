"""Doubts about a clip that no repair can settle: a body that hangs head down, a bone that is absurdly long."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from people import with_handle
from poise import rotation
from poise.motion import library
from poise.motion.tidy import tidy

UPSIDE_DOWN = rotation.exp([np.pi, 0.0, 0.0])


def with_bone(clip, name, factor):
    """The clip with the bone to one joint made longer."""
    joint = clip.skeleton.index(name)
    offsets, translations = clip.skeleton.offsets.copy(), clip.translations.copy()
    offsets[joint] *= factor
    translations[:, joint] *= factor
    return clip.with_(skeleton=replace(clip.skeleton, offsets=offsets), translations=translations)


def told(clip, words, **settings):
    return [warning for warning in tidy(clip, **settings)[1].warnings if words in warning]


@pytest.mark.parametrize("name", library.names())
def test_a_clip_turned_over_by_a_handle_is_put_on_its_feet(name):
    tidied, found = tidy(with_handle(library.load(name), turn=UPSIDE_DOWN))
    assert found.up == "-y"
    assert tidied.world_positions[:, tidied.skeleton.index("Head"), 2].mean() > 1.2


def test_a_body_that_hangs_head_down_all_the_time_is_told():
    clip = with_handle(library.load("walk"), turn=UPSIDE_DOWN)
    assert told(clip, "head is below the feet in 100 % of the frames", up="y")
    assert not told(clip, "head is below the feet")


@pytest.mark.parametrize("name", ["LeftForeArm", "LeftFoot", "Spine1", "Head"])
def test_an_absurdly_long_bone_is_named(name):
    assert told(with_bone(library.load("walk"), name, 40.0), f"the bone to '{name}' is")


@pytest.mark.parametrize("name", library.names())
def test_ordinary_bodies_are_not_accused(name):
    assert not told(library.load(name), "the bone")
    assert not told(library.load(name), "head is below")
