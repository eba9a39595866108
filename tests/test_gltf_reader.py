"""glTF files: animations of skeletons, in scene space."""

from __future__ import annotations

import base64
import copy
import json
import struct

import numpy as np
import pytest

from poise import rotation
from poise.errors import BadFile
from poise.motion.gltf_document import Document
from poise.motion.read import read

SINGLE = 1e-6  # relative: accessors hold single precision
LISTED = 0.006  # relative: sizes in the rigs' README have three digits


class Builder:
    """A glTF file in the making: JSON, and one buffer that grows with its accessors."""

    def __init__(self) -> None:
        self.buffer = b""
        self.json = {"asset": {"version": "2.0"}, "nodes": [], "bufferViews": [], "accessors": [], "animations": []}

    def view(self, data: bytes, **more) -> int:
        self.buffer += b"\0" * (-len(self.buffer) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.buffer), "byteLength": len(data), **more})
        self.buffer += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, values, **more) -> int:
        values = np.asarray(values, np.float32)
        kind = "SCALAR" if values.ndim == 1 else f"VEC{values.shape[1]}"
        view = self.view(values.tobytes())
        self.json["accessors"].append({"bufferView": view, "componentType": 5126, "count": len(values), "type": kind, **more})
        return len(self.json["accessors"]) - 1

    def animate(self, name, *tracks) -> None:
        """Tracks are (node, path, times, values) or the same with an interpolation."""
        animation = {"channels": [], "samplers": []} | ({"name": name} if name else {})
        for node, path, times, values, *method in tracks:
            sampler = {"input": self.accessor(times), "output": self.accessor(values)}
            animation["samplers"].append(sampler | ({"interpolation": method[0]} if method else {}))
            animation["channels"].append({"sampler": len(animation["samplers"]) - 1, "target": {"node": node, "path": path}})
        self.json["animations"].append(animation)

    def glb(self) -> bytes:
        content = self.json | {"buffers": [{"byteLength": len(self.buffer)}]}
        text = json.dumps(content).encode()
        text += b" " * (-len(text) % 4)
        binary = self.buffer + b"\0" * (-len(self.buffer) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def turned(axis, degrees) -> list[float]:
    """A rotation as glTF writes it, xyzw."""
    w, x, y, z = rotation.from_axis_angle(axis, np.radians(degrees)).tolist()
    return [x, y, z, w]


def two_bones() -> Builder:
    """Scene > Armature (scaled, turned) > hips > leg, the last two skinned."""
    made = Builder()
    made.json["nodes"] = [
        {"name": "Scene", "children": [1]},
        {"name": "Armature", "children": [2], "scale": [100, 100, 100], "rotation": turned([1, 0, 0], -90)},
        {"name": "hips", "children": [3], "translation": [0, 0, 0.01]},
        {"name": "leg", "translation": [0, 0.005, 0]},
    ]
    made.json["skins"] = [{"joints": [2, 3]}]
    return made


@pytest.fixture
def read_built(tmp_path):
    def read_(made: Builder, **options):
        path = tmp_path / "rig.glb"
        path.write_bytes(made.glb())
        return read(path, **options)

    return read_


# --- skeletons --------------------------------------------------------------------------------------------------------


def test_without_animation_the_clip_is_the_pose_of_the_nodes(read_built):
    clip = read_built(two_bones())
    assert (clip.nframes, clip.fps, clip.skeleton.names, clip.skeleton.parents) == (1, 30.0, ("hips", "leg"), (-1, 0))
    # Turned by -90 degrees about x, z is up and y is -z; scaled by 100.
    assert clip.world_positions[0] == pytest.approx(np.array([[0, 1, 0], [0, 1, -0.5]]), abs=1e-9)
    assert np.array_equal(clip.translations[0], clip.skeleton.offsets)


def test_a_matrix_means_what_its_parts_mean(read_built):
    parts, whole = two_bones(), two_bones()
    matrix = np.eye(4)
    matrix[:3, :3] = rotation.to_matrix(rotation.from_axis_angle([1, 0, 0], -np.pi / 2)) * 100
    whole.json["nodes"][1] = {"name": "Armature", "children": [2], "matrix": matrix.T.ravel().tolist()}
    assert read_built(whole).world_positions == pytest.approx(read_built(parts).world_positions, abs=1e-9)
    assert rotation.angle_between(read_built(whole).world_rotations, read_built(parts).world_rotations).max() < 1e-7


def test_places_are_right_under_any_scales(read_built):
    random = np.random.default_rng(5)
    made = Builder()
    expected, matrix = [], np.eye(4)
    for k in range(6):
        turn, move, scale = rotation.normalize(random.normal(size=4)), random.normal(size=3), random.uniform(0.5, 2.0, 3)
        scale[1] *= -1.0 if k == 2 else 1.0
        node = {
            "rotation": turn[[1, 2, 3, 0]].tolist(),
            "translation": move.tolist(),
            "scale": scale.tolist(),
            "children": [k + 1],
        }
        made.json["nodes"].append(node)
        step = np.eye(4)
        step[:3, :3], step[:3, 3] = rotation.to_matrix(turn) * scale, move
        matrix = matrix @ step
        expected.append(matrix[:3, 3])
    del made.json["nodes"][-1]["children"]
    made.json["skins"] = [{"joints": [2, 3, 4, 5]}]
    assert read_built(made).world_positions[0] == pytest.approx(np.array(expected[2:]), abs=1e-9)


def test_nodes_between_joints_are_part_of_the_skeleton(read_built):
    made = two_bones()
    made.json["nodes"][2]["children"] = [4]
    made.json["nodes"].append({"name": "between", "children": [3], "translation": [1, 0, 0]})
    assert read_built(made).skeleton.names == ("hips", "between", "leg")


def test_joints_without_a_common_joint_hang_from_their_common_node(read_built):
    made = two_bones()
    made.json["nodes"][1]["children"] = [2, 4]
    made.json["nodes"].append({"name": "tail"})
    made.json["skins"] = [{"joints": [2, 3, 4]}]
    assert read_built(made).skeleton.names == ("Armature", "hips", "leg", "tail")
    assert read_built(made).skeleton.parents == (-1, 0, 1, 0)


def test_skins_of_one_body_are_joined_and_of_two_bodies_the_larger_is_taken(read_built):
    made = two_bones()
    made.json["nodes"] += [{"name": "foot"}, {"name": "other", "children": [6]}, {"name": "small"}]
    made.json["nodes"][3]["children"] = [4]
    made.json["nodes"][0]["children"] = [1, 5]
    made.json["skins"] = [{"joints": [5, 6]}, {"joints": [2, 3]}, {"joints": [4]}]
    assert read_built(made).skeleton.names == ("hips", "leg", "foot")


def test_bare_nodes_below_the_last_joints_are_tips(read_built):
    made = two_bones()
    made.json["nodes"][3]["children"] = [4, 5]
    made.json["nodes"] += [{"name": "leg_end", "translation": [0, 0.002, 0]}, {"name": "shoe", "mesh": 0}]
    ((joint, tip),) = read_built(made).skeleton.ends
    assert joint == 1 and tip == pytest.approx([0, 0.2, 0])


def test_without_skins_the_animated_nodes_are_the_skeleton(read_built):
    made = two_bones()
    del made.json["skins"]
    made.json["nodes"].append({"name": "ground", "mesh": 0})
    made.animate("sway", (2, "rotation", [0, 1], [turned([0, 0, 1], 0), turned([0, 0, 1], 90)]))
    assert read_built(made).skeleton.names == ("hips", "leg")


def test_names_are_made_usable(read_built):
    made = two_bones()
    made.json["nodes"][3] = {"name": "hips", "children": [4]}
    made.json["nodes"].append({})
    made.json["skins"] = [{"joints": [2, 3, 4]}]
    assert read_built(made).skeleton.names == ("hips", "hips_2", "node_4")


# --- animations -------------------------------------------------------------------------------------------------------


def test_keys_are_interpolated_as_their_sampler_says(read_built):
    made = two_bones()
    made.json["nodes"][1] = {"name": "Armature", "children": [2]}
    made.animate(
        None,
        (2, "translation", [0, 1], [[0, 0, 0], [24, 0, 0]]),
        (2, "rotation", [0, 1], [turned([0, 0, 1], 0), turned([0, 0, 1], 240)]),
        (3, "translation", [0.25, 0.5, 1], [[1, 0, 0], [2, 0, 0], [3, 0, 0]], "STEP"),
    )
    clip = read_built(made)
    assert (clip.nframes, clip.fps) == (25, 24.0)
    assert clip.translations[:, 0, 0] == pytest.approx(np.arange(25), abs=25 * SINGLE)
    short_way = rotation.about_z(np.radians(-5.0 * np.arange(25)))  # 240 degrees are -120
    assert rotation.angle_between(clip.rotations[:, 0], short_way).max() < 1e-5
    assert clip.translations[[0, 6, 11, 12, 23, 24], 1, 0] == pytest.approx([1, 1, 1, 2, 2, 3])


def test_cubic_splines_follow_their_tangents(read_built):
    made = two_bones()
    made.json["nodes"][1] = {"name": "Armature", "children": [2]}
    cubic = np.zeros((6, 3))
    cubic[:, 0] = [0, 0, 1, 12, 8, 0]  # t³ from 0 to 2: slope 0 and 12 … with an out tangent of 1 at the start
    cubic[2, 0] = 0
    made.animate("a", (2, "translation", [0, 2], cubic, "CUBICSPLINE"))
    clip = read_built(made)
    assert clip.translations[:, 0, 0] == pytest.approx((np.arange(49) / 24) ** 3, abs=1e-5)


def test_scale_tracks_change_lengths(read_built):
    made = two_bones()
    made.animate("grow", (1, "scale", [0, 1], [[100] * 3, [200] * 3]))
    clip = read_built(made)
    assert np.linalg.norm(clip.translations[:, 1], axis=1) == pytest.approx(np.linspace(0.5, 1.0, 25), rel=1e-5)


@pytest.mark.parametrize(
    ("times", "fps"),
    [
        (np.arange(20) / 24, 24.0),
        (np.arange(20) / 30 + 1 / 30, 30.0),
        (np.arange(300) / 60, 60.0),
        ([0, 0.5, 1.25], 24.0),
        (np.arange(10) / 11, 22.0),
        ([0, 0.0313, 0.0987, 0.3], 30.0),
        ([0.7], 30.0),
    ],
)
def test_the_frame_rate_is_the_one_the_keys_lie_on(read_built, times, fps):
    made = two_bones()
    made.animate("a", (2, "translation", times, np.zeros((len(times), 3))))
    clip = read_built(made)
    assert clip.fps == pytest.approx(fps)
    assert clip.duration == pytest.approx(times[-1] - times[0], abs=1 / fps)


def test_animations_are_picked_by_name(read_built):
    made = two_bones()
    for name in ("Armature|Walk", "Armature|Run", None):
        made.animate(name, (2, "translation", [0, 1], [[0, 0, 0], [len(name or ""), 0, 0]]))
    assert read_built(made).name == "rig_Walk"
    assert read_built(made, animation="Run").name == read_built(made, animation="Armature|Run").name.replace("Armature|", "")
    assert read_built(made, animation="animation_2").nframes == 25
    with pytest.raises(BadFile, match=r"no animation 'Jog' \(there are: Run, Walk, animation_2\)"):
        read_built(made, animation="Jog")
    with pytest.raises(BadFile, match="nor any other"):
        read_built(two_bones(), animation="Walk")


# --- accessors and buffers --------------------------------------------------------------------------------------------


def test_accessors_may_be_interleaved_normalised_sparse_or_absent(tmp_path):
    made = Builder()
    rows = np.zeros(4, [("a", "<f4", 3), ("b", "<i2", 4)])
    rows["a"] = np.arange(12).reshape(4, 3)
    rows["b"] = [[0, 0, 0, 32767], [32767, 0, 0, 0], [-32768, 0, 0, 0], [0, 16384, 0, 0]]
    view = made.view(rows.tobytes(), byteStride=20)
    made.json["accessors"] = [
        {"bufferView": view, "componentType": 5126, "count": 4, "type": "VEC3"},
        {"bufferView": view, "byteOffset": 12, "componentType": 5122, "count": 4, "type": "VEC4", "normalized": True},
        {
            "componentType": 5126,
            "count": 3,
            "type": "VEC3",
            "sparse": {
                "count": 1,
                "indices": {"bufferView": made.view(bytes([2])), "componentType": 5121},
                "values": {"bufferView": made.view(np.array([7, 8, 9], "<f4").tobytes())},
            },
        },
    ]
    path = tmp_path / "rig.glb"
    path.write_bytes(made.glb())
    document = Document(path)
    assert document.accessor(0, "VEC3").tolist() == rows["a"].tolist()
    assert document.accessor(1, "VEC4") == pytest.approx(
        np.array([[0, 0, 0, 1], [1, 0, 0, 0], [-1, 0, 0, 0], [0, 0.5, 0, 0]]), abs=1e-4
    )
    assert document.accessor(2, "VEC3").tolist() == [[0, 0, 0], [0, 0, 0], [7, 8, 9]]


def moving() -> Builder:
    made = two_bones()
    made.animate("a", (2, "translation", [0, 1], [[0, 0, 0], [1, 0, 0]]))
    return made


def test_buffers_may_be_embedded_or_lie_beside_the_file(tmp_path, read_built):
    made, expected = moving(), read_built(moving()).world_positions
    (tmp_path / "motion data.bin").write_bytes(made.buffer)
    embedded = "data:application/octet-stream;base64," + base64.b64encode(made.buffer).decode()
    for uri in ("motion%20data.bin", "./motion data.bin", embedded):
        content = made.json | {"buffers": [{"byteLength": len(made.buffer), "uri": uri}]}
        (tmp_path / "rig.gltf").write_text(json.dumps(content))
        assert np.array_equal(read(tmp_path / "rig.gltf").world_positions, expected)


@pytest.mark.parametrize(
    "uri", ["../secret.bin", "%2e%2e/secret.bin", "/etc/hostname", "file:///etc/hostname", "https://a.b/c.bin", "", "link.bin", 7]
)
def test_buffers_outside_of_the_folder_are_refused(tmp_path, uri):
    folder = tmp_path / "rigs"
    folder.mkdir()
    (tmp_path / "secret.bin").write_bytes(moving().buffer)
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    content = moving().json | {"buffers": [{"byteLength": len(moving().buffer), "uri": uri}]}
    (folder / "rig.gltf").write_text(json.dumps(content))
    with pytest.raises(BadFile, match="outside of the file's folder"):
        read(folder / "rig.gltf")


# --- bad files --------------------------------------------------------------------------------------------------------


def damaged(change) -> Builder:
    made = copy.deepcopy(moving())
    change(made.json)
    return made


BROKEN = {
    "old version": (lambda j: j["asset"].update(version="1.0"), "glTF version '1.0'"),
    "no asset": (lambda j: j.pop("asset"), "is JSON, but no glTF"),
    "nodes are no list": (lambda j: j.update(nodes={}), "'nodes' must be a list"),
    "no nodes": (lambda j: j.update(nodes=[], animations=[], skins=[]), "has 0 nodes"),
    "child out of range": (lambda j: j["nodes"][3].update(children=[99]), "whole numbers below 4"),
    "two parents": (lambda j: j["nodes"][0].update(children=[1, 3]), "node 3 has two parents"),
    "a loop": (lambda j: j["nodes"].extend([{"children": [5]}, {"children": [4]}]), "their own ancestors"),
    "its own child": (lambda j: j["nodes"][3].update(children=[3]), "two parents"),
    "short rotation": (lambda j: j["nodes"][3].update(rotation=[0, 0, 1]), "'rotation' must be 4 numbers"),
    "words as numbers": (lambda j: j["nodes"][3].update(translation=["a", 0, 1]), "'translation' must be 3 numbers"),
    "huge numbers": (lambda j: j["nodes"][3].update(translation=[1e300, 0, 1]), "numbers up to"),
    "joint out of range": (lambda j: j["skins"][0].update(joints=[2, 40]), "'joints' must be a list of whole numbers below 4"),
    "one joint": (lambda j: j["skins"][0].update(joints=[3]), "has 1 joints, expected 2"),
    "no skeleton": (lambda j: [j.update(skins=[], animations=[])] + [n.update(mesh=0) for n in j["nodes"]], "has no skeleton"),
    "accessor out of range": (lambda j: j["animations"][0]["samplers"][0].update(input=50), "accessor 50 is not there"),
    "accessor of another type": (lambda j: j["animations"][0]["samplers"][0].update(input=1), "has type 'VEC3', expected SCALAR"),
    "sampler out of range": (lambda j: j["animations"][0]["channels"][0].update(sampler=3), "'sampler' is '3'"),
    "unknown interpolation": (lambda j: j["animations"][0]["samplers"][0].update(interpolation="MAGIC"), "'MAGIC' is unknown"),
    "unknown component": (lambda j: j["accessors"][0].update(componentType=5124), "component type '5124' is unknown"),
    "count beyond the view": (lambda j: j["accessors"][0].update(count=1000), "does not hold 1000 elements"),
    "a billion keys": (lambda j: j["accessors"][0].update(count=10**12), "the limit is"),
    "a billion zeros": (lambda j: (j["accessors"][0].update(count=10**9), j["accessors"][0].pop("bufferView")), "the limit is"),
    "view beyond the buffer": (lambda j: j["bufferViews"][0].update(byteOffset=4000), "does not hold"),
    "negative offset": (lambda j: j["bufferViews"][0].update(byteOffset=-4), "'byteOffset' is '-4'"),
    "stride too small": (lambda j: j["bufferViews"][1].update(byteStride=4), "does not hold"),
    "no keys": (lambda j: j["accessors"][0].update(count=0), "key times of node 2's translation"),
    "keys without values": (lambda j: j["accessors"][1].update(count=1), "1 values for 2 keys"),
    "compressed": (lambda j: j["bufferViews"][0].update(extensions={"EXT_meshopt_compression": {}}), "without compression"),
    "view of no buffer": (lambda j: j["bufferViews"][0].update(buffer=1), "'buffer' is '1'"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_says_what_is_wrong(read_built, case):
    change, problem = BROKEN[case]
    with pytest.raises(BadFile) as failure:
        read_built(damaged(change))
    assert problem in str(failure.value) and len(str(failure.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("values", "problem"),
    [([0, np.nan], "NaN"), ([1, 0], "must be there and grow"), ([0, 1e8], "more than 1000000 frames")],
)
def test_key_times_must_be_possible(read_built, values, problem):
    made = two_bones()
    made.animate("a", (2, "translation", values, np.zeros((2, 3))))
    with pytest.raises(BadFile, match=problem):
        read_built(made)


def test_a_truncated_binary_says_so(tmp_path):
    data = moving().glb()
    path = tmp_path / "rig.glb"
    for size in (4, 11, 30, len(data) // 2, len(data) - 8):
        path.write_bytes(data[:size])
        with pytest.raises(BadFile, match=r"truncated|not version 2"):
            read(path)
    path.write_bytes(b"glTF" + struct.pack("<I", 1) + data[8:])
    with pytest.raises(BadFile, match="not version 2"):
        read(path)


def test_a_chain_of_very_many_nodes_is_refused(read_built):
    made = Builder()
    made.json["nodes"] = [{"children": [k + 1]} for k in range(5000)] + [{}]
    with pytest.raises(BadFile, match="nested deeper"):
        read_built(made)


# --- real rigs --------------------------------------------------------------------------------------------------------


def test_real_rigs_have_the_joints_size_and_animations_that_are_listed(rigs):
    lines = [line.strip("| \n").split("|") for line in (rigs / "README.md").read_text().splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line] for line in lines if ".glb" in line[0]]
    assert len(rows) == 6
    for name, _, njoints, size, _, animations, *_ in rows:
        clip = read(rigs / name)
        rest = clip.with_(rotations=clip.rotations[:1], translations=clip.translations[:1])
        assert clip.skeleton.njoints == int(njoints)
        if animations == "none":
            box = np.ptp(rest.world_positions[0], axis=0)
            assert box == pytest.approx([float(edge) for edge in size.split()], rel=LISTED)
        for animation in animations.split(", ") if animations not in ("none", "unnamed") else ():
            assert read(rigs / name, animation=animation).nframes > 1, (name, animation)
