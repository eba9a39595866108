"""The shipped clips: a human could do them, a physical character can stand on them, and they are alive."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from plausibility import SIDES, Performance
from poise import rotation
from poise.errors import BadInput
from poise.motion import library
from poise.motion.tidy import tidy
from poise.simulation import build_reference

REPOSITORY = Path(__file__).resolve().parent.parent
NAMES = (
    "bow",
    "dance",
    "front_kick",
    "ginga",
    "march",
    "one_leg_balance",
    "punch",
    "reach",
    "squat",
    "stand",
    "walk",
    "walk_in_place",
    "weight_shift",
)
LOOPS = ("dance", "ginga", "march", "stand", "walk", "walk_in_place")
QUIET = ("bow", "one_leg_balance", "reach", "squat", "stand", "weight_shift")  # slow enough that gravity is nearly all
ONCE = tuple(name for name in NAMES if name not in LOOPS)  # from the relaxed stand and back to it

LARGEST_FILE = 300_000  # bytes; the package stays small
WRITTEN_DECIMAL = 1.1e-4  # degrees or centimetres: another machine's sine may turn the last digit over
BELOW_FLOOR_M = 0.001
FLAT_M = 0.001  # a sole whose points are all lower is meant to be flat
FLAT_TILT_DEG = 0.5
FLAT_SLIDE_M = 0.002
ZMP_OUTSIDE_M = 0.02  # friction and a soft sole forgive that much
HUMAN_SPEED_M_S = 8.0  # of hands and feet; a trained punch or kick
POP_RAD_S = 7.0  # change of a joint's speed within a frame; a knee that is caught before heel strike takes 5
PUNCH_POP_RAD_S = 15.0  # an elbow that stops at the end of a cross
END_POSE_DEG = 0.5
DRY_FRICTION = 0.6  # of a rubber sole

# Degrees that people without injuries reach (American Academy of Orthopaedic Surgeons, rounded up).
KNEE_DEG = (2.0, 140.0)
ELBOW_DEG = (5.0, 150.0)
ANKLE_UP_DEG, ANKLE_DOWN_DEG = 40.0, 55.0
LARGEST_BEND_DEG = {"Spine": 40.0, "Spine1": 40.0, "Neck": 40.0, "Head": 40.0, "LeftToeBase": 75.0, "RightToeBase": 75.0}


@cache
def performance(name: str) -> Performance:
    return Performance(build_reference(name)[0])


def each(names=NAMES):
    return pytest.mark.parametrize("name", names)


def test_the_thirteen_clips_are_there():
    assert library.names() == NAMES


def test_an_unknown_clip_is_told_with_the_nearest_name():
    with pytest.raises(BadInput, match=r"unknown clip 'wlak'; did you mean 'walk'\? \(there are: bow, dance"):
        library.load("wlak")


def test_a_name_is_not_a_way_out_of_the_library():
    with pytest.raises(BadInput, match="unknown clip"):
        library.path("../library/walk")


@each()
def test_a_clip_is_a_small_file_of_three_to_eight_seconds(name):
    clip = library.load(name)
    assert library.path(name).stat().st_size < LARGEST_FILE
    assert clip.name == name
    assert clip.fps == 60.0
    assert 3.0 <= clip.duration <= 8.0


@each()
def test_tidying_finds_nothing_to_doubt(name):
    _, found = tidy(library.load(name))
    assert (found.units, found.up, found.fps, found.dropped_first_frame) == ("cm", "y", 60.0, False)
    assert found.warnings == ()
    assert abs(found.floor) < BELOW_FLOOR_M


def test_the_body_has_human_proportions():
    clip, _ = tidy(library.load("stand"))
    length = {n: float(np.linalg.norm(o)) for n, o in zip(clip.skeleton.names, clip.skeleton.offsets, strict=True)}
    height = 1.75
    assert length["LeftLeg"] / height == pytest.approx(0.245, abs=0.002)  # Drillis and Contini, share of the height
    assert length["LeftFoot"] / height == pytest.approx(0.246, abs=0.002)
    assert length["LeftForeArm"] / height == pytest.approx(0.186, abs=0.002)
    assert length["LeftHand"] / height == pytest.approx(0.146, abs=0.002)
    top = clip.end_positions()[:, 0, 2].max()
    assert height - 0.05 < top < height


@each()
def test_feet_never_sink_into_the_floor(name):
    assert performance(name).soles[..., 2].min() > -BELOW_FLOOR_M


@each()
def test_some_foot_always_stands(name):
    p = performance(name)
    assert np.isfinite(p.off_support_m(p.com[:, :2])).all()


@each()
def test_a_flat_foot_is_level_and_stays_where_it_is(name):
    p = performance(name)
    flat = (p.soles[..., 2] < FLAT_M).all(axis=2)
    assert flat.any(axis=0).all()
    assert p.sole_tilt_deg[flat].max() < FLAT_TILT_DEG
    for foot in range(2):
        for begin, end in runs(flat[:, foot]):
            assert np.ptp(p.soles[begin:end, foot], axis=0).max() < FLAT_SLIDE_M


@each(QUIET)
def test_the_centre_of_mass_of_a_quiet_clip_is_over_the_feet(name):
    p = performance(name)
    assert p.off_support_m(p.com[:, :2]).max() == 0.0


@each()
def test_the_ground_can_hold_the_motion_through_the_soles(name):
    p = performance(name)
    assert p.off_support_m(p.zmp).max() < ZMP_OUTSIDE_M


@each()
def test_the_feet_do_not_slip_and_the_body_does_not_fly(name):
    p = performance(name)
    push = np.gradient(np.gradient(p.com, 1 / 60, axis=0), 1 / 60, axis=0) + np.array([0.0, 0.0, 9.81])
    assert push[:, 2].min() > 0.3 * 9.81
    assert (np.linalg.norm(push[:, :2], axis=1) / push[:, 2]).max() < DRY_FRICTION


@each()
def test_knees_and_elbows_bend_their_own_way_and_never_lock(name):
    p = performance(name)
    for side in SIDES:
        # A knee turns about the axis that points left (x) in its own frame; its shin goes back.
        knee = np.degrees(rotation.log(p.clip.rotations[:, p.clip.skeleton.index(f"{side}Leg")]))
        assert KNEE_DEG[0] < knee[:, 0].min()
        assert knee[:, 0].max() < KNEE_DEG[1]
        assert np.abs(knee[:, 1:]).max() < 0.1
        elbow = between_deg(p, f"{side}Arm", f"{side}ForeArm", f"{side}Hand")
        assert ELBOW_DEG[0] < elbow.min()
        assert elbow.max() < ELBOW_DEG[1]


@each()
def test_joints_stay_within_what_people_can_do(name):
    p = performance(name)
    for joint, limit in LARGEST_BEND_DEG.items():
        assert p.bend_deg(joint).max() < limit, joint
    for side in SIDES:
        ankle = np.degrees(rotation.log(p.clip.rotations[:, p.clip.skeleton.index(f"{side}Foot")]))[:, 0]
        assert ankle.min() > -ANKLE_UP_DEG
        assert ankle.max() < ANKLE_DOWN_DEG


@each()
def test_no_joint_pops(name):
    speed = rotation.angular_velocity(performance(name).clip.rotations, 60.0)
    limit = PUNCH_POP_RAD_S if name == "punch" else POP_RAD_S
    assert np.linalg.norm(np.diff(speed, axis=0), axis=-1).max() < limit


@each()
def test_hands_and_feet_move_at_human_speed(name):
    p = performance(name)
    for joint in ("LeftHand", "RightHand", "LeftFoot", "RightFoot"):
        assert speed_of(p.joint(joint)).max() < HUMAN_SPEED_M_S


@each(LOOPS)
def test_a_loop_ends_as_it_begins_and_moves_on_at_the_same_speed(name):
    clip = performance(name).clip
    assert np.degrees(rotation.angle_between(clip.rotations[0], clip.rotations[-1])).max() < 0.01
    root = clip.translations[:, 0]
    assert abs(root[0, 2] - root[-1, 2]) < 1e-5
    assert np.linalg.norm((root[1] - root[0]) - (root[-1] - root[-2])) < 0.003  # m; half a frame's change at 0.15 g


@each(ONCE)
def test_other_clips_begin_and_end_at_rest_in_the_same_stand(name):
    clip, stand = performance(name).clip, performance("bow").clip
    for frame in (0, -1):
        assert np.degrees(rotation.angle_between(clip.rotations[frame], stand.rotations[0])).max() < END_POSE_DEG
        assert np.linalg.norm(clip.translations[frame, 0] - stand.translations[0, 0]) < 0.002
    assert speed_of(performance(name).com)[[0, -1]].max() < 0.02


@each()
def test_nothing_is_frozen_and_sides_differ(name):
    p = performance(name)
    for joint in ("Spine", "Spine1", "Head", "LeftArm", "RightArm", "LeftHand", "RightHand"):
        assert np.ptp(p.clip.rotations[:, p.clip.skeleton.index(joint)], axis=0).max() > np.radians(0.4), joint
    elbows = [between_deg(p, f"{side}Arm", f"{side}ForeArm", f"{side}Hand") for side in SIDES]
    assert abs(np.sort(elbows[0]) - np.sort(elbows[1])).max() > 1.0  # degrees


def test_the_walk_has_the_figures_of_a_walk():
    p = performance("walk")
    travel = np.linalg.norm(np.ptp(p.com[:, :2], axis=0))
    assert 1.15 < travel / p.clip.duration < 1.3
    assert 0.025 < np.ptp(p.com[:, 2]) < 0.05
    assert 0.025 < np.ptp(p.com[:, 0]) < 0.05  # it faces -y
    on_floor = (p.soles[..., 2] < 0.005).any(axis=2) & (p.sole_speed < 0.3)
    assert on_floor[:-1].mean() == pytest.approx(0.61, abs=0.03)


def test_the_walk_lands_on_the_heel_and_leaves_from_the_toes():
    p = performance("walk")
    for foot in range(2):
        heel, toe = p.soles[:, foot, 0, 2], p.soles[:, foot, 2, 2]
        standing = (p.soles[:, foot, :, 2] < 0.005).any(axis=1)
        inner = [(a, b) for a, b in runs(standing) if a > 0 and b < len(standing)]
        assert inner
        for begin, end in inner:
            assert toe[begin] > heel[begin] + 0.03
            assert heel[end - 1] > toe[end - 1] + 0.08


@each(("walk", "walk_in_place", "march"))
def test_arms_swing_against_the_legs(name):
    p = performance(name)
    for side in SIDES:
        foot, hand = (p.joint(f"{side}{part}")[:, 1] - p.joint("Hips")[:, 1] for part in ("UpLeg", "Hand"))
        knee = p.joint(f"{side}Leg")[:, 1] - p.joint("Hips")[:, 1]
        assert np.corrcoef(knee, hand)[0, 1] < -0.4
        assert np.ptp(foot) < 0.1


def test_the_punches_are_three_and_fast():
    p = performance("punch")
    for side, count in (("Left", 2), ("Right", 1)):
        fist = speed_of(p.joint(f"{side}Hand") - p.joint("Neck"))
        assert 4.0 < fist.max() < HUMAN_SPEED_M_S
        reaches = runs(fist > 2.8)
        bursts = sum(1 for (_, end), (begin, _) in pairwise([(0, -60), *reaches]) if begin - end > 18)
        assert bursts == count


def test_the_kick_goes_over_the_hips_and_snaps():
    p = performance("front_kick")
    foot = p.joint("RightToeBase")
    assert foot[:, 2].max() > 0.95
    assert speed_of(foot).max() > 5.0


def test_the_generator_writes_the_shipped_clips(tmp_path, monkeypatch):
    if not (REPOSITORY / "tools" / "author_clips").is_dir():
        pytest.skip("no generator beside the tests")
    monkeypatch.syspath_prepend(str(REPOSITORY))
    from tools.author_clips.__main__ import main

    main(tmp_path)
    for name in NAMES:
        again, shipped = ((folder / f"{name}.bvh").read_text() for folder in (tmp_path, library.path(name).parent))
        assert words(again) == words(shipped)
        assert np.abs(numbers(again) - numbers(shipped)).max() < WRITTEN_DECIMAL


def runs(mask):
    """Stretches (begin, end) of a mask; end is exclusive."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def speed_of(path):
    return np.linalg.norm(np.gradient(path, 1 / 60, axis=0), axis=-1)


def between_deg(p, start, middle, end):
    """Bend at the middle joint, 0 when straight."""
    a, b = p.joint(middle) - p.joint(start), p.joint(end) - p.joint(middle)
    cosine = np.sum(a * b, axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    return np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


def words(text):
    return re.findall(r"[A-Za-z]\w*", text)


def numbers(text):
    return np.array(re.findall(r"-?\d+\.\d+", text), float)
