"""`poise character new`: one command, a file to read and a picture to look at."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace

import pytest
from PIL import Image

import handmade
from poise.character.rig.proposal import propose
from poise.cli import main
from poise.cli.hints import better_controller
from rig_files import make_rig
from skeleton_conventions import CONVENTIONS, build
from test_rig_proposal import BIRD, tree
from test_rig_skin import moving


@pytest.fixture
def bird(tmp_path):
    (tmp_path / "bird.glb").write_bytes(make_rig(*tree(BIRD)).glb())
    return tmp_path / "bird.glb"


def test_one_command_writes_a_readable_file_and_a_picture(bird, capsys):
    out = bird.with_name("bird.toml"), bird.with_name("bird.png")
    assert main(["character", "new", str(bird), "-o", str(out[0]), "-o", str(out[1]), "--name", "Kea"]) == 0
    data = tomllib.loads(out[0].read_text())
    assert data["name"] == "Kea" and data["rig"]["file"] == "bird.glb"
    assert next(s for s in data["segment"] if s["name"] == "left_foot")["nodes"] == ["Foot.L"]
    with Image.open(out[1]) as picture:
        assert picture.size[0] > 1000
    told = capsys.readouterr().out
    assert "built like a creature" in told and "free: tail_1 > tail_2 > tail_3" in told
    assert "unsure" in told and "Foot.L" in told


def test_json_tells_the_same(bird, capsys):
    assert main(["character", "new", str(bird), "--json", "--mass", "50", "--height", "1.5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["mass_kg"] == pytest.approx(50.0, rel=1e-4) and found["height_m"] == pytest.approx(1.5)
    assert found["limbs"]["tail"] == {"kind": "free", "segments": ["tail_1", "tail_2", "tail_3"]}
    assert found["outputs"] == [] and found["doubts"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-o", "bird.bvh"], "unknown ending '.bvh'"),
        (["-o", "nowhere/bird.toml"], "there is no folder"),
        (["--height", "0"], "height"),
        (["--up", "w"], "up axis 'w' unknown"),
    ],
)
def test_wrong_words_are_told_in_one_line(bird, monkeypatch, capsys, words, told):
    monkeypatch.chdir(bird.parent)
    assert main(["character", "new", "bird.glb", *words]) == 2
    said = capsys.readouterr().err
    assert told in said and said.count("\n") == 1


@pytest.mark.parametrize(
    ("falls", "controller", "told"), [(True, "balance", True), (True, "limbs", False), (False, "balance", False)]
)
def test_a_creature_that_falls_is_offered_the_controller_for_creatures(bird, monkeypatch, falls, controller, told):
    take = moving(propose(bird).character)
    take = replace(take, info={"controller": controller})
    monkeypatch.setattr("poise.measure.summary", lambda take: {"fell_at_s": 0.5 if falls else None})
    hint = better_controller(take)
    assert (hint is not None) == told
    assert not told or ("--controller limbs" in hint and "tails" in hint)


def test_a_human_that_falls_is_offered_nothing(monkeypatch):
    take = replace(handmade.take(), info={"controller": "balance"})
    monkeypatch.setattr("poise.measure.summary", lambda take: {"fell_at_s": 0.5})
    assert better_controller(take) is None


def test_the_rig_itself_is_never_overwritten(tmp_path, capsys):
    skeleton, positions, _ = build(CONVENTIONS["VRM"])
    path = tmp_path / "rig.toml"  # a rig by a wrong name
    path.write_bytes(make_rig(skeleton, positions).glb())
    before = path.read_bytes()
    assert main(["character", "new", str(path), "-o", str(path)]) == 2
    assert path.read_bytes() == before
