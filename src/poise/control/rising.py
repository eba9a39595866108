"""Getting up when the user asks for it: the root is drawn up to the reference's height and turn.

The paper (da Silva section 4) only lets fall. Nothing that lies on the ground stands up by springs that know only standing
poses. So what raises the body is a force and a torque from outside, at the root: help, bounded by the dial, on the receipt. Where
the dial allows less than the body's weight there is none of it, and the character stays where it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from poise.control.controller import Command
from poise.physics.below import feel_ground
from poise.physics.state import State
from poise.physics.world import GRAVITY, World
from poise.quaternion import log_of_difference, rotate
from poise.reference.reference import Target
from poise.reference.retarget import leg_length
from poise.rotation import Array, angle_between


@dataclass(frozen=True)
class RiseRule:
    """How much the dial allows, and how it is used. Limits grow in proportion to what `thr_max` exceeds `free` by."""

    free: float = 200.0  # Nm: up to this thr_max there is no help to get up
    full: float = 1000.0  # Nm, superhuman: there the limits are
    force: float = 1.5  # body weights: one carries it, the rest lifts
    turn: float = 44.0  # rad/s2 of the body's inertia: 280 Nm for an adult, as in flight
    rate: float = 12.0  # rad/s of the critically damped springs that draw the root
    gyration: float = 0.35  # radius of gyration of the body, of the leg length
    speed: float = 0.6  # m/s upwards
    upright: float = 0.35  # rad from the reference's turn: near enough to stand
    short: float = 0.06  # of the leg, below the reference's height: near enough to stand
    calm: float = 0.3  # s near enough before it is let go
    fade: float = 1.0  # s in which it is let go
    patience: float = 6.0  # s after which it is left lying

    def share(self, thr_max: float) -> float:
        """The part of the limits that a setting of the dial allows, 0 … 1."""
        return min(max((thr_max - self.free) / (self.full - self.free), 0.0), 1.0)

    def suffices(self, thr_max: float) -> bool:
        """Whether it can raise the body: less than its weight would only drag it about."""
        return self.force * self.share(thr_max) > 1.0


class Rise:
    """One attempt to get up. `lifts` until it is upright, then balance is on and the hand gives way, until it `is_over`."""

    def __init__(self, rule: RiseRule, world: World, state: State, thr_max: float) -> None:
        self._rule, self._world = rule, world
        mass, leg = world.character.mass, leg_length(world.character)
        inertia = mass * (rule.gyration * leg) ** 2
        limits = rule.share(thr_max) * np.array([rule.force * mass * GRAVITY, rule.turn * inertia])
        springs = [mass * rule.rate**2, 2.0 * mass * rule.rate, inertia * rule.rate**2, 2.0 * inertia * rule.rate]
        self._law = np.array([*springs, mass * GRAVITY, *limits])
        self._short = rule.short * leg
        self._top = float(state.position[0, 2])
        self._ground, self._normal = np.zeros(1), np.zeros((1, 3))
        self._spent, self._calm, self._strength = 0.0, 0.0, 1.0

    @property
    def lifts(self) -> bool:
        """Whether it still has to be brought upright."""
        return self._strength == 1.0 and self._calm < self._rule.calm

    @property
    def is_over(self) -> bool:
        return self._strength <= 0.0

    @property
    def failed(self) -> bool:
        """Whether it has tried for long enough."""
        return self.lifts and self._spent > self._rule.patience

    def help(self, state: State, target: Target, command: Command) -> None:
        """Adds this step's force and torque on the root to the command, and goes on by a step."""
        dt, rule = self._world.dt, self._rule
        feel_ground(self._world, state.position[:1], self._ground, self._normal)
        wanted = float(target.position[0, 2] + self._ground[0])
        off = float(angle_between(state.rotation[0], target.rotation[0]))
        near = off < rule.upright and state.position[0, 2] > wanted - self._short
        if near and self._spent == 0.0:
            self._strength = 0.0  # it stands already
        self._top = min(self._top + rule.speed * dt, wanted)
        draw_up(
            self._strength, self._law, self._top, state.position[0], state.rotation[0], state.link_velocity[0],
            target.rotation[0], target.angular_velocity[0], command.wrench[0], command.help[0],
        )  # fmt: skip
        self._spent += dt
        self._calm = self._calm + dt if near else 0.0
        if not self.lifts:
            self._strength = max(0.0, self._strength - dt / rule.fade)


@njit(cache=True)
def draw_up(
    strength: float,
    law: Array,
    height: float,
    position: Array,
    rotation: Array,
    velocity: Array,
    ref_rotation: Array,
    ref_spin: Array,
    wrench: Array,
    help_: Array,
) -> None:
    """Adds force and torque (6,) on the root to wrench and help: up to a height, brakes sideways, turns to the reference.

    `law` has stiffness and damping of the place and of the turn, the body's weight, and the largest force and torque.
    """
    kp, kd, turn_kp, turn_kd, weight, most_force, most_torque = law
    qw, qx, qy, qz = rotation
    rw, rx, ry, rz = ref_rotation
    own = log_of_difference(qw, qx, qy, qz, rw, rx, ry, rz)
    error = rotate(qw, qx, qy, qz, own[0], own[1], own[2])
    pull = np.zeros(6)
    pull[0], pull[1] = -kd * velocity[3], -kd * velocity[4]
    pull[2] = max(weight + kp * (height - position[2]) - kd * velocity[5], 0.0)
    for i in range(3):
        pull[3 + i] = turn_kp * error[i] + turn_kd * (ref_spin[i] - velocity[i])
    force = np.sqrt(pull[0] ** 2 + pull[1] ** 2 + pull[2] ** 2)
    torque = np.sqrt(pull[3] ** 2 + pull[4] ** 2 + pull[5] ** 2)
    for i in range(3):
        pull[i] *= strength * min(1.0, most_force / max(force, 1e-9))
        pull[3 + i] *= strength * min(1.0, most_torque / max(torque, 1e-9))
    for i in range(6):
        wrench[i] += pull[i]
        help_[i] += pull[i]
