"""The studio shows the artist's mesh where there is one: bones are segments, boxes are on a switch."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from poise import rotation
from poise.character.rig.carried import carried_mesh
from poise.character.rig.proposal import propose
from poise.character.toml import load_character
from poise.studio.skin import SkinDrawing
from rig_files import make_rig
from test_rig_proposal import BIRD, tree
from test_rig_skin import carried, moving


class Scene:
    """Remembers the mesh that it is given."""

    def add_mesh_skinned(self, name, vertices, faces, **look):
        self.vertices, self.look, self.removed = vertices, look, False
        bones = [SimpleNamespace(position=None, wxyz=None) for _ in look["bone_wxyzs"]]
        return SimpleNamespace(bones=bones, visible=True, remove=lambda: setattr(self, "removed", True))


@pytest.fixture
def proposal(tmp_path):
    (tmp_path / "bird.glb").write_bytes(make_rig(*tree(BIRD)).glb())
    return propose(tmp_path / "bird.glb")


def test_the_carried_mesh_is_where_the_segments_carry_it(proposal):
    character, take = proposal.character, moving(proposal.character)
    mesh = carried_mesh(character, character.skin)
    for frame in (0, 100):
        seen = mesh.at(take.position[frame], take.rotation[frame])
        assert np.abs(seen - carried(take, proposal, frame)).max() < 1e-9
    assert mesh.weights.sum(axis=1) == pytest.approx(1.0)


def test_bones_follow_the_segments_and_a_character_without_a_rig_has_no_mesh(proposal):
    scene, character = Scene(), proposal.character
    drawing = SkinDrawing(scene, "/stage")
    drawing.cast(character)
    place, turn = character.joints + 1.0, np.tile(rotation.IDENTITY, (character.nsegments, 1))
    assert drawing.show(place, turn, visible=True)
    assert not drawing.show(place, turn, visible=False)
    assert np.array_equal(drawing._node.bones[3].position, place[3])
    assert scene.look["skin_weights"].shape == (len(scene.vertices), character.nsegments)
    drawing.cast(load_character("human"))
    assert scene.removed and not drawing.show(place, turn, visible=True)


def test_a_rig_that_is_gone_leaves_boxes(proposal, capsys):
    proposal.placed.rig.path.unlink()
    drawing = SkinDrawing(Scene(), "/stage")
    drawing.cast(proposal.character)
    assert not drawing.show(
        proposal.character.joints, np.tile(rotation.IDENTITY, (proposal.character.nsegments, 1)), visible=True
    )
    assert "no mesh, only boxes" in capsys.readouterr().out
