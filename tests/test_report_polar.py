"""The polar plot: curves as seen from above, of any number, whole or in part."""

import numpy as np
import pytest
from PIL import Image

from poise.report.polar import polar

ROUND = {0.0: 10.0, 90.0: 8.0, 180.0: 9.0, 270.0: 8.0}
INK_SHARE = 0.01  # of the pixels: less than any curve with its grid needs


def drawn(path, curves):
    polar(curves, path, title="a $title", remarks="remarks")
    with Image.open(path) as picture:
        return np.asarray(picture.convert("L"))


@pytest.mark.parametrize(
    "curves",
    [{}, {"one": {0.0: 5.0}}, {"zero": dict.fromkeys(ROUND, 0.0)}, {"whole": ROUND, "part": {0.0: 3.0, 90.0: 4.0}, "none": {}}],
)
def test_any_curves_make_a_picture(tmp_path, curves):
    picture = drawn(tmp_path / "map.png", curves)
    assert np.mean(picture < 250) > INK_SHARE


def test_straight_ahead_is_up_and_right_is_right(tmp_path):
    def centre_of_colour(toward):
        pictures = [drawn(tmp_path / "map.png", {"a": {toward: r}, "b": {0.0: 1.0, 180.0: 1.0}}) for r in (1.0, 0.9)]
        rows, columns = np.nonzero(pictures[0] != pictures[1])
        return rows.mean(), columns.mean()

    up, right = centre_of_colour(0.0), centre_of_colour(90.0)
    assert up[0] < right[0]
    assert up[1] < right[1]


def test_the_same_curves_make_the_same_bytes(tmp_path):
    for name in ("a.png", "b.png"):
        polar({"whole": ROUND}, tmp_path / name, title="same")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
