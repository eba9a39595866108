"""Old animations leave a file with their bytes; whatever else is in it is read as before."""

from __future__ import annotations

import copy
import json

import numpy as np
import pytest

from poise.character.rig.proposal import propose
from poise.export import gltf
from poise.export.pruned import without_animations
from rig_files import RigFile, make_rig
from skeleton_conventions import CONVENTIONS, build
from test_rig_skin import FPS, Scene, moving

KEYS = 400
PLENTY = 0.8  # of the bytes of animations at least are gone


def animated(*, shared_view: bool = False, first: bool = False) -> tuple[RigFile, int]:
    """A rig with two old animations, and how many bytes they are.

    With `shared_view` their numbers lie in one view with the mesh, as some exporters have it; `first` puts them before the rest.
    """
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"])
    made = make_rig(skeleton, positions)
    before = len(made.buffer)
    times = made.accessor(np.linspace(0.0, 1.0, KEYS, dtype=np.float32), bounds=True)
    turns = [made.accessor(np.tile(np.float32([0, 0, 0, 1]), (KEYS, 1))) for _ in range(6)]
    made.json["animations"] = [
        {
            "channels": [{"sampler": k, "target": {"node": k + 2, "path": "rotation"}} for k in range(3)],
            "samplers": [{"input": times, "output": turns[3 * a + k]} for k in range(3)],
        }
        for a in range(2)
    ]
    if first:
        _move_to_front(made, before)
    if shared_view:
        for accessor in made.json["accessors"]:
            accessor["byteOffset"] = made.json["bufferViews"][accessor["bufferView"]]["byteOffset"]
            accessor["bufferView"] = 0
        made.json["bufferViews"] = [{"buffer": 0, "byteLength": len(made.buffer)}]
    return made, len(made.buffer) - before


def _move_to_front(made: RigFile, cut: int) -> None:
    added = len(made.buffer) - cut
    made.buffer = made.buffer[cut:] + made.buffer[:cut]
    for view in made.json["bufferViews"]:
        view["byteOffset"] += added if view["byteOffset"] < cut else -cut


def contents(scene: Scene) -> list[np.ndarray]:
    """All numbers that meshes and skins read, in the order in which they are named."""
    primitives = [p for mesh in scene.json["meshes"] for p in mesh["primitives"]]
    numbers = [n for p in primitives for n in (*p["attributes"].values(), p["indices"])]
    return [scene.array(n) for n in (*numbers, *(skin["inverseBindMatrices"] for skin in scene.json["skins"]))]


@pytest.mark.parametrize("layout", [{}, {"first": True}, {"shared_view": True}, {"shared_view": True, "first": True}])
def test_the_bytes_of_old_animations_go_and_the_mesh_is_read_as_before(layout):
    made, animation = animated(**layout)
    document, binary = copy.deepcopy(made.json), bytearray(made.buffer)
    packed = without_animations(document, binary)
    assert len(made.buffer) - len(packed) > PLENTY * animation
    assert "animations" not in document and len(document["accessors"]) == len(made.json["accessors"]) - 7
    before, after = Scene(made.glb()), Scene(RigFile(document, bytes(packed)).glb())
    for old, new in zip(contents(before), contents(after), strict=True):
        assert np.array_equal(old, new)
    for view in document["bufferViews"]:
        assert view["byteOffset"] % 4 == 0 and view["byteOffset"] + view["byteLength"] <= len(packed)


def test_numbers_that_a_mesh_uses_too_stay():
    made, _ = animated()
    made.json["meshes"][0]["primitives"][0]["attributes"]["_KEYS"] = made.json["animations"][0]["samplers"][0]["input"]
    document = copy.deepcopy(made.json)
    packed = without_animations(document, bytearray(made.buffer))
    after = Scene(RigFile(document, bytes(packed)).glb())
    kept = after.array(document["meshes"][0]["primitives"][0]["attributes"]["_KEYS"])
    assert np.array_equal(kept[:, 0], np.linspace(0.0, 1.0, KEYS, dtype=np.float32))


@pytest.mark.parametrize("spoil", ["extension", "accessor"])
def test_nothing_is_taken_out_of_a_file_that_is_not_understood(spoil):
    made, _ = animated()
    if spoil == "extension":
        made.json["extensionsUsed"] = ["ACME_secret_buffers"]
    else:
        made.json["accessors"][-1]["type"] = "VEC7"
    document = copy.deepcopy(made.json)
    assert without_animations(document, bytearray(made.buffer)) == made.buffer
    assert document == {key: value for key, value in made.json.items() if key != "animations"}


def test_samplers_of_nothing_do_no_harm():
    made, _ = animated()
    made.json["animations"][0]["samplers"] = [{}, {"input": 9999, "output": None}]
    document = copy.deepcopy(made.json)
    without_animations(document, bytearray(made.buffer))
    json.dumps(document)


def test_a_written_rig_is_smaller_by_its_old_animations(tmp_path):
    made, animation = animated()
    sizes = []
    for name in ("with.glb", "without.glb"):
        (tmp_path / name).write_bytes(made.glb())
        sizes.append(len(gltf.encode(moving(propose(tmp_path / name).character), FPS)))
        made.json.pop("animations", None)
    assert sizes[0] < sizes[1] - PLENTY * animation
