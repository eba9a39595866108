"""What `poise inspect` says of a clip: what a person would check by eye, and doubts instead of errors."""

import json

import pytest

from poise.cli.printing import as_json, as_table, inspection_rows
from poise.inspection import inspect
from poise.motion import library

BODIES = 14  # of the paper's human; a skeleton with hands and toes comes out near it
NO_LEGS = """\
HIERARCHY
ROOT Stick
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  End Site
  {
    OFFSET 0 1.7 0
  }
}
MOTION
Frames: 2
Frame Time: 0.1
0 0 0 0 0 0
0 0 0 0 0 0
"""


@pytest.mark.parametrize("name", library.names())
def test_a_built_in_clip_is_understood_without_a_doubt(name):
    found = inspect(name)
    assert (found["format"], found["units"], found["up"], found["dropped_first_frame"]) == ("built-in", "cm", "y", False)
    assert found["warnings"] == []
    assert found["roles_by_shape"] == []
    assert len(found["segments"]) == BODIES
    assert 1.5 < found["height_m"] < 1.9
    assert all(0.0 < foot["share"] <= 1.0 for foot in found["stance"].values())


def test_an_inspection_can_be_printed_for_programs_and_for_people():
    found = inspect("punch")
    assert json.loads(as_json(found)) == found
    table = as_table(inspection_rows(found))
    assert "21 joints" in table
    assert "left_thigh LeftUpLeg" in table


def test_an_override_replaces_the_guess():
    found = inspect("punch", fps=30.0, units="inch")
    assert (found["fps"], found["stamped_fps"], found["units"]) == (30.0, pytest.approx(60.0, rel=1e-4), "inch")
    assert found["duration_s"] == pytest.approx(2.0 * inspect("punch")["duration_s"], rel=1e-4)


def test_a_skeleton_without_legs_is_a_doubt_not_an_error(tmp_path):
    path = tmp_path / "stick.bvh"
    path.write_text(NO_LEGS)
    found = inspect(path)
    assert (found["joints"], found["segments"], found["facing"]) == (1, [], None)
    assert any("cannot be simulated" in warning for warning in found["warnings"])
    assert "cannot be simulated" in as_table(inspection_rows(found))


@pytest.mark.parametrize(
    "file", ["cmu/143_23.bvh", "axis_neuron/displacement.bvh", "makehuman/benchmark_pose.bvh", "asf_amc/11_01.amc"]
)
def test_a_real_clip_has_a_body_with_two_feet(mocap, file):
    found = inspect(mocap / file)
    assert {"left_foot", "right_foot"} <= set(found["segments"])
    assert {"left_foot", "right_foot"} == set(found["stance"])
