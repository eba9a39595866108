"""The whole loop: tracking, determinism, help, falls, interruptions, divergence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import poise
from poise.character.toml import load_character
from poise.control.pose import PoseController, PoseGains
from poise.errors import BadInput, BadScenario, SimulationDiverged
from poise.measure import com_error_m, fell_at_s, joint_error_deg, receipt, summary
from poise.motion import library
from poise.scenario.events import Ball, Pull, Push
from poise.scenario.scenario import Ground, Scenario
from poise.simulation import prepare, simulate

TRACKED_DEG = 3.0  # mean joint error that still counts as following the clip
STEP_SIZES = (0.0005, 0.001, 0.002, 0.004)


@pytest.fixture(scope="module")
def punch():
    return simulate("punch", controller="pose", duration=2.5)


def test_the_pose_controller_follows_a_clip(punch):
    assert joint_error_deg(punch).mean() < TRACKED_DEG
    assert com_error_m(punch).max() < 0.08
    assert fell_at_s(punch) is None


@pytest.mark.parametrize("controller", ["pose", "balance"])
def test_the_same_gains_are_stable_at_every_step_size(controller):
    errors = [joint_error_deg(simulate("punch", controller=controller, duration=1.5, dt=dt)).mean() for dt in STEP_SIZES]
    assert max(errors) < TRACKED_DEG
    assert max(errors) - min(errors) < 0.3  # degrees: the step size must not show


def test_the_same_inputs_give_the_same_numbers(punch):
    again = simulate("punch", controller="pose", duration=2.5)
    assert np.array_equal(again.rotation, punch.rotation)
    assert np.array_equal(again.help_peak, punch.help_peak)


def test_root_forces_are_on_the_receipt_and_without_them_there_is_no_help(punch):
    assert receipt(punch)["force_mean_bw"] > 0.01
    alone = simulate("punch", duration=2.5, root_forces=False)
    assert receipt(alone) == {**receipt(alone), "torque_max_nm": 0.0, "force_max_bw": 0.0, "active_share": 0.0}


def test_who_names_no_controller_gets_one_that_balances_and_who_wants_no_root_forces_a_ragdoll():
    assert prepare("stand").info["controller"] == "balance"
    assert prepare("stand", root_forces=False).info["controller"] == "pose"


def test_without_root_forces_a_walk_falls_and_that_is_a_result():
    result = summary(simulate("walk", duration=3.0, root_forces=False))
    assert result["completed"] is False
    assert 0.0 < result["fell_at_s"] < 3.0


def test_a_push_moves_the_character_and_it_comes_back():
    pushed = simulate("stand", duration=3.0, events=[Push("chest", (250, 0, 0), at=1.0, duration=0.2)])
    gap = com_error_m(pushed)
    during, after = gap[(pushed.times > 1.0) & (pushed.times < 1.4)], gap[pushed.times > 2.5]
    assert during.max() > 2.0 * after.max()


def test_a_ball_hits_what_it_is_thrown_at():
    take = simulate("stand", duration=2.0, events=[Ball(mass=3.0, speed=5.0, target="chest", from_deg=0, at=1.0)])
    chest = take.position[:, take.character.index("chest")]
    ball = next(prop for prop in take.props if prop.shape == "sphere")
    gap = np.linalg.norm(ball.position - chest, axis=-1)
    assert gap.min() < 0.45
    assert abs(take.times[gap.argmin()] - 1.0) < 0.15
    assert not ball.visible[0]
    assert ball.visible[-1]


def test_a_pull_drags_a_hand_towards_its_point():
    take = simulate(None, character="human_hands", duration=3.0, events=[Pull("left_hand", (0.3, 0.0, 0.1), speed=0.3, at=0.5)])
    hand = take.position[:, take.character.index("left_hand")]
    assert hand[-1, 0] - hand[0, 0] > 0.1


def test_a_slope_tilts_the_ground_and_ice_makes_feet_slide():
    icy = Scenario(ground=Ground(friction=0.05, slope_deg=8.0, slope_toward_deg=0.0))
    take = simulate(None, scenario=icy, duration=2.0, root_forces=False)
    assert take.com[-1, 0] < take.com[0, 0] - 0.1  # the ground rises ahead, so the body slides back
    assert take.props[0].shape == "plane"  # so that pictures show the slope


def test_without_a_clip_the_character_holds_its_pose():
    take = simulate(None, duration=1.0)
    assert take.character.name == "human"
    assert fell_at_s(take) is None


def test_the_clip_can_be_put_on_another_character():
    take = simulate("bow", character="human_hands", duration=2.0)
    assert take.character.nsegments == load_character("human_hands").nsegments
    assert joint_error_deg(take).mean() < TRACKED_DEG


def test_an_interrupted_run_keeps_what_it_has():
    def stop(share):
        if share > 0.3:
            raise KeyboardInterrupt

    take = simulate("stand", duration=2.0, progress=stop)
    assert take.info["interrupted"]
    assert 0.5 < take.times[-1] < 1.0
    assert summary(take)["completed"] is False


def test_divergence_is_an_error_that_keeps_the_last_second():
    wild = PoseController(PoseGains(chest=(1e12, 0.0)))
    with pytest.raises(SimulationDiverged, match="smaller --dt") as caught:
        simulate("stand", controller=wild, dt=0.004, duration=3.0)
    assert caught.value.take is not None
    assert len(caught.value.take.times) <= 250


def test_a_divergence_tells_what_was_doubtful_about_the_clip():
    wild = PoseController(PoseGains(chest=(1e12, 0.0)))
    clip = poise.read(library.path("stand"))
    popped = clip.rotations.copy()
    popped[5, 3] = [0.0, 1.0, 0.0, 0.0]
    with pytest.raises(SimulationDiverged, match=r"see to the clip first \(the motion jumps.*smaller --dt"):
        simulate(clip.with_(rotations=popped), controller=wild, dt=0.004, duration=3.0, keep_jumps=True)


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"dt": 0.5}, BadInput, "dt = 0.5"),
        ({"dt": float("nan")}, BadInput, "dt = nan"),
        ({"duration": -1.0}, BadInput, "duration"),
        ({"controller": "posse"}, BadInput, "did you mean 'pose'"),
        ({"character": "humna"}, BadInput, "did you mean 'human'"),
        ({"events": [Push("chets", (1, 0, 0), at=0.1)]}, BadScenario, "did you mean 'chest'"),
        ({"robustness": 7}, BadInput, "robustness"),
        ({"mass": 0.0}, BadInput, "mass"),
    ],
)
def test_bad_settings_are_named_before_anything_runs(settings, error, words):
    with pytest.raises(error, match=words):
        prepare("stand", **settings)


def test_gains_that_make_no_sense_are_refused():
    for gains in ((-1.0, 1.0), (float("nan"), 1.0), (1.0, float("inf"))):
        with pytest.raises(BadInput, match="chest"):
            PoseGains(chest=gains)


def test_the_three_lines_of_the_readme_work(tmp_path):
    push = poise.Push("chest", (250, 0, 0), at=1.0, duration=0.2)
    take = poise.simulate("walk", robustness="plausible", events=[push], duration=1.5)
    take.save(tmp_path / "walk_pushed.glb")
    assert (tmp_path / "walk_pushed.glb").stat().st_size > 10_000


@pytest.mark.parametrize("events", [["x"], "x", Push("chest", (1, 0, 0), at=0.1), 5])
def test_events_that_are_no_list_of_events_are_refused(events):
    with pytest.raises(BadInput, match="must be a list of events"):
        prepare("stand", events=events)


def test_an_event_after_the_end_is_told():
    run = prepare("stand", duration=1.0, events=[Push("chest", (1, 0, 0), at=5.0)])
    assert any("never happens" in warning for warning in run.info["warnings"])


def test_a_leg_bone_without_length_is_named():
    clip = poise.read(library.path("stand"))
    knee, ankle = clip.skeleton.index("LeftLeg"), clip.skeleton.index("LeftFoot")
    offsets, translations = clip.skeleton.offsets.copy(), clip.translations.copy()
    offsets[ankle] = translations[:, ankle] = 0.0
    broken = clip.with_(skeleton=replace(clip.skeleton, offsets=offsets), translations=translations)
    assert clip.skeleton.parents[ankle] == knee
    with pytest.raises(BadInput, match="left shin is 0 m long"):
        prepare(broken)


@pytest.mark.parametrize("clip", [123, ""])
def test_a_clip_that_is_no_name_is_refused(clip):
    with pytest.raises(BadInput, match="must be a file or the name"):
        prepare(clip)
