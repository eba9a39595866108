"""One way to save: the ending picks the format, and a file is there whole or not at all."""

from __future__ import annotations

import pytest

import handmade
from poise.errors import BadFile, BadInput
from poise.export.save import ENDINGS, save
from poise.report.plots import plot
from poise.take import Take

STARTS = {".bvh": b"HIERARCHY", ".glb": b"glTF", ".npz": b"PK", ".png": b"\x89PNG", ".csv": b"time_s,"}


@pytest.fixture
def take():
    return handmade.take(seconds=0.2)


@pytest.mark.parametrize(("ending", "start"), STARTS.items())
def test_the_ending_picks_the_format(take, ending, start, tmp_path):
    save(take, tmp_path / f"take{ending.upper()}")
    assert (tmp_path / f"take{ending.upper()}").read_bytes().startswith(start)


@pytest.mark.parametrize("name", ["two\nlines", "$x_{$", "bad\udcffname", "走る", "", "walk " * 100])
def test_clips_of_any_name_can_be_saved(name, tmp_path):
    take = handmade.take(seconds=0.1, clip=handmade.source_clip(0.1).with_(name=name))
    for ending in (".bvh", ".glb", ".npz", ".csv"):
        save(take, tmp_path / f"take{ending}")
    save(take, tmp_path / "take.png", frames=1, width=300)
    plot(take, tmp_path / "plot.png")
    assert Take.load(tmp_path / "take.npz").clip.name == name


def test_a_film_is_saved_with_its_options(take, tmp_path):
    save(take, tmp_path / "take.mp4", size=(64, 48), fps=10)
    assert (tmp_path / "take.mp4").read_bytes()[4:8] == b"ftyp"


def test_a_take_saves_and_loads_itself(take, tmp_path):
    take.save(tmp_path / "take.npz")
    assert Take.load(tmp_path / "take.npz").times.tolist() == take.times.tolist()


def test_progress_is_told_where_there_is_something_to_wait_for(take, tmp_path):
    shares = []
    save(take, tmp_path / "take.png", frames=3, width=400, progress=shares.append)
    save(take, tmp_path / "take.csv", progress=shares.append)
    assert shares[-1] == 1.0


def test_an_unknown_ending_is_refused_with_those_that_are_known(take, tmp_path):
    with pytest.raises(BadInput, match=r"take\.fbx: ending '\.fbx' unknown") as caught:
        save(take, tmp_path / "take.fbx")
    assert all(ending in str(caught.value) for ending in ENDINGS)


def test_an_unknown_option_is_refused_with_those_that_are_known(take, tmp_path):
    with pytest.raises(BadInput, match="option 'frame' unknown; did you mean 'frames'"):
        save(take, tmp_path / "take.png", frame=8)


def test_a_missing_folder_is_named(take, tmp_path):
    with pytest.raises(BadFile, match=r"there is no folder .*missing"):
        save(take, tmp_path / "missing" / "take.glb")


def test_a_folder_is_not_overwritten(take, tmp_path):
    (tmp_path / "take.glb").mkdir()
    with pytest.raises(BadFile, match="is a folder"):
        save(take, tmp_path / "take.glb")


@pytest.mark.parametrize("ending", [".png", ".mp4"])
def test_nothing_is_left_of_a_file_that_could_not_be_finished(take, ending, tmp_path):
    class Stop(Exception):
        pass

    def stop(share):
        raise Stop

    (tmp_path / f"take{ending}").write_bytes(b"from before")
    with pytest.raises(Stop):
        save(take, tmp_path / f"take{ending}", progress=stop)
    assert [path.name for path in tmp_path.iterdir()] == [f"take{ending}"]
    assert (tmp_path / f"take{ending}").read_bytes() == b"from before"
