"""Bracing for blows that are expected: which joints, when, and what it is good for."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character.toml import load_character
from poise.control.bracing import Brace, Bracing, joints_around
from poise.scenario.events import Ball, Pull, Push
from poise.scenario.feedforward import Feedforward
from poise.simulation import Stepper, prepare

DT = 0.002
TENSE = 0.9  # of the whole
FEATHER = 1e-6  # kg: a ball that is expected and moves nothing
UNMOVED_DEG = 0.5  # by which a leg may differ that braces for nothing: its foot stands, and contacts magnify what is small


class Blow:
    """One blow, on one segment at one time."""

    def __init__(self, segment, at):
        self.segment, self.at = segment, at

    def struck(self, since, until):
        return {self.segment} if since <= self.at <= until else set()


@pytest.fixture
def human():
    return load_character("human_hands")


def braced_by(human, name):
    return {human.names[k + 1] for k in np.flatnonzero(joints_around(human)[human.index(name)])}


def test_a_struck_limb_is_braced_up_to_the_trunk_and_in_what_hangs_on_it(human):
    assert braced_by(human, "left_forearm") == {"left_upper_arm", "left_forearm", "left_hand"}
    assert braced_by(human, "right_shin") == {"right_thigh", "right_shin", "right_foot"}
    assert "left_thigh" not in braced_by(human, "chest")


def test_joints_grow_tense_before_the_blow_and_slack_after_it(human):
    brace, blow = Brace.none(human.nsegments), Blow(human.index("left_shin"), 0.5)
    bracing = Bracing(human, DT, brace)
    knee, elbow = human.index("left_shin") - 1, human.index("left_forearm") - 1
    extents = []
    for step in range(round(1.0 / DT)):
        bracing.update(blow, step * DT)
        extents.append(brace.extent.copy())
    extents = np.array(extents)
    assert extents[round(0.3 / DT), knee] == 0.0  # not for ever
    assert extents[round(0.5 / DT), knee] > TENSE
    assert extents[round(0.9 / DT), knee] == 0.0
    assert (extents[:, elbow] == 0.0).all()


@pytest.mark.parametrize(
    "event, spans",
    [
        (Ball(target="left_shin", at=1.0, expected=True), [(0.9, 1.1)]),
        (Push("left_shin", (1.0, 0.0, 0.0), at=1.0, duration=0.5, expected=True), [(1.2, 1.3), (0.9, 1.0), (1.5, 1.6)]),
        (Pull("left_shin", (0.1, 0.0, 0.0), at=1.0, expected=True), [(1.0, 1.0), (90.0, 91.0)]),  # never lets go
    ],
)
def test_a_script_tells_what_is_struck_within_a_span_of_time(human, event, spans):
    script = Stepper(prepare("stand", character="human_hands", controller="feedforward", events=[event])).script
    assert all(script.struck(*span) == {human.index("left_shin")} for span in spans)
    assert script.struck(0.0, 0.8) == set()


@pytest.mark.parametrize("expected", [False, True])
def test_only_what_is_expected_is_braced_for(expected):
    blow = Ball(mass=3.0, speed=5.0, target="left_shin", at=0.3, expected=expected)
    stepper = Stepper(prepare("stand", character="human", controller="feedforward", events=[blow]))
    while stepper.time < 0.3:
        stepper.step()
    braced = stepper.auxiliary.fed.brace.extent.max()
    assert braced > TENSE if expected else braced == 0.0


def bends(clip, strategy, leg, events):
    """The bend of a knee and the armature of all joints, step by step."""
    run = prepare(clip, controller="feedforward", feedforward=Feedforward(strategy=strategy), events=events, duration=2.0)
    stepper, knee, armature = Stepper(run), [], []
    k = stepper.world.character.index(f"{leg}_shin")
    while stepper.time < 1.9:
        stepper.step()
        knee.append(2.0 * np.arctan2(*stepper.world.state.joint_rotation[k, [2, 0]]))
        armature.append(stepper.world.armature.copy())
    return np.degrees(np.unwrap(knee)), np.array(armature)


@pytest.mark.parametrize("clip, leg, at", [("punch", "left", 1.2), ("punch", "right", 1.2), ("dance", "left", 1.2)])
@pytest.mark.parametrize("strategy", ["balance", "root-forces"])
def test_bracing_by_itself_does_not_move_a_leg(clip, leg, at, strategy):
    """It holds on to what the leg does anyway, however far that lags behind the clip."""
    blow = Ball(mass=FEATHER, speed=5.0, target=f"{leg}_shin", at=at, expected=True)
    braced, armature = bends(clip, strategy, leg, [blow])
    free, _ = bends(clip, strategy, leg, [])
    assert armature.max() > 2.0 * armature.min()
    assert np.abs(braced - free).max() < UNMOVED_DEG


def test_what_is_left_of_bracing_is_nothing():
    _, armature = bends("stand", "balance", "left", [Ball(target="left_shin", at=0.6, expected=True)])
    assert armature.max() > armature[0].max()
    assert (armature[-1] == armature[0]).all()


def test_a_controller_that_takes_over_finds_no_braced_joints():
    blow = Ball(target="left_shin", at=0.3, expected=True)
    stepper = Stepper(prepare("stand", controller="feedforward", events=[blow]))
    built = stepper.world.armature.copy()
    while stepper.time < 0.3:
        stepper.step()
    assert (stepper.world.armature > built).any()
    stepper.hand_to(prepare("stand", controller="balance").controller)
    assert (stepper.world.armature == built).all()


@pytest.mark.parametrize("clip", ["punch", "walk"])
@pytest.mark.parametrize("strategy", ["balance", "root-forces"])
def test_a_world_without_the_blow_goes_as_the_auxiliary_one_until_it_strikes(clip, strategy):
    blow = Ball(mass=FEATHER, target="left_shin", at=0.8, expected=True)
    stepper = Stepper(prepare(clip, controller="feedforward", feedforward=Feedforward(strategy=strategy), events=[blow]))
    auxiliary, brace = stepper.auxiliary, stepper.auxiliary.fed.brace
    while not brace.extent.any():
        stepper.step()
    own = auxiliary.world.state.joint_coordinate.copy()
    stepper.step()
    assert brace.coordinate == pytest.approx(own, abs=1e-5)
