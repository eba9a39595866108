"""Pictures show things where the camera sees them, whoever draws."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import handmade
from poise import rotation
from poise.report import camera, opengl, plain, render
from poise.report.scene import Piece, Scene
from poise.report.take_scene import take_scene

PIXEL = 1.5  # how far the middle of a drawn ball may lie from where the camera formula puts it
SOFT_EDGES = 0.25  # share of a sharp figure's pixels that rounding its boxes, and not drawing their outlines, takes off
RED = (1.0, 0.0, 0.0, 1.0)
WIDTH, HEIGHT = 240, 160


@pytest.fixture(scope="module")
def needs_opengl():
    if opengl.backend() is None:
        pytest.skip("no off-screen OpenGL works here")


@pytest.fixture(params=["opengl", "plain"])
def draw(request):
    """Both ways to draw."""
    if request.param == "opengl":
        request.getfixturevalue("needs_opengl")
        return render.pictures
    return plain.pictures


def balls(*places):
    """A red ball that is somewhere else in every frame."""
    n = len(places)
    size, turn = np.full((n, 3), 0.2), np.tile(rotation.IDENTITY, (n, 1))
    return Scene((Piece("sphere", size, np.array(places, float), turn, RED, np.ones(n, bool)),), np.arange(n) * 1.0, 0.0)


def red(picture):
    """Which pixels (height, width) are red, in light or in shade."""
    r, g, b = np.moveaxis(picture.astype(int), -1, 0)
    return (r > 60) & (g < 0.4 * r) & (b < 0.4 * r)


def red_middle(picture):
    """The middle (x, y) of all red pixels."""
    y, x = np.nonzero(red(picture))
    return np.array([x.mean(), y.mean()])


def projected(view, frame, point):
    right, up, ahead = camera.axes(view.azimuth_deg, view.elevation_deg)
    seen = point - (view.target[frame] - view.distance * ahead)
    scale = 0.5 * HEIGHT / np.tan(np.deg2rad(view.fov_deg) / 2)
    x, y = seen @ right / (seen @ ahead), seen @ up / (seen @ ahead)
    return np.array([0.5 * WIDTH + scale * x, 0.5 * HEIGHT - scale * y]) - 0.5


def test_a_ball_is_drawn_where_the_camera_sees_it(draw):
    places = [(0.0, 0.0, 0.5), (0.5, 0.8, 1.2), (-0.6, -0.7, 0.3)]
    scene = balls(*places)
    view = camera.Camera(np.tile([0.0, 0.0, 0.8], (3, 1)), 6.0, 130.0)
    for frame, picture in enumerate(draw(scene, view, WIDTH, HEIGHT)):
        assert picture.shape == (HEIGHT, WIDTH, 3) and picture.dtype == np.uint8
        assert np.linalg.norm(red_middle(picture) - projected(view, frame, np.array(places[frame]))) < PIXEL


def test_what_is_not_visible_is_not_drawn(draw):
    scene = balls((0.0, 0.0, 0.5), (0.0, 0.0, 0.5))
    hidden = replace(scene.pieces[0], visible=np.array([True, False]))
    view = camera.Camera(np.tile([0.0, 0.0, 0.5], (2, 1)), 6.0, 130.0)
    seen, gone = draw(replace(scene, pieces=(hidden,)), view, WIDTH, HEIGHT)
    assert red(seen).any() and not red(gone).any()


def test_the_same_scene_gives_the_same_pixels(draw):
    scene = take_scene(handmade.take(), np.array([0.3, 1.0]), ghost=True)
    view = camera.fit(scene.corners(), 130.0, WIDTH / HEIGHT)
    once, again = (np.stack(list(draw(scene, view, WIDTH, HEIGHT))) for _ in range(2))
    assert np.array_equal(once, again)


def test_both_ways_to_draw_show_the_same_figure(needs_opengl):
    scene = take_scene(handmade.take(lean_deg=30.0, props=(), events=()), np.array([0.4, 1.7]))
    scene = replace(scene, pieces=tuple(replace(piece, color=RED) for piece in scene.pieces))
    view = camera.fit(scene.corners(), 130.0, WIDTH / HEIGHT)
    for fine, simple in zip(render.pictures(scene, view, WIDTH, HEIGHT), plain.pictures(scene, view, WIDTH, HEIGHT), strict=True):
        one, other = red(fine), red(simple)  # soft boxes, and sharp ones around them
        assert not (one & ~other).any()
        assert one.sum() > (1.0 - SOFT_EDGES) * other.sum()


def test_without_opengl_the_picture_is_plain_and_a_note_says_so(monkeypatch):
    monkeypatch.setattr(opengl, "backend", lambda: None)
    scene = balls((0.0, 0.0, 0.5))
    view = camera.Camera(np.array([[0.0, 0.0, 0.5]]), 6.0, 130.0)
    (drawn,), (expected,) = (list(way(scene, view, WIDTH, HEIGHT)) for way in (render.pictures, plain.pictures))
    assert np.array_equal(drawn, expected)
    assert "OpenGL" in render.note(scene)


@pytest.mark.parametrize("wanted", ["disable", "off", "0"])
def test_opengl_can_be_switched_off_by_the_environment(wanted, monkeypatch):
    monkeypatch.setenv("MUJOCO_GL", wanted)
    assert opengl.backend.__wrapped__() is None


def test_a_backend_that_does_not_exist_here_is_found_not_to_work(monkeypatch):
    monkeypatch.setenv("MUJOCO_GL", "cgl" if sys.platform != "darwin" else "egl")
    assert opengl.backend.__wrapped__() is None


def test_looking_at_pictures_loads_neither_mujoco_nor_matplotlib_before_they_are_drawn():
    code = (
        "import sys, poise.report.filmstrip, poise.export.save; print({'mujoco', 'matplotlib', 'PIL', 'av'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
