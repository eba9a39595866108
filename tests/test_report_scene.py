"""What is drawn of takes and clips."""

from __future__ import annotations

import numpy as np
import pytest

import handmade
from poise import rotation
from poise.report import palette
from poise.report.clip_scene import clip_scene
from poise.report.scene import LEVEL, picked
from poise.report.take_scene import take_scene
from poise.take import Prop

TIMES = np.array([0.0, 0.5, 1.0, 1.5])


def arrows(scene):
    return [piece for piece in scene.pieces if piece.shape == "arrow"]


def test_every_segment_is_a_box_at_its_place():
    take = handmade.take(lean_deg=20.0)
    scene = take_scene(take, take.times)
    for k, segment in enumerate(take.character.segments):
        piece = scene.pieces[k]
        centre = take.position[:, k] + rotation.rotate(take.rotation[:, k], segment.box.center)
        assert (piece.shape, piece.color) == ("box", palette.of_part(segment.name))
        assert piece.position == pytest.approx(centre)
        assert piece.size[0] == pytest.approx(segment.box.size)


def test_a_ghost_is_the_reference_translucent_and_thinner():
    take = handmade.take(lean_deg=20.0)
    plain, both = take_scene(take, TIMES), take_scene(take, TIMES, ghost=True)
    ghosts = [piece for piece in both.pieces if piece.color == palette.GHOST]
    assert len(ghosts) == len(both.pieces) - len(plain.pieces) == take.character.nsegments
    assert all(g.color[3] < 1.0 and not g.framed for g in ghosts)
    assert (ghosts[0].size[0] < plain.pieces[0].size[0]).all()


def test_a_push_is_an_arrow_that_ends_at_the_body_while_it_acts():
    take = handmade.take(events=({"type": "push", "body": "chest", "force": [0.0, 250.0, 0.0], "at": 0.9, "duration": 0.2},))
    scene = take_scene(take, TIMES)
    (arrow,) = arrows(scene)
    assert arrow.visible.tolist() == [False, False, True, False]
    chest = scene.pieces[take.character.index("chest")]
    tip = arrow.position + rotation.rotate(arrow.rotation, arrow.size * [0.0, 0.0, 1.0])
    gap = (chest.position - tip)[2]
    assert gap @ [0.0, 1.0, 0.0] == pytest.approx(np.linalg.norm(gap))  # straight along the push, from its side
    assert 0.5 * chest.size[2, 1] < np.linalg.norm(gap) < chest.size[2, 1]


@pytest.mark.parametrize("duration, seen", [(0.2, [False, False, True, False]), (None, [False, False, True, True])])
def test_a_pull_is_an_arrow_that_leaves_the_body_while_it_acts(duration, seen):
    event = {"type": "pull", "body": "chest", "toward": [0.0, 0.3, 0.0], "at": 0.9, "duration": duration}
    take = handmade.take(events=(event,))
    scene = take_scene(take, TIMES)
    (arrow,) = arrows(scene)
    assert arrow.visible.tolist() == seen
    chest = scene.pieces[take.character.index("chest")]
    gap = (arrow.position - chest.position)[2]
    assert gap @ [0.0, 1.0, 0.0] == pytest.approx(np.linalg.norm(gap))  # on the side to which it is drawn
    assert 0.5 * chest.size[2, 1] < np.linalg.norm(gap) < chest.size[2, 1]


@pytest.mark.parametrize(
    "event",
    [
        {"type": "ball", "mass": 5.0, "at": 1.0},
        {"type": "push", "body": "tail_1", "force": [1.0, 0.0, 0.0], "at": 1.0, "duration": 0.2},
    ],
)
def test_events_that_push_no_segment_draw_no_arrow(event):
    assert not arrows(take_scene(handmade.take(events=(event,)), TIMES))


def test_things_do_not_make_the_camera_step_back():
    take, alone = handmade.take(), handmade.take(props=())
    assert len(take.props) and np.array_equal(take_scene(take, TIMES).corners(), take_scene(alone, TIMES).corners())


def test_an_arrow_is_kept_in_view_while_it_is_there():
    pushed, alone = handmade.take(), handmade.take(events=())
    wide, narrow = (np.ptp(take_scene(take, TIMES).corners()[..., 1], axis=1) for take in (pushed, alone))
    assert (wide - narrow > 0.1).tolist() == [False, False, True, False]


def test_an_endless_plane_is_the_ground_and_everything_else_lies_on_it():
    n = len(handmade.take(rate=10.0).times)
    turn = rotation.from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.1)
    still, turned = np.zeros((n, 3)), np.tile(turn, (n, 1))
    slope = Prop("slope", "plane", (), still, turned, np.ones(n, bool))
    ramp = Prop("ramp", "plane", (2.0, 1.0), still, turned, np.ones(n, bool))
    box = Prop("platform", "box", (1.0, 1.0, 0.1), still, turned, np.ones(n, bool))
    sloping = take_scene(handmade.take(rate=10.0, props=(slope,), events=()), TIMES)
    level = take_scene(handmade.take(rate=10.0, props=(ramp, box), events=()), TIMES)
    assert sloping.ground.rotation == pytest.approx(turn)
    assert level.ground == LEVEL
    assert len(level.pieces) == len(sloping.pieces) + 2


def test_the_figure_of_a_clip_joins_its_joints():
    clip = handmade.source_clip()
    scene = clip_scene(clip)
    position = clip.world_positions
    knee, ankle = (clip.skeleton.index(name) for name in ("LeftLeg", "LeftFoot"))
    middles = [piece.position for piece in scene.pieces if piece.shape == "capsule"]
    assert any(np.allclose(middle, 0.5 * (position[:, knee] + position[:, ankle])) for middle in middles)
    assert sum(piece.shape == "sphere" for piece in scene.pieces) == 1


def test_no_bone_is_drawn_from_an_extra_root_on_the_floor():
    clip = handmade.source_clip()
    assert all(piece.size[:, 2].max() < 0.8 for piece in clip_scene(clip).pieces)


@pytest.mark.parametrize("heading", [0.0, 1.0, -2.5])
def test_the_direction_a_clip_faces_is_found(heading):
    clip = handmade.source_clip()
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    rotations[:, 0] = rotation.multiply(rotation.about_z(heading), rotations[:, 0])
    turned = clip.with_(rotations=rotations, translations=translations)
    assert clip_scene(turned).facing == pytest.approx(heading, abs=1e-6)


def test_picked_frames_are_those_of_the_scene():
    scene = clip_scene(handmade.source_clip())
    few = picked(scene, np.array([3, 9]))
    assert few.nframes == 2
    assert np.array_equal(few.pieces[0].position, scene.pieces[0].position[[3, 9]])
