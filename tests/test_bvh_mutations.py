"""Whatever happens to a BVH file, reading it gives a clip or one clear line."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mutations import mutated, reads_or_complains

SLOWEST = timedelta(seconds=5)  # for a file of a few kilobytes, on a busy machine, compiling not included

SMALL = b"""HIERARCHY
ROOT Hips
{
  OFFSET 0 9.5 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Left Leg
  {
    OFFSET 1 -5 0
    CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
    JOINT Foot
    {
      OFFSET 0 -4.5 1e-3
      CHANNELS 1 Yrotation
      End Site
      {
        OFFSET 0 0 2
      }
    }
  }
  JOINT Head
  {
    OFFSET 0 4 0
    End Site
    {
      OFFSET 0 1 0
    }
  }
}
MOTION
Frames: 3
Frame Time: .0083333
0 9.5 0 1 2 3 1 -5 0 4 5 6 7
0.1 9.4 0 1.5 2 3 1 -5.1 0 4 5.25 6 7e0
0.2 9.3 0 2 2 3 1 -5 0.1 4 5.5 6 -7
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Where every example is written; a first read there compiles what is compiled."""
    path = tmp_path_factory.mktemp("mutations") / "clip.bvh"
    path.write_bytes(SMALL)
    reads_or_complains(path)
    return path


@settings(max_examples=600, deadline=SLOWEST, derandomize=True)
@given(data=mutated(SMALL))
def test_a_damaged_small_file_is_read_or_refused(place, data):
    place.write_bytes(data)
    reads_or_complains(place)


@settings(max_examples=250, deadline=SLOWEST, derandomize=True)
@given(draw=st.data())
def test_a_damaged_real_file_is_read_or_refused(place, short_real_files, draw):
    good = draw.draw(st.sampled_from(short_real_files))
    place.write_bytes(draw.draw(mutated(good)))
    reads_or_complains(place)


@pytest.fixture(scope="module")
def short_real_files(mocap):
    """The headers of real files, each with the beginning of its motion."""
    files = []
    for path in sorted(mocap.glob("*/*.bvh")):
        data = path.read_bytes()
        rows = data[data.index(b"MOTION") :].splitlines(keepends=True)
        files.append(data[: data.index(b"MOTION")] + b"".join(rows[:8]))
    return files
