"""A take as binary glTF: valid by Khronos' own judgement, and every joint where it was simulated."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest

import handmade
from poise import rotation
from poise.errors import BadInput
from poise.export import gltf
from poise.motion.read import read
from poise.report.resample import resampled, steady_times
from poise.take import Prop

SINGLE = 2e-6  # metres; glTF stores single precision
_SIZES = {5126: "<f4", 5123: "<u2", 5125: "<u4"}
_SHAPES = {"SCALAR": (), "VEC3": (3,), "VEC4": (4,), "MAT4": (4, 4)}


class Document:
    """A reader of our own, written from the specification and not from the writer."""

    def __init__(self, data: bytes):
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON" and size % 4 == 0
        self.json = json.loads(data[20 : 20 + size])
        binary, kind = struct.unpack_from("<I4s", data, 20 + size)
        assert kind == b"BIN\0" and 28 + size + binary == len(data)
        self.binary = data[28 + size :]

    def array(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        assert view["byteOffset"] % 4 == 0
        shape = (accessor["count"], *_SHAPES[accessor["type"]])
        data = self.binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        return np.frombuffer(data, _SIZES[accessor["componentType"]]).reshape(shape)

    def node(self, name):
        return next(k for k, node in enumerate(self.json["nodes"]) if node["name"] == name)

    def channel(self, node, path):
        (animation,) = self.json["animations"]
        for channel in animation["channels"]:
            if channel["target"] == {"node": node, "path": path}:
                return self.array(animation["samplers"][channel["sampler"]]["output"])
        return None

    def times(self):
        (animation,) = self.json["animations"]
        return self.array(animation["samplers"][0]["input"])

    def world(self, name):
        """Positions (N, 3) and rotations (N, 4, wxyz) of a node over time, in glTF's axes."""
        k = self.node(name)
        above = next((node["name"] for node in self.json["nodes"] if k in node.get("children", [])), None)
        n = len(self.times())
        move, turn = self.channel(k, "translation"), self.channel(k, "rotation")
        move = np.tile(self.json["nodes"][k].get("translation", [0.0, 0.0, 0.0]), (n, 1)) if move is None else move
        turn = np.tile(rotation.IDENTITY, (n, 1)) if turn is None else turn[:, [3, 0, 1, 2]]
        if above is None:
            return move, turn
        position, parent = self.world(above)
        return position + rotation.rotate(parent, move), rotation.multiply(parent, turn)


def in_gltf_axes(v):
    return v[..., [1, 2, 0]]


@pytest.fixture(scope="module")
def take():
    """Samples fall on the frames of the file, so that nothing lies in between."""
    return handmade.take(lean_deg=25.0, rate=60.0)


@pytest.fixture(scope="module")
def document(take):
    return Document(gltf.encode(take))


def test_every_joint_is_where_it_was_simulated(take, document):
    sampled = resampled(take, steady_times(take, take.clip.fps))
    for k, name in enumerate(take.character.names):
        assert np.abs(document.world(name)[0] - in_gltf_axes(sampled.position[:, k])).max() < SINGLE


def test_boxes_ride_on_their_joints(take, document):
    sampled = resampled(take, steady_times(take, take.clip.fps))
    mesh = document.json["meshes"][document.json["nodes"][document.node("human_boxes")]["mesh"]]
    skin = document.json["skins"][0]
    joints, binds = [document.json["nodes"][j]["name"] for j in skin["joints"]], document.array(skin["inverseBindMatrices"])
    assert tuple(joints) == take.character.names
    head = take.character.index("head")
    corners = np.concatenate([_skinned(document, primitive, head, binds) for primitive in mesh["primitives"]])
    middle = sampled.position[:, head] + rotation.rotate(sampled.rotation[:, head], take.character.segments[head].box.center)
    turn = document.world("head")[1]
    local = rotation.rotate(rotation.conjugate(turn)[None], corners - in_gltf_axes(middle)[None])
    size = in_gltf_axes(np.array(take.character.segments[head].box.size))
    assert np.abs(np.abs(local).max(axis=(0, 1)) - size / 2).max() < SINGLE


def _skinned(document, primitive, joint, binds):
    """Vertices (V, N, 3) over time of those that one joint carries."""
    attributes = primitive["attributes"]
    owners, weights = document.array(attributes["JOINTS_0"]), document.array(attributes["WEIGHTS_0"])
    assert np.array_equal(weights, np.tile([1.0, 0.0, 0.0, 0.0], (len(weights), 1)))
    rest = document.array(attributes["POSITION"])[owners[:, 0] == joint]
    local = rest + binds[joint][3, :3]
    position, turn = document.world("head")
    return position[None] + rotation.rotate(turn[None], local[:, None])


def test_triangles_face_outwards(document):
    for mesh in document.json["meshes"]:
        for primitive in mesh["primitives"]:
            points, normals = (document.array(primitive["attributes"][name]) for name in ("POSITION", "NORMAL"))
            corners = document.array(primitive["indices"]).reshape(-1, 3)
            a, b, c = (points[corners[:, k]] for k in range(3))
            assert (np.sum(np.cross(b - a, c - a) * normals[corners].sum(axis=1), axis=-1) > 0).all()


def test_rotations_are_unit_quaternions_without_jumps(document):
    (animation,) = document.json["animations"]
    for channel in animation["channels"]:
        if channel["target"]["path"] == "rotation":
            turn = document.array(animation["samplers"][channel["sampler"]]["output"])
            assert np.abs(np.linalg.norm(turn, axis=-1) - 1.0).max() < 1e-6
            assert (np.sum(turn[1:] * turn[:-1], axis=-1) > 0.0).all()


def test_a_ball_flies_where_it_flew_and_is_gone_while_it_is_not_there(take, document):
    ball = resampled(take, steady_times(take, take.clip.fps)).props[0]
    node = document.node("ball")
    assert np.abs(document.channel(node, "translation") - in_gltf_axes(ball.position)).max() < SINGLE
    assert np.array_equal(document.channel(node, "scale")[:, 0] > 0.5, ball.visible)


def test_the_ground_lies_below_height_zero_under_the_whole_path(take, document):
    node = document.json["nodes"][document.node("ground")]
    points = (
        document.array(document.json["meshes"][node["mesh"]]["primitives"][0]["attributes"]["POSITION"]) + node["translation"]
    )
    assert points[:, 1].max() == pytest.approx(0.0, abs=SINGLE)
    for axis in (0, 1):
        reach = in_gltf_axes(take.com)[:, 2 * axis]
        assert points[:, 2 * axis].min() < reach.min() - 1.0 and points[:, 2 * axis].max() > reach.max() + 1.0


def test_the_ground_slopes_with_an_endless_plane(take):
    n = len(take.times)
    turn = rotation.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.1)
    plane = Prop("slope", "plane", (), np.zeros((n, 3)), np.tile(turn, (n, 1)), np.ones(n, bool))
    document = Document(gltf.encode(handmade.take(rate=60.0, props=(plane,))))
    assert "slope" not in [node["name"] for node in document.json["nodes"]]
    node = document.json["nodes"][document.node("ground")]
    x, y, z, w = node["rotation"]
    points = document.array(document.json["meshes"][node["mesh"]]["primitives"][0]["attributes"]["POSITION"])
    placed = rotation.rotate([w, x, y, z], points) + node["translation"]
    normal = in_gltf_axes(rotation.rotate(turn, [0.0, 0.0, 1.0]))
    assert (placed @ normal).max() == pytest.approx(0.0, abs=SINGLE)


@pytest.mark.parametrize(("clip_fps", "wanted"), [(24.0, 24.0), (60.0, 60.0), (120.0, 60.0)])
def test_the_rate_is_the_clips_but_at_most_sixty(clip_fps, wanted):
    times = Document(gltf.encode(handmade.take(clip=handmade.source_clip(fps=clip_fps)))).times()
    assert 1.0 / np.diff(times).mean() == pytest.approx(wanted, rel=1e-5)
    assert times[0] == 0.0 and times[-1] == pytest.approx(2.0, abs=1e-5)


@pytest.mark.parametrize("fps", [0.1, -30.0, 1e6, float("nan")])
def test_an_impossible_rate_is_refused(take, fps):
    with pytest.raises(BadInput, match="frame rate"):
        gltf.encode(take, fps)


def test_the_same_take_gives_the_same_bytes(take):
    assert gltf.encode(take) == gltf.encode(take)


def test_our_own_reader_reads_the_motion_back(take, tmp_path):
    gltf.write(take, tmp_path / "take.glb")
    clip = read(tmp_path / "take.glb")
    assert sorted(clip.skeleton.names) == sorted(take.character.names)
    order = [clip.skeleton.index(name) for name in take.character.names]
    assert np.abs(clip.world_positions[:, order] - in_gltf_axes(take.position[::2])).max() < SINGLE


def test_the_khronos_validator_has_nothing_to_say(take, validate):
    report = validate(gltf.encode(take))
    assert report["messages"] == []


def test_a_take_of_a_single_moment_is_valid_too(validate):
    report = validate(gltf.encode(handmade.take(seconds=0.0, clip=handmade.source_clip(seconds=0.1))))
    assert report["messages"] == []
