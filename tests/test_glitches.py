"""Jumps of captured motion are bridged; fast motion is left alone."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation
from poise.motion import library
from poise.motion.glitches import mend
from poise.motion.tidy import tidy


@pytest.fixture(scope="module")
def walk():
    return tidy(library.load("walk"))[0]


def with_flip(clip, joint, frame, angle):
    rotations = clip.rotations.copy()
    rotations[frame, joint] = rotation.multiply(rotations[frame, joint], rotation.exp([0.0, 0.0, angle]))
    return clip.with_(rotations=rotations)


@pytest.mark.parametrize("name", library.names())
def test_our_own_clips_have_no_jumps(name):
    clip = tidy(library.load(name))[0]
    assert mend(clip) == (clip, None)


def test_a_pelvis_that_flips_for_a_frame_is_bridged_and_the_rest_left_alone(walk):
    frame = 40
    mended, sentence = mend(with_flip(walk, 0, frame, np.radians(60)))
    assert sentence is not None
    assert "--keep-jumps" in sentence
    assert rotation.angle_between(mended.world_rotations[frame, 0], walk.world_rotations[frame, 0]) < np.radians(3)
    apart = np.abs(np.arange(walk.nframes) - frame) > 0.1 * walk.fps
    assert np.allclose(mended.world_positions[apart], walk.world_positions[apart], atol=1e-9)


def test_a_clip_without_jumps_is_returned_as_it_is(walk):
    assert mend(walk)[0] is walk


def test_a_motion_that_jumps_all_the_time_is_not_touched(walk):
    rng = np.random.default_rng(1)
    noise = rotation.exp(rng.normal(0, 0.8, (walk.nframes, walk.skeleton.njoints, 3)))
    wild = walk.with_(rotations=rotation.multiply(walk.rotations, noise))
    assert mend(wild)[0] is wild


@pytest.mark.parametrize("name", ["Head", "LeftHand", "Spine"])
@pytest.mark.parametrize("frame", [0, -1])
def test_a_joint_that_jumps_at_the_very_beginning_or_end_holds_still_there(walk, name, frame):
    joint = walk.skeleton.index(name)
    mended, sentence = mend(with_flip(walk, joint, frame, np.radians(80)))
    assert sentence is not None
    assert rotation.angle_between(mended.rotations[frame, joint], walk.rotations[frame, joint]) < np.radians(12)
    fastest = np.linalg.norm(rotation.angular_velocity(mended.rotations[:, joint], walk.fps), axis=-1)
    assert fastest[[0, 1, 2, -3, -2, -1]].max() < 8.0  # rad/s, where the flip has 80
    middle = slice(round(0.1 * walk.fps), -round(0.1 * walk.fps))
    assert np.array_equal(mended.rotations[middle], walk.rotations[middle])


def test_a_root_that_jumps_at_the_very_beginning_stays_where_it_goes_on(walk):
    translations = walk.translations.copy()
    translations[0, 0] += [0.2, 0.0, 0.0]
    mended, sentence = mend(walk.with_(translations=translations))
    assert sentence is not None
    assert np.abs(mended.translations[:, 0] - walk.translations[:, 0]).max() < 0.1
