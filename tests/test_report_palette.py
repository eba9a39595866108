"""Sides of the body are known by the names that motion files use, and have their own colours."""

from __future__ import annotations

import pytest

from poise.report import palette

LEFT = ["left_thigh", "LeftUpLeg", "mixamorig:LeftArm", "lThigh", "LHipJoint", "l_arm", "upper_arm.L", "hand_l", "L-Foot"]
RIGHT = ["right_thigh", "RightUpLeg", "mixamorig:RightArm", "rShldr", "RHipJoint", "R_arm", "upper_arm.R", "hand_r", "r.foot"]
NEITHER = ["Hips", "LowerBack", "pelvis", "Root", "Lumbar", "neck", "rib", "Spine1", "leg", "LOWER_SPINE", "Rig"]


@pytest.mark.parametrize(("names", "side"), [(LEFT, "left"), (RIGHT, "right"), (NEITHER, None)])
def test_the_side_is_read_from_the_name(names, side):
    assert {name: palette.side_of(name) for name in names} == dict.fromkeys(names, side)


def test_left_right_middle_and_head_differ():
    colors = [palette.of_part(name) for name in ("left_foot", "right_foot", "chest", "head")]
    assert len(set(colors)) == 4
