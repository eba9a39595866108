"""A human clip on other bodies: legs as long as they stand, knees that bend as they are bent, feet on the floor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise import rotation
from poise.character.binding import bind
from poise.character.from_skeleton import character_from_clip
from poise.character.rig.proposal import propose
from poise.character.soles import sole_corners
from poise.character.toml import load_character
from poise.errors import BadCharacter
from poise.motion.load import load_tidied
from poise.reference.build import legs_of, seat, standing_length, stands_straight
from poise.reference.retarget import joint_segments, leg_length, retarget
from rig_files import make_rig
from skeleton_conventions import CONVENTIONS, PLACES, build
from test_rig_proposal import BIRD, tree

ON_FLOOR = 0.02  # metres: a sole that stands
OUT_OF_REACH = 0.04  # metres: the rear foot at the end of a step, of a body whose hips are ahead of its feet
SAME = 1e-9


@pytest.fixture(scope="module")
def walk():
    return load_tidied("walk")[0]


@pytest.fixture(scope="module")
def bird(tmp_path_factory):
    path = tmp_path_factory.mktemp("rig") / "bird.glb"
    path.write_bytes(make_rig(*tree(BIRD)).glb())
    return propose(path).character


def lowest_soles(character, motion) -> np.ndarray:
    """The lowest point of each foot's sole over time (F, feet)."""
    low = []
    for foot in character.feet:
        k = character.index(foot)
        corners = rotation.rotate(motion.rotation[:, k, None], sole_corners(character.segments[k]))
        low.append((motion.position[:, k, None] + corners)[..., 2].min(axis=1))
    return np.stack(low, axis=1)


def test_a_humans_leg_is_as_long_as_its_bones(walk):
    character = character_from_clip(walk)
    assert stands_straight(character)
    assert standing_length(character) == leg_length(character)


def test_a_creatures_leg_is_as_long_as_it_stands(bird):
    for leg in legs_of(bird).values():
        assert leg.standing < 0.95 * leg.along and leg.bends_backward
    assert standing_length(bird) < 0.95 * leg_length(bird)


def test_digitigrade_legs_count_from_hip_to_foot_and_bend_forward():
    raptor = load_character("raptor")
    leg = legs_of(raptor)["left_foot"]
    assert [raptor.names[k] for k in leg.lower] == ["left_shin", "left_metatarsus"] and not leg.bends_backward


def test_the_clips_own_character_is_seated_where_it_was(walk):
    binding, character = bind(walk), character_from_clip(walk)
    anchors, names = binding.anchor_positions(walk), [g.name for g in binding.groups]
    ankles = {foot: anchors[:, names.index(foot)] for foot in character.feet}
    root, feet = seat(character, anchors, names, binding.segment_rotations(walk)[:, 0], ankles, walk.fps)
    assert np.abs(root - anchors[:, 0]).max() < SAME
    assert all(np.array_equal(feet[foot], ankles[foot]) for foot in feet)


@pytest.mark.parametrize("hips_above_root", [-0.1, 0.15])
def test_feet_stand_on_the_floor_wherever_the_root_joint_and_the_ankles_are(walk, tmp_path, hips_above_root):
    x, _, z = PLACES["hip"]
    places = PLACES | {"pelvis": (x, 0.0, z - hips_above_root), "ankle": (-0.01, 0.09, 0.02), "ball": (0.12, 0.09, 0.01)}
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"], 0.0, places)
    (tmp_path / "rig.glb").write_bytes(make_rig(skeleton, positions).glb())
    character = propose(tmp_path / "rig.glb").character
    motion = retarget(walk, bind(walk), character)
    low = lowest_soles(character, motion)
    assert motion.stance.any()
    assert np.abs(np.where(motion.stance, low, 0.0)).max() < ON_FLOOR


def test_a_birds_knees_bend_backward_in_every_frame_and_its_feet_stand(walk, bird):
    motion = retarget(walk, bind(walk), bird)
    for side in ("left", "right"):
        hip, knee, ankle = (motion.position[:, bird.index(f"{side}_{part}")] for part in ("thigh", "shin", "foot"))
        line = ankle - hip
        along = np.sum((knee - hip) * line, axis=-1, keepdims=True) / np.sum(line**2, axis=-1, keepdims=True)
        out = knee - hip - along * line
        forward = rotation.rotate(motion.rotation[:, 0], [1.0, 0.0, 0.0])
        assert (np.sum(out * forward, axis=-1) < 0.0).all()
    low = lowest_soles(bird, motion)
    assert np.abs(np.where(motion.stance, low, 0.0)).max() < OUT_OF_REACH


def test_a_bird_that_stands_has_its_weight_above_its_feet(bird):
    clip, _ = load_tidied("stand")
    motion = retarget(clip, bind(clip), bird)
    com = bird.masses @ (motion.position[0] + rotation.rotate(motion.rotation[0], bird.coms)) / bird.mass
    feet = [bird.index(foot) for foot in bird.feet]
    soles = [motion.position[0, k] + rotation.rotate(motion.rotation[0, k], bird.segments[k].box.center) for k in feet]
    forward = rotation.rotate(motion.rotation[0, 0], [1.0, 0.0, 0.0])
    assert abs((com - np.mean(soles, axis=0)) @ forward) < 0.25 * bird.segments[feet[0]].box.size[0]


def test_joints_of_a_clip_ride_on_the_characters_own_segments(walk, bird):
    binding = bind(walk)
    carried = joint_segments(binding, bird)
    for joint, k in enumerate(binding.joint_segment):
        if k >= 0 and binding.groups[k].name in bird.names:
            assert bird.names[carried[joint]] == binding.groups[k].name


def test_a_character_without_legs_is_told(bird):
    stump = replace(
        bird,
        limbs=(),
        feet=("left_thigh",),
        segments=tuple(s for s in bird.segments if "shin" not in s.name and "foot" not in s.name),
        skin=None,
    )
    with pytest.raises(BadCharacter, match="no foot has two bones above it"):
        standing_length(stump)
