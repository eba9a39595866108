"""Filmstrips: evenly spaced moments, nothing cropped, a push always shown."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import handmade
from poise.errors import BadFile, BadInput
from poise.report import opengl, sheet
from poise.report.filmstrip import clip_filmstrip, filmstrip, moments

WIDTH = 600


@pytest.fixture(scope="module")
def take():
    return handmade.take()


def push(at, duration=0.2):
    return {"type": "push", "body": "chest", "force": [0.0, 250.0, 0.0], "at": at, "duration": duration}


def test_a_strip_is_a_png_of_the_width_asked_for(take, tmp_path):
    filmstrip(take, tmp_path / "strip.png", frames=4, width=WIDTH)
    with Image.open(tmp_path / "strip.png") as picture:
        assert (picture.format, picture.width) == ("PNG", WIDTH)
        assert picture.height > 150


def test_a_strip_of_a_clip_shows_all_its_panels(tmp_path):
    clip_filmstrip(handmade.source_clip(), tmp_path / "strip.png", frames=3, width=WIDTH)
    with Image.open(tmp_path / "strip.png") as picture:
        pixels = np.asarray(picture).astype(int)
    coral = pixels[..., 0] - pixels[..., 2] > 60
    thirds = np.array_split(coral, 3, axis=1)
    assert all(third.sum() > 100 for third in thirds)


def test_the_same_take_gives_the_same_bytes(take, tmp_path):
    for name in ("one.png", "two.png"):
        filmstrip(take, tmp_path / name, frames=2, width=WIDTH, ghost=True)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_the_figure_stays_inside_its_panel(tmp_path):
    """No limb touches the border of its panel: there the picture is background only."""
    take = handmade.take(lean_deg=40.0, events=(), props=())
    filmstrip(take, tmp_path / "strip.png", frames=3, width=900)
    with Image.open(tmp_path / "strip.png") as picture:
        pixels = np.asarray(picture).astype(int)
    colourful = (np.abs(pixels[..., 0] - pixels[..., 2]) > 60) | (np.abs(pixels[..., 1] - pixels[..., 0]) > 60)
    layout = sheet.layout(3, 0.5, 900)
    rows = np.flatnonzero(colourful.any(axis=1))
    assert rows.min() > layout.corner(0)[1] + 5
    assert rows.max() < pixels.shape[0] - 50


def test_moments_are_evenly_spaced_from_first_to_last(take):
    times = moments(handmade.take(events=()), 5)
    assert times == pytest.approx([0.0, 0.5, 1.0, 1.5, 2.0])


def test_a_push_between_two_moments_draws_the_nearest_to_it():
    times = moments(handmade.take(events=(push(0.6),)), 5)
    assert times == pytest.approx([0.0, 0.7, 1.0, 1.5, 2.0])


def test_the_first_and_the_last_moment_stay_where_they_are():
    assert moments(handmade.take(events=(push(0.05, 0.1),)), 5) == pytest.approx([0.0, 0.1, 1.0, 1.5, 2.0])
    assert moments(handmade.take(events=(push(0.7),)), 1) == pytest.approx([0.8])


def test_a_push_that_is_seen_anyway_moves_nothing():
    assert moments(handmade.take(events=(push(0.9),)), 5) == pytest.approx([0.0, 0.5, 1.0, 1.5, 2.0])


def test_a_push_after_the_end_moves_nothing():
    assert moments(handmade.take(events=(push(7.0),)), 5) == pytest.approx([0.0, 0.5, 1.0, 1.5, 2.0])


def test_what_a_ball_has_struck_is_shown_as_it_gives_way():
    ball = {"type": "ball", "target": "head", "at": 0.6}
    assert moments(handmade.take(events=(ball,)), 5) == pytest.approx([0.0, 0.7, 1.0, 1.5, 2.0])


def test_each_of_two_blows_has_a_moment_of_its_own():
    blows = ({"type": "ball", "target": "head", "at": 0.75}, push(0.55, 0.1))
    assert moments(handmade.take(events=blows), 5) == pytest.approx([0.0, 0.6, 0.85, 1.5, 2.0])


def test_a_push_that_acts_all_the_time_leaves_moments_to_others():
    blows = (push(0.0, 2.0), {"type": "ball", "target": "head", "at": 0.6})
    assert moments(handmade.take(events=blows), 5) == pytest.approx([0.0, 0.7, 1.0, 1.5, 2.0])


@pytest.mark.parametrize("frames", [0, -1, 1000, 2.5, "many"])
def test_an_impossible_number_of_frames_is_refused(take, frames, tmp_path):
    with pytest.raises(BadInput, match="frames cannot be drawn"):
        filmstrip(take, tmp_path / "strip.png", frames=frames)


@pytest.mark.parametrize(
    ("options", "reason"),
    [({"width": 0}, "0 pixels wide"), ({"width": "wide"}, "pixels wide"), ({"azimuth_deg": float("nan")}, "azimuth_deg = nan")],
)
def test_an_impossible_view_is_refused(take, options, reason, tmp_path):
    with pytest.raises(BadInput, match=reason):
        filmstrip(take, tmp_path / "strip.png", **options)
    assert not (tmp_path / "strip.png").exists()


def test_a_strip_of_one_moment_can_be_drawn(tmp_path):
    one = handmade.take(seconds=0.0, clip=handmade.source_clip(0.1))
    filmstrip(one, tmp_path / "strip.png", width=WIDTH)
    assert (tmp_path / "strip.png").is_file()


def test_a_folder_that_is_not_there_is_told(take, tmp_path):
    with pytest.raises(BadFile, match=r"strip\.png"):
        filmstrip(take, tmp_path / "nowhere" / "strip.png", frames=1, width=WIDTH)


def test_without_opengl_there_is_a_strip_and_a_note(take, tmp_path, monkeypatch):
    monkeypatch.setattr(opengl, "backend", lambda: None)
    assert "OpenGL" in filmstrip(take, tmp_path / "strip.png", frames=2, width=WIDTH)
    assert (tmp_path / "strip.png").is_file()


def test_narrow_figures_stand_in_one_row_and_wide_ones_in_two():
    assert sheet.layout(8, 0.5, 1600).columns == 8
    assert sheet.layout(8, 1.3, 1600).columns == 4


def test_the_title_tells_clip_controller_and_result(take):
    name, remarks = sheet.take_title(take)
    assert name == "swing"
    assert "pose controller" in remarks and "completed" in remarks


def test_a_fall_is_told_in_the_title():
    fallen = handmade.take(com=handmade.take().com * [1.0, 1.0, 0.3])
    assert "fell at 0.00 s" in sheet.take_title(fallen)[1]


def test_a_very_long_name_is_cut_and_the_strip_still_drawn(tmp_path):
    clip = handmade.source_clip().with_(name="walk " * 60)
    clip_filmstrip(clip, tmp_path / "strip.png", frames=2, width=WIDTH)
    assert (tmp_path / "strip.png").is_file()
