"""A human clip on a human of other proportions: its weight is above its feet where the actor's is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise import rotation
from poise.character.binding import bind
from poise.character.from_skeleton import character_from_clip
from poise.character.toml import load_character
from poise.motion.load import load_tidied
from poise.reference.retarget import retarget, source_leg_length, standing_length
from poise.reference.weight import _weight_ahead, shift_of_hips

NEAR_M = 0.01  # the hips move once, and what hangs from the legs moves with them
STILL_M = 0.012  # feet stand where they stood; legs that are nearly straight give way a little


@pytest.fixture(scope="module")
def stand():
    clip = load_tidied("weight_shift")[0]
    return clip, bind(clip)


def leaning(ahead: float):
    """A human whose chest and head have their weight farther in front."""
    human = load_character("human")
    forward = {"chest", "abdomen", "head", "pelvis"}
    segments = [replace(s, com=(s.com[0] + ahead, *s.com[1:])) if s.name in forward else s for s in human.segments]
    return replace(human, segments=tuple(segments))


def ahead_of_feet(character, turns, position, stance) -> float:
    heading = rotation.about_z(rotation.heading(turns[:, 0]))
    return float(np.median(_weight_ahead(character, turns, position, stance, heading)[stance.any(axis=1)]))


@pytest.mark.parametrize("ahead", [-0.06, 0.0, 0.1])
def test_weight_is_above_the_feet_where_the_actors_is_wherever_the_body_carries_it(stand, ahead):
    clip, binding = stand
    character, actor = leaning(ahead), character_from_clip(clip, binding=binding)
    motion = retarget(clip, binding, character)
    anchors = binding.anchor_positions(clip)
    scale = standing_length(character) / source_leg_length(anchors, [g.name for g in binding.groups])
    his = scale * ahead_of_feet(actor, binding.segment_rotations(clip), anchors, motion.stance)
    assert ahead_of_feet(character, motion.rotation, motion.position, motion.stance) == pytest.approx(his, abs=NEAR_M)


def test_feet_stay_where_they_stand(stand):
    clip, binding = stand
    here, there = (retarget(clip, binding, leaning(ahead)) for ahead in (0.0, 0.1))
    character = leaning(0.0)
    for k, foot in enumerate(character.feet):
        gap = (here.position - there.position)[here.stance[:, k], character.index(foot)]
        assert np.linalg.norm(gap, axis=-1).max() < STILL_M


def test_the_clips_own_body_stays_where_it_is(stand):
    clip, binding = stand
    own = character_from_clip(clip, binding=binding)
    turns, anchors = binding.segment_rotations(clip), binding.anchor_positions(clip)
    assert shift_of_hips(clip, binding, own, turns, anchors, np.ones((clip.nframes, 2), bool), 1.0) is None


def test_a_body_that_never_stands_stays_where_it_is(stand):
    clip, binding = stand
    motion = retarget(clip, binding, leaning(0.1))
    nothing = np.zeros_like(motion.stance)
    assert shift_of_hips(clip, binding, leaning(0.1), motion.rotation, motion.position, nothing, 1.0) is None
