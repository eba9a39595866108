"""Roles of joints: found by name in every common convention, by shape under any names, and never by accident."""

from __future__ import annotations

import contextlib
import random
import re
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poise.character.role_sides import NOTHING_TELLS
from poise.character.roles import NAMES_CONTRADICT_SHAPE, Roles, find_roles, left_right_pairs
from poise.errors import BadCharacter, PoiseError
from poise.motion.read import read
from poise.motion.skeleton import Skeleton
from poise.motion.tidy import tidy
from skeleton_conventions import CONVENTIONS, DOG_PLACES, PLACES, build

MAIN = (
    "pelvis",
    "head",
    *(f"{s}_{p}" for s in ("left", "right") for p in ("thigh", "shin", "foot", "upper_arm", "forearm", "hand")),
)
POSES = {"T-pose": 0.0, "A-pose": 45.0, "N-pose": 85.0}  # degrees by which the arms hang down
DEEP_IN_SECONDS = 10.0  # a quarter of that on a free core; what matters is that it is not quadratic
SHUFFLED_RIGHT = 0.97  # names that are shuffled may by accident fit; measured 0.99


def named(roles: Roles, skeleton: Skeleton) -> dict[str, str]:
    return {role: skeleton.names[joint] for role, joint in roles.of.items()}


def nameless(skeleton: Skeleton, seed: int = 0) -> Skeleton:
    """The same skeleton under names that mean nothing."""
    numbers = list(range(skeleton.njoints))
    random.Random(seed).shuffle(numbers)
    return replace(skeleton, names=tuple(f"bone_{n:04d}" for n in numbers))


def turned(positions: np.ndarray, degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return positions @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def reordered(skeleton: Skeleton, positions: np.ndarray, seed: int) -> tuple[Skeleton, np.ndarray]:
    """The same skeleton with children in another order."""
    rng, order = random.Random(seed), []
    waiting = [0]
    while waiting:
        order.append(waiting.pop())
        children = skeleton.children(order[-1])
        rng.shuffle(children)
        waiting += children
    new = {old: k for k, old in enumerate(order)}
    parents = tuple(new.get(skeleton.parents[old], -1) for old in order)
    return Skeleton(tuple(skeleton.names[o] for o in order), parents, skeleton.offsets[order]), positions[order]


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_names_of_every_convention_give_the_roles(convention, pose):
    skeleton, positions, expected = build(CONVENTIONS[convention], POSES[pose])
    roles = find_roles(skeleton, positions)
    assert named(roles, skeleton) == expected
    assert roles.doubts == ()


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_shape_alone_gives_the_main_roles(convention, pose):
    skeleton, positions, expected = build(CONVENTIONS[convention], POSES[pose])
    roles = find_roles(nameless(skeleton), positions)
    found = named(roles, skeleton)
    assert {role: found.get(role) for role in MAIN} == {role: expected.get(role) for role in MAIN}
    assert set(roles.how.values()) == {"topology"}


DECORATIONS = {
    "lower case": str.lower,
    "upper case": str.upper,
    "a prefix": "Bob_{}".format,
    "a namespace": "Hero01:{}".format,
    "a suffix": "{}_jnt".format,
    "numbers": lambda name: f"{name}_{len(name):03d}",
    "spaces": lambda name: re.sub(r"[_.-]", " ", name),
    "snake case": lambda name: re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower(),
    "handles all over": "{}_ctrl".format,
}


@pytest.mark.parametrize("decoration", DECORATIONS)
@pytest.mark.parametrize("convention", ["CMU", "ASF", "Mixamo", "Daz Genesis 8", "VRM", "Unreal", "SMPL", "3ds Max Biped"])
def test_decorated_names_still_give_the_roles(convention, decoration):
    skeleton, positions, expected = build(CONVENTIONS[convention])
    decorated = replace(skeleton, names=tuple(DECORATIONS[decoration](name) for name in skeleton.names))
    roles = find_roles(decorated, positions)
    assert named(roles, skeleton) == expected
    assert all(roles.how[role] == "name" for role in MAIN)


@pytest.mark.parametrize("degrees", [30, 90, 200, 315])
@pytest.mark.parametrize("convention", ["CMU", "Unreal", "MakeHuman"])
def test_sides_do_not_depend_on_where_the_body_faces(convention, degrees):
    skeleton, positions, _ = build(CONVENTIONS[convention])
    blind = nameless(skeleton)
    assert find_roles(blind, turned(positions, degrees)).of == find_roles(blind, positions).of


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("convention", ["CMU", "Unreal", "VRM", "Poser"])
def test_the_order_of_joints_in_the_file_does_not_matter(convention, seed):
    skeleton, positions, expected = build(CONVENTIONS[convention], 30.0)
    skeleton, positions = reordered(skeleton, positions, seed)
    assert named(find_roles(skeleton, positions), skeleton) == expected
    found = named(find_roles(nameless(skeleton, seed), positions), skeleton)
    assert {role: found.get(role) for role in MAIN} == {role: expected.get(role) for role in MAIN}


def test_names_hold_where_the_pose_is_nonsense():
    skeleton, _, expected = build(CONVENTIONS["Mixamo"])
    rng = np.random.default_rng(1)
    for positions in (np.zeros((skeleton.njoints, 3)), rng.normal(size=(skeleton.njoints, 3))):
        assert named(find_roles(skeleton, positions), skeleton) == expected


def test_shuffled_names_are_not_believed():
    right = total = 0
    for convention in ("CMU", "Unreal", "VRM", "SMPL", "Xsens", "Poser", "Rigify"):
        skeleton, positions, expected = build(CONVENTIONS[convention], 30.0)
        for seed in range(5):
            names = list(skeleton.names)
            random.Random(seed).shuffle(names)
            roles = find_roles(replace(skeleton, names=tuple(names)), positions)
            right += sum(skeleton.names[roles.of[role]] == expected[role] for role in MAIN if role in roles.of)
            total += len(MAIN)
            assert NAMES_CONTRADICT_SHAPE in roles.doubts or right == total
    assert right >= SHUFFLED_RIGHT * total


def test_spine_runs_from_above_the_pelvis_to_the_joint_that_carries_arms_and_neck():
    skeleton, positions, _ = build(CONVENTIONS["CMU"])
    roles = find_roles(skeleton, positions)
    assert [skeleton.names[j] for j in roles.spine] == ["LowerBack", "Spine", "Spine1"]
    assert [skeleton.names[j] for j in roles.neck] == ["Neck", "Neck1"]


def test_how_tells_names_from_shape():
    skeleton, positions, _ = build(CONVENTIONS["Rigify"])
    how = find_roles(skeleton, positions).how
    assert how["left_thigh"] == "name"
    assert how["head"] == "topology"


TAIL = CONVENTIONS["CMU"] + "\nHips > Tail1@tail_root > Tail2@tail_middle > Tail3@tail_tip"


@pytest.mark.parametrize("blind", [False, True])
def test_a_tail_is_found_by_name_and_by_shape(blind):
    skeleton, positions, _ = build(TAIL)
    roles = find_roles(nameless(skeleton) if blind else skeleton, positions)
    assert [[skeleton.names[j] for j in tail] for tail in roles.tails] == [["Tail1", "Tail2", "Tail3"]]
    assert skeleton.names[roles.of["tail_2"]] == "Tail2"


def test_two_tails_and_a_ponytail_are_two_tails():
    text = TAIL + "\nHips > tail_b.001@tail_root > tail_b.002@tail_middle\nHead > ponytail@hair > ponytail.001@hair_tip"
    skeleton, positions, _ = build(text)
    assert len(find_roles(skeleton, positions).tails) == 2


DOG = """
    root@floor > body@pelvis=pelvis > back@belly > withers@chest=chest > nape@neck=neck > skull@head=head
    body > hind_thigh.{L|R}@hip=thigh > hind_shin.{L|R}@knee=shin > hind_foot.{L|R}@ankle=foot > hind_toe.{L|R}@ball=toe
    withers > front_thigh.{L|R}@shoulder=upper_arm > front_shin.{L|R}@elbow=forearm > front_paw.{L|R}@wrist=hand
    front_paw.{L|R} > front_claw.{L|R}@knuckle
    body > tail.001@tail_root=tail_1 > tail.002@tail_middle=tail_2 > tail.003@tail_tip=tail_3"""


@pytest.mark.parametrize("blind", [False, True])
def test_a_dog_stands_on_its_hind_legs_and_its_front_legs_are_arms(blind):
    skeleton, positions, expected = build(DOG, places=DOG_PLACES)
    roles = find_roles(nameless(skeleton) if blind else skeleton, positions)
    assert named(roles, skeleton) == expected


def test_one_spine_from_the_tip_of_the_tail_to_the_head_is_taken_apart():
    text = """
        spine.003@pelvis > spine.004@pelvis=pelvis > spine.005@belly > spine.006@chest=chest > spine.007@neck=neck
        spine.007 > spine.008@head=head > face@head > eye.{L|R}@head
        spine.003 > spine.002@tail_root=tail_1 > spine.001@tail_middle=tail_2 > spine@tail_tip=tail_3 > feather@tail_tip
        spine.004 > thigh.{L|R}@hip=thigh > shin.{L|R}@knee=shin > foot.{L|R}@ankle=foot > toe.{L|R}@ball=toe
        spine.006 > front_thigh.{L|R}@shoulder=upper_arm > front_shin.{L|R}@elbow=forearm > front_foot.{L|R}@wrist=hand"""
    skeleton, positions, expected = build(text, places=DOG_PLACES)
    assert named(find_roles(skeleton, positions), skeleton) == expected


def test_a_bone_of_two_halves_starts_at_the_first():
    text = CONVENTIONS["Bandai Namco"].replace(
        "UpperLeg_{L|R}@hip=thigh", "UpperLeg01_{L|R}@hip=thigh > UpperLeg02_{L|R}@upper_thigh"
    )
    skeleton, positions, expected = build(text, places=PLACES | {"upper_thigh": (0.025, 0.1, 0.84)})
    assert named(find_roles(skeleton, positions), skeleton) == expected


def test_wings_are_arms_unless_there_are_arms():
    winged = "\nChest > Wing1_{L|R}@collar > Wing2_{L|R}@mid_arm > Wing3_{L|R}@wrist"
    skeleton, positions, expected = build(CONVENTIONS["Bandai Namco"] + winged)
    assert named(find_roles(skeleton, positions), skeleton) == expected
    text = CONVENTIONS["Bandai Namco"].replace("UpperArm_", "Wing1_").replace("LowerArm_", "Wing2_").replace("Hand_", "Wing3_")
    skeleton, positions, expected = build(text)
    assert named(find_roles(skeleton, positions), skeleton) == expected


def test_feet_that_hang_from_the_root_are_found_and_told():
    text = CONVENTIONS["Bandai Namco"].replace(
        "LowerLeg_{L|R}@knee=shin > Foot_{L|R}@ankle=foot > Toes_{L|R}@ball=toe", "LowerLeg_{L|R}@knee=shin"
    )
    text += "\njoint_Root > Foot_{L|R}@ankle=foot\njoint_Root > PoleTarget_{L|R}@knee_front"
    skeleton, positions, expected = build(text)
    for blind in (False, True):
        roles = find_roles(nameless(skeleton) if blind else skeleton, positions)
        assert {r: n for r, n in named(roles, skeleton).items() if r in MAIN} == {r: n for r, n in expected.items() if r in MAIN}
        assert sum("hangs from" in doubt for doubt in roles.doubts) == 2


def test_a_leg_without_a_foot_is_a_clear_error():
    text = CONVENTIONS["Bandai Namco"].replace(" > Foot_{L|R}@ankle=foot > Toes_{L|R}@ball=toe", "")
    skeleton, positions, _ = build(text)
    with pytest.raises(BadCharacter, match=r"'UpperLeg_L' ends at its shin 'LowerLeg_L'.*add a foot joint"):
        find_roles(skeleton, positions)


def test_arms_head_toes_and_clavicles_may_be_missing():
    skeleton, positions, expected = build("""
        Hips@pelvis=pelvis > Spine@chest
        Hips > {Left|Right}UpLeg@hip=thigh > {Left|Right}Leg@knee=shin > {Left|Right}Foot@ankle=foot""")
    roles = find_roles(skeleton, positions)
    assert expected.items() <= named(roles, skeleton).items()
    assert "No arms were found." in roles.doubts


NO_LEGS = {
    "an upper body": "\n".join(line for line in CONVENTIONS["CMU"].splitlines() if "Leg" not in line and "Foot" not in line),
    "one leg": "Hips@pelvis > Spine@waist > Head@head\nHips > LeftUpLeg@hip > LeftLeg@knee > LeftFoot@ankle",
    "a chain": "a@pelvis > b@waist > c@chest > d@head",
    "one joint": "Hips@pelvis",
}


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("kind", NO_LEGS)
def test_a_skeleton_without_two_legs_is_one_line_that_says_so(kind, pose):
    skeleton, positions, _ = build(NO_LEGS[kind], POSES[pose])
    with pytest.raises(BadCharacter, match=r"looked for two like chains of thigh, shin and foot .* found .*; give") as caught:
        find_roles(skeleton, positions)
    assert "\n" not in str(caught.value)


def test_straight_legs_without_toes_leave_the_facing_in_doubt():
    skeleton, positions, _ = build("""
        a@pelvis > b@waist > c@chest > d@neck > e@head
        a > {L|R}f@hip > {L|R}g@knee > {L|R}h@ankle
        c > {L|R}i@shoulder > {L|R}j@elbow > {L|R}k@wrist""")
    positions = positions * [0.0, 1.0, 1.0]
    assert NOTHING_TELLS in find_roles(nameless(skeleton), positions).doubts


def test_tips_of_the_feet_tell_the_facing():
    skeleton, positions, _ = build(CONVENTIONS["OptiTrack Arena"])
    positions = positions * [0.0, 1.0, 1.0]
    feet = [skeleton.names.index(name) for name in ("LeftAnkle", "RightAnkle")]
    ends = tuple((foot, (0.1, 0.0, 0.0)) for foot in feet)
    roles = find_roles(replace(nameless(skeleton), ends=ends), positions, positions[feet] + [0.1, 0.0, 0.0])
    assert NOTHING_TELLS not in roles.doubts
    assert roles.of["left_foot"] == feet[0]


def test_names_that_swap_the_sides_are_believed_with_a_doubt():
    skeleton, positions, expected = build(CONVENTIONS["CMU"])
    roles = find_roles(skeleton, positions * [1.0, -1.0, 1.0])
    assert named(roles, skeleton) == expected
    assert any("names call left" in doubt for doubt in roles.doubts)


def test_left_and_right_joints_are_paired_by_name():
    skeleton, _, _ = build(CONVENTIONS["Unreal"])
    pairs = left_right_pairs(skeleton)
    assert pairs[skeleton.index("thigh_l")] == skeleton.index("thigh_r")
    assert all(pairs[b] == a for a, b in pairs.items())
    assert skeleton.index("pelvis") not in pairs


@pytest.mark.parametrize("kind", ["deep", "wide", "two deep legs"])
def test_ten_thousand_joints_take_seconds(kind):
    n = 10_000
    parents = {
        "deep": [-1, *range(n - 1)],
        "wide": [-1] + [0] * (n - 1),
        "two deep legs": [-1, 0, *range(1, n // 2), 0, *range(n // 2 + 1, n - 1)],
    }
    skeleton = Skeleton(tuple(f"LeftLeg{k}" for k in range(n)), tuple(parents[kind]), np.zeros((n, 3)))
    positions = np.random.default_rng(0).normal(size=(n, 3))
    start = time.perf_counter()
    with contextlib.suppress(BadCharacter):
        find_roles(skeleton, positions)
    assert time.perf_counter() - start < DEEP_IN_SECONDS


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_tree_gives_roles_or_a_clear_error(data):
    n = data.draw(st.integers(1, 40))
    words = [
        "Left",
        "Right",
        "L_",
        "Leg",
        "UpLeg",
        "Foot",
        "Arm",
        "Hand",
        "Hips",
        "Head",
        "Spine",
        "Tail",
        "IK",
        "x",
        ":",
        "左",
        "7",
    ]
    names = tuple("".join(data.draw(st.lists(st.sampled_from(words), max_size=3))) for _ in range(n))
    parents = (-1, *(data.draw(st.integers(0, k - 1)) for k in range(1, n)))
    positions = np.random.default_rng(data.draw(st.integers(0, 99))).normal(size=(n, 3)) * data.draw(
        st.sampled_from([0.0, 1.0, 1e6])
    )
    try:
        roles = find_roles(Skeleton(names, parents, np.zeros((n, 3))), positions)
    except BadCharacter:
        return
    assert all(0 <= joint < n for joint in roles.of.values())
    assert {"pelvis", "left_thigh", "right_thigh", "left_shin", "right_shin", "left_foot", "right_foot"} <= roles.of.keys()


NOT_A_BODY = ("long_frame_time.bvh", "rotation_first_root.bvh")  # hand-written parser fixtures


def upright_frames(clip, roles, count=3):
    """Frames in which the head is high above the pelvis and both feet well below it."""
    z = clip.world_positions[:, :, 2]
    rise = z[:, roles.of["head"]] - z[:, roles.of["pelvis"]]
    drop = z[:, roles.of["pelvis"]] - np.maximum(z[:, roles.of["left_foot"]], z[:, roles.of["right_foot"]])
    good = np.flatnonzero((rise > 0.85 * rise.max()) & (drop > 0.75 * drop.max()))
    return good[np.linspace(0, len(good) - 1, count).astype(int)]


def test_shape_alone_agrees_with_names_on_upright_frames_of_real_clips(mocap):
    wrong = []
    for path in sorted(mocap.rglob("*.bvh")):
        if path.name in NOT_A_BODY:
            continue
        clip, _ = tidy(read(path))
        roles = find_roles(clip.skeleton, clip.world_positions[0])
        assert set(MAIN) <= roles.of.keys(), path.name
        assert all(roles.how[role] == "name" for role in MAIN), path.name
        for frame in upright_frames(clip, roles):
            blind = find_roles(nameless(clip.skeleton), clip.world_positions[frame], clip.end_positions()[frame])
            wrong += [(path.name, int(frame), role) for role in MAIN if blind.of.get(role) != roles.of[role]]
    # The one pose of this file squats with its knees apart and shows no facing.
    assert [w for w in wrong if w[0] != "benchmark_pose.bvh"] == []


def test_clips_that_show_no_body_say_so(mocap):
    for name in NOT_A_BODY:
        clip = read(mocap / "pybvh" / name)
        with pytest.raises(PoiseError):
            find_roles(clip.skeleton, clip.world_positions[0])


RIGS = {
    "CesiumMan.glb": {
        "pelvis": "Skeleton_torso_joint_1",
        "left_thigh": "leg_joint_L_1",
        "right_hand": "Skeleton_arm_joint_R__3_",
    },
    "RiggedFigure.glb": {"pelvis": "torso_joint_1", "head": "neck_joint_2", "left_foot": "leg_joint_L_3"},
    "Fox.glb": {"pelvis": "b_Hip_01", "left_foot": "b_LeftFoot01_017", "tail_1": "b_Tail01_012", "head": "b_Head_05"},
    "Casual_man.glb": {"pelvis": "Hips", "chest": "Chest", "left_clavicle": "Shoulder.L", "left_hand": "Hand.L"},
    "RobotExpressive.glb": {"pelvis": "Body", "left_foot": "Foot.L", "right_forearm": "LowerArm.R", "head": "Head"},
    "Velociraptor.glb": {
        "pelvis": "Body",
        "left_foot": "BackFoot.L",
        "left_hand": "FrontFoot.L",
        "tail_5": "Tail5",
        "head": "Head",
    },
}


@pytest.mark.parametrize("rig", RIGS)
def test_real_rigs_have_their_roles(rigs, rig):
    clip = read(next(rigs.rglob(rig)))
    up = clip.world_positions[0] @ np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # glTF is Y-up
    found = named(find_roles(clip.skeleton, up), clip.skeleton)
    assert RIGS[rig].items() <= found.items()
