"""Tidying: units, up axis, floor, first frame, frame rate; found, told, overruled, undone."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from people import HEIGHT_M, HIPS_M, hopping, in_file, person, renamed, standing, walking, with_handle, with_pose_in_front
from poise import rotation
from poise.errors import BadInput
from poise.motion.bvh import read
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.motion.tidy import tidy, untidy

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "cmu": 0.0254 / 0.45, "foot": 0.3048}
ROUNDING = 1e-12  # relative; a few operations on doubles
SOLE = 0.015  # of the body height: how far below the lowest joints a floor is put that the file does not tell
FLOOR_M = 0.003  # a foot that rolls has no sharper level


def file_and_tidied(clip, **overrides):
    return clip, *tidy(clip, **overrides)


# Units and axes


@pytest.mark.parametrize("up", "xyz")
@pytest.mark.parametrize("unit", UNITS)
def test_units_up_and_floor_are_found_in_any_file(unit, up):
    _, tidied, found = file_and_tidied(in_file(walking(), up, UNITS[unit], floor=0.3))
    assert (found.units, found.up) == (unit, up)
    assert found.height_m == pytest.approx(HEIGHT_M)
    plain, _ = tidy(walking())
    assert np.abs(tidied.world_positions[..., 2] - plain.world_positions[..., 2]).max() < FLOOR_M
    assert not found.warnings


def test_decimetres_are_found_for_a_grown_person():
    assert tidy(in_file(standing(), "z", 0.1))[1].units == "dm"


def test_a_tidied_clip_lies_in_its_file_as_its_placement_says():
    clip, tidied, _ = file_and_tidied(in_file(walking(), "y", 0.0254, floor=-0.4))
    there = tidied.placement
    expected = there.scale * rotation.rotate(there.turn, clip.world_positions) + there.shift
    assert np.abs(tidied.world_positions - expected).max() < ROUNDING * 10
    assert (
        np.abs(tidied.end_positions() - (there.scale * rotation.rotate(there.turn, clip.end_positions()) + there.shift)).max()
        < 1e-9
    )


@pytest.mark.parametrize("up", "xyz")
def test_untidying_gives_the_file_back(up):
    clip, tidied, _ = file_and_tidied(in_file(walking(), up, 0.01, floor=0.5))
    back = untidy(tidied)
    size = np.abs(clip.translations).max()
    assert np.abs(back.rotations - clip.rotations).max() < ROUNDING
    assert np.abs(back.translations - clip.translations).max() < ROUNDING * size
    assert np.abs(back.skeleton.offsets - clip.skeleton.offsets).max() < ROUNDING * size
    assert np.allclose([e for _, e in back.skeleton.ends], [e for _, e in clip.skeleton.ends], atol=ROUNDING * size)


def test_tidying_a_tidied_clip_changes_nothing_and_still_knows_the_file():
    clip, once, _ = file_and_tidied(in_file(walking(), "y", 0.01))
    twice, found = tidy(once)
    assert found.repairs == ()
    assert np.abs(twice.world_positions - once.world_positions).max() < 0.001
    assert np.abs(untidy(twice).translations - clip.translations).max() < ROUNDING * np.abs(clip.translations).max()


def test_joints_that_are_not_turned_stay_so():
    tidied, _ = tidy(in_file(person(np.tile([0.0, 0.0, HIPS_M], (9, 1)), 30.0), "x", 0.01))
    legs = [tidied.skeleton.index(name) for name in ("LeftLeg", "RightLeg", "Head")]
    assert np.abs(tidied.rotations[:, legs] - rotation.IDENTITY).max() < ROUNDING


def test_a_body_that_no_unit_fits_is_made_as_tall_as_a_person_and_told():
    _, found = tidy(in_file(standing(), "y", 0.55))
    assert found.units == "body"
    assert found.height_m == pytest.approx(1.7)
    assert "--units" in found.warnings[0]


@pytest.mark.parametrize(
    "kept, lost", [(("Hips", "Spine", "Head", "LeftArm", "RightArm"), "legs"), (("Hips", "Up", "Leg", "Foot"), "trunk")]
)
def test_half_a_body_is_half_as_tall(kept, lost):
    clip = in_file(standing(), "z", 0.01)
    skeleton = clip.skeleton
    joints = [j for j, name in enumerate(skeleton.names) if any(part in name for part in kept) and "Fore" not in name]
    place = {j: k for k, j in enumerate(joints)}
    half = clip.with_(
        skeleton=replace(
            skeleton,
            names=tuple(skeleton.names[j] for j in joints),
            parents=tuple(place.get(skeleton.parents[j], -1) for j in joints),
            offsets=skeleton.offsets[joints],
            ends=tuple((place[j], offset) for j, offset in skeleton.ends if j in place),
        ),
        rotations=clip.rotations[:, joints],
        translations=clip.translations[:, joints],
    )
    assert tidy(half)[1].units == "cm"


@pytest.mark.parametrize("scale", [0.0, 1e-9, 1e9])
@pytest.mark.parametrize("parents", [(-1,), (-1, 0), (-1, 0, 1, 2), (-1, 0, 0, 0)])
def test_skeletons_that_are_no_bodies_are_tidied_without_trouble(parents, scale):
    rng = np.random.default_rng(1)
    offsets = scale * rng.normal(size=(len(parents), 3))
    skeleton = Skeleton(tuple(f"j{k}" for k in range(len(parents))), parents, offsets)
    still = np.tile(rotation.IDENTITY, (30, len(parents), 1))
    clip = Clip("thing", skeleton, still, offsets + scale * rng.normal(size=(30, len(parents), 3)), 30.0)
    tidied, found = tidy(clip)
    assert found.warnings
    assert np.abs(untidy(tidied).translations - clip.translations).max() <= ROUNDING * max(scale * 10.0, 1.0)


# The up axis where it is hard


def lying(seconds=2.0, fps=60.0):
    n = round(seconds * fps) + 1
    moving = 0.1 * np.sin(np.arange(n) / fps)[:, None] * [1.0, 0.0, 0.0]
    return person(np.tile([0.4, 1.2, 0.1], (n, 1)), fps, {"Hips": np.array([0.0, -np.pi / 2, 0.0]), "LeftUpLeg": moving})


def handstand(seconds=4.0, fps=60.0):
    t = np.linspace(0.0, 1.0, round(seconds * fps))
    share = np.clip(4.0 * t - 1.0, 0.0, 1.0)
    height = HIPS_M * (1.0 - share) + 1.0 * share
    return person(np.column_stack([0.0 * t, 0.0 * t, height]), fps, {"Hips": share[:, None] * [np.pi, 0.0, 0.0]})


@pytest.mark.parametrize("up", "yz")
@pytest.mark.parametrize("make", [lying, handstand, standing, hopping])
def test_up_is_found_for_bodies_that_do_not_stand_upright(make, up):
    assert tidy(in_file(make(), up))[1].up == up


@pytest.mark.parametrize("up", "xyz")
def test_up_is_found_in_a_single_frame(up):
    clip = in_file(standing(), up)
    single = clip.with_(rotations=clip.rotations[:1], translations=clip.translations[:1])
    assert tidy(single)[1].up == up


def test_a_body_turned_upright_by_its_motion_is_seen_as_it_moves():
    clip = in_file(walking(), "y")
    upright = rotation.between([0.0, 1.0, 0.0], [0.0, 0.0, 1.0])
    turned, moved = clip.rotations.copy(), clip.translations.copy()
    turned[:, 0] = rotation.multiply(upright, turned[:, 0])
    moved[:, 0] = rotation.rotate(upright, moved[:, 0])
    assert tidy(clip.with_(rotations=turned, translations=moved))[1].up == "z"


@pytest.mark.parametrize("up", "yz")
def test_names_that_say_nothing_do_not_hide_units_and_up(up):
    clip = in_file(walking(), up)
    found = tidy(renamed(clip, [f"bone{j}" for j in range(clip.skeleton.njoints)]))[1]
    assert (found.units, found.up) == ("cm", up)


# The floor


def test_jumps_do_not_lift_the_floor():
    _, found = tidy(in_file(hopping(5, 0.4), "y", 0.01, floor=0.12))
    assert found.floor == pytest.approx(0.12 - SOLE * found.height_m, abs=FLOOR_M)


def test_a_glitch_does_not_lower_the_floor():
    clip = standing(4.0)
    sunk = clip.translations.copy()
    sunk[100:106, 0, 2] -= 0.5
    _, found = tidy(clip.with_(translations=sunk))
    assert found.floor == pytest.approx(0.0, abs=FLOOR_M)


def test_standing_on_two_levels_takes_the_lower_one_and_warns():
    clip = standing(6.0)
    stepped = clip.translations.copy()
    stepped[120:, 0, 2] += 0.3
    _, found = tidy(clip.with_(translations=stepped))
    assert found.floor == pytest.approx(0.0, abs=FLOOR_M)
    assert any("floor may not be constant" in warning and "0.30 m above" in warning for warning in found.warnings)


def test_a_root_that_stands_still_on_the_floor_is_no_foot():
    clip = walking()
    _, found = tidy(with_handle(clip, at=(0.0, 0.0, -0.5)))
    _, plain = tidy(clip)
    assert found.floor == pytest.approx(plain.floor - 0.5, abs=1e-9)
    assert not found.warnings


def test_walking_on_the_spot_stands_on_the_floor_too():
    clip = walking(4)
    still = clip.translations.copy()
    still[:, 0, :2] = 0.0
    plain, spot = tidy(clip)[1], tidy(clip.with_(translations=still))[1]
    assert spot.floor == pytest.approx(plain.floor, abs=0.01)


# The first frame


def test_an_added_pose_is_taken_off_and_kept_for_writing_back():
    clip = with_pose_in_front(in_file(walking(), "y", 0.01))
    tidied, found = tidy(clip)
    assert found.dropped_first_frame
    assert tidied.nframes == clip.nframes - 1
    back = untidy(tidied)
    assert back.lead_in is not None
    assert np.abs(back.lead_in.rotations - clip.rotations[:1]).max() < ROUNDING
    assert np.abs(back.lead_in.translations - clip.translations[:1]).max() < 1e-9


def test_what_smoothing_has_mixed_with_an_added_pose_goes_with_it():
    """As in three.js's pirouette: a take that starts with the arms whipping out of a T-pose would be thrown into the air."""
    clip = with_pose_in_front(walking())
    mixed = clip.rotations.copy()
    for frame, share in ((1, 0.5), (2, 0.2)):
        mixed[frame] = rotation.slerp(clip.rotations[frame], clip.rotations[0], share)
    tidied, found = tidy(clip.with_(rotations=mixed))
    assert tidied.nframes == clip.nframes - 3
    assert any("first 3 frames" in repair for repair in found.repairs)
    assert np.abs(tidied.rotations - tidy(clip)[0].rotations[2:]).max() < ROUNDING


def test_the_first_frame_stays_or_goes_as_told():
    clip = with_pose_in_front(walking())
    assert tidy(clip, keep_first_frame=True)[0].nframes == clip.nframes
    assert tidy(walking(), keep_first_frame=False)[0].nframes == walking().nframes - 1


def test_a_take_that_starts_in_the_offset_pose_and_moves_out_of_it_is_kept():
    clip = walking(3)
    ease = np.clip(np.arange(clip.nframes) / 30.0, 0.0, 1.0)[:, None]
    eased = rotation.slerp(np.broadcast_to(rotation.IDENTITY, clip.rotations.shape), clip.rotations, ease)
    assert not tidy(clip.with_(rotations=eased))[1].dropped_first_frame


def test_two_frames_are_kept():
    clip = with_pose_in_front(walking())
    two = clip.with_(rotations=clip.rotations[:2], translations=clip.translations[:2])
    assert tidy(two)[0].nframes == 2


# The frame rate


@pytest.mark.parametrize(
    "true, stamped", [(60.0, 120.0), (30.0, 120.0), (120.0, 60.0), (120.0, 30.0), (50.0, 100.0), (24.0, 60.0)]
)
def test_hops_that_do_not_fall_with_gravity_give_the_true_rate(true, stamped):
    tidied, found = tidy(hopping(3, 0.3, fps=true).with_(fps=stamped))
    assert (found.fps, found.stamped_fps, tidied.fps) == (true, stamped, true)
    assert any("--fps" in repair for repair in found.repairs)


@pytest.mark.parametrize("fps", [24.0, 30.0, 60.0, 120.0, 240.0])
def test_a_true_rate_is_left_alone(fps):
    for clip in (hopping(3, 0.3, fps=fps), walking(4, fps=fps)):
        _, found = tidy(clip)
        assert found.fps == fps
        assert not found.warnings


def test_one_small_hop_is_not_enough_to_change_the_rate():
    _, found = tidy(hopping(1, 0.06, fps=60.0).with_(fps=120.0))
    assert found.fps == 120.0
    assert any("frame rate suspect" in warning and "60 fps" in warning for warning in found.warnings)


FOLDS = {"UpLeg": -1.0, "Leg": 2.0, "Foot": -1.0}  # how the joints of a leg share a knee bend, so that the foot stays flat


def test_bouncing_faster_than_gravity_on_both_feet_is_told_but_not_repaired():
    t = np.arange(0, 4.0, 1 / 60)
    bounce = 0.05 * np.cos(2.0 * np.pi * 1.5 * t)
    bend = np.arccos(np.clip(1.0 - (0.06 - bounce) / 0.87, -1.0, 1.0))
    fold = {f"{side}{part}": sign * bend[:, None] * [0.0, 1.0, 0.0] for side in ("Left", "Right") for part, sign in FOLDS.items()}
    clip = person(np.column_stack([0 * t, 0 * t, HIPS_M - 0.06 + bounce]), 60.0, fold)
    _, found = tidy(clip.with_(fps=240.0))
    assert found.fps == 240.0
    assert any("faster than gravity" in warning for warning in found.warnings)


def test_a_handle_that_stands_still_does_not_slow_the_fall():
    _, found = tidy(with_handle(hopping(3, 0.3, fps=60.0)).with_(fps=120.0))
    assert found.fps == 60.0


def test_a_cartoon_that_falls_four_times_too_fast_keeps_its_rate():
    _, found = tidy(hopping(3, 0.3, fps=12.0).with_(fps=24.0))
    assert found.fps == 24.0
    assert any("frame rate suspect" in warning for warning in found.warnings)


def test_a_body_of_unknown_size_gets_no_new_rate():
    _, found = tidy(in_file(hopping(3, 0.3, fps=60.0), "z", 0.55).with_(fps=120.0))
    assert found.fps == 120.0


# Other doubts


def test_doubtful_motion_is_told():
    clip = walking(3)
    popped = clip.rotations.copy()
    popped[70:, 3] = rotation.multiply(rotation.exp([0.0, 2.0, 0.0]), popped[70:, 3])
    stretched = clip.translations.copy()
    stretched[:, clip.skeleton.index("LeftLeg")] *= np.linspace(1.0, 1.1, clip.nframes)[:, None]
    told = " ".join(tidy(clip.with_(rotations=popped, translations=stretched), keep_jumps=True)[1].warnings)
    assert "'LeftArm' turns by up to" in told
    assert "1 bone stretches by more than 2 %; 'LeftLeg' most" in told


def test_a_single_frame_and_a_fixed_root_are_told():
    clip = standing()
    single = clip.with_(rotations=clip.rotations[:1], translations=clip.translations[:1])
    assert any("single frame" in warning for warning in tidy(single)[1].warnings)
    assert any("'Hips' is fixed in place" in warning for warning in tidy(clip)[1].warnings)


def test_odd_frame_rates_are_told():
    assert any("--fps" in warning for warning in tidy(walking().with_(fps=2.0))[1].warnings)


# What the caller says


def test_every_guess_can_be_overruled():
    clip = with_pose_in_front(in_file(walking(), "y", 0.01, floor=0.2))
    tidied, found = tidy(clip, units="inch", up="x", floor=0.5, fps=50.0, keep_first_frame=True)
    assert (found.units, found.up, found.floor, found.fps, found.dropped_first_frame) == ("inch", "x", 0.5, 50.0, False)
    assert tidied.placement.scale == 0.0254
    assert tidied.placement.shift == (0.0, 0.0, -0.5)


def test_units_may_be_a_number_and_the_floor_may_stay_where_the_file_has_it():
    tidied, found = tidy(in_file(walking(), "y", 0.02, floor=0.2), units="0.02", floor="keep")
    assert found.scale == 0.02
    assert tidied.placement.shift == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "override, words",
    [
        ({"units": "yard"}, "did you mean|there are: cm"),
        ({"units": 0.0}, "between 1e-06 and 10000"),
        ({"units": float("nan")}, "between 1e-06 and 10000"),
        ({"up": "w"}, "there are: -x"),
        ({"floor": 5000.0}, "between -1000 and 1000"),
        ({"floor": "ground"}, "neither a height in metres nor 'keep'"),
        ({"fps": 0.0}, "between 0.1 and 10000"),
        ({"fps": float("inf")}, "between 0.1 and 10000"),
    ],
)
def test_impossible_overrides_are_refused_with_the_limits(override, words):
    with pytest.raises(BadInput, match=words):
        tidy(walking(), **override)


def test_findings_are_json():
    _, found = tidy(with_pose_in_front(in_file(hopping(), "y", 0.01)))
    back = json.loads(json.dumps(found.as_json()))
    assert back["units"] == "cm"
    assert back["repairs"]


# Real files; what is expected comes from the README beside them

REAL = {
    "cmu/07_01.bvh": ("cmu", "y", 120, True),
    "cmu/85_05.bvh": ("cmu", "y", 120, True),
    "cmu/90_28.bvh": ("cmu", "y", 120, True),
    "cmu/118_01.bvh": ("cmu", "y", 120, True),
    "cmu/35_22.bvh": ("cmu", "y", 120, True),
    "cmu/09_06.bvh": ("cmu", "y", 120, True),
    "cmu/74_03.bvh": ("cmu", "y", 120, True),
    "cmu/140_07.bvh": ("cmu", "y", 120, True),
    "cmu/75_13.bvh": ("cmu", "y", 60, True),
    "cmu/143_35.bvh": ("cmu", "y", 60, True),
    "three_js/pirouette.bvh": ("cm", "y", 120, True),
    "axis_neuron/displacement.bvh": ("cm", "y", 58.8235, False),
    "axis_neuron/no_displacement.bvh": ("cm", "y", 125, False),
    "axis_neuron/two_frames.bvh": ("cm", "y", 125, False),
    "axis_neuron/frame_time_zero.bvh": ("cm", "y", 30, False),
    "optitrack_arena/louise.bvh": ("cm", "y", 100, False),
    "makehuman/walk1.bvh": ("dm", "z", 24, False),
    "makehuman/benchmark_pose.bvh": ("dm", "z", 24, False),
    "pybvh/z_up_mixed_orders.bvh": ("inch", "z", 30, False),
    "pybvh/xsens_style_yxz.bvh": ("cm", "y", 120, False),
    "bvh_toolbox/walk01.bvh": ("cm", "y", 24, False),
    "pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh": ("inch", "y", 120, False),
    "bandai_namco_NC/dataset-1_walk_normal_001.bvh": ("cm", "y", 30, False),
}


@pytest.mark.parametrize("name", REAL)
def test_real_files_are_understood(mocap, name):
    units, up, fps, dropped = REAL[name]
    clip = read(mocap / name)
    tidied, found = tidy(clip, keep_jumps=True)
    assert (found.units, found.up, found.dropped_first_frame) == (units, up, dropped)
    assert found.fps == pytest.approx(fps, rel=1e-4)
    back = untidy(tidied)
    first = tidied.lead_in.nframes if tidied.lead_in else 0
    assert np.abs(back.translations - clip.translations[first:]).max() < ROUNDING * max(1.0, np.abs(clip.translations).max())
    assert np.abs(back.rotations - clip.rotations[first:]).max() < ROUNDING


@pytest.mark.parametrize("name", ["cmu/74_03.bvh", "cmu/93_03.bvh"])
def test_real_suspects_are_told_but_not_repaired(mocap, name):
    _, found = tidy(read(mocap / name))
    assert found.fps == found.stamped_fps
    assert any("frame rate suspect" in warning for warning in found.warnings)


@pytest.mark.parametrize("name", ["cmu/118_01.bvh", "cmu/35_22.bvh", "cmu/09_06.bvh", "cmu/85_05.bvh", "cmu/104_13.bvh"])
def test_real_jumps_and_runs_at_a_true_rate_are_not_accused(mocap, name):
    assert not [warning for warning in tidy(read(mocap / name))[1].warnings if "frame rate" in warning]


def test_the_raised_floor_of_a_real_fall_is_found_and_told(mocap):
    _, found = tidy(read(mocap / "cmu/90_17.bvh"))
    assert found.floor == pytest.approx(0.19, abs=0.02)
    assert any("floor may not be constant" in warning for warning in found.warnings)
