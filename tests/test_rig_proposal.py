"""A character from a rig: roles, axes and size of any rig, boxes and masses of its flesh, and what is unsure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise import rotation
from poise.character.anthropometry import BODY_MASS, DENSITY
from poise.character.character import Box
from poise.character.rig.doubts import FOUR_LEGS
from poise.character.rig.fitting import Body
from poise.character.rig.masses import like_a_human
from poise.character.rig.placing import place
from poise.character.rig.proposal import propose
from poise.character.rig.rig import load_rig
from poise.character.skin import bind_pose
from poise.character.toml import load_character, to_toml, write_character
from poise.errors import BadInput
from poise.motion.skeleton import Skeleton
from rig_files import make_rig
from skeleton_conventions import CONVENTIONS, DOG_PLACES, PLACES, build

MAIN = tuple(f"{s}_{p}" for s in ("left", "right") for p in ("thigh", "shin", "foot", "upper_arm", "forearm", "hand"))
VARIANTS = (
    {},
    {"up": "z"},
    {"scale": 100.0},
    {"armature_scale": 0.01, "posed_deg": 20.0},
    {"up": "-y", "scale": 0.05},
    {"up": "x"},
)
HEIGHTS = (1.6, 2.0)  # metres: the body of the conventions is 1.78 m tall, with flesh around the joints
GRID = 0.1  # relative: volumes are sampled on a grid, and where boxes meet they share them
ROUNDED = 2e-5  # metres: proposals are rounded to a hundredth of a millimetre

# A bird: thighs forward, shins back, knees that bend backward seen from the side; a tail; feet that are left-over handles.
BIRD = [
    ("root", None, (0.0, 0.0, 0.0)),
    ("Body", "root", (0.0, 0.0, 1.0)),
    ("Tail1", "Body", (-0.2, 0.0, 1.0)),
    ("Tail2", "Tail1", (-0.5, 0.0, 1.02)),
    ("Tail3", "Tail2", (-0.8, 0.0, 1.05)),
    ("Torso", "Body", (0.2, 0.0, 1.05)),
    ("Neck", "Torso", (0.5, 0.0, 1.2)),
    ("Head", "Neck", (0.65, 0.0, 1.5)),
    *((f"UpperArm.{s}", "Torso", (0.4, y * 0.15, 1.05)) for s, y in (("L", 1), ("R", -1))),
    *((f"LowerArm.{s}", f"UpperArm.{s}", (0.42, y * 0.17, 0.9)) for s, y in (("L", 1), ("R", -1))),
    *((f"Hand.{s}", f"LowerArm.{s}", (0.55, y * 0.16, 0.85)) for s, y in (("L", 1), ("R", -1))),
    *((f"UpperLeg.{s}", "Body", (0.0, y * 0.15, 0.95)) for s, y in (("L", 1), ("R", -1))),
    *((f"LowerLeg.{s}", f"UpperLeg.{s}", (-0.25, y * 0.15, 0.5)) for s, y in (("L", 1), ("R", -1))),
    *((f"Foot.{s}", "root", (-0.02, y * 0.15, 0.06)) for s, y in (("L", 1), ("R", -1))),
    *((f"PoleTarget.{s}", "root", (1.2, y * 0.15, 0.5)) for s, y in (("L", 1), ("R", -1))),
]


def tree(joints) -> tuple[Skeleton, np.ndarray]:
    """A skeleton in depth-first order of (name, parent, place)."""
    order: list[tuple] = []

    def visit(joint):
        order.append(joint)
        for child in (j for j in joints if j[1] == joint[0]):
            visit(child)

    visit(joints[0])
    names = [name for name, *_ in order]
    parents = tuple(-1 if p is None else names.index(p) for _, p, _ in order)
    positions = np.array([at for *_, at in order])
    return Skeleton(tuple(names), parents, positions), positions


@pytest.fixture
def file(tmp_path):
    """Writes a rig and returns its path."""

    def write(skeleton, positions, name="rig.glb", **options):
        path = tmp_path / name
        path.write_bytes(make_rig(skeleton, positions, **options).glb())
        return path

    return write


@pytest.fixture
def human(file):
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"])
    return file(skeleton, positions)


@pytest.fixture
def bird(file):
    return file(*tree(BIRD))


# --- roles, axes, size ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_rigs_of_every_naming_convention_stand_upright_face_forward_and_have_their_limbs(file, convention):
    variant = list(CONVENTIONS).index(convention) % len(VARIANTS)
    skeleton, positions, roles = build(CONVENTIONS[convention], arm_deg=(0.0, 45.0, 80.0)[variant % 3])
    placed = place(load_rig(file(skeleton, positions, seed=variant, **VARIANTS[variant])))
    found = {role: placed.rig.names[joint] for role, joint in placed.roles.of.items()}
    assert {role: name for role, name in found.items() if role in MAIN} == {r: n for r, n in roles.items() if r in MAIN}
    assert HEIGHTS[0] < placed.height < HEIGHTS[1]
    at = placed.positions - placed.positions[0]
    wanted = positions - positions[0]
    size = placed.height / np.ptp(placed.vertices[:, 2])
    assert np.abs(at / np.ptp(at[:, 2]) - size * wanted / np.ptp(wanted[:, 2])).max() < 1e-3


def test_a_rig_without_names_is_understood_by_its_shape(file):
    skeleton, positions, roles = build(CONVENTIONS["Mixamo"])
    silent = replace(skeleton, names=tuple(f"bone_{k:03d}" for k in range(skeleton.njoints)))
    placed = place(load_rig(file(silent, positions)))
    for role in MAIN:
        assert placed.roles.of[role] == skeleton.index(roles[role]), role


def test_names_with_left_and_right_exchanged_give_way_to_the_feet(file):
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"])
    swap = {"Left": "Right", "Right": "Left"}
    names = tuple(next((n.replace(a, b) for a, b in swap.items() if a in n), n) for n in skeleton.names)
    proposal = propose(file(replace(skeleton, names=names), positions))
    assert proposal.bones["left_thigh"] == "mixamorig:RightUpLeg" and proposal.resting.human
    placed = proposal.placed
    assert np.abs(placed.positions[:, 0] - placed.scale * positions[:, 0]).max() < 0.01  # it faces forward
    assert any("the sides were exchanged" in doubt for doubt in proposal.doubts)


def test_given_height_and_up_overrule_what_would_be_found(human):
    placed = place(load_rig(human), height=1.2, up="y")
    assert placed.height == pytest.approx(1.2)
    with pytest.raises(BadInput, match="up axis 'w' unknown"):
        place(load_rig(human), up="w")
    with pytest.raises(BadInput, match="height 90 m must lie between"):
        place(load_rig(human), height=90.0)


# --- rest pose --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arm_deg", [0.0, 45.0, 80.0])
def test_a_human_rests_with_arms_and_legs_straight_down_however_it_was_bound(file, arm_deg):
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"], arm_deg)
    character = propose(file(skeleton, positions)).character
    at = dict(zip(character.names, character.joints, strict=True))
    for above, below in (("upper_arm", "forearm"), ("forearm", "hand"), ("thigh", "shin"), ("shin", "foot")):
        for side in ("left", "right"):
            bone = at[f"{side}_{below}"] - at[f"{side}_{above}"]
            assert np.abs(bone[:2]).max() < 1e-4 and bone[2] < 0.0
    soles = [s.joint[2] + s.box.center[2] - 0.5 * s.box.size[2] for s in character.segments if s.name in character.feet]
    assert min(soles) == pytest.approx(0.0, abs=ROUNDED)


def test_the_bind_pose_can_be_had_from_the_character_alone(human):
    proposal = propose(human)
    character, placed = proposal.character, proposal.placed
    turns, joints = bind_pose(character, character.skin)
    for k, group in enumerate(proposal.resting.groups):
        assert joints[k] - character.skin.shift == pytest.approx(placed.positions[group.anchor], abs=10 * ROUNDED)
    down = rotation.rotate(turns[character.index("left_forearm")], [0.0, 0.0, -1.0])
    assert down == pytest.approx([0.0, 1.0, 0.0], abs=1e-3)  # a T-pose: the left arm points left


def test_a_creature_rests_as_it_was_bound(bird):
    proposal = propose(bird)
    character = proposal.character
    assert not proposal.resting.human
    at = dict(zip(character.names, character.joints, strict=True))
    knee = at["left_shin"] - at["left_thigh"]
    assert knee / np.linalg.norm(knee) == pytest.approx(np.array([-0.25, 0.0, -0.45]) / np.hypot(0.25, 0.45), abs=1e-3)


# --- segments and limbs -----------------------------------------------------------------------------------------------


def test_feet_that_hang_under_the_root_are_put_back_on_their_shins(bird):
    proposal = propose(bird)
    parents = {s.name: s.parent for s in proposal.character.segments}
    assert parents["left_foot"] == "left_shin" and proposal.bones["left_foot"] == "Foot.L"
    assert any("'Foot.L' hangs from 'root'" in doubt for doubt in proposal.doubts)


def test_tails_are_free_legs_carry_arms_and_neck_follow(bird):
    limbs = {limb.name: limb for limb in propose(bird).character.limbs}
    assert limbs["tail"].kind == "free" and limbs["tail"].segments == ("tail_1", "tail_2", "tail_3")
    assert limbs["left_leg"].kind == "support" and limbs["left_leg"].segments == ("left_thigh", "left_shin", "left_foot")
    assert limbs["right_arm"].kind == "targeted" and limbs["head"].segments == ("neck_1", "head")


def test_pole_targets_and_roots_move_nothing(bird):
    parts = propose(bird).character.skin.parts
    moved = {node for part in parts for node in part.nodes}
    assert not moved & {"PoleTarget.L", "PoleTarget.R", "root"}


# --- flesh ------------------------------------------------------------------------------------------------------------


def test_masses_are_the_volumes_of_the_flesh(bird):
    character = propose(bird).character
    bone = float(np.hypot(0.25, 0.45))
    thick = min(0.12, 0.35 * bone + 0.02)
    thigh = character.segments[character.index("left_thigh")]
    assert thigh.mass == pytest.approx(DENSITY * thick**2 * bone * _size(bird) ** 3, rel=GRID)
    assert thigh.box.size == pytest.approx(np.array([thick, thick, bone]) * _size(bird), rel=0.1)
    middle = 0.5 * np.array([-0.25, 0.0, -0.45]) * _size(bird)
    assert thigh.com == pytest.approx(middle, abs=0.02) and thigh.box.center == pytest.approx(middle, abs=0.02)


def _size(path) -> float:
    return place(load_rig(path)).scale


def test_helpers_beside_the_body_ride_with_the_nearest_segment(file):
    """Bones that correct the flesh of a knee hang under the root; flesh that they carry must not stay with the pelvis."""
    text = CONVENTIONS["Bandai Namco"] + "\njoint_Root > DEF-knee-helper_{L|R}@knee > kneecap_{L|R}@knee_cap"
    skeleton, positions, _ = build(text, places=PLACES | {"knee_cap": (0.06, 0.09, 0.5)})
    found = propose(file(skeleton, positions))
    for side, mark in (("left", "L"), ("right", "R")):
        owner = found.resting.owner[found.placed.rig.names.index(f"kneecap_{mark}")]
        assert found.resting.names[owner] in (f"{side}_thigh", f"{side}_shin")


def test_four_legs_are_told_whatever_the_legs_look_like(file):
    text = """
        root@floor > body@pelvis > back@belly > withers@chest > nape@neck > skull@head
        body > thigh.{L|R}@hip > shin.{L|R}@knee > foot.{L|R}@ankle > toe.{L|R}@ball
        withers > front_thigh.{L|R}@shoulder > front_shin.{L|R}@elbow > front_paw.{L|R}@wrist > front_claw.{L|R}@knuckle"""
    straight = {"hip": (0.0, 0.07, 0.52), "knee": (0.0, 0.08, 0.3), "ankle": (0.0, 0.08, 0.08)}  # as an elephant's
    for places in (DOG_PLACES, DOG_PLACES | straight):
        found = propose(file(*build(text, places=places)[:2]))
        assert not found.resting.human
        assert FOUR_LEGS in found.doubts


def test_a_creature_on_two_legs_is_not_told_to_have_four(bird):
    assert FOUR_LEGS not in propose(bird).doubts


def test_parts_that_reach_far_out_are_lighter_and_a_whole_that_no_human_weighs_is_not_believed():
    """A head as large as a balloon, on long arms: what counts for the joints is the moment."""
    names = ["pelvis", "chest", "head", "left_forearm"]
    box = Box((0.0, 0.0, 0.0), (0.2, 0.2, 0.2))

    def kept(lever: float, head: float = 40.0) -> list[float]:
        coms = [(0.0, 0.0, 0.1), (0.0, 0.0, 0.1), (0.0, 0.0, lever), (0.0, 0.0, -0.1)]
        masses = [20.0, 20.0, head, 2.0]
        bodies = [Body(box, m, com, (1.0, 1.0, 1.0)) for m, com in zip(masses, coms, strict=True)]
        return [body.mass for body in like_a_human(names, bodies, 1.75)[0]]

    near, far = kept(0.17), kept(0.51)
    assert far[2] / sum(far) == pytest.approx(near[2] / sum(near) / 3.0, rel=0.2)
    assert sum(kept(0.17, head=2000.0)) == pytest.approx(BODY_MASS)
    assert sum(near) > 1.05 * BODY_MASS  # while this may be a heavy one


def test_the_mass_can_be_given(human):
    assert propose(human, mass=64.0).character.mass == pytest.approx(64.0, rel=1e-4)
    with pytest.raises(BadInput, match="mass"):
        propose(human, mass=0.0)


def test_an_open_mesh_is_told_and_gets_masses_from_boxes(file, tmp_path):
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"])
    made = make_rig(skeleton, positions)
    primitive = made.json["meshes"][0]["primitives"][0]
    accessor = made.json["accessors"][primitive["indices"]]
    start = made.json["bufferViews"][accessor["bufferView"]]["byteOffset"]
    corners = np.frombuffer(made.buffer, "<u2", accessor["count"], start).reshape(-1, 12, 3)
    primitive["indices"] = made.accessor(corners[:, :7].ravel())
    path = tmp_path / "open.glb"
    path.write_bytes(made.glb())
    proposal = propose(path)
    assert any("The mesh is open" in doubt for doubt in proposal.doubts)
    assert 20.0 < proposal.character.mass < 200.0


def test_a_rig_without_a_mesh_gets_a_humans_body(file):
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"])
    proposal = propose(file(skeleton, positions, mesh=False))
    assert proposal.character.mass == pytest.approx(72.0)
    assert "The rig has no mesh" in proposal.doubts[-1]


def test_left_and_right_weigh_the_same(human):
    character = propose(human).character
    for side in ("thigh", "shin", "foot", "upper_arm", "forearm", "hand"):
        left, right = (character.segments[character.index(f"{s}_{side}")] for s in ("left", "right"))
        assert left.mass == pytest.approx(right.mass) and left.box.size == pytest.approx(right.box.size)


# --- files ------------------------------------------------------------------------------------------------------------


def test_a_character_file_keeps_the_rig(human, tmp_path):
    character = propose(human).character
    (tmp_path / "sub").mkdir()
    write_character(character, tmp_path / "sub" / "human.toml")
    text = (tmp_path / "sub" / "human.toml").read_text()
    assert 'file = "../rig.glb"' in text
    back = load_character(tmp_path / "sub" / "human.toml")
    assert back.skin.parts == tuple(replace(p, turn=b.turn) for p, b in zip(character.skin.parts, back.skin.parts, strict=True))
    for mine, theirs in zip(character.skin.parts, back.skin.parts, strict=True):
        assert mine.turn == pytest.approx(theirs.turn, abs=1e-7)
    assert back.skin.sha256 == character.skin.sha256 and back.skin.scale == pytest.approx(character.skin.scale)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("[rig]\nfile = 3", "file must be the name"),
        ('[rig]\nfile = "a.glb"\nsize = 3', "unknown key 'size'"),
        ('[rig]\nfile = "a.glb"\nscale = 0', "must be greater than zero"),
        ('[rig]\nfile = "a.glb"\nshift = [1, 2]', "shift must be three numbers"),
        ('rig = "a.glb"', "must be a table"),
    ],
)
def test_a_wrong_rig_table_is_told(human, tmp_path, line, problem):
    text = to_toml(replace(propose(human).character, skin=None))
    path = tmp_path / "wrong.toml"
    path.write_text(f"{line}\n{text}" if line.startswith("rig") else f"{text}\n{line}\n")
    with pytest.raises(BadInput, match=problem):
        load_character(path)


# --- real rigs --------------------------------------------------------------------------------------------------------

REAL = {
    "Velociraptor": ("creature", "BackUpLeg.L", "BackLowLeg.L", "BackFoot.L", "FrontUpLeg.L", "FrontLowLeg.L", "Neck", 5),
    "CesiumMan": ("human", "leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3", "Skeleton_arm_joint_L__4_",
                  "Skeleton_arm_joint_L__3_", "Skeleton_neck_joint_1", 0),
    "RiggedFigure": ("human", "leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3", "arm_joint_L_1", "arm_joint_L_2",
                     "neck_joint_1", 0),
    "Casual_man": ("human", "UpperLeg.L", "LowerLeg.L", "Foot.L", "UpperArm.L", "LowerArm.L", "Neck", 0),
    "RobotExpressive": ("human", "UpperLeg.L", "LowerLeg.L", "Foot.L", "UpperArm.L", "LowerArm.L", "Neck", 0),
}  # fmt: skip


@pytest.mark.parametrize("rig", REAL)
def test_real_rigs_become_characters_with_the_right_limbs(rigs, rig):
    kind, thigh, shin, foot, upper, fore, neck, ntails = REAL[rig]
    proposal = propose(next(rigs.rglob(f"{rig}.glb")))
    bones, character = proposal.bones, proposal.character
    assert proposal.resting.human == (kind == "human")
    left = [bones[f"left_{part}"] for part in ("thigh", "shin", "foot", "upper_arm", "forearm")]
    assert left == [thigh, shin, foot, upper, fore]
    assert bones["head" if kind == "human" else "neck_1"] == neck
    assert sum(name.startswith("tail") for name in character.names) == ntails
    for s in character.segments:  # symmetric, on the floor, facing +x
        if s.name in character.feet:
            assert s.box.center[0] > 0.0 and s.joint[2] + s.box.center[2] - 0.5 * s.box.size[2] == pytest.approx(0.0, abs=0.01)
    assert character.joints[character.index("left_thigh")][1] > 0.0
