"""A take on the artist's own rig: its vertices follow the simulated segments, and all but the animation is as it was."""

from __future__ import annotations

import json
import struct
from dataclasses import replace

import numpy as np
import pytest

import handmade
from poise import rotation
from poise.character.rig.proposal import propose
from poise.character.skin import bind_pose
from poise.character.toml import load_character, write_character
from poise.cli import main
from poise.errors import BadFile, BadInput
from poise.export import gltf
from poise.report.resample import resampled, steady_times
from poise.take import Take
from rig_files import make_rig
from skeleton_conventions import CONVENTIONS, build
from test_rig_proposal import BIRD, tree

ERROR = 0  # the severity that the validator gives to errors
FPS = 30.0
FOLLOWS = 1e-4  # metres; single precision, and characters are rounded to a hundredth of a millimetre
_READ = {5126: "<f4", 5123: "<u2", 5121: "<u1", 5125: "<u4"}
_WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
VARIANTS = {
    "plain": {},
    "posed, armature scaled": {"posed_deg": 25.0, "armature_scale": 0.01},
    "centimetres": {"scale": 100.0},
    "z up": {"up": "z"},
}


class Scene:
    """A reader and skinner of our own, written from the specification: nodes, one animation, linear blend skinning."""

    def __init__(self, data: bytes):
        size = struct.unpack_from("<I", data, 12)[0]
        self.json, self.binary = json.loads(data[20 : 20 + size]), data[28 + size :]
        self.parent = {c: k for k, node in enumerate(self.json["nodes"]) for c in node.get("children", [])}

    def array(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        start, width = view.get("byteOffset", 0) + accessor.get("byteOffset", 0), _WIDTH[accessor["type"]]
        kind = np.dtype(_READ[accessor["componentType"]])
        stride = view.get("byteStride", width * kind.itemsize)
        return np.ndarray((accessor["count"], width), kind, self.binary, start, (stride, kind.itemsize))

    def locals(self, frame):
        """Matrices of all nodes relative to their parents at a frame."""
        parts = [dict(node) for node in self.json["nodes"]]
        for animation in self.json.get("animations", []):
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                values = self.array(sampler["output"])
                target = channel["target"]
                parts[target["node"]][target["path"]] = values[min(frame, len(values) - 1)]
        return [_matrix(part) for part in parts]

    def skinned(self, frame):
        """Vertices of all skinned meshes (V, 3) in the scene."""
        local = self.locals(frame)

        def world(k):
            return local[k] if k not in self.parent else world(self.parent[k]) @ local[k]

        points = []
        for node in self.json["nodes"]:
            if "skin" not in node:
                continue
            skin = self.json["skins"][node["skin"]]
            inverse = np.swapaxes(self.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4), 1, 2)
            joints = np.stack([world(j) @ m for j, m in zip(skin["joints"], inverse, strict=True)])
            for primitive in self.json["meshes"][node["mesh"]]["primitives"]:
                a = primitive["attributes"]
                vertices, owners, weights = (self.array(a[n]) for n in ("POSITION", "JOINTS_0", "WEIGHTS_0"))
                mixed = np.einsum("vk,vkij->vij", weights.astype(float), joints[owners.astype(int)])
                points.append(np.einsum("vij,vj->vi", mixed, np.column_stack([vertices, np.ones(len(vertices))]))[:, :3])
        return np.concatenate(points)


def _matrix(part) -> np.ndarray:
    if "matrix" in part:
        return np.reshape(part["matrix"], (4, 4)).T
    matrix = np.eye(4)
    turn = np.array(part.get("rotation", [0, 0, 0, 1]), float)[[3, 0, 1, 2]]
    matrix[:3, :3] = rotation.to_matrix(turn) * np.array(part.get("scale", [1, 1, 1]), float)
    matrix[:3, 3] = part.get("translation", [0, 0, 0])
    return matrix


def moving(character) -> Take:
    """A take in which every joint of a character turns in its own way while it travels."""
    take = handmade.take(seconds=1.0)
    n, s = len(take.times), character.nsegments
    random = np.random.default_rng(4)
    axes, angle = random.normal(size=(s, 3)), 0.8 * np.sin(3.0 * take.times)
    turns = np.tile(rotation.IDENTITY, (n, s, 1))
    positions = np.zeros((n, s, 3))
    for k, parent in enumerate(character.parents):
        local = rotation.from_axis_angle(axes[k] / np.linalg.norm(axes[k]), angle * (0.4 if parent >= 0 else 0.7))
        if parent < 0:
            turns[:, k], positions[:, k] = local, character.joints[0] + take.times[:, None] * [0.7, 0.3, 0.05]
        else:
            turns[:, k] = rotation.multiply(turns[:, parent], local)
            positions[:, k] = positions[:, parent] + rotation.rotate(turns[:, parent], character.offsets[k])
    zeros, feet = np.zeros(n), np.zeros((n, len(character.feet)))
    return Take(
        character, None, take.times, positions, turns, np.zeros((n, s, 6)), positions, turns, np.zeros((n, 3)), np.zeros((n, 3)),
        feet, feet > 0.5, zeros, zeros, zeros, np.zeros((n, 2)), np.zeros((n, 2)),
    )  # fmt: skip


def carried(take: Take, proposal, frame: int) -> np.ndarray:
    """Where the vertices (V, 3) are that the simulated segments carry, in the world of the take."""
    character, placed = take.character, proposal.placed
    turns, joints = bind_pose(character, character.skin)
    vertices = placed.vertices + np.array(character.skin.shift)
    owner = np.array(proposal.resting.owner)[placed.rig.main_joint]
    away = rotation.multiply(take.rotation[frame], rotation.conjugate(turns))
    return take.position[frame, owner] + rotation.rotate(away[owner], vertices - joints[owner])


def in_our_axes(points: np.ndarray, proposal) -> np.ndarray:
    return proposal.placed.scale * rotation.rotate(proposal.placed.turn, points)


@pytest.fixture
def proposal(tmp_path):
    """Proposes a character for a rig that is written as told."""

    def make(skeleton, positions, **options):
        path = tmp_path / "rig.glb"
        path.write_bytes(make_rig(skeleton, positions, **options).glb())
        return propose(path)

    return make


@pytest.fixture
def human(proposal):
    return proposal(*build(CONVENTIONS["Mixamo"])[:2])


# --- where vertices are -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("body", ["human", "bird"])
def test_vertices_follow_the_simulated_segments(proposal, body, variant):
    skeleton, positions = build(CONVENTIONS["Mixamo"])[:2] if body == "human" else tree(BIRD)
    made = proposal(skeleton, positions, **VARIANTS[variant])
    take = moving(made.character)
    scene = Scene(gltf.encode(take, FPS))
    sampled = resampled(take, steady_times(take, FPS))
    apart = []
    for frame in (0, 7, 15, len(sampled.times) - 1):
        seen = in_our_axes(scene.skinned(frame), made)
        apart.append(seen - carried(sampled, made, frame))
    apart = np.array(apart)
    # Where the file's world is, is its own affair; but it stays there, turned by nothing.
    assert np.abs(apart - apart[0, 0]).max() < FOLLOWS


def test_the_soles_stand_on_the_floor_of_the_file(human):
    take = moving(human.character)
    n = len(take.times)
    still = replace(
        take,
        position=np.tile(human.character.joints, (n, 1, 1)),
        rotation=np.tile(rotation.IDENTITY, (*take.rotation.shape[:2], 1)),
    )
    bound = Scene(human.placed.rig.path.read_bytes()).skinned(0)
    assert Scene(gltf.encode(still, FPS)).skinned(0)[:, 1].min() == pytest.approx(bound[:, 1].min(), abs=5e-4)


def test_an_edited_joint_moves_the_rig_about_its_new_place(human):
    """A knee that an artist puts higher in the character's file is where the shin turns, in the rig too."""
    character = human.character
    k = character.index("left_shin")
    segments = list(character.segments)
    for c in (k, character.index("left_foot")):
        x, y, z = segments[c].joint
        segments[c] = replace(segments[c], joint=(x, y, z + 0.05))
    edited = replace(character, segments=tuple(segments))
    take = moving(edited)
    scene, sampled = Scene(gltf.encode(take, FPS)), resampled(take, steady_times(take, FPS))
    made = replace(human, character=edited)
    apart = [in_our_axes(scene.skinned(f), made) - carried(sampled, made, f) for f in (0, 10, 25)]
    assert np.abs(np.array(apart) - apart[0][0]).max() < FOLLOWS


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_everything_but_the_animation_is_kept(human):
    before, after = Scene(human.placed.rig.path.read_bytes()), Scene(gltf.encode(moving(human.character), FPS))
    assert after.binary[: len(before.binary)] == before.binary
    for key in ("meshes", "skins", "scenes", "scene"):
        assert after.json[key] == before.json[key]
    assert after.json["nodes"] == before.json["nodes"]
    assert after.json["accessors"][: len(before.json["accessors"])] == before.json["accessors"]
    assert len(after.json["animations"]) == 1


def test_old_animations_make_way(proposal, tmp_path):
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"])
    made = make_rig(skeleton, positions)
    sampler = {"input": made.accessor(np.array([0.0, 1.0], np.float32), bounds=True)}
    sampler["output"] = made.accessor(np.tile(np.float32([0, 0, 0, 1]), (2, 1)))
    channel = {"sampler": 0, "target": {"node": 3, "path": "rotation"}}
    made.json["animations"] = [{"name": "old", "channels": [channel], "samplers": [sampler]}]
    (tmp_path / "rig.glb").write_bytes(made.glb())
    (animation,) = Scene(gltf.encode(moving(propose(tmp_path / "rig.glb").character), FPS)).json["animations"]
    assert animation["name"] != "old"


def test_a_node_with_a_matrix_is_taken_apart_when_it_moves(tmp_path):
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"])
    made = make_rig(skeleton, positions)
    node = made.json["nodes"][1]
    matrix = _matrix(node)
    made.json["nodes"][1] = {"name": node["name"], "children": node["children"], "matrix": matrix.T.ravel().tolist()}
    (tmp_path / "rig.glb").write_bytes(made.glb())
    proposed = propose(tmp_path / "rig.glb")
    take = moving(proposed.character)
    scene, sampled = Scene(gltf.encode(take, FPS)), resampled(take, steady_times(take, FPS))
    assert not any("matrix" in n for n in scene.json["nodes"])
    apart = [in_our_axes(scene.skinned(f), proposed) - carried(sampled, proposed, f) for f in (0, 20)]
    assert np.abs(np.array(apart) - apart[0][0]).max() < FOLLOWS


def test_weights_that_do_not_sum_to_one_are_mended(tmp_path):
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"])
    made = make_rig(skeleton, positions)
    attributes = made.json["meshes"][0]["primitives"][0]["attributes"]
    count = made.json["accessors"][attributes["WEIGHTS_0"]]["count"]
    attributes["WEIGHTS_0"] = made.accessor(np.tile(np.float32([0.9, 0.8, 0, 0]), (count, 1)))
    (tmp_path / "rig.glb").write_bytes(made.glb())
    scene = Scene(gltf.encode(moving(propose(tmp_path / "rig.glb").character), FPS))
    assert np.abs(scene.array(attributes["WEIGHTS_0"]).sum(axis=1) - 1.0).max() < 1e-6


def test_a_gltf_becomes_one_glb_with_its_buffers_and_images(tmp_path):
    skeleton, positions, _ = build(CONVENTIONS["Mixamo"])
    made = make_rig(skeleton, positions)
    picture = b"\x89PNG\r\n\x1a\n" + bytes(20)
    (tmp_path / "skin.png").write_bytes(picture)
    (tmp_path / "rig.bin").write_bytes(made.buffer)
    content = made.json | {"buffers": [{"byteLength": len(made.buffer), "uri": "rig.bin"}], "images": [{"uri": "skin.png"}]}
    (tmp_path / "rig.gltf").write_text(json.dumps(content))
    scene = Scene(gltf.encode(moving(propose(tmp_path / "rig.gltf").character), FPS))
    (image,) = scene.json["images"]
    view = scene.json["bufferViews"][image["bufferView"]]
    assert image["mimeType"] == "image/png" and "uri" not in image
    assert scene.binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]] == picture
    assert len(scene.json["buffers"]) == 1 and "uri" not in scene.json["buffers"][0]


def test_the_same_take_gives_the_same_bytes(human):
    take = moving(human.character)
    assert gltf.encode(take, FPS) == gltf.encode(take, FPS)


# --- files and options ------------------------------------------------------------------------------------------------


def test_a_rig_that_is_gone_or_lacks_nodes_is_told(human, tmp_path):
    take = moving(human.character)
    skin = human.character.skin
    gone = replace(take, character=replace(human.character, skin=replace(skin, file=str(tmp_path / "gone.glb"))))
    with pytest.raises(BadFile, match=r"gone\.glb: the rig of character 'rig' is not at"):
        gltf.encode(gone, FPS)
    parts = (replace(skin.parts[0], nodes=("Hisp",)), *skin.parts[1:])
    with pytest.raises(BadFile, match="has no node 'Hisp'"):
        gltf.encode(replace(take, character=replace(human.character, skin=replace(skin, parts=parts))), FPS)


def test_a_rig_that_has_changed_is_told(human, tmp_path):
    skin = replace(human.character.skin, sha256="0" * 64)
    take = moving(replace(human.character, skin=skin))
    assert "rig.glb has changed" in take.save(tmp_path / "out.glb")[0]


def test_the_character_survives_npz(human, tmp_path):
    take = moving(human.character)
    take.save(tmp_path / "take.npz")
    back = Take.load(tmp_path / "take.npz").character
    assert back.skin == human.character.skin and back.limbs == human.character.limbs


def test_the_skin_option_makes_a_character_and_writes_its_mesh(human, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "stand", "--skin", "rig.glb", "--duration", "0.1", "-o", "out.glb"]) == 0
    assert Scene((tmp_path / "out.glb").read_bytes()).json["skins"] == Scene((tmp_path / "rig.glb").read_bytes()).json["skins"]


def test_skin_none_writes_boxes_and_another_place_is_found(human, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_character(human.character, tmp_path / "body.toml")
    words = ["simulate", "stand", "--character", "body.toml", "--duration", "0.1", "-o", "out.glb"]
    assert main([*words, "--skin", "none"]) == 0
    assert "ground" in [node["name"] for node in Scene((tmp_path / "out.glb").read_bytes()).json["nodes"]]
    (tmp_path / "rig.glb").rename(tmp_path / "moved.glb")
    assert main(words) == 2 and "say where with --skin" in capsys.readouterr().err
    assert main([*words, "--skin", "moved.glb"]) == 0
    with pytest.raises(BadInput, match="was not made from a rig"):
        from poise.cli.skins import _reskinned

        _reskinned("human", "moved.glb")
    assert load_character(tmp_path / "body.toml").skin is not None


# --- judged by others -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rig", ["Velociraptor", "CesiumMan", "RiggedFigure", "Casual_man", "RobotExpressive"])
def test_real_rigs_pass_the_khronos_validator_with_the_simulated_motion(rigs, validate, rig):
    made = propose(next(rigs.rglob(f"{rig}.glb")))
    messages = validate(gltf.encode(moving(made.character), FPS))["messages"]
    assert [message for message in messages if message["severity"] == ERROR] == []
