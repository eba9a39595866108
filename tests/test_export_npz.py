"""A take saved and loaded is the same take, to the bit."""

from __future__ import annotations

import zipfile
from dataclasses import asdict, fields

import numpy as np
import pytest

import handmade
from poise.errors import BadFile
from poise.export import npz
from poise.motion.clip import BvhLayout, Placement


@pytest.fixture
def rich_take():
    """A take that uses every field there is."""
    clip = handmade.source_clip()
    layout = BvhLayout(tuple(("Zrotation", "Xrotation") for _ in clip.skeleton.names), (False,) * clip.skeleton.njoints)
    lead_in = clip.with_(rotations=clip.rotations[:1], translations=clip.translations[:1])
    placement = Placement(0.0254, (0.5, 0.5, 0.5, 0.5), (0.1, -0.2, 1 / 3))
    return handmade.take(
        clip=clip.with_(layout=layout, placement=placement, lead_in=lead_in), info={"joint_segment": [1], "ä": 0.1}
    )


def assert_same_arrays(one, other):
    assert one.dtype == other.dtype
    assert np.array_equal(one, other)


def test_a_take_written_and_read_back_is_the_same(rich_take, tmp_path):
    npz.write(rich_take, tmp_path / "take.npz")
    back = npz.read(tmp_path / "take.npz")
    for f in fields(rich_take):
        value = getattr(rich_take, f.name)
        if isinstance(value, np.ndarray):
            assert_same_arrays(value, getattr(back, f.name))
    assert asdict(back.character) == asdict(rich_take.character)
    assert back.events == rich_take.events
    assert back.info == rich_take.info
    (ball,), (ball_back,) = rich_take.props, back.props
    assert (ball.name, ball.shape, ball.size) == (ball_back.name, ball_back.shape, ball_back.size)
    for name in ("position", "rotation", "visible"):
        assert_same_arrays(getattr(ball, name), getattr(ball_back, name))


def test_the_clip_comes_back_with_its_dialect_and_the_frames_cut_off_its_front(rich_take, tmp_path):
    npz.write(rich_take, tmp_path / "take.npz")
    clip, back = rich_take.clip, npz.read(tmp_path / "take.npz").clip
    for name in ("rotations", "translations"):
        assert_same_arrays(getattr(clip, name), getattr(back, name))
        assert_same_arrays(getattr(clip.lead_in, name), getattr(back.lead_in, name))
    assert_same_arrays(clip.skeleton.offsets, back.skeleton.offsets)
    assert (clip.name, clip.fps, clip.layout, clip.placement) == (back.name, back.fps, back.layout, back.placement)
    skeleton, there = clip.skeleton, back.skeleton
    assert (skeleton.names, skeleton.parents, skeleton.ends) == (there.names, there.parents, there.ends)


def test_a_take_without_clip_and_props_comes_back(tmp_path):
    npz.write(handmade.take(props=(), events=()), tmp_path / "take.npz")
    assert npz.read(tmp_path / "take.npz").props == ()


def test_the_same_take_gives_the_same_bytes_at_any_hour(rich_take, tmp_path):
    npz.write(rich_take, tmp_path / "one.npz")
    npz.write(npz.read(tmp_path / "one.npz"), tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.npz") as file:
        assert {entry.date_time for entry in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_numbers_of_numpy_in_the_settings_are_saved_as_plain_ones(tmp_path):
    npz.write(handmade.take(info={"dt_s": np.float64(0.002), "joint_segment": np.array([1, 2])}), tmp_path / "take.npz")
    assert npz.read(tmp_path / "take.npz").info == {"dt_s": 0.002, "joint_segment": [1, 2]}


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 broken", None])
def test_a_file_that_is_no_take_is_refused_in_one_line(content, tmp_path):
    path = tmp_path / "take.npz"
    if content is None:
        np.savez(path, times=np.zeros(3))
    else:
        path.write_bytes(content)
    with pytest.raises(BadFile, match=r"take\.npz: is no take") as caught:
        npz.read(path)
    assert "\n" not in str(caught.value)


def test_a_truncated_take_is_refused(rich_take, tmp_path):
    npz.write(rich_take, tmp_path / "take.npz")
    whole = (tmp_path / "take.npz").read_bytes()
    (tmp_path / "half.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadFile, match=r"half\.npz"):
        npz.read(tmp_path / "half.npz")


def test_a_missing_file_is_told_by_name(tmp_path):
    with pytest.raises(BadFile, match=r"nowhere\.npz: cannot be read"):
        npz.read(tmp_path / "nowhere.npz")


def test_pickled_arrays_are_never_loaded(tmp_path):
    np.savez(tmp_path / "evil.npz", about=np.array([{"a": 1}], dtype=object))
    with pytest.raises(BadFile, match=r"evil\.npz"):
        npz.read(tmp_path / "evil.npz")


def test_a_take_of_an_older_version_says_what_it_lacks_and_what_to_do(rich_take, tmp_path):
    npz.write(rich_take, tmp_path / "take.npz")
    with np.load(tmp_path / "take.npz") as file:
        arrays = {name: file[name] for name in file.files if name != "help_root"}
    np.savez(tmp_path / "old.npz", **arrays)
    with pytest.raises(BadFile, match=r"old\.npz: was saved by .* lack help_root; simulate it again"):
        npz.read(tmp_path / "old.npz")
