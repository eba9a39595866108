"""Balance: standing, the topple-free foot, the support supervisor, falling, flight."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation
from poise.character.toml import load_character
from poise.control.balance import BalanceController, BalanceGains
from poise.control.controller import Command
from poise.control.support import SupportRule, find_support, legs_of
from poise.control.topple_free_foot import FlightRule, compensate
from poise.control.virtual_actuator import Terms
from poise.measure import fell_at_s, receipt
from poise.physics.world import World
from poise.reference.reference import still_reference
from poise.scenario.events import Push
from poise.scenario.robustness import Robustness
from poise.simulation import simulate

STILL_M = 0.001  # how still the centre of mass is when a standing character has settled
PRESETS = ("realistic", "plausible", "superhuman")
FEET = np.array([2, 5])
HEAVY, SOLE = np.array([2000.0, 2000.0]), 0.1  # N, m: feet that are pressed hard against the ground


def push(newtons, duration=0.2):
    return Push("chest", (newtons, 0.0, 0.0), at=1.0, duration=duration)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_character_stands_for_a_minute(preset):
    take = simulate(None, controller="balance", robustness=preset, duration=60.0)
    settled = take.com[take.times > 5.0]
    assert fell_at_s(take) is None
    assert np.linalg.norm(settled - settled.mean(axis=0), axis=-1).max() < STILL_M


def test_ten_of_ten_random_starts_six_degrees_off_find_their_balance():
    human = load_character("human")
    for seed in range(10):
        assert stands_from(human, seed) < STILL_M


def stands_from(human, seed):
    """How far the centre of mass still moves after 5 s from a pose with every joint 6° off."""
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(human.nsegments, 3))
    turns = rotation.exp(np.radians(6.0) * axes / np.linalg.norm(axes, axis=-1, keepdims=True))
    turns[0] = rotation.IDENTITY
    world, reference = World(human), still_reference(human)
    world.reset(turns, human.joints[0] + [0, 0, 0.02])
    law, command, target = BalanceController(20.0, 200.0), Command(human.nsegments), reference.target()
    law.start(world, reference)
    reference.sample(0.0, target)
    trail = []
    for _ in range(round(6.0 / world.dt)):
        state = world.sense()
        law.act(state, target, command)
        world.joint_torque[:], world.wrench[:] = command.joint_torque, command.wrench
        world.advance()
        trail.append(state.com.copy())
    last = np.array(trail[-500:])
    assert last[-1, 2] > 0.9 * human.joints[0][2]
    return np.linalg.norm(last - last[-1], axis=-1).max()


def test_the_same_push_that_fells_the_realistic_leaves_the_superhuman_standing():
    falls = {
        preset: fell_at_s(simulate(None, controller="balance", robustness=preset, events=[push(500)], duration=6.0))
        for preset in PRESETS
    }
    assert falls["realistic"] is not None
    assert falls["superhuman"] is None


def test_realistic_uses_no_help_at_all():
    take = simulate("punch", controller="balance", robustness="realistic", duration=3.0)
    assert receipt(take)["torque_max_nm"] == 0.0
    assert receipt(take)["force_max_bw"] == 0.0


@pytest.mark.parametrize("dt", [0.0005, 0.002])
def test_the_step_size_does_not_show(dt):
    take = simulate("weight_shift", controller="balance", duration=3.0, dt=dt)
    coarse = simulate("weight_shift", controller="balance", duration=3.0, dt=0.001)
    assert np.abs(take.com - coarse.com[: len(take.com)]).max() < 0.01


def test_the_same_command_gives_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        simulate("punch", controller="balance", duration=2.0, events=[push(150)]).save(tmp_path / f"{name}.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_help_stays_below_the_larger_threshold():
    limits = Robustness.of("plausible")
    take = simulate(None, controller="balance", robustness="plausible", events=[push(300)], duration=4.0)
    assert 0.0 < receipt(take)["torque_max_nm"] <= 2 * (limits.thr_max - limits.thr_min) + 1e-6  # two feet


def test_giving_up_turns_everything_off_and_getting_up_turns_it_on_again():
    take = simulate(None, controller="balance", robustness="plausible", events=[push(2500)], duration=4.0)
    assert fell_at_s(take) is not None
    assert np.all(take.help_torque[take.times > 3.0] == 0.0)


def test_compensation_is_the_papers():
    """(14): nothing below thr_min, the excess opposite to the torque above it, no more than thr_max asks for."""
    help_ = np.zeros((6, 6))
    torque = np.zeros((6, 3))
    torque[2], torque[5] = [0.0, 15.0, 0.0], [0.0, -300.0, 0.0]
    largest = compensate(torque, FEET, np.array([True, True]), HEAVY, SOLE, 20.0, 200.0, help_)
    assert largest == pytest.approx(300.0)
    assert np.all(help_[2] == 0.0)
    assert np.allclose(help_[5], [0, 0, 0, 0, 180.0, 0])
    compensate(torque, FEET, np.array([True, False]), HEAVY, SOLE, 20.0, 200.0, help_)
    assert np.all(help_[5] == 0.0)


def test_an_ankle_gives_no_more_than_help_and_ground_can_bear():
    """Help bears thr_max - thr_min, the ground the load times the way to the sole's edge; more would turn the foot over."""
    help_, torque = np.zeros((6, 6)), np.zeros((6, 3))
    torque[2], torque[5] = [0.0, 500.0, 0.0], [0.0, 500.0, 0.0]
    largest = compensate(torque, FEET, np.array([True, True]), np.array([700.0, 0.0]), SOLE, 20.0, 200.0, help_)
    assert largest == pytest.approx(500.0)  # what is asked for, which tells when to give up
    assert torque[2, 1] == pytest.approx(180.0 + 700.0 * SOLE)
    assert torque[5, 1] == pytest.approx(200.0)
    assert help_[2, 4] == help_[5, 4] == pytest.approx(-180.0)


def supported(contact, wanted, com, *, load=(0.0, 0.0), by_reference=True, steps=200, dt=0.002):
    rule = SupportRule()
    points = np.array([[0.0, 0.1, 0.0], [0.0, -0.1, 0.0]])
    since, borne, stance, share = np.zeros(2), np.zeros(2), np.zeros(2, bool), np.array([0.5, 0.5])
    for _ in range(steps):
        find_support(
            np.array(contact),
            np.array(load),
            np.array(wanted),
            by_reference,
            np.array(com),
            points,
            dt,
            rule.hold,
            rule.fade,
            rule.zone,
            rule.weighing,
            200.0,
            since,
            borne,
            stance,
            share,
        )
    return stance, share


def test_a_foot_stands_if_it_touches_and_the_clip_wants_it_to():
    stance, share = supported([True, True], [True, False], [0.0, 0.0, 1.0])
    assert list(stance) == [True, False]
    assert share == pytest.approx([1.0, 0.0], abs=1e-3)


def test_a_foot_that_carries_the_body_stands_whatever_the_clip_says():
    stance, _ = supported([True, True], [True, False], [0.0, 0.0, 1.0], load=(100.0, 600.0))
    assert list(stance) == [True, True]
    stance, _ = supported([True, True], [True, False], [0.0, 0.0, 1.0], load=(600.0, 100.0))
    assert list(stance) == [True, False]
    stance, _ = supported([True, True], [True, False], [0.0, 0.0, 1.0], load=(0.0, 600.0), steps=2)
    assert list(stance) == [True, False]  # a jolt of a few milliseconds does not count


def test_without_a_clip_zones_decide():
    stance, _ = supported([True, True], [False, False], [0.0, 0.2, 1.0], by_reference=False)
    assert list(stance) == [True, False]
    stance, _ = supported([True, True], [False, False], [0.0, 0.5, 1.0], by_reference=False)
    assert list(stance) == [True, True]


def test_ground_that_the_clip_does_not_want_is_better_than_none():
    stance, share = supported([False, True], [True, False], [0.0, 0.0, 1.0])
    assert list(stance) == [False, True]
    assert share == pytest.approx([0.0, 1.0], abs=1e-3)


def test_shares_follow_the_centre_of_mass_and_fade_in_flight():
    _, share = supported([True, True], [True, True], [0.0, 0.05, 1.0])
    assert share == pytest.approx([0.75, 0.25], abs=1e-3)
    _, share = supported([False, False], [True, True], [0.0, 0.0, 1.0])
    assert share == pytest.approx([0.0, 0.0], abs=1e-2)


def test_shares_move_alike_at_every_step_size():
    shares = [
        supported([True, False], [True, True], [0.0, 0.0, 1.0], steps=round(0.1 / dt), dt=dt)[1][0]
        for dt in (0.0005, 0.002, 0.004)
    ]
    assert max(shares) - min(shares) < 0.02


def test_legs_lead_to_their_feet():
    human = load_character("human")
    legs = dict(zip(human.names, legs_of(human), strict=True))
    assert legs["left_shin"] == 0
    assert legs["right_thigh"] == 1
    assert legs["pelvis"] == legs["chest"] == -1


def test_help_in_flight_is_less_than_that_on_a_standing_foot():
    """As large as the dial: the realistic get none, the plausible less than three tenths of what a foot of theirs may get."""
    limits = {name: Robustness.of(name) for name in PRESETS}
    most = {name: FlightRule().limit(dial.thr_min, dial.thr_max) for name, dial in limits.items()}
    assert most["realistic"] == 0.0
    assert 0.0 < most["plausible"] < 0.3 * 180.0
    assert most["plausible"] < most["superhuman"] < 0.3 * 1000.0


def com_off(take):
    """The largest distance of the centre of mass from the reference's, m."""
    return np.linalg.norm(take.com - take.ref_com, axis=-1).max()


def chest_off(take):
    """The largest angle of the chest from the reference's, rad."""
    k = take.character.index("chest")
    return rotation.angle_between(take.rotation[:, k], take.ref_rotation[:, k]).max()


ABLATION = [  # term; what is simulated; what it is there for; how many times worse it is without, at least
    ("force", "punch", [push(150)], com_off, 2.0),
    ("gravity", "bow", [], com_off, 2.0),
    ("momentum", "punch", [Push("chest", (0.0, -200.0, 0.0), at=1.0, duration=0.2)], chest_off, 1.4),
    ("orientation", "punch", [push(150)], chest_off, 1.5),
]


@pytest.mark.parametrize(("term", "clip", "events", "off", "factor"), ABLATION, ids=[row[0] for row in ABLATION])
def test_without_a_virtual_term_what_it_keeps_goes_astray(term, clip, events, off, factor):
    """The paper's ablation (section 6): force and gravity keep the centre of mass, momentum and orientation the trunk."""

    def astray(terms):
        law = BalanceController(20.0, 200.0, BalanceGains(terms=terms))
        return off(simulate(clip, controller=law, events=events, duration=3.0))

    assert astray(Terms(**{term: False})) > factor * astray(Terms())


def test_without_the_orientation_term_a_walk_falls():
    law = BalanceController(20.0, 200.0, BalanceGains(terms=Terms(orientation=False)))
    assert fell_at_s(simulate("walk", controller="balance", duration=4.0)) is None
    assert fell_at_s(simulate("walk", controller=law, duration=4.0)) is not None
