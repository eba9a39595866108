"""BVH files: every dialect comes out right, and every broken file says where and why."""

from __future__ import annotations

import os
import re
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from poise import rotation
from poise.errors import BadFile
from poise.motion import bvh
from poise.motion.bvh_header import JOINT_LIMIT
from poise.motion.clip import BvhLayout, Clip
from poise.motion.skeleton import Skeleton
from poise.motion.source import SIZE_LIMIT

ROUNDING = 1e-12  # of a body, double precision through a few products
WRITTEN = 1e-6  # of the longest bone: digits in a written file
ONE_DIGIT = 0.02  # README's heights are rounded, and were measured with another treatment of the first frame

PLAIN = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Leg
  {
    OFFSET 0 -10 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    End Site
    {
      OFFSET 0 -8 1
    }
  }
}
MOTION
Frames: 2
Frame Time: .0083333
1 18 3 10 20 30 40 50 60
2 18 4 -11 -2.5e+1 31E0 41. .51 61
"""


@pytest.fixture
def read_text(tmp_path):
    """Reads a BVH from its text or bytes."""

    def read(text: str | bytes) -> Clip:
        path = tmp_path / "clip.bvh"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return bvh.read(path)

    return read


def wandering_clip(nframes=40, stretch=False, seed=3) -> Clip:
    """Seven joints in three chains, turning and travelling without jumps."""
    random = np.random.default_rng(seed)
    parents = (-1, 0, 1, 0, 3, 4, 0)
    offsets = random.normal(size=(7, 3)) * 5.0
    steps = np.cumsum(random.normal(size=(nframes, 7, 3)) * 0.15, axis=0)
    translations = np.broadcast_to(offsets, (nframes, 7, 3)).copy()
    translations[:, 0] += np.cumsum(random.normal(size=(nframes, 3)), axis=0)
    if stretch:
        translations[:, 2] += 0.3 * np.sin(steps[:, 2])
    skeleton = Skeleton(tuple("abcdefg"), parents, offsets, ((2, (0.0, 1.0, 0.0)), (5, (0.0, 0.0, 2.0)), (6, (1.0, 0.0, 0.0))))
    return Clip("wandering", skeleton, rotation.exp(2.0 * steps), translations, 60.0)


def largest_distance(a: Clip, b: Clip) -> float:
    return float(np.abs(a.world_positions - b.world_positions).max())


# --- what is in the numbers -------------------------------------------------------------------------------------------


def test_a_quarter_turn_of_the_root_carries_its_child_to_the_side(read_text):
    text = PLAIN.split("MOTION")[0] + "MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 90 0 0 0 0 0\n"
    clip = read_text(text)
    assert clip.world_positions[0, 1] == pytest.approx([10, 0, 0], abs=ROUNDING)
    assert clip.end_positions()[0, 0] == pytest.approx([18, 0, 1], abs=1e-9)


def test_angles_turn_in_file_order(read_text):
    clip = read_text(PLAIN)
    assert rotation.angle_between(clip.rotations[0, 1], rotation.from_euler(np.radians([40, 50, 60]), "zyx")) < 1e-7
    other = read_text(PLAIN.replace("3 Zrotation Yrotation Xrotation", "3 Yrotation Xrotation Zrotation"))
    assert rotation.angle_between(other.rotations[0, 1], rotation.from_euler(np.radians([40, 50, 60]), "yxz")) < 1e-7


def test_numbers_are_read_as_exactly_as_python_reads_them(read_text):
    random = np.random.default_rng(11)
    words = []
    for _ in range(3000):
        value = random.normal() * 10.0 ** random.integers(-12, 9)
        form = random.choice(["{:.6f}", "{:.17g}", "{:.3e}", "{:+.9g}", "{!r}", "{:.25f}", "{:.18e}", "{:012.5f}"])
        words.append(form.format(float(np.clip(value, -1e9, 1e9))))
    words += ["0", "-0", "+.5", "5.", "1e-300", "1e-5000", "0e99999", "9007199254740993e-10", "123456789012345678e-15", "00012"]
    words += ["0.1", "1e9", "4.9e-324", "0.000000000000000000000000000001", "8.04084E-014"]
    text = PLAIN.split("MOTION")[0] + f"MOTION\nFrames: 1\nFrame Time: 0.1\n{' '.join(words)}\n"
    text = text.replace("CHANNELS 3 Zrotation Yrotation Xrotation", "CHANNELS 0").replace("6 Xp", "1 Xp")
    text = text.replace("Yposition Zposition Zrotation Yrotation Xrotation\n", "\n").replace("Frames: 1", f"Frames: {len(words)}")
    assert read_text(text).translations[:, 0, 0].tolist() == [float(word) for word in words]


def test_the_frame_rate_is_the_whole_number_that_a_rounded_frame_time_stands_for(read_text):
    for written, fps in ((".0083333", 120), ("0.033333", 30), ("0.0417083750417", 23.976), ("0.017", 1 / 0.017), ("0.008", 125)):
        assert read_text(PLAIN.replace(".0083333", written)).fps == pytest.approx(fps, rel=1e-6)


def test_a_single_pose_may_have_frame_time_zero(read_text):
    text = PLAIN.replace("Frames: 2", "Frames: 1").replace(".0083333", "0")
    assert read_text(text[: text.rindex("2 18")]).fps == bvh.POSE_FPS


# --- dialects ---------------------------------------------------------------------------------------------------------

SAME = {
    "CRLF": lambda t: t.replace("\n", "\r\n"),
    "CR": lambda t: t.replace("\n", "\r"),
    "mixed line ends": lambda t: t.replace("\n  ", "\r\n  ").replace("Frames: 2\n", "Frames: 2\r"),
    "tabs": lambda t: t.replace("  ", "\t").replace(": ", ":\t"),
    "blank lines": lambda t: t.replace("\n", "\n\n"),
    "no final newline": str.rstrip,
    "lower case": lambda t: t.lower().replace("hips", "Hips").replace("leg", "Leg"),
    "byte order mark": lambda t: "\ufeff" + t,
    "end-of-file mark": lambda t: t + "\x1a",
    "wrapped rows": lambda t: t.replace(" 30 40", " 30\n40").replace("31E0 41.", "31E0\n 41."),
    "all values on one line": lambda t: t.replace("60\n2 18", "60 2 18"),
    "braces on the same line": lambda t: re.sub(r"\n *\{", " {", t),
    "trailing blanks": lambda t: t.replace("\n", "  \n"),
    "comments": lambda t: t.replace("ROOT", "# made {by hand}\nROOT"),
    "no colons": lambda t: t.replace(":", ""),
}


@pytest.mark.parametrize("dialect", SAME)
def test_the_same_clip_comes_out_of_every_dialect(read_text, dialect):
    plain, other = read_text(PLAIN), read_text(SAME[dialect](PLAIN))
    assert other.skeleton.names == plain.skeleton.names
    assert np.array_equal(other.world_positions, plain.world_positions)
    assert other.fps == plain.fps and other.layout == plain.layout


def test_rotation_channels_may_come_before_positions(read_text):
    text = PLAIN.replace(
        "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation",
        "6 Zrotation Yrotation Xrotation Xposition Yposition Zposition",
    )
    text = text.replace("1 18 3 10 20 30", "10 20 30 1 18 3").replace("2 18 4 -11 -2.5e+1 31E0", "-11 -25 31 2 18 4")
    assert np.array_equal(read_text(text).world_positions, read_text(PLAIN).world_positions)


def test_a_joint_may_have_any_of_the_channels(read_text):
    text = PLAIN.replace("CHANNELS 3 Zrotation Yrotation Xrotation", "CHANNELS 1 Yrotation")
    text = text.replace(" 40 50 60", " 90").replace(" 41. .51 61", " 90")
    clip = read_text(text)
    assert rotation.angle_between(clip.rotations[0, 1], rotation.from_axis_angle([0, 1, 0], np.pi / 2)) < 1e-7
    assert clip.layout.channels[1] == ("Yrotation",)


def test_a_joint_without_channels_stays_where_its_offset_is(read_text):
    text = PLAIN.replace("    CHANNELS 3 Zrotation Yrotation Xrotation\n", "").replace(" 40 50 60", "").replace(" 41. .51 61", "")
    clip = read_text(text)
    assert np.array_equal(clip.rotations[:, 1], np.broadcast_to(rotation.IDENTITY, (2, 4)))
    assert np.array_equal(clip.translations[:, 1], np.broadcast_to([0, -10, 0], (2, 3)))


def test_positions_near_the_offset_replace_it(read_text):
    text = PLAIN.replace("CHANNELS 3 Zrotation", "CHANNELS 6 Xposition Yposition Zposition Zrotation")
    clip = read_text(text.replace("30 40", "30 0.1 -9.5 0 40").replace("31E0 41.", "31E0 0 -10.2 0.3 41."))
    assert np.array_equal(clip.translations[:, 1], [[0.1, -9.5, 0], [0, -10.2, 0.3]])
    assert clip.layout.adds_offset == (False, False)


def test_positions_near_zero_are_added_to_the_offset(read_text):
    text = PLAIN.replace("CHANNELS 3 Zrotation", "CHANNELS 6 Xposition Yposition Zposition Zrotation")
    clip = read_text(text.replace("30 40", "30 0.1 -0.2 0 40").replace("31E0 41.", "31E0 0 0.2 0.3 41."))
    assert np.allclose(clip.translations[:, 1], [[0.1, -10.2, 0], [0, -9.8, 0.3]], atol=ROUNDING)
    assert clip.layout.adds_offset == (False, True)


@pytest.mark.parametrize(("offset", "adds"), [("0 18 0", False), ("5 17 -70", False), ("0 300 0", True)])
def test_the_root_replaces_its_offset_unless_its_height_is_missing(read_text, offset, adds):
    clip = read_text(PLAIN.replace("OFFSET 0 0 0", f"OFFSET {offset}"))
    assert clip.layout.adds_offset[0] is adds
    assert clip.translations[0, 0, 1] == (318 if adds else 18)


def test_a_template_of_zeros_is_the_pose_of_its_offsets(read_text):
    text = PLAIN.replace("OFFSET 0 0 0", "OFFSET 0 95 0").replace("CHANNELS 3 Zr", "CHANNELS 6 Xposition Yposition Zposition Zr")
    clip = read_text(text.split("MOTION")[0] + "MOTION\nFrames:\t1\nFrame Time:\t0\n" + "0 " * 12)
    assert clip.world_positions[0].tolist() == [[0, 95, 0], [0, 85, 0]]


def test_names_keep_their_spaces_and_accents(read_text):
    assert read_text(PLAIN.replace("Leg", "Bip01 L Thigh")).skeleton.names == ("Hips", "Bip01 L Thigh")
    assert read_text(PLAIN.replace("Leg", "Fuß")).skeleton.names[1] == "Fuß"
    assert read_text(PLAIN.replace("Leg", "Fuß").encode("latin-1")).skeleton.names[1] == "Fuß"


def test_rows_beyond_the_announced_number_are_read_too(read_text):
    assert read_text(PLAIN.replace("Frames: 2", "Frames: 1")).nframes == 2


# --- bad files --------------------------------------------------------------------------------------------------------

BROKEN = {
    "another format": (PLAIN.replace("HIERARCHY", "solid cube"), 1, "starts with 'solid'"),
    "no MOTION": (PLAIN.split("MOTION")[0], 16, "ends where MOTION is expected"),
    "cut in the hierarchy": (PLAIN[: PLAIN.index("    CHANNELS 3")], 9, "ends where '}' is expected"),
    "brace missing": (PLAIN.replace("  }\n}\n", "  }\n"), 15, "MOTION stands inside joint 'Hips'"),
    "brace too many": (PLAIN.replace("}\nMOTION", "}\n}\nMOTION"), 16, "closes nothing"),
    "repeated name": (PLAIN.replace("Leg", "Hips"), 6, "used in line 2"),
    "no name": (PLAIN.replace("JOINT Leg", "JOINT"), 6, "needs a name"),
    "two roots": (PLAIN.replace("JOINT Leg", "ROOT Leg"), 6, "second root"),
    "no offset": (PLAIN.replace("    OFFSET 0 -10 0\n", ""), 13, "has no OFFSET"),
    "offset of words": (PLAIN.replace("0 -10 0", "0 minus 0"), 8, "'minus', not a number"),
    "offset too short": (PLAIN.replace("0 -10 0", "0 -10"), 9, "'CHANNELS', not a number"),
    "unknown channel": (PLAIN.replace("3 Zrotation", "3 Wrotation"), 9, "expected one of Xposition"),
    "channel twice": (PLAIN.replace("3 Zrotation", "3 Yrotation"), 9, "twice"),
    "too few channel names": (PLAIN.replace("CHANNELS 3", "CHANNELS 4"), 10, "channel 4 of 4"),
    "too many channel names": (PLAIN.replace("CHANNELS 3", "CHANNELS 2"), 9, "one more than CHANNELS says"),
    "channel count of words": (PLAIN.replace("CHANNELS 3", "CHANNELS three"), 9, "expected a number from 0 to 6"),
    "no channels at all": (re.sub("CHANNELS .*", "CHANNELS 0", PLAIN), 16, "no joint has channels"),
    "no Frames": (PLAIN.replace("Frames: 2\n", ""), 17, "'Frames: N' is expected"),
    "negative Frames": (PLAIN.replace("Frames: 2", "Frames: -2"), 17, "Frames says '-2'"),
    "no Frame Time": (PLAIN.replace("Frame Time: .0083333\n", ""), 18, "'Frame Time: SECONDS' is expected"),
    "negative frame time": (PLAIN.replace(".0083333", "-.0083"), 18, "Frame Time -0.0083 must lie between"),
    "frame time zero": (PLAIN.replace(".0083333", "0.0"), 18, "Frame Time 0 must lie between"),
    "frame time in milliseconds": (PLAIN.replace(".0083333", "16.667"), 18, "must lie between"),
    "frame time of words": (PLAIN.replace(".0083333", "fast"), 18, "'fast', not a number"),
    "a billion frames": (PLAIN.replace("Frames: 2", "Frames: 1000000000"), 18, "1000000000 frames of 9 channels are announced"),
    "absurdly many frames": (PLAIN.replace("Frames: 2", "Frames: " + "9" * 5000), 17, "expected the number of rows"),
    "a row missing": (PLAIN.replace("Frames: 2", "Frames: 3"), 18, "18 values follow (2 frames and 0 values)"),
    "no rows": (PLAIN[: PLAIN.index("1 18")], 18, "0 values follow"),
    "row too short": (PLAIN.replace(" .51 61", " .51"), 20, "this row has 8 values, the hierarchy has 9 channels"),
    "row too long": (PLAIN.replace(" 61", " 61 62"), 20, "this row has 10 values"),
    "rows of another skeleton": (PLAIN.replace(" 60", "").replace(" 61", ""), 18, "16 values follow (1 frames and 7 values)"),
    "NaN": (PLAIN.replace("18 4", "nan 4"), 20, "'nan', not a finite number"),
    "Windows NaN": (PLAIN.replace("18 4", "-1.#IND 4"), 20, "not a finite number"),
    "infinity": (PLAIN.replace("18 4", "-Infinity 4"), 20, "not a finite number"),
    "overflow": (PLAIN.replace("18 4", "1e400 4"), 20, "'1e400', not a number within"),
    "too large": (PLAIN.replace("18 4", "-12345678901 4"), 20, "not a number within"),
    "decimal comma": (PLAIN.replace("18 4", "18,5 4"), 20, "write decimal points"),
    "hexadecimal": (PLAIN.replace("18 4", "0x12 4"), 20, "'0x12', not a number"),
    "two signs": (PLAIN.replace("18 4", "+-12 4"), 20, "'+-12', not a number"),
    "bare exponent": (PLAIN.replace("18 4", "12e 4"), 20, "'12e', not a number"),
    "only a dot": (PLAIN.replace("18 4", ". 4"), 20, "'.', not a number"),
    "zero byte in the motion": (PLAIN.replace("18 4", " " * 5000 + "1\0008 4"), 20, "'?8', not a number"),
    "control characters": (PLAIN.replace("18 4", "\x1b[0m 4"), 20, "'?[0m', not a number"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_says_line_and_problem(read_text, case):
    text, line, problem = BROKEN[case]
    with pytest.raises(BadFile) as failure:
        read_text(text)
    message = str(failure.value)
    assert problem in message
    assert message.startswith(f"clip.bvh:{line}: ") and len(message.splitlines()) == 1


def test_files_that_are_no_text_files_say_so(tmp_path):
    path = tmp_path / "clip.bvh"
    for content, problem in (
        (b"", "is empty"),
        (b" \r\n\t", "is empty"),
        (bytes(range(256)) * 20, "is a binary file"),
        (PLAIN.encode("utf-16"), "UTF-16"),
    ):
        path.write_bytes(content)
        with pytest.raises(BadFile, match=problem):
            bvh.read(path)
    for place, problem in (
        (tmp_path / "none.bvh", "no such file"),
        (tmp_path, "is a folder"),
        (tmp_path / "a\0b.bvh", "cannot be read"),
    ):
        with pytest.raises(BadFile, match=problem):
            bvh.read(place)
    path.write_bytes(PLAIN.encode())
    with pytest.raises(BadFile, match="cannot be read"):
        bvh.read(path / "below.bvh")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_says_so(tmp_path):
    path = tmp_path / "clip.bvh"
    path.write_text(PLAIN)
    path.chmod(0)
    with pytest.raises(BadFile, match="check path and permissions"):
        bvh.read(path)


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path):
    path = tmp_path / "clip.bvh"
    with path.open("wb") as file:
        file.truncate(SIZE_LIMIT + 1)  # takes no space on disk
    with pytest.raises(BadFile, match="the limit is 1024"):
        bvh.read(path)


def test_a_hierarchy_ten_thousand_deep_is_refused_at_once(read_text):
    joints = "".join(f"{'ROOT' if k == 0 else 'JOINT'} j{k}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" for k in range(10_000))
    text = "HIERARCHY\n" + joints + "}\n" * 10_000 + "MOTION\nFrames: 1\nFrame Time: 0.1\n" + "0 " * 10_000
    start = time.perf_counter()
    with pytest.raises(BadFile, match=f"one more than the {JOINT_LIMIT} joints"):
        read_text(text)
    assert time.perf_counter() - start < 1.0


def test_a_hierarchy_as_deep_as_the_limit_is_read_and_written(read_text, tmp_path):
    joints = "".join(
        f"{'ROOT' if k == 0 else 'JOINT'} j{k}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" for k in range(JOINT_LIMIT)
    )
    text = "HIERARCHY\n" + joints + "}\n" * JOINT_LIMIT + "MOTION\nFrames: 1\nFrame Time: 0.1\n" + "1 " * JOINT_LIMIT
    clip = read_text(text)
    bvh.write(clip, tmp_path / "again.bvh")
    assert largest_distance(clip, bvh.read(tmp_path / "again.bvh")) < WRITTEN


def test_announced_frames_take_no_memory(read_text):
    read_text(PLAIN)
    tracemalloc.start()
    with pytest.raises(BadFile):
        read_text(PLAIN.replace("Frames: 2", "Frames: 1000000000"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


# --- writing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stretch", [False, True])
def test_a_clip_written_and_read_back_is_the_same(tmp_path, stretch):
    clip = wandering_clip(stretch=stretch)
    bvh.write(clip, tmp_path / "clip.bvh")
    again = bvh.read(tmp_path / "clip.bvh")
    assert largest_distance(clip, again) < WRITTEN
    assert np.abs(again.end_positions() - clip.end_positions()).max() < WRITTEN
    assert (again.skeleton.names, again.skeleton.parents, again.skeleton.ends, again.fps) == (
        clip.skeleton.names,
        clip.skeleton.parents,
        clip.skeleton.ends,
        clip.fps,
    )
    six = "Xposition", "Yposition", "Zposition", "Zrotation", "Yrotation", "Xrotation"
    assert again.layout.channels == tuple(six if j == 0 or (stretch and j == 2) else six[3:] for j in range(7))


@pytest.mark.parametrize("order", ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"])
def test_a_layout_is_kept_and_angles_do_not_jump(tmp_path, order):
    turns = tuple(f"{axis}rotation" for axis in order)
    layout = BvhLayout(((*turns, "Xposition", "Yposition", "Zposition"), *[turns] * 6), (False,) * 7)
    clip = wandering_clip(400).with_(layout=layout)
    bvh.write(clip, tmp_path / "clip.bvh")
    again = bvh.read(tmp_path / "clip.bvh")
    assert again.layout == layout
    assert largest_distance(clip, again) < WRITTEN
    rows = np.loadtxt((tmp_path / "clip.bvh").read_text().split("Frame Time")[1].splitlines()[1:])
    assert np.abs(np.diff(rows, axis=0)).max() < 179.0  # wrapped angles would jump by 360, the other solution by 180


def test_angles_at_gimbal_lock_are_right_and_steady(tmp_path):
    angles = np.radians(np.stack([np.linspace(0, 50, 30), np.full(30, 90.0), np.linspace(20, 80, 30)], axis=1))
    clip = wandering_clip(30)
    clip = clip.with_(rotations=np.repeat(rotation.from_euler(angles, "zyx")[:, None], 7, axis=1))
    bvh.write(clip, tmp_path / "clip.bvh")
    assert largest_distance(clip, bvh.read(tmp_path / "clip.bvh")) < WRITTEN


@pytest.mark.parametrize("adds", [False, True])
def test_positions_are_written_as_the_layout_wants_them(tmp_path, adds):
    six = "Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"
    layout = BvhLayout((six,) * 7, (False, *[adds] * 6))
    clip = wandering_clip(stretch=True)
    translations = clip.translations.copy()
    translations[:, 0, 1] += 50.0  # hips well above their offset, so that nobody takes them for displacements
    clip = clip.with_(layout=layout, translations=translations)
    bvh.write(clip, tmp_path / "clip.bvh")
    again = bvh.read(tmp_path / "clip.bvh")
    assert again.layout == layout
    assert largest_distance(clip, again) < WRITTEN


def test_channels_that_the_motion_needs_are_added_to_the_layout(tmp_path):
    layout = BvhLayout((("Xrotation",), (), *[("Zrotation", "Yrotation", "Xrotation")] * 5), (False,) * 7)
    clip = wandering_clip().with_(layout=layout)
    bvh.write(clip, tmp_path / "clip.bvh")
    again = bvh.read(tmp_path / "clip.bvh")
    assert largest_distance(clip, again) < WRITTEN
    assert again.layout.channels[0] == ("Xposition", "Yposition", "Zposition", "Xrotation", "Zrotation", "Yrotation")
    assert again.layout.channels[1] == ("Zrotation", "Yrotation", "Xrotation")


def test_hips_that_lie_where_their_offset_stands_are_read_back_right(tmp_path):
    clip = wandering_clip()
    offsets, translations = clip.skeleton.offsets.copy(), clip.translations.copy()
    offsets[0], translations[:, 0] = [0, 95, 0], [3, 4, 5]
    skeleton = Skeleton(clip.skeleton.names, clip.skeleton.parents, offsets, clip.skeleton.ends)
    lying = clip.with_(skeleton=skeleton, translations=translations)
    bvh.write(lying, tmp_path / "clip.bvh")
    assert largest_distance(lying, bvh.read(tmp_path / "clip.bvh")) < WRITTEN


def test_names_that_a_file_cannot_hold_are_changed(tmp_path):
    clip = wandering_clip()
    names = ("a b", "", "x{y}", "line\nbreak", "dup", "dup", " ")
    skeleton = Skeleton(names, clip.skeleton.parents, clip.skeleton.offsets, clip.skeleton.ends)
    bvh.write(clip.with_(skeleton=skeleton), tmp_path / "clip.bvh")
    again = bvh.read(tmp_path / "clip.bvh")
    assert again.skeleton.names == ("a b", "joint_1", "x_y_", "line_break", "dup", "dup_2", "joint_6")


def test_nothing_is_left_behind_where_a_file_cannot_be_written(tmp_path):
    with pytest.raises(BadFile):
        bvh.write(wandering_clip(), tmp_path / "no" / "clip.bvh")
    (tmp_path / "taken.bvh").mkdir()
    with pytest.raises(BadFile):
        bvh.write(wandering_clip(), tmp_path / "taken.bvh")
    assert [p.name for p in tmp_path.iterdir()] == ["taken.bvh"]


# --- real files -------------------------------------------------------------------------------------------------------


def listed(mocap: Path) -> dict[str, dict[str, str]]:
    """The table of files in the folder's README: columns by their heading."""
    lines = [line.strip("| \n").split("|") for line in (mocap / "README.md").read_text().splitlines() if line.startswith("|")]
    heads = [cell.strip() for cell in lines[0]]
    return {line[0].strip(): dict(zip(heads, map(str.strip, line), strict=False)) for line in lines if ".bvh" in line[0]}


def test_real_files_are_as_large_long_and_fast_as_listed(mocap):
    for name, facts in listed(mocap).items():
        clip = bvh.read(mocap / name)
        assert clip.nframes == int(facts["frames"]) and clip.skeleton.njoints == int(facts["joints"])
        if facts["fps"][0].isdigit():
            assert clip.fps == pytest.approx(float(facts["fps"]), rel=1e-4)
        up = "XYZ".index(facts["up"][-1])
        points = np.concatenate([clip.world_positions, clip.end_positions()], axis=1)[..., up]
        height = np.percentile(np.ptp(points, axis=1), 90)
        assert height == pytest.approx(float(facts["height"]), rel=ONE_DIGIT), name


def test_real_files_written_and_read_back_are_the_same(mocap, tmp_path):
    for name in listed(mocap):
        clip = bvh.read(mocap / name)
        longest = np.linalg.norm(clip.skeleton.offsets[1:], axis=1).max()
        for layout in (clip.layout, None):
            bvh.write(clip.with_(layout=layout), tmp_path / "again.bvh")
            again = bvh.read(tmp_path / "again.bvh")
            assert largest_distance(clip, again) < WRITTEN * longest, name
            assert again.skeleton.names == clip.skeleton.names and again.skeleton.ends == clip.skeleton.ends, name
            assert again.fps == pytest.approx(clip.fps, rel=1e-7), name
            assert layout is None or again.layout == layout, name


def test_real_files_agree_with_another_reader(mocap):
    pybvh = pytest.importorskip("pybvh")
    for name in ("cmu/90_28.bvh", "three_js/pirouette.bvh", "optitrack_arena/louise.bvh"):
        clip = bvh.read(mocap / name)
        other = pybvh.read_bvh_file(mocap / name, world_up="+y").joint_positions()
        assert np.abs(clip.world_positions - other).max() < 1e-9 * np.abs(other).max(), name
