"""The fast form of J_com^T w against the paper's matrices, at random states, stances and characters."""

from __future__ import annotations

import numpy as np
import pytest

from poise import rotation
from poise.character.character import Character
from poise.character.toml import load_character
from poise.control.com_jacobian import com_jacobian, hierarchy
from poise.control.support import legs_of
from poise.control.virtual_actuator import actuate
from poise.physics.world import World

EXACT = 1e-9  # newton metres: both sides are the same sums in another order


def random_world(character, seed):
    rng = np.random.default_rng(seed)
    world = World(character)
    turns = rotation.exp(rng.normal(0, 0.5, (character.nsegments, 3)))
    world.reset(turns, rng.normal(0, 1, 3) + np.array([0.0, 0.0, 2.0]))
    return world, world.sense(), rng


def fast(character, state, wrench, share, support):
    torque, memory = np.zeros((character.nsegments, 3)), np.zeros((character.nsegments, 6))
    inertia = np.array([s.inertia for s in character.segments])
    parents = np.array(character.parents)
    actuate(
        wrench, share, support, parents, legs_of(character), character.masses, inertia, state.inertia_turn,
        state.position, state.link_com, state.com, memory, torque,
    )  # fmt: skip
    return torque


def slow(character, state, wrench, base):
    """Torques on the children by the explicit matrix, rooted at one link."""
    turn = state.inertia_turn
    inertia = turn @ (np.array([s.inertia for s in character.segments])[:, :, None] * np.swapaxes(turn, -1, -2))
    jacobian = com_jacobian(character.parents, base, character.masses, inertia, state.position, state.link_com)
    spatial = jacobian.T @ np.concatenate([wrench[3:], wrench[:3]])
    torque = spatial.reshape(-1, 6)[:, :3].copy()
    carries_base = hierarchy(character.parents, base)[np.arange(character.nsegments), np.arange(character.nsegments)] == 0
    torque[carries_base] *= -1.0  # there the joint moves the parent's side
    torque[0] = 0.0
    return torque


def characters():
    human = load_character("human")
    one_legged = Character("hopper", tuple(s for s in human.segments if not s.name.startswith("right_")), ("left_foot",))
    return {"human": human, "human_hands": load_character("human_hands"), "hopper": one_legged}


@pytest.mark.parametrize("name", ["human", "human_hands", "hopper"])
@pytest.mark.parametrize("seed", range(5))
def test_single_stance_agrees_with_the_matrix(name, seed):
    character = characters()[name]
    _, state, rng = random_world(character, seed)
    wrench = rng.normal(0, 300, 6)
    foot = int(state.feet[seed % len(state.feet)])
    share = np.array([1.0 if f == foot else 0.0 for f in state.feet])
    support = rng.normal(0, 1, (len(state.feet), 3))  # a single foot takes the whole wrench wherever its point is
    assert np.allclose(fast(character, state, wrench, share, support), slow(character, state, wrench, foot), atol=EXACT)


@pytest.mark.parametrize("seed", range(5))
def test_dual_stance_is_the_sum_of_both_feet_with_their_parts_of_the_wrench(seed):
    character = load_character("human")
    _, state, rng = random_world(character, 100 + seed)
    wrench = rng.normal(0, 300, 6)
    alpha = rng.uniform(0, 1)
    share = np.array([alpha, 1 - alpha])
    support = state.position[state.feet] + rng.normal(0, 0.1, (2, 3))
    moment = [np.cross(support[f] - state.com, share[f] * wrench[:3]) for f in range(2)]
    left = wrench[3:] - sum(moment)
    parts = [np.concatenate([share[f] * wrench[:3], moment[f] + share[f] * left]) for f in range(2)]
    expected = sum(slow(character, state, parts[f], int(state.feet[f])) for f in range(2))
    assert np.allclose(fast(character, state, wrench, share, support), expected, atol=EXACT)


def test_gravity_compensation_alone_holds_a_hanging_arm():
    """Away from the standing leg, the torques are those that hold each subtree's weight."""
    character = load_character("human")
    _, state, _ = random_world(character, 3)
    wrench = np.array([0.0, 0.0, character.mass * 9.81, 0.0, 0.0, 0.0])
    torque = fast(character, state, wrench, np.array([1.0, 0.0]), state.position[state.feet])
    arm = character.index("left_upper_arm")
    below = [k for k in range(character.nsegments) if k == arm or character.parents[k] == arm]
    weight = sum(np.cross(state.link_com[k] - state.position[arm], [0, 0, character.masses[k] * 9.81]) for k in below)
    assert np.allclose(torque[arm], weight, atol=EXACT)


def test_no_wrench_means_no_torque():
    character = load_character("human")
    _, state, _ = random_world(character, 4)
    assert np.all(fast(character, state, np.zeros(6), np.array([0.5, 0.5]), state.position[state.feet]) == 0.0)
