"""Feedforward by inverse dynamics: the torques that the reference's own accelerations ask for (Yin et al. 2003).

There it is done ahead for a whole clip; here moment by moment, from the reference a little before and after, so that it works
with a reference that changes. It trusts the reference: what is not physical in it becomes torque.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise import rotation
from poise.control.fed import Fed
from poise.control.virtual_actuator import actuate
from poise.physics.state import State
from poise.physics.world import GRAVITY, World
from poise.quaternion import rotate
from poise.reference.reference import AnyReference, Target
from poise.rotation import Array

_MOMENT = 0.01  # s before and after, of which the difference is the acceleration


class InverseDynamics:
    """Joint torques of the reference. `carried`: the strategy's virtual actuators already carry weight and momentum."""

    def __init__(self, carried: bool) -> None:
        self.carried = carried

    def start(self, world: World, reference: AnyReference) -> None:
        character = world.character
        s = character.nsegments
        self._reference = reference
        self._before, self._after = reference.target(), reference.target()
        self._parents = np.array(character.parents)
        self._inertia = np.array([segment.inertia for segment in character.segments])
        self._axes = np.ascontiguousarray(rotation.to_matrix([segment.box.turn for segment in character.segments]))
        self._mass, self._coms = character.masses, character.coms
        self._memory, self._forces, self._world_torque = np.zeros((s, 6)), np.zeros((s, 6)), np.zeros((s, 3))
        self._turns, self._links = np.zeros((s, 3, 3)), np.zeros((s, 3))
        self.fed = Fed.nothing(s, share=1.0)

    def update(self, state: State, target: Target) -> None:
        """The torques of this moment of the reference."""
        before, after = self._before, self._after
        self._reference.sample(target.time - _MOMENT, before)
        self._reference.sample(target.time + _MOMENT, after)
        inverse_dynamics(
            self.carried, self._parents, self._mass, self._inertia, self._axes, self._coms, target.rotation, target.position,
            target.angular_velocity, target.com, target.com_acceleration, target.angular_momentum_rate, before.rotation,
            before.angular_velocity, before.velocity, after.rotation, after.angular_velocity, after.velocity, self._turns,
            self._links, self._memory, self._forces, self._world_torque, self.fed.torque,
        )  # fmt: skip
        self.fed.velocity[:] = target.joint_velocity


@njit(cache=True)
def inverse_dynamics(
    carried: bool,
    parents: NDArray[np.int64],
    mass: Array,
    inertia: Array,
    axes: Array,
    coms: Array,
    turn: Array,
    position: Array,
    spin: Array,
    com: Array,
    com_acceleration: Array,
    momentum_rate: Array,
    turn_before: Array,
    spin_before: Array,
    velocity_before: Array,
    turn_after: Array,
    spin_after: Array,
    velocity_after: Array,
    turns: Array,
    links: Array,
    memory: Array,
    forces: Array,
    world_torque: Array,
    torque: Array,
) -> None:
    """Newton-Euler from the tips to the root: what each joint gives for m (a + g) and I w' + w x I w of all beyond it.

    The last six arguments but one are room to work in. Where the strategy carries the body, the part of its virtual actuators at
    the reference itself, M (a + g) and dL/dt, is taken off.
    """
    n = parents.shape[0]
    span = 2.0 * _MOMENT
    total = 0.0
    for k in range(n):
        total += mass[k]
        arm = rotate(turn[k, 0], turn[k, 1], turn[k, 2], turn[k, 3], coms[k, 0], coms[k, 1], coms[k, 2])
        early = _com_velocity(turn_before[k], coms[k], spin_before[k], velocity_before[k])
        late = _com_velocity(turn_after[k], coms[k], spin_after[k], velocity_after[k])
        for i in range(3):
            links[k, i] = position[k, i] + arm[i]
            forces[k, i] = mass[k] * ((late[i] - early[i]) / span + (GRAVITY if i == 2 else 0.0))
            axis = rotate(turn[k, 0], turn[k, 1], turn[k, 2], turn[k, 3], axes[k, 0, i], axes[k, 1, i], axes[k, 2, i])
            turns[k, 0, i], turns[k, 1, i], turns[k, 2, i] = axis
        _add_spin(turns[k], inertia[k], spin[k], spin_before[k], spin_after[k], span, forces[k])
        _add_moment(links[k] - com, forces[k])
    if carried:
        wrench = np.zeros(6)
        for i in range(3):
            wrench[i] = total * (com_acceleration[i] + (GRAVITY if i == 2 else 0.0))
            wrench[3 + i] = momentum_rate[i]
        nowhere, none = np.zeros((1, 3)), np.zeros(1)
        legs = np.full(n, -1)
        actuate(wrench, none, nowhere, parents, legs, mass, inertia, turns, position, links, com, memory, world_torque)
    else:
        world_torque[:] = 0.0
    for k in range(n - 1, 0, -1):
        x, y, z = position[k, 0] - com[0], position[k, 1] - com[1], position[k, 2] - com[2]
        fx, fy, fz = forces[k, 0], forces[k, 1], forces[k, 2]
        tx = forces[k, 3] - (y * fz - z * fy) - world_torque[k, 0]
        ty = forces[k, 4] - (z * fx - x * fz) - world_torque[k, 1]
        tz = forces[k, 5] - (x * fy - y * fx) - world_torque[k, 2]
        own = rotate(turn[k, 0], -turn[k, 1], -turn[k, 2], -turn[k, 3], tx, ty, tz)
        torque[k - 1, 0], torque[k - 1, 1], torque[k - 1, 2] = own
        for i in range(6):
            forces[parents[k], i] += forces[k, i]


@njit(cache=True)
def _com_velocity(turn: Array, com: Array, spin: Array, velocity: Array) -> tuple[float, float, float]:
    """Of a link's centre of mass, from that of its joint."""
    x, y, z = rotate(turn[0], turn[1], turn[2], turn[3], com[0], com[1], com[2])
    return (
        velocity[0] + spin[1] * z - spin[2] * y,
        velocity[1] + spin[2] * x - spin[0] * z,
        velocity[2] + spin[0] * y - spin[1] * x,
    )


@njit(cache=True)
def _add_spin(turn: Array, inertia: Array, spin: Array, before: Array, after: Array, span: float, force: Array) -> None:
    """The rate of a link's own angular momentum into force[3:]."""
    for i in range(3):
        force[3 + i] = 0.0
    lx, ly, lz = 0.0, 0.0, 0.0
    for a in range(3):
        ax, ay, az = turn[0, a], turn[1, a], turn[2, a]
        rate = inertia[a] * (ax * (after[0] - before[0]) + ay * (after[1] - before[1]) + az * (after[2] - before[2])) / span
        now = inertia[a] * (ax * spin[0] + ay * spin[1] + az * spin[2])
        for i in range(3):
            force[3 + i] += rate * turn[i, a]
        lx, ly, lz = lx + now * ax, ly + now * ay, lz + now * az
    force[3] += spin[1] * lz - spin[2] * ly
    force[4] += spin[2] * lx - spin[0] * lz
    force[5] += spin[0] * ly - spin[1] * lx


@njit(cache=True)
def _add_moment(arm: Array, force: Array) -> None:
    """The moment of force[:3] at the end of an arm into force[3:]."""
    force[3] += arm[1] * force[2] - arm[2] * force[1]
    force[4] += arm[2] * force[0] - arm[0] * force[2]
    force[5] += arm[0] * force[1] - arm[1] * force[0]
