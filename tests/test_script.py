"""Balls by the clock: where they begin, and when they arrive."""

import numpy as np
import pytest

from poise.scenario.events import Ball, Push
from poise.scenario.robustness import Robustness
from poise.simulation import Stepper, make_controller, prepare

ALIKE_M = 0.01  # 2 ms of its way
BRACED_S = (0.1, 0.05)  # who expects a blow is tense so long before and after it
AT_REST = 0.1  # m/s: of a chest that stands


def reach(stepper, ball):
    """How far a ball is from its target, metres."""
    world = stepper.world
    return np.linalg.norm(world.ball_pose(0)[0] - world.state.link_com[world.character.index(ball.target)])


@pytest.mark.parametrize(
    "ball",
    [
        Ball(mass=50, speed=1, at=0.0),
        Ball(mass=5, speed=5, at=0.0),
        Ball(mass=5, speed=0.2, at=0.1),
        Ball(speed=5, radius=2, at=1),
    ],
    ids=["heavy at once", "at once", "slow", "large"],
)
def test_a_ball_does_not_begin_in_what_it_hits(ball):
    stepper = Stepper(prepare("stand", character="human", events=[ball]))
    while not stepper.script.thrown[0]:
        stepper.step()
    stepper.step()
    assert reach(stepper, ball) > ball.radius
    assert np.linalg.norm(stepper.world.state.link_velocity[stepper.world.character.index("chest"), 3:]) < AT_REST


@pytest.mark.parametrize("at", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("speed", [1.0, 6.0])
def test_a_blow_is_expected_when_it_comes(at, speed):
    ball = Ball(mass=3, speed=speed, target="left_shin", at=at, expected=True)
    stepper = Stepper(prepare("stand", character="human", events=[ball]))
    near = []
    while stepper.time < max(at, 0.5) + 0.1:
        stepper.step()
        near.append(reach(stepper, ball))
    hits = stepper.run.dt * int(np.argmin(near))
    assert stepper.script.struck(hits - BRACED_S[1], hits + BRACED_S[0])


def test_a_controller_that_takes_over_expects_a_ball_in_flight_when_it_comes():
    ball = Ball(mass=3, speed=5, target="left_forearm", from_deg=-90, at=0.6, expected=True)
    stepper = Stepper(prepare("stand", character="human", events=[ball]))
    while stepper.time < 0.5:
        stepper.step()
    stepper.hand_to(make_controller("feedforward", Robustness.of("plausible")))
    stepper.step()
    stepper.step()
    own, rehearsed = (world.ball_pose(0)[0] for world in (stepper.world, stepper.auxiliary.world))
    assert np.linalg.norm((own - rehearsed)[:2]) < ALIKE_M  # seen from above: one that is thrown anew flies lower


def test_pushes_are_expected_while_they_last():
    push = Push("left_shin", (1.0, 0.0, 0.0), at=1.0, duration=0.5, expected=True)
    script = Stepper(prepare("stand", character="human", events=[push])).script
    assert script.struck(1.4, 1.45) and not script.struck(1.51, 2.0) and not script.struck(0.0, 0.99)
