"""Feedforward control as a whole: it follows faithfully, gives way when hit, and comes back (Nunes et al.)."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

import poise
from poise import rotation
from poise.cli import main
from poise.control.feedforward import FeedforwardController
from poise.control.observation import Observation
from poise.errors import PoiseError
from poise.measure import fell_at_s, joint_error_deg, receipt
from poise.scenario.events import Ball, GetUp, Heading, Pull, Push, Retune
from poise.scenario.feedforward import Feedforward
from poise.scenario.robustness import Robustness
from poise.scenario.scenario import Scenario
from poise.simulation import Stepper, prepare, simulate

HIGH = Feedforward(source="none", stiffness_ratio=1.0)
LOW = Feedforward(source="none")
FED = Feedforward()
ROOT = "root-forces"
AS_FAITHFUL, WORSE = 1.5, 3.0  # times the error of the auxiliary: with feedforward at most, without at least
GIVES_WAY, BACK_DEG, BACK_S = 2.0, 5.0, 1.0  # times as far as with high gains; then back so near, after so long
BRACED = 0.6  # of how far an unexpected blow moves the knee
ALIKE = 0.02  # rad, m: solving contacts, MuJoCo does not know of implicit damping, which differs; the rest is the same in both
STILL_RAD_S = 1.5  # of joints of a body that lies: the clip's own are below 0.5
BLIND = Observation(rate=0.0)
HITS = (Ball(mass=3.0, speed=5.0, target="left_forearm", at=1.0), Ball(mass=3.0, speed=5.0, target="head", at=2.4))


@cache
def followed(clip, settings, events=(), **changes):
    return simulate(clip, character="human", controller="feedforward", feedforward=settings, events=list(events), **changes)


def error(clip, settings):
    return float(joint_error_deg(followed(clip, settings)).mean())


def joint_angles(take, calm, names):
    """How far (N,) the joints of a disturbed take are from those of a calm one, the farthest of them, degrees."""
    parents = np.array(take.character.parents)
    k = np.array([take.character.index(name) for name in names])
    own, other = (rotation.multiply(rotation.conjugate(t.rotation[:, parents[k]]), t.rotation[:, k]) for t in (take, calm))
    return np.degrees(rotation.angle_between(own, other)).max(axis=1)


def swing(clip, settings, events, names, at, span=0.6):
    """The largest deviation within a span after a blow, and that after a second, degrees."""
    take, calm = followed(clip, settings, events), followed(clip, settings)
    angle, since = joint_angles(take, calm, names), take.times - at
    return angle[(since > -0.1) & (since < span)].max(), angle[(since > BACK_S) & (since < BACK_S + 0.3)].max()


@pytest.mark.parametrize("clip", ["punch", "front_kick"])
@pytest.mark.parametrize("strategy", ["balance", ROOT])
def test_low_gains_with_feedforward_follow_as_faithfully_as_high_gains(clip, strategy):
    high = error(clip, Feedforward(source="none", stiffness_ratio=1.0, strategy=strategy))
    assert error(clip, Feedforward(strategy=strategy)) < AS_FAITHFUL * high


@pytest.mark.parametrize("clip", ["punch", "front_kick"])
@pytest.mark.parametrize("strategy", ["balance", ROOT])
def test_low_gains_without_feedforward_lag_behind(clip, strategy):
    high = error(clip, Feedforward(source="none", stiffness_ratio=1.0, strategy=strategy))
    assert error(clip, Feedforward(source="none", strategy=strategy)) > WORSE * high


@pytest.mark.parametrize("names, at", [(("left_upper_arm", "left_forearm"), 1.0), (("head",), 2.4)])
def test_a_struck_limb_gives_way_and_comes_back(names, at):
    soft, after = swing("stand", FED, HITS, names, at)
    stiff, _ = swing("stand", HIGH, HITS, names, at)
    assert soft > GIVES_WAY * stiff
    assert after < BACK_DEG
    assert fell_at_s(followed("stand", FED, HITS)) is None


@pytest.mark.parametrize("clip", ["143_24", "74_03"])
def test_kicks_that_leave_the_ground_are_landed_and_withstand_both_blows(mocap, clip):
    blows = [
        Ball(mass=3.0, speed=5.0, target=t, from_deg=d, at=at) for t, d, at in (("left_upper_arm", 270, 1.0), ("head", 0, 2.6))
    ]
    take = simulate(mocap / "cmu" / f"{clip}.bvh", controller="feedforward", events=blows, duration=4.0)
    assert fell_at_s(take) is None


@pytest.mark.parametrize(
    "clip, strategy, leg, at, ball",
    [
        ("stand", ROOT, "left", 1.0, (3.0, 5.0)),
        ("one_leg_balance", "balance", "right", 3.5, (3.0, 5.0)),
        ("stand", "balance", "left", 1.0, (3.0, 5.0)),  # a leg that carries the body
        ("stand", "balance", "right", 1.0, (10.0, 10.0)),
        ("punch", "balance", "left", 1.2, (3.0, 5.0)),  # legs that lag behind the clip
        ("punch", "balance", "right", 1.2, (3.0, 5.0)),
        ("dance", "balance", "left", 1.2, (3.0, 5.0)),
    ],
)
def test_an_expected_blow_moves_the_knee_less(clip, strategy, leg, at, ball):
    settings, moved = Feedforward(strategy=strategy), []
    for expected in (True, False):
        blow = (Ball(*ball, target=f"{leg}_shin", at=at, expected=expected),)
        moved.append(swing(clip, settings, blow, (f"{leg}_shin",), at)[0])
    assert moved[0] < BRACED * moved[1]


def test_expected_and_unexpected_blows_at_once_on_different_limbs():
    def blows(expected):
        return (
            Ball(mass=3.0, speed=5.0, target="left_forearm", at=1.0, expected=expected),
            Ball(mass=3.0, speed=5.0, target="head", from_deg=180, at=1.0),
        )

    arm = [swing("stand", FED, blows(expected), ("left_upper_arm", "left_forearm"), 1.0)[0] for expected in (True, False)]
    head = [swing("stand", FED, blows(expected), ("head",), 1.0)[0] for expected in (True, False)]
    assert arm[0] < BRACED * arm[1]
    assert head[0] == pytest.approx(head[1], rel=0.2)  # it never knows of the blow to the head


@pytest.mark.parametrize(
    "event", [Push("chest", (200.0, 0.0, 0.0), 0.3), Pull("left_hand", (0.3, 0.0, 0.0), at=0.3), Ball(at=0.6)]
)
@pytest.mark.parametrize("expected", [False, True])
def test_only_what_is_expected_happens_to_the_auxiliary_world(event, expected):
    given = type(event)(**(vars(event) | {"expected": expected}))
    places = []
    for events in ([], [given]):
        run = prepare("stand", character="human_hands", controller="feedforward", events=events, duration=1.0)
        run.controller.source.observation = BLIND
        stepper = Stepper(run)
        while stepper.time < 0.8:
            stepper.step()
        places.append(stepper.auxiliary.world.state.position.copy())
    moved = np.abs(places[1] - places[0]).max()
    assert moved > 0.005 if expected else moved < 1e-6  # m


def test_the_model_is_turned_and_moves_with_the_body_that_it_observes():
    turns, speeds = [], []
    for observation in (BLIND, Observation()):
        run = prepare("stand", controller="feedforward", events=[Push("chest", (200.0, 0.0, 0.0), 0.3)], duration=1.0)
        run.controller.source.observation = observation
        stepper = Stepper(run)
        own, main = stepper.auxiliary.world.state, stepper.world.state
        while stepper.time < 0.6:
            stepper.step()
        turns.append(rotation.angle_between(own.rotation[0], main.rotation[0]))
        speeds.append(np.linalg.norm(own.com_velocity - main.com_velocity))
    assert turns[1] < 0.9 * turns[0]  # its own balance resists
    assert speeds[1] < 0.7 * speeds[0]


@pytest.mark.parametrize("strategy", ["balance", ROOT])
def test_worlds_that_are_left_alone_move_alike(strategy):
    stepper = Stepper(prepare("punch", character="human", controller="feedforward", feedforward=Feedforward(strategy=strategy)))
    while stepper.time < 2.0:
        stepper.step()
    assert np.abs(stepper.auxiliary.world.data.qpos - stepper.world.data.qpos).max() < ALIKE


def test_a_retuned_robustness_reaches_both_worlds():
    stepper = Stepper(prepare("stand", controller="feedforward", events=[Retune(Robustness.of("superhuman"), at=0.01)]))
    for _ in range(10):
        stepper.step()
    controller = stepper.controller
    assert isinstance(controller, FeedforwardController)
    strategies = (controller.strategy, stepper.auxiliary.feedback.strategy)
    assert [(s.thr_min, s.thr_max) for s in strategies] == [(0.0, 1000.0)] * 2


def test_a_character_that_has_fallen_goes_limp_and_its_model_starts_anew():
    stepper = Stepper(prepare("stand", controller="feedforward", events=[Push("chest", (2000.0, 0.0, 0.0), 0.1, 0.3)]))
    while stepper.time < 3.0:
        stepper.step()
    assert stepper.controller.feedback.fallen
    assert stepper.world.state.com[2] < 0.4  # m: it lies
    stepper.world.check()
    stepper.auxiliary.world.check()


def test_a_character_that_has_fallen_lies_still():
    stepper = Stepper(prepare("stand", controller="feedforward", events=[Push("chest", (0.0, -900.0, 0.0), 0.1, 0.3)]))
    fastest = 0.0
    while stepper.time < 3.0:
        stepper.step()
        if stepper.time > 2.0:
            fastest = max(fastest, np.linalg.norm(stepper.world.state.joint_velocity[1:], axis=1).max())
    assert stepper.controller.feedback.fallen
    assert fastest < STILL_RAD_S


def test_a_character_that_has_fallen_gets_up_when_asked():
    events = [Push("chest", (2500.0, 0.0, 0.0), 0.1, 0.4), GetUp(at=3.0)]
    take = simulate("stand", controller="feedforward", robustness="superhuman", events=events, duration=8.0)
    height = take.com[:, 2] / take.ref_com[:, 2]
    assert height[take.times < 3.0].min() < 0.5
    assert height[-1] > 0.95


def test_root_forces_that_never_give_up_do_not_mind_being_asked_to_get_up():
    asked, plain = (
        simulate("stand", controller="feedforward", feedforward=Feedforward(strategy=ROOT), events=events, duration=0.3)
        for events in ([GetUp(at=0.1)], [])
    )
    assert np.array_equal(asked.position, plain.position)


def test_a_reference_that_turns_is_followed():
    take = followed("walk_in_place", FED, (Heading(40.0, at=0.5),))
    assert fell_at_s(take) is None
    assert joint_error_deg(take).mean() < 3.0


@pytest.mark.parametrize("source", ["inverse-dynamics", "learning"])
def test_other_sources_are_better_than_none(source):
    looped = Scenario(loop=5)
    last = slice(-500, None)  # the last two seconds
    errors = [
        joint_error_deg(simulate("ginga", controller="feedforward", feedforward=Feedforward(source=s), scenario=looped))[last]
        for s in (source, "none")
    ]
    assert errors[0].mean() < 0.75 * errors[1].mean()


@pytest.mark.parametrize(
    "bad, reason",
    [
        ({"stiffness": -1.0}, "must be a number in (0, 100000]"),
        ({"damping": float("nan")}, "must be a number in [0, 1000]"),
        ({"stiffness_ratio": 1.5}, "the main simulation would be stiffer than the auxiliary one"),
        ({"stiffness_ratio": float("inf")}, "must be a number in [0, 1]"),
        ({"damping_ratio": -0.1}, "must be a number in [0, 1]"),
        ({"source": "magic"}, "there are: auxiliary, inverse-dynamics, learning, none"),
        ({"strategy": "hope"}, "there are: balance, root-forces"),
    ],
)
def test_bad_settings_are_refused_with_the_reason(bad, reason):
    with pytest.raises(PoiseError) as problem:
        Feedforward(**bad)
    assert reason in str(problem.value)


def test_learning_needs_a_cycle():
    with pytest.raises(PoiseError, match="repeats itself"):
        prepare("walk", controller="feedforward", feedforward=Feedforward(source="learning"))


def test_a_scenario_can_say_how_it_is_put_together(tmp_path):
    file = tmp_path / "scene.toml"
    file.write_text(
        'clip = "punch"\ncontroller = "feedforward"\n[feedforward]\nstrategy = "root-forces"\nstiffness_ratio = 0.1\n'
    )
    take = poise.simulate(scenario=file, duration=0.5)
    assert take.help_force.max() > 0.0  # root forces are help, and on the receipt
    file.write_text('clip = "punch"\n[feedforward]\nstiffness_ratio = 2\n')
    with pytest.raises(PoiseError, match=r"scene\.toml:3: feedforward: stiffness_ratio = 2 is greater than 1"):
        poise.simulate(scenario=file)


def test_the_receipt_tells_root_forces_from_the_topple_free_torque():
    paper, ours = (receipt(followed("punch", Feedforward(strategy=strategy))) for strategy in (ROOT, "balance"))
    assert paper["root_force_mean_bw"] > 0.1 and paper["root_torque_mean_nm"] > 1.0 and paper["foot_force_mean_bw"] > 0.0
    assert ours["root_force_mean_bw"] == ours["foot_force_mean_bw"] == ours["root_torque_mean_nm"] == 0.0
    assert ours["foot_torque_mean_nm"] == pytest.approx(ours["torque_mean_nm"])


def test_a_take_tells_how_its_controller_was_put_together():
    fed, plain = (followed("punch", Feedforward(strategy=ROOT, stiffness_ratio=0.1)), simulate("punch", duration=0.1))
    told = poise.summary(fed)["feedforward"]
    assert (told["source"], told["strategy"], told["stiffness_ratio"]) == ("auxiliary", ROOT, 0.1)
    assert poise.summary(plain)["feedforward"] is None


def test_settings_that_another_controller_does_not_heed_are_told():
    take = simulate("punch", controller="balance", feedforward=Feedforward(stiffness_ratio=0.1), duration=0.1)
    assert any("settings of feedforward mean nothing to the balance controller" in told for told in take.info["warnings"])


def test_the_same_run_gives_the_same_bytes():
    first, second = (simulate("punch", controller="feedforward", duration=0.5, events=list(HITS[:1])) for _ in range(2))
    assert first.rotation.tobytes() == second.rotation.tobytes()


def test_options_of_the_command_line_put_it_together(capsys):
    words = ["simulate", "punch", "--duration", "0.2", "--json"]
    chosen = ["--controller", "feedforward", "--feedforward", "none", "--strategy", "root-forces", "--stiffness-ratio", "0.2"]
    assert main([*words, *chosen]) == 0
    assert json.loads(capsys.readouterr().out)["help"]["root_force_mean_bw"] > 0.0


@pytest.mark.parametrize(
    "words, reason",
    [
        (["--strategy", "root-forces"], "--strategy is for --controller feedforward"),
        (["--controller", "feedforward", "--stiffness-ratio", "1.5"], "stiffer than the auxiliary"),
        (["--controller", "feedforward", "--stiffness-ratio", "nan"], "stiffness_ratio = nan must be a number in [0, 1]"),
        (["--controller", "feedforward", "--damping-ratio", "-1"], "damping_ratio = -1.0 must be a number in [0, 1]"),
        (["--controller", "feedforward", "--damping-ratio", "much"], "--damping-ratio: 'much' is no number"),
        (["--controller", "feedforward", "--ball", "head:3kg,expcted@1"], "FROMdeg[,expected]@AT"),
    ],
)
def test_bad_options_are_one_line(words, reason, capsys):
    assert main(["simulate", "punch", *words]) == 2
    error = capsys.readouterr().err.strip()
    assert reason in error and "\n" not in error
