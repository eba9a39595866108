"""Characters: from skeletons, in TOML, in MuJoCo."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from poise import rotation
from poise.character.anthropometry import TABLE
from poise.character.binding import bind
from poise.character.character import Box, Character
from poise.character.from_skeleton import character_from_clip, mass_shares
from poise.character.toml import builtin_names, load_character, read_character, to_toml, write_character
from poise.errors import BadCharacter, BadFile, BadInput
from poise.motion.read import read
from poise.motion.tidy import tidy
from poise.physics.world import World, save_mjcf

PAPER_BODIES = 14  # da Silva section 6: 14 bodies, 13 ball joints
ROUNDING = 1e-5  # TOML files hold six digits


@pytest.fixture(scope="module")
def human():
    return load_character("human")


def test_the_table_holds_a_whole_body():
    limbs = ("upper_arm", "forearm", "hand", "thigh", "shin", "foot")
    assert sum(TABLE[k].mass * (2 if k in limbs else 1) for k in TABLE) == pytest.approx(1.0, abs=1e-3)


def test_masses_of_missing_parts_go_to_those_that_carry_them():
    whole = mass_shares(["pelvis", "abdomen", "chest", "head", "left_forearm", "left_hand"])
    merged = mass_shares(["pelvis", "abdomen", "chest", "head", "left_forearm"])
    assert merged["left_forearm"] == pytest.approx(whole["left_forearm"] + whole["left_hand"])
    assert sum(mass_shares(["pelvis", "chest", "left_foot"]).values()) == pytest.approx(1.0)


def test_the_built_in_human_is_the_papers(human):
    assert human.nsegments == PAPER_BODIES
    assert human.mass == pytest.approx(72.0, rel=1e-3)
    assert load_character("human_hands").nsegments == PAPER_BODIES + 2
    assert set(builtin_names()) >= {"human", "human_hands"}


def test_the_built_in_human_stands_on_the_floor_and_is_symmetric(human):
    for foot in human.feet:
        s = human.segments[human.index(foot)]
        assert s.joint[2] + s.box.center[2] - s.box.size[2] / 2 == pytest.approx(0.0, abs=1e-4)
    for s in human.segments:
        if s.name.startswith("left_"):
            twin = human.segments[human.index(s.name.replace("left_", "right_"))]
            assert np.allclose(np.array(s.joint) * [1, -1, 1], twin.joint, atol=1e-4)
            assert s.mass == pytest.approx(twin.mass)


def test_the_compiled_model_has_the_characters_numbers(human):
    model = World(human).model
    assert model.nv == 6 + 3 * (human.nsegments - 1)
    assert np.sum(model.body_mass) == pytest.approx(human.mass)
    assert np.allclose(model.body_mass[1:], human.masses)
    assert np.allclose(model.body_ipos[1:], human.coms)
    turned = rotation.to_matrix(model.body_iquat[1:])
    tensors = turned @ (model.body_inertia[1:, :, None] * np.swapaxes(turned, -1, -2))
    assert np.allclose(tensors, human.inertias, atol=1e-9)


def test_joint_limits_hold_what_they_say(human):
    world = World(human)
    forearm = human.segments[human.index("left_forearm")]
    joint = world.model.joint("left_forearm")
    assert np.degrees(joint.range[1]) == pytest.approx(forearm.limit.angle_deg)
    mujoco.mj_forward(world.model, world.data)
    assert world.data.nefc <= 4 * 2 * 4  # the rest pose touches no limit; only the soles' corners touch


def test_a_character_survives_the_way_through_toml(human, tmp_path):
    path = tmp_path / "me.toml"
    write_character(human, path)
    back = read_character(path)
    assert back.names == human.names
    for a, b in zip(human.segments, back.segments, strict=True):
        assert np.allclose(a.joint, b.joint, atol=ROUNDING)
        assert np.allclose(a.inertia, b.inertia, rtol=1e-4)
        assert a.limit == b.limit or np.allclose(a.limit.center, b.limit.center, atol=ROUNDING)
    assert to_toml(back) == to_toml(human)


def test_a_character_is_saved_as_mjcf_that_mujoco_opens(human, tmp_path):
    save_mjcf(human, tmp_path / "human.xml")
    assert mujoco.MjModel.from_xml_path(str(tmp_path / "human.xml")).nbody == human.nsegments + 1
    with pytest.raises(BadFile, match=r"\.xml"):
        save_mjcf(human, tmp_path / "human.txt")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("mass = 8.0424", "mass = -1"), "greater than zero"),
        (("mass = 8.0424", 'mass = "heavy"'), "must be a number"),
        (('parent = "pelvis"', 'parent = "pelvjs"'), "pelvis"),
        (("mass = 8.0424", "mass = 8.0424\nweight = 3"), "unknown key 'weight'"),
        (('name = "head"', 'name = "chest"'), "two segments"),
        (("mass = 8.0424", "mass = nan"), "finite"),
        (("[[segment]]", "[[segment"), "not a character file"),
    ],
)
def test_a_broken_character_file_says_what_is_wrong(human, tmp_path, change, words):
    path = tmp_path / "broken.toml"
    path.write_text(to_toml(human).replace(*change, 1))
    with pytest.raises(BadFile, match=words):
        read_character(path)


def test_an_unknown_character_lists_the_known():
    with pytest.raises(BadCharacter, match="human_hands"):
        load_character("humen")


def test_impossible_bodies_are_refused(human):
    pelvis = human.segments[0]
    with pytest.raises(BadCharacter, match="belongs to no body"):
        Character("x", (replace(pelvis, inertia=(1.0, 1.0, 3.0)),), ())
    with pytest.raises(BadCharacter, match="greater than zero"):
        Character("x", (replace(pelvis, box=Box((0, 0, 0), (0, 1, 1))),), ())
    with pytest.raises(BadCharacter, match="no segment"):
        Character("x", (pelvis,), ("left_foot",))


def test_a_captured_human_comes_out_as_the_papers_fourteen_bodies(mocap):
    clip, _ = tidy(read(mocap / "cmu" / "143_23.bvh"))
    character = character_from_clip(clip)
    assert character.nsegments == PAPER_BODIES
    assert character.mass == pytest.approx(72.0)
    assert character_from_clip(clip, mass=40.0).mass == pytest.approx(40.0)
    with pytest.raises(BadInput, match="mass"):
        character_from_clip(clip, mass=-3.0)


def test_every_joint_of_the_clip_belongs_to_a_segment_or_lies_above_the_pelvis(mocap):
    clip, _ = tidy(read(mocap / "bandai_namco_NC" / "dataset-1_walk_normal_001.bvh"))
    binding = bind(clip)
    assert binding.joint_segment[0] == -1  # the static extra root
    assert min(binding.joint_segment[1:]) == 0


def test_soles_are_calibrated_flat_where_feet_stand(mocap):
    """A foot at rest in the clip has its segment's z axis up within a few degrees."""
    for name in ("cmu/143_23.bvh", "bandai_namco_NC/dataset-1_walk_normal_001.bvh", "pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh"):
        clip, _ = tidy(read(mocap / name))
        binding = bind(clip)
        turns = binding.segment_rotations(clip)
        for k, group in enumerate(binding.groups):
            if group.name.endswith("_foot"):
                ankle = clip.world_positions[:, group.anchor]
                slow = np.linalg.norm(np.gradient(ankle, 1 / clip.fps, axis=0), axis=-1) < 0.15
                tilt = np.degrees(np.arccos(np.clip(rotation.rotate(turns[slow, k], [0, 0, 1])[:, 2], -1, 1)))
                assert np.median(tilt) < 8.0, (name, group.name)
