"""Limbs and styles of characters, and what their files may not say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.character.limbs import Limb, limbs_of, support_limbs
from poise.character.soles import sole_corners
from poise.character.style import style_of
from poise.character.toml import load_character, read_character, to_toml
from poise.errors import BadCharacter, BadFile, BadInput
from poise.measure import summary
from poise.physics.world import World
from poise.reference.features import Features, effector_limbs, feature_shapes
from poise.simulation import simulate

WATER = 1000.0  # kg/m3: no creature here sinks

LEFT_LEG = Limb("left_leg", "support", ("left_thigh", "left_shin", "left_foot"), "left_leg")


@pytest.fixture(scope="module")
def human():
    return load_character("human")


def written(tmp_path, character, extra=""):
    path = tmp_path / "it.toml"
    path.write_text(to_toml(character) + extra)
    return path


def test_a_human_that_names_no_limbs_has_two_legs_two_arms_and_a_head(human):
    limbs = {limb.name: limb for limb in limbs_of(replace(human, limbs=()))}
    assert list(limbs) == ["left_leg", "right_leg", "left_arm", "right_arm", "head"]
    assert limbs["left_leg"] == LEFT_LEG
    assert [limbs[name].kind for name in ("right_leg", "left_arm", "head")] == ["support", "targeted", "targeted"]


def test_limbs_and_styles_survive_their_file(tmp_path, human):
    sad = f"{to_toml(replace(human, limbs=(LEFT_LEG,), styles=()))}\n[style.sad]\nhead = [0, 30, 0]\n"
    path = tmp_path / "sad.toml"
    path.write_text(sad)
    character = read_character(path)
    assert character.limbs == (LEFT_LEG,)
    assert character.styles[0].turns_deg == (("head", (0.0, 30.0, 0.0)),)
    assert to_toml(read_character(written(tmp_path, character))) == to_toml(character)


@pytest.mark.parametrize(
    ("limbs", "says"),
    [
        ((LEFT_LEG, replace(LEFT_LEG, name="other")), "segment 'left_thigh' belongs to limb 'left_leg' already"),
        ((LEFT_LEG, replace(LEFT_LEG, segments=("head",), kind="free", follows=None)), "two limbs have this name"),
        ((replace(LEFT_LEG, segments=("left_thigh", "left_shim")),), "did you mean 'left_shin'"),
        ((replace(LEFT_LEG, segments=("left_thigh", "left_foot")),), "hangs on 'left_shin', not on 'left_thigh'"),
        ((replace(LEFT_LEG, segments=("pelvis",)),), "is the root"),
        ((replace(LEFT_LEG, follows="left_wing"),), "the actor has no part 'left_wing'"),
        ((replace(LEFT_LEG, follows=None),), "must say whom it follows"),
        ((replace(LEFT_LEG, kind="free"),), "a free limb follows nobody"),
        ((replace(LEFT_LEG, kind="support", segments=("left_thigh", "left_shin")),), "not among the feet"),
        ((replace(LEFT_LEG, kind="strong"),), "unknown kind 'strong'"),
    ],
)
def test_limbs_that_contradict_each_other_are_named(human, limbs, says):
    with pytest.raises(BadCharacter, match=says):
        replace(human, limbs=limbs)


def test_a_support_limb_may_follow_an_arm(human):
    assert replace(human, limbs=(replace(LEFT_LEG, follows="left_arm"),)).limbs[0].follows == "left_arm"


def test_a_character_without_support_is_refused_where_support_is_needed(human):
    head = Limb("head", "targeted", ("head",), "head")
    with pytest.raises(BadCharacter, match="has no support limb"):
        support_limbs(replace(human, limbs=(head,)))


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        ('\n[[limb]]\nname = "tail"\nkind = "free"\n', "limb 'tail': missing segments"),
        ('\n[[limb]]\nname = "head"\nkind = "free"\nsegments = "head"\n', "must be a list of segment names"),
        ('\n[[limb]]\nname = "head"\nkind = "free"\nsegments = ["head"]\nleads = 1\n', "unknown key 'leads'"),
        ("\n[style.sad]\nhaed = [0, 1, 2]\n", "did you mean 'head'"),
        ("\n[style.sad]\nhead = 3\n", "must be three numbers"),
    ],
)
def test_mistakes_in_a_file_are_named(tmp_path, human, extra, says):
    with pytest.raises(BadFile, match=says):
        read_character(written(tmp_path, replace(human, limbs=(), styles=()), extra))


def test_feet_are_what_support_limbs_stand_on_where_the_file_does_not_say(tmp_path, human):
    text = to_toml(replace(human, limbs=(LEFT_LEG,), feet=("left_foot",)))
    path = tmp_path / "hopper.toml"
    path.write_text("\n".join(line for line in text.splitlines() if not line.startswith("feet")))
    assert read_character(path).feet == ("left_foot",)


def test_an_unknown_style_lists_what_there_is(human):
    with pytest.raises(BadInput, match="has no style 'sadd'"):
        style_of(human, "sadd")


def test_features_are_views_of_one_row(human):
    features = Features(human)
    shapes = feature_shapes(len(effector_limbs(human)), human.nsegments)
    for k, name in enumerate(shapes, start=1):
        getattr(features, name)[:] = k
        assert getattr(features, name).shape == shapes[name]
    assert features.row.min() == 1.0
    assert features.row.size == sum(getattr(features, name).size for name in shapes)


@pytest.mark.parametrize("name", ["raptor", "alien"])
def test_creatures_stand_over_their_feet_with_plausible_masses(name):
    creature = load_character(name)
    com = np.average(creature.joints + creature.coms, axis=0, weights=creature.masses)
    for foot in creature.feet:
        corners = sole_corners(creature.segments[creature.index(foot)]) + creature.joints[creature.index(foot)]
        assert corners[:, 0].min() < com[0] < corners[:, 0].max()
        assert corners[:, 2].min() == pytest.approx(0.0, abs=1e-6)
    volumes = np.array([np.prod(segment.box.size) for segment in creature.segments])
    assert np.all(creature.masses < WATER * volumes)
    assert 50.0 < creature.mass < 200.0
    assert {limb.kind for limb in limbs_of(creature)} == {"support", "targeted", "free"}


def test_segments_are_sorted_depth_first_as_mujoco_numbers_bodies():
    raptor = load_character("raptor")
    mixed = replace(raptor, segments=tuple(sorted(raptor.segments, key=lambda s: (depth(raptor, s), s.name))))
    model = World(mixed).model
    assert [model.body(k + 1).name for k in range(mixed.nsegments)] == list(mixed.names)


@pytest.mark.parametrize("name", ["raptor", "alien"])
def test_creatures_stand_without_a_clip(name):
    take = simulate(None, character=name, controller="pose", duration=2.0)
    assert summary(take)["completed"]


def depth(character, segment):
    return 0 if segment.parent is None else 1 + depth(character, character.segments[character.index(segment.parent)])
