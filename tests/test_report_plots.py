"""Plots of a take."""

from __future__ import annotations

import pytest
from PIL import Image

import handmade
from poise.errors import BadFile
from poise.report.plots import plot


@pytest.mark.parametrize(
    "take", [handmade.take(), handmade.take(lean_deg=0.0, events=()), handmade.take(com=handmade.take().com * 0.3)]
)
def test_a_plot_is_a_png(take, tmp_path):
    plot(take, tmp_path / "plot.png")
    with Image.open(tmp_path / "plot.png") as picture:
        assert picture.format == "PNG" and picture.width > 1000


def test_the_same_take_gives_the_same_bytes(tmp_path):
    for name in ("one.png", "two.png"):
        plot(handmade.take(), tmp_path / name)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with pytest.raises(BadFile, match=r"plot\.png"):
        plot(handmade.take(), tmp_path / "nowhere" / "plot.png")
