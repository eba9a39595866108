"""Strips and films show the artist's mesh, in its colours and where the segments carry it; boxes where there is none."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from poise.character.rig.carried import carried_mesh
from poise.character.rig.proposal import propose
from poise.motion.gltf_document import Document
from poise.motion.gltf_materials import read_surfaces
from poise.report import camera, opengl, plain, render
from poise.report.filmstrip import filmstrip
from poise.report.mesh import rounded_box
from poise.report.take_scene import take_scene
from poise.report.triangle_colors import coarser_triangles, seen_triangles, triangle_colors
from rig_files import make_rig
from test_rig_proposal import BIRD, tree
from test_rig_skin import moving

WIDTH, HEIGHT = 240, 160
MOMENTS = np.array([0.0, 0.45, 0.9])
SAME_FIGURE = (
    0.97  # share of the figure's pixels that two drawers have in common; edges are smooth in one and jagged in the other
)
INSIDE = 1e-6
CODED = 1 / 255 + 1e-6  # colours of images have eight bits


@pytest.fixture
def rig():
    """A rig, to be painted."""
    return make_rig(*tree(BIRD))


@pytest.fixture
def shown(tmp_path):
    """The take of a rig's character that moves about, and its scene."""

    def made(rig):
        (tmp_path / "bird.glb").write_bytes(rig.glb())
        take = moving(propose(tmp_path / "bird.glb").character)
        return take, take_scene(take, MOMENTS)

    return made


def paint(rig, image: Image.Image | None = None, **material) -> None:
    """Gives the whole mesh one material; an image lies on it from left to right, head to tail."""
    primitive = rig.json["meshes"][0]["primitives"][0]
    primitive["material"] = 0
    base = {"baseColorFactor": material.pop("factor", [1.0, 1.0, 1.0, 1.0])}
    rig.json["materials"] = [{"pbrMetallicRoughness": base, **material}]
    if image is not None:
        encoded = io.BytesIO()
        image.save(encoded, "PNG")
        rig.accessor(np.frombuffer(encoded.getvalue(), np.uint8).reshape(-1, 1))
        rig.json["images"] = [{"bufferView": len(rig.json["bufferViews"]) - 1, "mimeType": "image/png"}]
        rig.json["textures"] = [{"source": 0}]
        base["baseColorTexture"] = {"index": 0}
        place = rig.json["accessors"][primitive["attributes"]["POSITION"]]
        forward = np.linspace(0.02, 0.98, place["count"])
        primitive["attributes"]["TEXCOORD_0"] = rig.accessor(np.stack([forward, 0 * forward + 0.5], axis=-1).astype(np.float32))


def red(picture):
    r, g, b = np.moveaxis(picture.astype(int), -1, 0)
    return (r > 60) & (g < 0.4 * r) & (b < 0.4 * r)


def test_the_mesh_is_shown_and_no_box_of_the_character(rig, shown):
    take, scene = shown(rig)
    assert len(scene.skins) == 1 and not scene.pieces and scene.note is None
    assert len(take_scene(take, MOMENTS, ghost=True).skins) == 2
    boxes = take_scene(replace(take, character=replace(take.character, skin=None)), MOMENTS)
    assert len(boxes.pieces) == take.character.nsegments and not boxes.skins


def test_the_camera_has_the_whole_mesh_in_view(rig, shown):
    _, scene = shown(rig)
    skin, outline = scene.skins[0], scene.corners()
    for frame in range(len(MOMENTS)):
        vertices = skin.mesh.at(skin.position[frame], skin.rotation[frame])
        room = 0.03 * np.ptp(vertices, axis=0).max()
        assert (vertices.min(axis=0) > outline[frame].min(axis=0) - room).all()
        assert (vertices.max(axis=0) < outline[frame].max(axis=0) + room).all()


def test_both_ways_to_draw_show_the_same_mesh_in_its_colour(rig, shown):
    if opengl.backend() is None:
        pytest.skip("no off-screen OpenGL works here")
    paint(rig, factor=[1.0, 0.0, 0.0, 1.0])
    _, scene = shown(rig)
    view = camera.fit(scene.corners(), 130.0, WIDTH / HEIGHT)
    for fine, simple in zip(render.pictures(scene, view, WIDTH, HEIGHT), plain.pictures(scene, view, WIDTH, HEIGHT), strict=True):
        one, other = red(fine), red(simple)
        assert one.sum() > 0.02 * one.size
        assert (one & other).sum() > SAME_FIGURE * min(one.sum(), other.sum())


def test_triangles_have_the_colours_of_their_image(rig, shown):
    halves = Image.new("RGB", (64, 8), (0, 0, 255))
    halves.paste((255, 0, 0), (0, 0, 32, 8))
    paint(rig, halves, factor=[1.0, 1.0, 0.0, 1.0])
    _, scene = shown(rig)
    mesh, colors = scene.skins[0].mesh, triangle_colors(scene.skins[0])
    left = mesh.texcoords[mesh.triangles].mean(axis=1)[:, 0] < 0.5
    assert np.abs(colors[left] - [1.0, 0.0, 0.0, 1.0]).max() < CODED
    assert np.abs(colors[~left] - [0.0, 0.0, 0.0, 1.0]).max() < CODED  # blue is filtered by the factor


@pytest.mark.parametrize(("mode", "all_there"), [("OPAQUE", True), ("MASK", False), ("BLEND", False)])
def test_transparent_parts_of_an_image_are_not_there(rig, shown, mode, all_there):
    halves = Image.new("RGBA", (64, 8), (255, 0, 0, 255))
    halves.paste((255, 0, 0, 0), (0, 0, 32, 8))
    paint(rig, halves, alphaMode=mode)
    _, scene = shown(rig)
    assert seen_triangles(scene.skins[0]).all() == all_there
    assert seen_triangles(scene.skins[0]).any()


def test_an_image_that_cannot_be_read_leaves_the_colour(rig, shown, tmp_path):
    paint(rig, Image.new("RGB", (8, 8)), factor=[0.0, 1.0, 0.0, 1.0])
    rig.json["images"][0] = {"uri": "not_there.png"}
    shown(rig)
    (surface,) = read_surfaces(Document(tmp_path / "bird.glb"))
    assert surface.image is None and surface.color == pytest.approx((0.0, 1.0, 0.0), abs=1e-6)


def test_a_rig_that_is_gone_is_told_and_boxes_are_drawn(rig, shown, tmp_path, monkeypatch):
    monkeypatch.setattr(opengl, "backend", lambda: None)
    take, _ = shown(rig)
    (tmp_path / "bird.glb").unlink()
    note = filmstrip(take, tmp_path / "strip.png", frames=1)
    assert "bird.glb" in note and "boxes were drawn" in note
    assert (tmp_path / "strip.png").is_file()


def test_a_coarser_mesh_is_still_closed():
    ball = rounded_box((1.0, 1.0, 1.0), 0.5, steps=24)
    _, once = np.unique(np.round(ball.vertices, 9), axis=0, return_index=True)
    assert len(once) < len(ball.vertices)  # it is in pieces that touch, as artists' meshes are
    kept, corners = coarser_triangles(ball.vertices, ball.triangles, np.ones(len(ball.triangles), bool), 1500)
    assert 300 < len(corners) <= 1500 and len(kept) == len(corners)
    edges = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    assert {tuple(e) for e in edges.tolist()} == {tuple(e[::-1]) for e in edges.tolist()}


def test_a_mesh_of_few_triangles_is_left_alone():
    box = rounded_box((1.0, 2.0, 3.0), 0.0, steps=0)
    kept, corners = coarser_triangles(box.vertices, box.triangles, np.ones(len(box.triangles), bool), 1000)
    assert np.array_equal(corners, box.triangles) and np.array_equal(kept, np.arange(len(box.triangles)))


def test_the_mesh_of_a_film_is_where_the_rig_is_in_the_written_file(rig, shown):
    take, scene = shown(rig)
    skin, mesh = scene.skins[0], carried_mesh(take.character, take.character.skin)
    frame = int(np.argmin(np.abs(take.times - MOMENTS[1])))
    seen = skin.mesh.at(skin.position[1], skin.rotation[1])
    assert np.abs(seen - mesh.at(take.position[frame], take.rotation[frame])).max() < INSIDE
