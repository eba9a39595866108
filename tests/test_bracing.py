"""Bracing for blows that are expected: which joints, when, and what it is good for."""

from __future__ import annotations

import numpy as np
import pytest

from poise.character.toml import load_character
from poise.control.bracing import Bracing, joints_around
from poise.scenario.events import Ball, Pull, Push
from poise.simulation import Stepper, prepare

DT = 0.002
TENSE, SLACK = 0.9, 0.05  # of the whole


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
    bracing, blow = Bracing(human, DT), Blow(human.index("left_shin"), 0.5)
    knee, elbow = human.index("left_shin") - 1, human.index("left_forearm") - 1
    extents = []
    for step in range(round(1.0 / DT)):
        bracing.update(blow, step * DT)
        extents.append(bracing.extent.copy())
    extents = np.array(extents)
    assert extents[round(0.3 / DT), knee] == 0.0  # not for ever
    assert extents[round(0.5 / DT), knee] > TENSE
    assert extents[round(0.9 / DT), knee] < SLACK
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
    braced = stepper.auxiliary.fed.braced.max()
    assert braced > TENSE if expected else braced == 0.0
