"""Grounds: what stands on a platform turns with it, rubble is strewn by its seed, characters start on what is below them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from poise import rotation
from poise.character.toml import load_character
from poise.physics.ground import Platform, Solid, Terrain
from poise.physics.world import World
from poise.scenario.events import Ball
from poise.scenario.ground import Ground, PlatformGround, RampGround, RubbleGround
from poise.scenario.scenario import Scenario
from poise.scenario.terrain import terrain_of
from poise.simulation import Stepper, prepare, simulate

ORIGIN = np.zeros(3)
SINKING = 2e-3  # m: contacts give way by about so much under a body
CARRIED = 0.02  # m: how far a box may creep in two seconds; friction of a soft contact holds only nearly


@pytest.fixture(scope="module")
def human():
    return load_character("human")


def run(world, seconds):
    for _ in range(round(seconds / world.dt)):
        world.sense()
        world.advance()


def far_away(world):
    """The character out of everybody's way."""
    joints = np.broadcast_to(rotation.IDENTITY, (world.character.nsegments, 4))
    world.reset(joints, np.array([50.0, 0.0, 1.0]))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_box_on_a_platform_turns_with_it(human, axis):
    amplitude = np.radians(15.0) * np.eye(3)[axis]
    platform = Platform((2.0, 2.0, 0.1), (0.0, 0.0, 0.0), 0.0, tuple(amplitude), (0.0, 0.0, 0.0), 0.25, 1.0)
    box = Solid("box", "box", (0.2, 0.2, 0.1), (0.6, 0.3, 0.05), mass=5.0)
    world = World(human, terrain=Terrain(point=(0.0, 0.0, -1.2), solids=(box,), platform=platform))
    far_away(world)
    furthest = 0.0
    for _ in range(40):
        run(world, 0.05)
        world.sense()
        (place, pivot), (turn, deck) = world.thing_position, world.thing_rotation
        on_deck = rotation.rotate(rotation.conjugate(deck), place - pivot)
        assert np.linalg.norm(on_deck - box.position) < CARRIED
        assert np.degrees(rotation.angle_between(turn, deck)) < 2.0
        furthest = max(furthest, np.linalg.norm(place - box.position))
    assert furthest > 0.07  # it really went along


def test_the_platform_moves_as_its_velocity_says():
    platform = terrain_of(PlatformGround(), ORIGIN, 0.3, 0).platform
    for time in (0.5, 1.9, 2.5, 7.0):
        step = 1e-6
        after, before = platform.motion(time + step)[0], platform.motion(time - step)[0]
        assert np.allclose((after - before) / (2 * step), platform.motion(time)[1], atol=1e-6)


def test_the_platform_starts_level_and_at_rest_and_reaches_its_amplitude_about_every_axis():
    platform = terrain_of(PlatformGround(amplitude_deg=20.0, frequency_hz=0.25), ORIGIN, 0.0, 0).platform
    angles, rates = platform.motion(0.0)
    assert np.allclose(angles, 0.0) and np.allclose(rates, 0.0)
    swing = np.abs([platform.motion(t)[0] for t in np.linspace(2.0, 10.0, 400)]).max(axis=0)
    assert np.degrees(swing) == pytest.approx([20.0, 20.0, 20.0], abs=0.01)


def test_a_platform_may_turn_about_one_axis_only():
    platform = terrain_of(PlatformGround(axes=("pitch",)), ORIGIN, 0.0, 0).platform
    assert platform.amplitude == pytest.approx((0.0, math.radians(20.0), 0.0))


def test_rubble_is_strewn_by_the_seed_and_lies_still(human):
    ground = RubbleGround(count=30, radius=0.6)
    terrain = terrain_of(ground, ORIGIN, 0.0, seed=3)
    assert terrain == terrain_of(ground, ORIGIN, 0.0, seed=3) != terrain_of(ground, ORIGIN, 0.0, seed=4)
    assert {solid.shape for solid in terrain.solids} == {"box", "sphere", "capsule"}
    world = World(human, terrain=terrain)
    far_away(world)
    before = world.thing_position.copy()
    run(world, 0.3)
    assert np.abs(world.thing_position - before).max() < SINKING


@pytest.mark.parametrize(("shape", "size"), [("box", (0.06, 0.03, 0.02)), ("capsule", (0.01, 0.06))])
def test_a_stone_that_spins_in_the_air_does_not_spin_faster(human, shape, size):
    stone = Solid("stone", shape, size, (0.0, 0.0, 20.0), mass=0.05)
    world = World(human, terrain=Terrain(solids=(stone,)))
    far_away(world)
    world.data.qvel[-3:] = (150.0, 40.0, 40.0)  # rad/s, as when a foot squeezes it out
    before = np.linalg.norm(world.data.qvel[-3:])
    run(world, 1.0)
    assert np.linalg.norm(world.data.qvel[-3:]) == pytest.approx(before)


def test_a_ramp_rises_ahead_of_the_character_and_falls_again():
    ramp = RampGround(slope_deg=10.0, height=0.1, ahead=1.0)
    for heading in (0.0, -0.5 * math.pi):
        slabs = terrain_of(ramp, ORIGIN, heading, 0).solids
        tops = [np.array(s.position) + rotation.rotate(s.rotation, [0.0, 0.0, 0.5 * s.size[2]]) for s in slabs]
        ahead = [top @ [math.cos(heading), math.sin(heading), 0.0] for top in tops]
        assert ahead == sorted(ahead) and ahead[0] > 1.0
        assert [top[2] for top in tops] == pytest.approx([0.05, 0.1, 0.05])


@pytest.mark.parametrize(
    "ground",
    [Ground(slope_deg=10.0), Ground(slope_deg=-10.0, slope_toward_deg=90.0), PlatformGround(), RubbleGround(), RampGround()],
    ids=lambda ground: ground.kind,
)
def test_a_character_starts_on_what_is_below_it(ground):
    from poise.simulation import build_world

    world = build_world(prepare("stand", scenario=Scenario(ground=ground)))
    assert -SINKING < min(world._gap(sole, g) for sole in world._soles for g in world._scenery) < SINKING


def test_a_slope_rises_to_where_the_character_faces():
    run = prepare("stand", scenario=Scenario(ground=Ground(slope_deg=10.0, slope_toward_deg=0.0)))
    first = run.reference.target()
    run.reference.sample(0.0, first)
    facing = rotation.rotate(first.rotation[0], [1.0, 0.0, 0.0])
    place = first.position[0] * [1.0, 1.0, 0.0]
    normal = terrain_of(run.ground, place, float(rotation.heading(first.rotation[0])), 0).normal
    assert normal @ facing == pytest.approx(-math.sin(math.radians(10.0)), abs=0.05)


def test_what_feet_carry_on_a_slope_is_the_weight(human):
    take = simulate("stand", scenario=Scenario(ground=Ground(slope_deg=10.0), robustness="superhuman"), duration=1.5)
    held = take.help_force[-100:].mean()  # root forces of the pose controller
    assert take.contact[-100:].sum(axis=1).mean() == pytest.approx(human.mass * 9.81, abs=held + 20.0)


def test_platform_rubble_and_ramp_are_in_the_take():
    names = {
        "platform": ["ground", "platform"],
        "ramp": ["ramp_1", "ramp_2", "ramp_3"],
        "rubble": [f"stone_{k + 1}" for k in range(5)],
    }
    for ground in (PlatformGround(), RampGround(), RubbleGround(count=5)):
        take = simulate("stand", scenario=Scenario(ground=ground), duration=0.1)
        assert [prop.name for prop in take.props] == names[ground.kind]
        assert all(prop.position.shape == (len(take.times), 3) for prop in take.props)


def test_stones_and_a_platform_do_not_loosen_the_solver(human):
    plain, rich = World(human), World(human, terrain=terrain_of(RubbleGround(), ORIGIN, 0.0, 0))
    rocking = World(human, terrain=terrain_of(PlatformGround(), ORIGIN, 0.0, 0))
    assert rich.model.stat.meaninertia == rocking.model.stat.meaninertia == pytest.approx(plain.model.stat.meaninertia)


def test_an_off_balance_start_leans_the_whole_body_and_scatters_the_joints():
    from poise.scenario.start import Start
    from poise.simulation import build_world

    upright = prepare("stand")
    leaning = replace(upright, start=Start(lean_deg=8.0))
    scattered = replace(upright, start=Start(scatter_deg=6.0))
    worlds = [build_world(run) for run in (upright, leaning, scattered)]
    states = [world.sense() for world in worlds]
    turn = np.degrees(rotation.angle_between(states[0].rotation, states[1].rotation))
    assert turn == pytest.approx(np.full(len(turn), 8.0), abs=1e-3)
    joints = np.degrees(rotation.angle_between(states[0].joint_rotation[1:], states[2].joint_rotation[1:]))
    assert joints == pytest.approx(np.full(len(joints), 6.0), abs=1e-3)


def test_a_twin_matches_loose_stones_but_not_balls():
    """So that what would be without a blow is seen on the same ground."""
    blow = Ball(target="chest", at=0.4)
    stepper = Stepper(prepare("walk_in_place", scenario=Scenario(ground=RubbleGround()), events=[blow], controller="balance"))
    twin = stepper.world.twin()
    stones = twin.thing_position.copy()
    while stepper.time < 0.6:
        stepper.step()
    assert np.abs(stepper.world.thing_position - stones).max() > 1e-3  # feet have moved some
    twin.match(stepper.world)
    stepper.world.sense()
    assert np.array_equal(twin.thing_position, stepper.world.thing_position)
    assert twin.ball_pose(0)[0][2] > 50.0
