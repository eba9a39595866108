"""Events are data that cannot be wrong: what is made is checked, and survives the way to a file and back."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.errors import BadScenario
from poise.scenario.events import Ball, GetUp, Heading, Pull, Push, Retune, compass, event_from_dict, medicine_ball_radius
from poise.scenario.robustness import Robustness
from poise.scenario.shorthand import BALL_EXAMPLE, PUSH_EXAMPLE, parse_ball, parse_push

EXACT = 1e-12  # only rounding of a few operations
EVENTS = [
    Push("chest", (250, 0, 0), 1.0),
    Push("random", (0, -1, 0.5), 0, 3600),
    Ball(),
    Ball(3, 5, "head", 90, 2.0, True, 0.2),
    Pull("left_hand", (0.5, 0, 0)),
    Pull("left_hand", (0.5, 0, 0), speed=0.01, at=1.0, duration=2.0),
    Heading(-45, at=2.0, over=0.5),
    Retune(Robustness(30, 300), at=1.0),
    Retune("realistic", at=1.0),
    GetUp(at=3.0),
]


@pytest.mark.parametrize("event", EVENTS, ids=repr)
def test_an_event_as_a_dict_and_back_is_the_same(event):
    assert event_from_dict(event.to_dict()) == event


def test_an_event_takes_arrays_and_whole_numbers():
    assert Push("chest", np.array([250, 0, 0]), at=np.float32(1)) == Push("chest", (250.0, 0.0, 0.0), 1.0)


def test_a_ball_without_radius_is_a_medicine_ball():
    assert Ball(mass=5.0).radius == Ball(mass=5.0, radius=None).radius == medicine_ball_radius(5.0)
    assert 0.12 < Ball(mass=5.0).radius < 0.15  # what shops sell is 24 to 30 cm across


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Push("chest", (math.nan, 0, 0), 1.0), "force"),
        (lambda: Push("chest", (1e5, 1e5, 0), 1.0), "100000 N"),
        (lambda: Push("chest", (1, 0), 1.0), "three numbers"),
        (lambda: Push("chest", "100", 1.0), "three numbers"),
        (lambda: Push("chest", 100, 1.0), "three numbers"),
        (lambda: Push("chest", (1, 0, True), 1.0), "three numbers"),
        (lambda: Push("chest", (10**400, 0, 0), 1.0), "finite"),
        (lambda: Push("", (1, 0, 0), 1.0), "body"),
        (lambda: Push(7, (1, 0, 0), 1.0), "body"),
        (lambda: Push("chest", (1, 0, 0), -1.0), "[0, 3600] s"),
        (lambda: Push("chest", (1, 0, 0), 10**400), "[0, 3600] s"),
        (lambda: Push("chest", (1, 0, 0), 1.0, 0.0), "(0, 3600] s"),
        (lambda: Ball(mass=0), "(0, 1000] kg"),
        (lambda: Ball(mass="5"), "(0, 1000] kg"),
        (lambda: Ball(mass=True), "(0, 1000] kg"),
        (lambda: Ball(speed=101), "[0, 100] m/s"),
        (lambda: Ball(radius=-1), "radius"),
        (lambda: Ball(expected=1), "true or false"),
        (lambda: Ball(from_deg=math.inf), "degrees"),
        (lambda: Pull("left_hand", (0, 0, 1000)), "100 m"),
        (lambda: Pull("left_hand", (0, 0, 1), speed=0), "(0, 100] m/s"),
        (lambda: Pull("left_hand", (0, 0, 1), duration=-1), "duration"),
        (lambda: Heading(math.nan, at=1.0), "degrees"),
        (lambda: Heading(90, at=1.0, over=0), "(0, 3600] s"),
        (lambda: Retune("strong", at=1.0), "neither a name nor a number"),
        (lambda: Retune((300, 20), at=1.0), "greater than thr_max"),
    ],
)
def test_an_impossible_event_is_refused_in_one_line_with_the_limits(make, said):
    with pytest.raises(BadScenario) as refusal:
        make()
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"type": "psh"}, "did you mean 'push'?"),
        ({"type": ["push"]}, "unknown"),
        ({}, "has no type"),
        ({"type": "ball", "weight": 3}, "'weight' unknown"),
        ({"type": "ball", "sped": 3}, "did you mean 'speed'?"),
        ({"type": "push", "body": "chest", "at": 1}, "'force' is missing"),
        ("push", "table"),
    ],
)
def test_a_dict_that_is_no_event_is_refused_with_the_choices(data, said):
    with pytest.raises(BadScenario, match=r".") as refusal:
        event_from_dict(data)
    assert said in str(refusal.value)


def test_the_compass_has_the_right_hand_side_at_ninety_degrees():
    # A character faces +x and its left is +y.
    for degrees, direction in [(0, (1, 0, 0)), (90, (0, -1, 0)), (180, (-1, 0, 0)), (270, (0, 1, 0))]:
        assert compass(degrees) == pytest.approx(direction, abs=EXACT)


def test_the_examples_of_the_shorthand_mean_what_they_say():
    assert parse_push(PUSH_EXAMPLE) == Push("chest", (250, 0, 0), 1.0, 0.2)
    assert parse_ball(BALL_EXAMPLE) == Ball(5, 5, "head", 90, 2.0)


def test_the_shorthand_may_leave_things_out():
    assert parse_push("chest:-1e2,0,5@1") == Push("chest", (-100, 0, 5), 1.0)
    assert parse_push("chest:250,0,0,expected@1+0.5") == Push("chest", (250, 0, 0), 1.0, 0.5, expected=True)
    assert parse_ball("random@2") == Ball(target="random", at=2.0)
    assert parse_ball("head:expected,-90deg,3kg@1.5") == Ball(mass=3, target="head", from_deg=-90, at=1.5, expected=True)


@pytest.mark.parametrize("word", ["", "chest", "chest:1,2@1", "chest:1,2,3", "chest:1,2,3@", "chest:1,2,3@1+", "chest:a,b,c@1"])
def test_a_push_that_cannot_be_read_is_refused_with_an_example(word):
    with pytest.raises(BadScenario, match=re.escape(PUSH_EXAMPLE)):
        parse_push(word)


@pytest.mark.parametrize("word", ["", "head", "head:@1", "head:5@1", "head:5kg", "head:5kg@", "head:5kg,5mph@1"])
def test_a_ball_that_cannot_be_read_is_refused_with_an_example(word):
    with pytest.raises(BadScenario, match=re.escape(BALL_EXAMPLE)):
        parse_ball(word)


@given(st.text(max_size=40))
def test_any_word_is_an_event_or_a_clear_refusal(word):
    for parse in (parse_push, parse_ball):
        try:
            parse(word)
        except BadScenario as refusal:
            assert "\n" not in str(refusal)


def test_impossible_numbers_in_a_shorthand_are_refused_with_the_limits():
    with pytest.raises(BadScenario, match=r"mass = -5.0 must be a number in \(0, 1000\] kg"):
        parse_ball("head:-5kg@1")
