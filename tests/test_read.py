"""The reader for every ending."""

from __future__ import annotations

import pytest

from poise.errors import BadFile
from poise.motion.read import ENDINGS, read


@pytest.mark.parametrize("name", ["walk.fbx", "walk", ".bvh", "walk.bvh.gz"])
def test_an_unknown_ending_lists_the_known_ones(tmp_path, name):
    with pytest.raises(BadFile, match="expected one of " + ", ".join(ENDINGS)):
        read(tmp_path / name)


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_known_ending_has_a_reader_that_looks_for_the_file(tmp_path, ending):
    with pytest.raises(BadFile, match="no such file"):
        read(tmp_path / f"walk{ending}")
    with pytest.raises(BadFile, match="no such file"):
        read(str(tmp_path / f"walk{ending.upper()}"))


def test_only_gltf_files_hold_several_animations(tmp_path):
    with pytest.raises(BadFile, match="holds one motion"):
        read(tmp_path / "walk.bvh", animation="Walk")
