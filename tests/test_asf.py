"""Acclaim skeletons and motions (.asf, .amc)."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation
from poise.errors import BadFile
from poise.motion import amc, bvh
from poise.motion.asf import read_skeleton
from poise.motion.clip import Clip
from poise.motion.read import read

ROUNDING = 1e-9
BVH_DIGITS = 2e-4  # CMU units: offsets and positions in the BVH of the same take have four or five decimals

SKELETON = """# made by hand
:version 1.10
:name test
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
  begin is only a word here
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name thigh
    direction 0 -1 0
    length 4
    axis 0 0 90 XYZ
    dof rx rz
    limits (-10 10)
           (-10 10)
  end
  begin
    id 2
    name shin
    direction 0 -1 0
    length 3
    axis 0 0 0 XYZ
    dof rx
  end
  begin
    id 3
    name spike
    direction 0 1 0
    length 1
  end
:hierarchy
  begin
    root thigh spike
    thigh shin
  end
"""
MOTION = """#!OML:ASF test
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 0 0 0
thigh 0 0
shin 0
2
root 1 2 3 0 90 0   # a comment
thigh 90 0
shin -8.04084e-014
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "7.asf").write_text(SKELETON)
    (tmp_path / "7_01.amc").write_text(MOTION)
    return tmp_path


def test_joints_sit_where_bones_start_and_tips_where_they_end(folder):
    clip = read(folder / "7_01.amc")
    assert clip.skeleton.names == ("root", "thigh", "shin", "spike")
    assert clip.skeleton.parents == (-1, 0, 1, 0)
    assert clip.world_positions[0].tolist() == [[1, 2, 3], [1, 2, 3], [1, -2, 3], [1, 2, 3]]
    assert clip.skeleton.ends == ((2, (0.0, -3.0, 0.0)), (3, (0.0, 1.0, 0.0)))
    assert clip.end_positions()[0].tolist() == [[1, -5, 3], [1, 3, 3]]
    assert (clip.nframes, clip.fps, clip.name) == (2, amc.FPS, "7_01")


def test_a_bone_turns_about_its_own_axis(folder):
    clip = read(folder / "7_01.amc")
    # rx in a frame turned by 90 degrees about z is a turn about y, under a root that turned about y already.
    assert rotation.angle_between(clip.world_rotations[1, 1], rotation.from_axis_angle([0, 1, 0], np.pi)) < ROUNDING
    assert clip.world_positions[1, 2] == pytest.approx([1, -2, 3], abs=ROUNDING)


def test_degrees_of_freedom_apply_in_the_order_they_are_listed(folder):
    (folder / "7_01.amc").write_text(MOTION.replace("root 1 2 3 0 90 0", "root 1 2 3 30 40 50"))
    turn = read(folder / "7_01.amc").rotations[1, 0]
    assert rotation.angle_between(turn, rotation.from_euler(np.radians([50, 40, 30]), "zyx")) < ROUNDING


def test_radians_are_read_from_either_header(folder):
    turned = read(folder / "7_01.amc")
    radians = MOTION.replace("90", str(np.pi / 2))
    (folder / "7_01.amc").write_text(radians.replace(":DEGREES", ":RADIANS"))
    assert same_motion(read(folder / "7_01.amc"), turned)
    (folder / "7.asf").write_text(SKELETON.replace("angle deg", "angle rad").replace("0 0 90", f"0 0 {np.pi / 2}"))
    (folder / "7_01.amc").write_text(radians.replace(":DEGREES\n", ""))
    assert same_motion(read(folder / "7_01.amc"), turned)


def same_motion(a: Clip, b: Clip) -> bool:
    return bool(np.abs(a.world_positions - b.world_positions).max() < ROUNDING)


def test_the_skeleton_is_found_beside_the_motion(folder):
    (folder / "7.asf").rename(folder / "anything.asf")
    assert read(folder / "7_01.amc").nframes == 2
    (folder / "other.asf").write_text(SKELETON)
    with pytest.raises(BadFile, match=r"7\.asf' is not beside it \(there: anything\.asf, other\.asf\)"):
        read(folder / "7_01.amc")
    assert amc.read(folder / "7_01.amc", folder / "other.asf").nframes == 2
    with pytest.raises(BadFile, match="without motion"):
        read(folder / "other.asf")
    with pytest.raises(BadFile, match="no such file"):
        read(folder / "8_01.amc")


def test_bones_that_the_motion_does_not_list_stay_at_rest(folder):
    (folder / "7_01.amc").write_text("1\nroot 0 0 0 0 0 0\n2\nroot 0 1 0 0 0 0\n")
    clip = read(folder / "7_01.amc")
    assert np.array_equal(clip.rotations, np.broadcast_to(rotation.IDENTITY, (2, 4, 4)))


BROKEN_MOTION = {
    "unknown bone": (MOTION.replace("shin 0", "shine 0"), 7, "no moving bone 'shine'; did you mean 'shin'?"),
    "bone without freedom": (MOTION.replace("shin 0", "spike 0"), 7, "no moving bone 'spike'"),
    "too few values": (MOTION.replace("thigh 0 0", "thigh 0"), 6, "has 1 values, the skeleton gives it 2 (rx rz)"),
    "too many values": (MOTION.replace("thigh 0 0", "thigh 0 0 0"), 6, "has 3 values"),
    "no number": (MOTION.replace("thigh 0 0", "thigh 0 x"), 6, "'x', not a number"),
    "NaN": (MOTION.replace("thigh 0 0", "thigh 0 nan"), 6, "not a finite number"),
    "twice in a frame": (MOTION.replace("shin 0", "thigh 0 0"), 7, "listed twice in frame 1"),
    "missing in a frame": (
        MOTION.replace("shin 0\n2", "shin 0\n2\nroot 1 2 3 0 0 0\nshin 0\n3"),
        11,
        "frame 2 ends without bone 'thigh'",
    ),
    "truncated": (MOTION[: MOTION.index("shin -8")], None, "frame 2 ends without bone 'shin'"),
    "no frames": (":DEGREES\n", None, "holds no frames"),
    "no frame number": (MOTION.replace(":DEGREES\n1\n", ""), 3, "before the first frame number"),
    "binary": ("\0" * 100, 1, "binary"),
}


@pytest.mark.parametrize("case", BROKEN_MOTION)
def test_a_broken_motion_says_line_and_problem(folder, case):
    text, line, problem = BROKEN_MOTION[case]
    (folder / "7_01.amc").write_text(text)
    check_failure(folder, f"7_01.amc:{line}: " if line else "7_01.amc: ", problem)


BROKEN_SKELETON = {
    "no hierarchy": (SKELETON.split(":hierarchy")[0], None, "no section ':hierarchy'"),
    "unknown bone": (
        SKELETON.replace("thigh shin", "thigh chin"),
        43,
        "unknown bone 'chin' in the hierarchy; did you mean 'shin'",
    ),
    "two parents": (SKELETON.replace("thigh shin", "thigh shin spike"), 43, "'spike' has two parents"),
    "its own ancestor": (SKELETON.replace("thigh shin", "thigh shin\n shin thigh"), 44, "'thigh' has two parents"),
    "repeated name": (SKELETON.replace("name shin", "name thigh"), 28, "used in line 18"),
    "no length": (SKELETON.replace("    length 3\n", ""), 32, "no 'length'"),
    "end too early": (SKELETON.replace("    length 3\n", "    end 3\n"), 30, "no 'length'"),
    "bad direction": (SKELETON.replace("direction 0 1 0", "direction up"), 37, "has 1 values, expected 3"),
    "bad axis order": (SKELETON.replace("0 0 90 XYZ", "0 0 90 XXY"), 21, "axis order 'xxy'"),
    "stretching bone": (SKELETON.replace("dof rx rz", "dof rx l"), 22, "degree of freedom 'l'"),
    "cut inside a bone": (SKELETON.replace("  end\n:hierarchy", ":hierarchy"), None, "last bone has no 'end'"),
}


@pytest.mark.parametrize("case", BROKEN_SKELETON)
def test_a_broken_skeleton_says_line_and_problem(folder, case):
    text, line, problem = BROKEN_SKELETON[case]
    (folder / "7.asf").write_text(text)
    check_failure(folder, f"7.asf:{line}: " if line else "7.asf: ", problem)


def check_failure(folder, start, problem):
    with pytest.raises(BadFile) as failure:
        read(folder / "7_01.amc")
    message = str(failure.value)
    assert message.startswith(start) and problem in message and len(message.splitlines()) == 1


def test_a_skeleton_of_very_many_bones_is_refused(folder):
    bones = "".join(f"begin\nname b{k}\ndirection 0 1 0\nlength 1\nend\n" for k in range(10_000))
    (folder / "7.asf").write_text(SKELETON.replace("  begin\n    id 1", bones + "  begin\n    id 1"))
    with pytest.raises(BadFile, match="one more than the 2000"):
        read_skeleton(folder / "7.asf")


def test_the_real_take_agrees_with_its_bvh(mocap):
    ours, theirs = read(mocap / "asf_amc" / "11_01.amc"), bvh.read(mocap / "cmu" / "11_01.bvh")
    assert (ours.nframes, ours.skeleton.parents) == (theirs.nframes - 1, theirs.skeleton.parents)
    turns = theirs.with_(rotations=theirs.rotations[1:], translations=theirs.translations[1:])
    assert rotation.angle_between(ours.world_rotations, turns.world_rotations).max() < np.radians(0.01)
    # The BVH lost the offset of every joint that follows a branching bone; everywhere else positions must agree.
    kept = np.linalg.norm(ours.skeleton.offsets - theirs.skeleton.offsets, axis=1) < BVH_DIGITS
    whole = [j for j in range(ours.skeleton.njoints) if all(kept[[j, *ours.skeleton.ancestors(j)]])]
    assert len(whole) == 14  # hips, both legs, the spine
    assert np.abs(ours.world_positions - turns.world_positions)[:, whole].max() < BVH_DIGITS
    # With the offsets that it has, put under our rotations, all of it agrees.
    translations = np.broadcast_to(theirs.skeleton.offsets, ours.translations.shape).copy()
    translations[:, 0] = ours.translations[:, 0]
    assert np.abs(ours.with_(translations=translations).world_positions - turns.world_positions).max() < 4 * BVH_DIGITS
