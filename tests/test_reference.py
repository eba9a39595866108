"""The clip on the character: retargeting, feet, stance, sampling."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation
from poise.character.binding import bind
from poise.character.from_skeleton import character_from_clip
from poise.character.soles import sole_corners
from poise.character.toml import load_character
from poise.errors import BadFile
from poise.motion import library
from poise.motion.tidy import tidy
from poise.reference import legs
from poise.reference.reference import reference_from_clip, still_reference
from poise.reference.stance import find_stance, intervals, read_stance, write_stance

FLOOR_M = 1e-6  # soles are put on the floor by arithmetic
CLOSE_M = 0.02  # the character made from a clip reaches the clip's joints; what is left are shrugs and planted feet


@pytest.fixture(scope="module")
def walk():
    clip, _ = tidy(library.load("walk"))
    binding = bind(clip)
    character = character_from_clip(clip, binding=binding)
    return clip, binding, reference_from_clip(clip, binding, character)


def lowest_sole(reference):
    """The lowest corner (F, feet) of every sole."""
    columns = []
    for foot in reference.character.feet:
        k = reference.character.index(foot)
        corners = sole_corners(reference.character.segments[k])
        world = reference.column("position")[:, k, None] + rotation.rotate(reference.column("rotation")[:, k, None], corners)
        columns.append(world[..., 2].min(axis=1))
    return np.stack(columns, axis=1)


def test_a_clip_on_its_own_character_is_next_to_unchanged(walk):
    clip, binding, reference = walk
    at = np.clip(np.round(np.arange(clip.nframes) / clip.fps * reference.fps).astype(int), 0, len(reference.table) - 1)
    gap = np.linalg.norm(reference.column("position")[at] - binding.anchor_positions(clip), axis=-1)
    assert gap.mean() < CLOSE_M


def test_no_sole_goes_below_the_floor_and_standing_soles_lie_on_it(walk):
    _, _, reference = walk
    lowest = lowest_sole(reference)
    assert lowest.min() > -FLOOR_M - 0.002
    assert np.median(np.abs(lowest[reference.stance])) < 0.01


@pytest.mark.parametrize("size", [0.6, 1.4])
def test_retargeting_to_other_proportions_keeps_the_feet_on_the_floor(walk, size):
    clip, binding, _ = walk
    human = load_character("human")
    small = _scaled(human, size)
    reference = reference_from_clip(clip, binding, small)
    lowest = lowest_sole(reference)
    assert lowest.min() > -0.005
    assert np.median(np.abs(lowest[reference.stance])) < 0.01
    assert reference.stance.any(axis=1).mean() > 0.9  # a walk nearly always stands on something


def test_velocities_are_the_derivatives_of_positions(walk):
    _, _, reference = walk
    com, velocity = reference.column("com"), reference.column("com_velocity")
    numeric = np.gradient(com, 1 / reference.fps, axis=0)
    assert np.abs(numeric - velocity).max() < 0.05 * np.abs(velocity).max() + 0.02  # it is smoothed a little


def test_sampling_meets_the_frames_and_holds_still_outside(walk):
    _, _, reference = walk
    target = reference.target()
    reference.sample(10 / reference.fps, target)
    assert np.allclose(target.row, reference.table[10], atol=1e-9)
    reference.sample(reference.duration + 5.0, target)
    assert np.allclose(target.position, reference.column("position")[-1])
    assert np.all(target.velocity == 0.0)
    reference.sample(-1.0, target)
    assert np.all(target.joint_velocity == 0.0)


def test_sampled_rotations_are_unit_quaternions(walk):
    _, _, reference = walk
    target = reference.target()
    for time in np.linspace(0, reference.duration, 37):
        reference.sample(time, target)
        assert np.allclose(np.linalg.norm(target.rotation, axis=-1), 1.0)
        assert np.allclose(np.linalg.norm(target.joint_rotation, axis=-1), 1.0)


def test_a_character_without_a_clip_stands_on_both_feet():
    reference = still_reference(load_character("human"))
    assert reference.stance.all()
    assert reference.column("com")[0, 2] == pytest.approx(0.95, abs=0.1)


def test_a_leg_reaches_where_it_can():
    rng = np.random.default_rng(2)
    n, knee, ankle = 200, np.array([0.0, 0.0, -0.42]), np.array([0.0, 0.0, -0.43])
    thigh = rotation.exp(rng.normal(0, 0.3, (n, 3)))
    shin = rotation.multiply(thigh, rotation.exp(np.abs(rng.normal(0, 0.6, (n, 1))) * [0.0, 1.0, 0.0]))
    hip = rng.normal(0, 1, (n, 3))
    target = hip + rotation.rotate(rotation.exp(rng.normal(0, 0.4, (n, 3))), [0, 0, -1]) * rng.uniform(0.3, 0.84, (n, 1))
    new_thigh, new_shin = legs.reach(thigh, shin, hip, knee, ankle, target)
    reached = hip + rotation.rotate(new_thigh, knee) + rotation.rotate(new_shin, ankle)
    assert np.linalg.norm(reached - target, axis=-1).max() < 1e-6


def test_a_leg_that_already_reaches_is_left_alone():
    thigh = rotation.exp([[0.0, -0.4, 0.1]])
    shin = rotation.multiply(thigh, rotation.exp([[0.0, 0.6, 0.0]]))
    knee, ankle, hip = np.array([0.01, 0.0, -0.4]), np.array([0.0, 0.02, -0.4]), np.zeros((1, 3))
    target = rotation.rotate(thigh, knee) + rotation.rotate(shin, ankle)
    new_thigh, new_shin = legs.reach(thigh, shin, hip, knee, ankle, target)
    assert rotation.angle_between(new_thigh, thigh).max() < 1e-6
    assert rotation.angle_between(new_shin, shin).max() < 1e-6


def test_a_foot_stands_while_it_is_low_and_slow():
    fps, time = 100.0, np.arange(300) / 100.0
    x = np.where(time < 1.0, 0.0, np.minimum(time - 1.0, 0.5) * 2.0)
    z = np.where((time > 1.0) & (time < 1.5), 0.1, 0.0)
    point = np.stack([x, 0 * x, z], axis=-1)[:, None]
    stance = find_stance(point, 1.0, fps)
    assert stance[:90].all()
    assert not stance[110:145].any()
    assert stance[165:].all()
    assert len(intervals(stance, fps)) == 2


def test_stance_survives_the_way_through_its_file(tmp_path):
    stance = np.zeros((100, 2), bool)
    stance[10:40, 0] = stance[30:90, 1] = True
    path = tmp_path / "walk.stance.toml"
    write_stance(stance, 50.0, ("left_foot", "right_foot"), path)
    assert np.array_equal(read_stance(path, 100, 50.0, ("left_foot", "right_foot")), stance)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("left_fot = [[0, 1]]", "left_foot"),
        ("left_foot = [[2, 1]]", "from <= to"),
        ("left_foot = 3", "list"),
        ("left_foot = [", "stance file"),
    ],
)
def test_a_broken_stance_file_says_what_is_wrong(tmp_path, text, words):
    path = tmp_path / "broken.toml"
    path.write_text(text)
    with pytest.raises(BadFile, match=words):
        read_stance(path, 10, 10.0, ("left_foot", "right_foot"))


def _scaled(character, size):
    from dataclasses import replace

    def grow(v):
        return tuple(size * x for x in v)

    segments = tuple(
        replace(s, joint=grow(s.joint), com=grow(s.com), box=replace(s.box, center=grow(s.box.center), size=grow(s.box.size)))
        for s in character.segments
    )
    return replace(character, segments=segments)
