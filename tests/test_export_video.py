"""A take as a film."""

from __future__ import annotations

import av
import pytest

import handmade
from poise.errors import BadInput
from poise.export import video

SMALL = (160, 96)


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """A film of half a second, and what was reported while it was made."""
    path = tmp_path_factory.mktemp("film") / "take.mp4"
    shares = []
    video.write(handmade.take(seconds=0.5), path, size=SMALL, progress=shares.append)
    return path, shares


def test_the_film_lasts_as_long_as_the_take(film):
    with av.open(str(film[0])) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(video=0))
        assert (stream.codec_context.name, frames[0].format.name) == ("h264", "yuv420p")
        assert (frames[0].width, frames[0].height) == SMALL
        assert len(frames) == 16
        assert frames[-1].time == pytest.approx(0.5)


def test_the_pictures_show_something_that_moves(film):
    with av.open(str(film[0])) as container:
        pictures = [frame.to_ndarray(format="rgb24").astype(int) for frame in container.decode(video=0)]
    assert pictures[0].std() > 5.0
    assert abs(pictures[-1] - pictures[0]).max() > 50


def test_progress_is_told_up_to_the_end(film):
    shares = film[1]
    assert shares == sorted(shares) and shares[-1] == 1.0 and len(shares) == 16


def test_the_same_take_gives_the_same_bytes(film, tmp_path):
    video.write(handmade.take(seconds=0.5), tmp_path / "again.mp4", size=SMALL)
    assert (tmp_path / "again.mp4").read_bytes() == film[0].read_bytes()


@pytest.mark.parametrize(
    "options",
    [
        {"fps": 0},
        {"fps": "a"},
        {"size": (161, 96)},
        {"size": (160, 0)},
        {"size": (160, 10_000)},
        {"size": 3},
        {"size": ("a", "b")},
    ],
)
def test_an_impossible_film_is_refused(options, tmp_path):
    with pytest.raises(BadInput, match="cannot be made"):
        video.write(handmade.take(seconds=0.1), tmp_path / "take.mp4", **options)
    assert not list(tmp_path.iterdir())
