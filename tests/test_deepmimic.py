"""DeepMimic's clips."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from poise import rotation
from poise.errors import BadFile
from poise.motion.read import read

ROUNDING = 1e-9
STAND = (
    [0.0, 0.88, 0.0]
    + [1.0, 0, 0, 0] * 4
    + [0.0]
    + [1.0, 0, 0, 0] * 2
    + [0.0]
    + [1.0, 0, 0, 0]
    + [0.0]
    + [1.0, 0, 0, 0] * 2
    + [0.0]
)
RIGHT_KNEE, RIGHT_ELBOW, LEFT_HIP = 19, 28, 29  # columns after the duration


@pytest.fixture
def read_rows(tmp_path):
    def read_(rows, **more):
        path = tmp_path / "clip.txt"
        path.write_text(json.dumps({"Loop": "wrap", "Frames": rows, **more}))
        return read(path)

    return read_


def row(duration=1 / 30, **changes):
    values = [duration, *STAND]
    for column, value in changes.items():
        values[1 + int(column[1:])] = value
    return values


def test_the_humanoid_stands_on_the_floor_with_its_right_side_at_plus_z(read_rows):
    clip = read_rows([row(), row(0.0)])
    place = dict(zip(clip.skeleton.names, clip.world_positions[0], strict=True))
    tips = clip.end_positions()[0]
    assert (clip.nframes, clip.fps, clip.skeleton.njoints) == (2, 30.0, 15)
    assert place["right_hip"][2] > 0 > place["left_hip"][2]
    assert tips[3:, 1] == pytest.approx(0.0, abs=0.01)  # soles
    assert 1.55 < tips[0, 1] < 1.65  # top of the head
    assert place["left_wrist"][1] < place["left_elbow"][1] < place["left_shoulder"][1] < place["neck"][1] + 0.1


def test_knees_bend_backwards_and_elbows_forwards_about_z(read_rows):
    clip = read_rows([row(**{f"c{RIGHT_KNEE}": -1.0, f"c{RIGHT_ELBOW}": 1.0})])
    place = dict(zip(clip.skeleton.names, clip.world_positions[0], strict=True))
    assert place["right_ankle"][0] < place["right_knee"][0] - 0.3
    assert place["right_wrist"][0] > place["right_elbow"][0] + 0.2
    assert place["left_ankle"][0] == pytest.approx(place["left_knee"][0], abs=ROUNDING)


def test_quaternions_are_wxyz_and_made_unit(read_rows):
    half = np.sqrt(0.5) * 0.8  # published clips hold quaternions this short
    clip = read_rows([row(**{f"c{LEFT_HIP}": half, f"c{LEFT_HIP + 3}": half})])
    turn = clip.rotations[0, clip.skeleton.index("left_hip")]
    assert rotation.angle_between(turn, rotation.about_z(np.pi / 2)) < 1e-7


def test_uneven_rows_are_resampled_at_the_rate_of_most(read_rows):
    rows = [row(0.05, c0=float(k)) for k in range(5)] + [row(0.1, c0=5.0), row(0.0, c0=7.0)]
    clip = read_rows(rows)
    assert clip.fps == 20.0
    assert clip.translations[:, 0, 0] == pytest.approx(np.arange(8.0), abs=ROUNDING)


def test_rounded_durations_mean_a_whole_rate(read_rows):
    assert read_rows([row(0.016666)] * 500).fps == 60.0
    assert read_rows([row(0.016666)] * 500).nframes == 500


BROKEN = {
    "another robot": ([[0.1] * 20], "has 20 values, expected 44"),
    "no frames": ([], "no list 'Frames'"),
    "frames of words": (["walk"], "has 'walk', expected 44"),
    "a word in a row": ([row(c3="one")], "frame 1 holds 'one'"),
    "true is no number": ([row(c3=True)], "frame 1 holds 'True'"),
    "huge": ([row(c0=1e300)], "frame 1 holds '1e+300'"),
    "no time": ([row(), row(0.0), row()], "frame 2 lasts 0 s"),
    "negative time": ([row(), row(-1.0), row()], "frame 2 lasts -1 s"),
    "eternal": ([row(), row(1e8), row(), row()], "more than 1000000 frames"),
    "no rotation": ([row(c3=0.0)], "quaternion of 'root' has length 0"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_clip_says_what_is_wrong(read_rows, case):
    rows, problem = BROKEN[case]
    with pytest.raises(BadFile) as failure:
        read_rows(rows)
    assert problem in str(failure.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{\n'Frames': 1}", "clip.json:2: is not JSON"),
        ("[1, 2]", "expected an object"),
        ('{"Frames": [[NaN]]}', "'NaN', not a finite number"),
        ('{"Frames": [[1e999]]}', "has 1 values"),
        ("[" * 100_000, "nesting"),
        ('{"Frames": ' + "9" * 10_000 + "}", "no such file needs"),
        ('{"Frames": [[' + ", ".join(["0.1"] * 20), "is not JSON"),
        ("\udcff\udcfe{}", "UTF-16"),
        ("{}\udcff", "no such file needs"),
    ],
)
def test_what_is_not_json_says_so(tmp_path, text, problem):
    path = tmp_path / "clip.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadFile) as failure:
        read(path)
    assert problem in str(failure.value)


def test_published_clips_stand_on_the_floor():
    spec = find_spec("pybullet_data")
    if spec is None or spec.origin is None:
        pytest.skip("pybullet_data is not installed")
    clips = sorted((Path(spec.origin).parent / "data" / "motions").glob("humanoid3d_*.txt"))
    assert len(clips) == 15
    for path in clips:
        clip = read(path)
        lowest = np.concatenate([clip.world_positions, clip.end_positions()], axis=1)[..., 1].min(axis=1)
        assert -0.1 < np.median(lowest) < 0.1, path.name
