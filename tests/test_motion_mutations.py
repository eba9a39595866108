"""Whatever happens to an Acclaim, DeepMimic or glTF file, reading it gives a clip or one clear line."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mutations import mutated, reads_or_complains
from test_asf import MOTION, SKELETON
from test_deepmimic import row
from test_gltf_reader import moving, turned

SLOWEST = timedelta(seconds=5)
usual = settings(max_examples=250, deadline=SLOWEST, derandomize=True)

_JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.floats()
    | st.sampled_from(["", "LINEAR", "VEC3", "data:,x", "../x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["node", "path", "count"]), inner, max_size=2),
    max_leaves=4,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mutations")


def rig():
    """A rig with every kind of interpolation, a sparse accessor and an embedded matrix."""
    made = moving()
    made.json["nodes"][0]["matrix"] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    made.animate("b", (3, "rotation", [0, 1], [turned([0, 0, 1], 0), turned([1, 0, 0], 90)], "STEP"))
    made.animate("c", (3, "translation", [0, 1], [[0, 0, 0]] * 6, "CUBICSPLINE"))
    return made


@usual
@given(data=mutated(SKELETON.encode()))
def test_a_damaged_acclaim_skeleton_is_read_or_refused(folder, data):
    (folder / "7_01.amc").write_text(MOTION)
    (folder / "7.asf").write_bytes(data)
    reads_or_complains(folder / "7_01.amc")


@usual
@given(data=mutated(MOTION.encode()))
def test_a_damaged_acclaim_motion_is_read_or_refused(folder, data):
    (folder / "7.asf").write_text(SKELETON)
    (folder / "7_01.amc").write_bytes(data)
    reads_or_complains(folder / "7_01.amc")


@usual
@given(data=mutated(json.dumps({"Loop": "wrap", "Frames": [row(), row(), row(0.0)]}, indent=1).encode()))
def test_a_damaged_deepmimic_clip_is_read_or_refused(folder, data):
    (folder / "clip.txt").write_bytes(data)
    reads_or_complains(folder / "clip.txt")


@usual
@given(data=mutated(rig().glb()))
def test_a_damaged_binary_rig_is_read_or_refused(folder, data):
    (folder / "rig.glb").write_bytes(data)
    reads_or_complains(folder / "rig.glb")


@settings(max_examples=500, deadline=SLOWEST, derandomize=True)
@given(draw=st.data())
def test_a_rig_with_strange_json_is_read_or_refused(folder, draw):
    made = rig()
    for _ in range(draw.draw(st.integers(1, 3))):
        owner, key = draw.draw(st.sampled_from(_places(made.json)))
        owner[key] = draw.draw(_JSON_VALUES)
    (folder / "rig.glb").write_bytes(made.glb())
    reads_or_complains(folder / "rig.glb")


def _places(content):
    """Every (container, key) in a tree of JSON."""
    found = []
    for key, value in list(content.items() if isinstance(content, dict) else enumerate(content)):
        found.append((content, key))
        if isinstance(value, dict | list):
            found += _places(value)
    return found
