"""Rigs that cannot be used are named in one line, and nothing is half-written. What can be read, however odd, is."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest

from poise.character.rig.placing import place
from poise.character.rig.rig import load_rig
from poise.cli import main
from poise.errors import PoiseError
from rig_files import RigFile, make_rig
from skeleton_conventions import CONVENTIONS, build

SAME = 1e-4  # relative: positions on a grid of 16 bits


def rig(**options) -> RigFile:
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"])
    return make_rig(skeleton, positions, **options)


def _primitive(made):
    return made.json["meshes"][0]["primitives"][0]


def without_skin(made):
    del made.json["skins"], made.json["nodes"][-1]["skin"]


def cyclic(made):
    made.json["nodes"][3].setdefault("children", []).append(1)
    made.json["nodes"][0]["children"] = []


def of_many_joints(made):
    n = 5000
    made.json["nodes"] = [{"name": "j0", "children": list(range(1, n))}, *({"name": f"j{k}"} for k in range(1, n))]
    made.json["skins"] = [{"joints": list(range(n))}]


def out_of_range(made):
    count = made.json["accessors"][_primitive(made)["attributes"]["JOINTS_0"]]["count"]
    _primitive(made)["attributes"]["JOINTS_0"] = made.accessor(np.full((count, 4), 9999, np.uint16))


def a_snake(made):
    nodes = made.json["nodes"]
    for k, node in enumerate(nodes[1:-1], 1):
        node.pop("children", None)
        node |= {"name": f"spine_{k}", **({"children": [k + 1]} if k < len(nodes) - 2 else {})}


SPOILT = {
    "no skin": (without_skin, "has no skin"),
    "skin without joints": (lambda m: m.json["skins"][0].update(joints=[]), "skins have no joints"),
    "cyclic": (cyclic, "their own ancestors"),
    "5,000 joints": (of_many_joints, "5000 joints"),
    "Draco": (lambda m: _primitive(m).update(extensions={"KHR_draco_mesh_compression": {}}), "without compression"),
    "meshopt": (lambda m: m.json["bufferViews"][1].update(extensions={"EXT_meshopt_compression": {}}), "without compression"),
    "buffer outside": (lambda m: m.json.update(buffers_uri="../../secret.bin"), "outside of the file's folder"),
    "no bind matrices": (lambda m: m.json["skins"][0].pop("inverseBindMatrices"), "no inverse bind matrices"),
    "too few bind matrices": (lambda m: m.json["accessors"][0].update(count=3), "3 inverse bind matrices"),
    "flattening bind matrix": (lambda m: setattr(m, "buffer", bytes(64) + m.buffer[64:]), "flattens space"),
    "not a number": (lambda m: setattr(m, "buffer", np.float32(np.nan).tobytes() + m.buffer[4:]), "NaN"),
    "truncated": (lambda m: setattr(m, "buffer", m.buffer[:500]), "truncated"),
    "unknown joint": (out_of_range, "names joints that its skin"),
    "unknown vertex": (lambda m: _primitive(m).update(indices=m.accessor(np.array([0, 1, 60000], np.uint16))), "vertex 60000"),
    "no legs": (a_snake, "looked for two like chains"),
}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_a_rig_that_cannot_be_used_is_named_in_one_line_and_nothing_is_written(tmp_path, capsys, spoilt):
    change, told = SPOILT[spoilt]
    made = rig()
    change(made)
    uri = made.json.pop("buffers_uri", None)
    data = made.glb()
    if uri:
        made.json["buffers"] = [{"byteLength": len(made.buffer), "uri": uri}]
        data = json.dumps(made.json).encode()
    path = tmp_path / ("rig.gltf" if uri else "rig.glb")
    path.write_bytes(data)
    outputs = [tmp_path / "out.toml", tmp_path / "out.png"]
    assert main(["character", "new", str(path), "-o", str(outputs[0]), "-o", str(outputs[1])]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"poise: {path.name}") and told in said and said.count("\n") == 1
    assert not any(out.exists() for out in outputs)


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.glb", b"hello\n", "begins with 'hello"),
        ("a.fbx", b"Kaydara FBX Binary  \0\x1a\0" + bytes(99), "is FBX"),
        ("a.glb", b"<!DOCTYPE html><html>404</html>", "is a web page"),
        ("a.vrm", b"PK\x03\x04" + bytes(20), "is a ZIP archive"),
        ("a.bvh", b"HIERARCHY\nROOT Hips\n", "is BVH motion"),
        ("a.glb", b"version https://git-lfs.github.com/spec/v1\noid sha256:aa\n", "pointer of Git LFS"),
        ("a.glb", bytes(range(1, 200)), "is no glTF"),
        ("a.gltf", b'{"name": "something else"}', "is JSON, but no glTF"),
    ],
)
def test_a_file_that_is_no_rig_at_all_is_told_what_it_is_and_what_is_expected(tmp_path, capsys, name, content, kind):
    (tmp_path / name).write_bytes(content)
    assert main(["character", "new", str(tmp_path / name), "-o", str(tmp_path / "out.toml")]) == 2
    told = capsys.readouterr().err
    assert kind in told and "expected a character as glTF 2.0" in told and told.count("\n") == 1
    assert not (tmp_path / "out.toml").exists()


def test_legs_without_length_are_refused(tmp_path):
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"])
    flat = positions.copy()
    flat[[skeleton.index(n) for n in skeleton.names if "Leg" in n or "Foot" in n or "Toe" in n], 2] = 1.0
    (tmp_path / "flat.glb").write_bytes(make_rig(skeleton, flat).glb())
    with pytest.raises(PoiseError, match=r"flat\.glb"):
        from poise.character.rig.proposal import propose

        propose(tmp_path / "flat.glb", up="y")


def test_quantised_positions_mean_what_plain_ones_mean(tmp_path):
    """KHR_mesh_quantization: whole numbers, with the inverse bind matrices to make up for it."""
    plain, made = rig(), rig()
    attributes = _primitive(made)["attributes"]
    accessor = made.json["accessors"][attributes["POSITION"]]
    start = made.json["bufferViews"][accessor["bufferView"]]["byteOffset"]
    points = np.frombuffer(made.buffer, "<f4", 3 * accessor["count"], start).reshape(-1, 3)
    steps = 30000 / np.abs(points).max()
    padded = np.zeros((len(points), 4), np.int16)
    padded[:, :3] = np.round(points * steps)
    attributes["POSITION"] = made.accessor(padded)
    made.json["accessors"][-1]["type"] = "VEC3"
    made.json["bufferViews"][-1]["byteStride"] = 8
    inverse = np.frombuffer(made.buffer, "<f4", 16 * made.json["accessors"][0]["count"]).reshape(-1, 4, 4).copy()
    inverse[:, :3] /= steps  # columns, as glTF stores them
    made.json["skins"][0]["inverseBindMatrices"] = made.accessor(inverse)
    assert _vertices(tmp_path, made) == pytest.approx(_vertices(tmp_path, plain), abs=SAME)


def test_sparse_positions_are_read(tmp_path):
    plain, made = rig(), rig()
    accessor = made.json["accessors"][_primitive(made)["attributes"]["POSITION"]]
    start = made.json["bufferViews"][accessor["bufferView"]]["byteOffset"]
    points = np.frombuffer(made.buffer, "<f4", 3 * accessor["count"], start).reshape(-1, 3)
    rows = np.arange(0, len(points), 3, dtype=np.uint16)
    indices, values = made.accessor(rows), made.accessor(points[rows])
    spoilt = np.array(points)
    spoilt[rows] = 7.0
    made.buffer = made.buffer[:start] + spoilt.tobytes() + made.buffer[start + spoilt.nbytes :]
    accessor["sparse"] = {
        "count": len(rows),
        "indices": {"bufferView": made.json["accessors"][indices]["bufferView"], "componentType": 5123},
        "values": {"bufferView": made.json["accessors"][values]["bufferView"]},
    }
    assert np.array_equal(_vertices(tmp_path, made), _vertices(tmp_path, plain))


def test_a_gltf_with_its_buffer_inside_or_beside_is_read(tmp_path):
    made = rig()
    plain = _vertices(tmp_path, made)
    (tmp_path / "rig.bin").write_bytes(made.buffer)
    inside = "data:application/octet-stream;base64," + base64.b64encode(made.buffer).decode()
    for uri in ("rig.bin", inside):
        content = made.json | {"buffers": [{"byteLength": len(made.buffer), "uri": uri}]}
        (tmp_path / "rig.gltf").write_text(json.dumps(content))
        assert np.array_equal(place(load_rig(tmp_path / "rig.gltf")).vertices, plain)


def _vertices(folder, made: RigFile) -> np.ndarray:
    (folder / "some.glb").write_bytes(made.glb())
    return place(load_rig(folder / "some.glb")).vertices
