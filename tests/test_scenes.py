"""The scenes of da Silva et al., section 6: every file in `scenarios/` holds, and shows what it is meant to show."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from poise import rotation
from poise.measure import fell_at_s, summary
from poise.scenario.robustness import Robustness
from poise.scenario.scenario import read_scenario
from poise.simulation import Stepper, prepare, simulate

SCENES = Path(__file__).resolve().parent.parent / "scenarios"
NAMES = sorted(path.stem for path in SCENES.glob("*.toml"))
TILT_DEG = 5.0  # of a cup that does not spill
REACHED = 0.65  # of the way of its virtual point: how far a pulled hand comes; the arm's own springs hold it back
PUSHED_ALONG = 0.1  # m: even the shortest push, of 24 Ns, makes it step aside
SLID = 0.3  # m


@cache
def played(name, robustness=None, **changes):
    """The take of a scene as it is in its file, or at another robustness."""
    scene = read_scenario(SCENES / f"{name}.toml")
    limits = Robustness.of(robustness) if robustness else scene.robustness
    return simulate(scenario=replace(scene, robustness=limits, **changes))


def segment(take, name):
    return take.character.index(name)


def at(take, seconds):
    return min(int(np.searchsorted(take.times, seconds)), len(take.times) - 1)


def feet(take):
    """Middle between the feet (N, 3)."""
    return take.position[:, [segment(take, foot) for foot in take.character.feet]].mean(axis=1)


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_holds_at_plausible(name):
    result = summary(played(name))
    assert result["completed"], f"{name} falls at {result['fell_at_s']} s"
    assert result["help"]["force_max_bw"] == 0.0  # the only help there is is a torque on standing feet


def test_all_scenes_use_the_balance_of_the_paper():
    for name in NAMES:
        scene = read_scenario(SCENES / f"{name}.toml")
        assert scene.controller in ("balance", "simbicon", "feedforward")  # the last has balance underneath
        assert scene.robustness == Robustness.of("plausible")


@pytest.mark.parametrize("name", ["push_chest", "push_random"])
def test_pushes_are_those_of_the_paper(name):
    forces = [np.linalg.norm(event["force"]) for event in played(name).events]
    assert min(forces) == 100.0 and max(forces) == 300.0


@pytest.mark.parametrize("name", ["balls_chosen", "balls_random"])
def test_every_ball_hits(name):
    take = played(name)
    for ball, prop in zip(take.events, take.props, strict=True):
        flight = slice(at(take, ball["at"] - 0.2), at(take, ball["at"] + 0.3))
        speed = np.linalg.norm(np.diff(prop.position[flight], axis=0), axis=-1) * 250.0
        jerk = np.abs(np.diff(speed)).max()
        assert jerk > 0.5, f"{prop.name} flies past {ball['target']}"  # m/s within a sample


def test_pulled_hands_come_forward_while_the_centre_of_mass_stays_over_the_feet():
    take = played("hands_forward")
    for event in take.events:
        k = segment(take, event["body"])
        assert take.position[-1, k, 0] - take.position[0, k, 0] > REACHED * event["toward"][0]
    toes = take.position[-1, segment(take, "left_foot"), 0] + 0.15
    assert take.position[-1, segment(take, "left_foot"), 0] - 0.05 < take.com[-1, 0] < toes


def test_the_cup_stays_level():
    take = played("cup")
    upright = rotation.rotate(take.props[-1].rotation, [0.0, 0.0, 1.0])[:, 2]
    tilt = np.degrees(np.arccos(np.clip(upright, -1.0, 1.0)))
    assert take.props[-1].name == "cup_right_hand"
    assert tilt[at(take, 0.5) :].max() < TILT_DEG  # half a second to raise the arm


def test_the_cup_would_tip_without_being_held():
    take = played("cup", hold_level=())
    upright = rotation.rotate(take.rotation[:, segment(take, "right_hand")], [1.0, 0.0, 0.0])[:, 2]
    assert np.degrees(np.arccos(np.clip(upright, -1.0, 1.0))).max() > 3.0 * TILT_DEG


def test_a_turned_clip_leads_the_character_in_other_directions():
    take = played("other_directions")
    facing = np.degrees(np.unwrap(rotation.heading(take.rotation[:, 0])))
    for wanted, since in ((-60.0, 5.0), (30.0, 10.0)):
        turned = facing[at(take, since) : at(take, since + 0.9)].mean() - facing[: at(take, 0.9)].mean()
        assert turned == pytest.approx(wanted, abs=15.0)
    way = np.diff(take.com[[at(take, t) for t in (9.5, 11.0)]], axis=0)[0]
    start = np.diff(take.com[[at(take, t) for t in (0.2, 1.7)]], axis=0)[0]
    bend = np.degrees(np.arctan2(way[1], way[0]) - np.arctan2(start[1], start[0]))
    assert (bend + 180.0) % 360.0 - 180.0 == pytest.approx(30.0, abs=15.0)


def test_the_foot_strategy_saves_a_start_off_balance_and_is_then_not_needed():
    assert fell_at_s(played("foot_strategy", "realistic")) is not None
    take = played("foot_strategy")
    off = at(take, 3.0)
    assert take.help_torque[:off].max() > 0.0
    assert take.help_torque[off + 1 :].max() == 0.0
    assert fell_at_s(take) is None


def test_pulled_hands_change_the_support_from_both_feet_to_one_to_the_other():
    stepper = Stepper(prepare(scenario=read_scenario(SCENES / "change_support.toml")))
    seen = []
    while stepper.time < stepper.run.duration:
        stepper.step()
        stance = tuple(stepper.controller.stance.tolist())
        if stance not in seen[-1:]:
            seen.append(stance)
    both, left, right = (True, True), (True, False), (False, True)
    wanted = iter(seen)
    assert all(stance in wanted for stance in (both, left, both, right, both)), seen


def test_the_character_goes_along_with_the_platform():
    take = played("platform")
    platform = take.props[-1]
    lean = rotation.rotate(platform.rotation, [0.0, 0.0, 1.0])[:, 2]
    assert np.degrees(np.arccos(lean.min())) == pytest.approx(20.0, abs=1.0)
    assert (take.contact.sum(axis=1) > 50.0).mean() > 0.95  # newtons: it stands, it does not hop


def test_on_ice_the_pulled_character_slides():
    take = played("ice")
    assert feet(take)[-1, 0] - feet(take)[0, 0] > SLID
    assert np.ptp(take.position[:, segment(take, "left_foot"), 2]) < 0.05  # without stepping


def test_the_walk_in_place_moves_stones_about():
    take = played("rubble")
    moved = [np.linalg.norm(prop.position[-1] - prop.position[0]) for prop in take.props]
    assert sum(distance > 0.02 for distance in moved) >= 3


def test_the_walk_goes_over_the_ramp():
    take = played("ramp")
    up = [take.position[:, segment(take, foot), 2] - take.ref_position[:, segment(take, foot), 2] for foot in take.character.feet]
    assert max(foot.max() for foot in up) > 0.06  # m: one foot at least was on its top
    end = take.props[-1].position[0]
    beyond = (take.com[-1] - end) @ (end - take.com[0])
    assert beyond > 0.0


def test_simbicon_steps_to_where_it_is_pushed():
    pushed, left_alone = played("simbicon"), played("simbicon", events=())
    for event in pushed.events:
        direction = np.array(event["force"]) / np.linalg.norm(event["force"])
        before, after = at(pushed, event["at"]), at(pushed, event["at"] + 3.0)
        way, drift = (feet(take)[after] - feet(take)[before] for take in (pushed, left_alone))
        assert (way - drift) @ direction > PUSHED_ALONG, event
