"""Names of joints: side and part are read out of every common way to write them."""

from __future__ import annotations

import pytest

from poise.character.role_names import mirrored_names, read_names


@pytest.mark.parametrize(
    ("name", "side", "part"),
    [
        ("LeftUpLeg", "left", "thigh"),
        ("mixamorig:RightUpLeg", "right", "thigh"),
        ("mixamorig1_LeftForeArm", "left", "forearm"),
        ("Bip01 L Thigh", "left", "thigh"),
        ("ValveBiped.Bip01_R_Calf", "right", "shin"),
        ("J_Bip_L_LowerLeg", "left", "shin"),
        ("DEF-thigh.L.001", "left", "thigh"),
        ("DEF-upper_arm.R", "right", "upper_arm"),
        ("b_LeftFoot01_017", "left", "foot"),
        ("lfemur", "left", "thigh"),
        ("rradius", "right", "forearm"),
        ("LUArm", "left", "upper_arm"),
        ("lShldrBend", "left", "upper_arm"),
        ("thigh_l", "left", "thigh"),
        ("ball_r", "right", "toe"),
        ("upperleg01.L", "left", "thigh"),
        ("KNEE_RIGHT", "right", "shin"),
        ("mAnkleLeft", "left", "foot"),
        ("CC_Base_L_Upperarm", "left", "upper_arm"),
        ("CC_Base_NeckTwist01", None, "neck"),
        ("spine_mid", None, "spine"),
        ("FrontUpLeg.L", "left", "upper_arm"),
        ("BackUpLeg.R", "right", "thigh"),
        ("FrontFoot.L", "left", "hand"),
        ("leftupleg", "left", "thigh"),
        ("RIGHTTOEBASE", "right", "toe"),
        ("lhipjoint", "left", "thigh"),
        ("bob_lforearm", "left", "forearm"),
        ("shoulder", None, "clavicle"),
        ("Character1:Hips", None, "pelvis"),
        ("Armature|Head", None, "head"),
        ("左ひざ", "left", "shin"),
        ("右手首", "right", "hand"),
    ],
)
def test_a_name_tells_its_side_and_its_part(name, side, part):
    (meaning,) = read_names([name]).meanings
    assert meaning.side == side
    assert max(meaning.parts, key=lambda p: meaning.parts[p]) == part


@pytest.mark.parametrize(
    "name",
    [
        "LeftHandThumb1",
        "RightInHandIndex",
        "lMid1",
        "ik_foot_l",
        "PoleTarget.R",
        "thigh_twist_01_l",
        "LeftForeArmRoll",
        "l_thightwist1",
        "lefthandthumb1",
        "HeadTop_End",
        "Bip01 L Toe0Nub",
        "leftEye",
        "J_Sec_L_SkirtFront0_01",
        "左足ＩＫ",
        "右腕捩",
    ],
)
def test_fingers_faces_twist_bones_and_handles_are_no_parts(name):
    (meaning,) = read_names([name]).meanings
    assert meaning.other
    assert meaning.support("thigh") < 0


@pytest.mark.parametrize("name", ["bone_01", "Bone.L.001", "joint5", "", "::", "xyzzy", "骨"])
def test_names_without_meaning_say_nothing(name):
    (meaning,) = read_names([name]).meanings
    assert meaning.silent
    assert meaning.support("thigh") == 0


def test_a_shoulder_may_be_a_clavicle_or_an_upper_arm():
    (meaning,) = read_names(["LeftShoulder"]).meanings
    assert meaning.support("clavicle") > 0
    assert meaning.support("upper_arm") > 0
    assert meaning.support("forearm") < 0


def test_a_hip_on_a_side_is_no_pelvis():
    middle, left = read_names(["hip", "lHip"]).meanings
    assert middle.support("pelvis") > 0
    assert left.support("pelvis") < 0
    assert left.support("thigh") > 0


def test_vertebrae_are_no_sides():
    meanings = read_names(["Pelvis", "L5", "L3", "T12", "T8", "Neck"]).meanings
    assert [m.side for m in meanings] == [None] * 6
    assert meanings[1].support("spine") > 0


def test_numbers_on_the_left_are_no_vertebrae():
    meanings = read_names(["leg_L3", "L5", "R5"]).meanings
    assert meanings[1].side == "left"


def test_a_prefix_of_all_names_means_nothing():
    meanings = read_names(["Hand_Hips", "Hand_Spine", "Hand_Head", "Hand_LeftLeg", "Hand_LeftFoot"]).meanings
    assert all(meaning.support("hand") < 0 for meaning in meanings)


def test_mirrored_names_are_paired_both_ways():
    names = ["Hips", "LeftUpLeg", "RightUpLeg", "thumb.01.L", "thumb.01.R", "thumb.02.L", "lfemur", "rfemur", "Head"]
    assert mirrored_names(names) == {1: 2, 2: 1, 3: 4, 4: 3, 6: 7, 7: 6}
