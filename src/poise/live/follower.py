"""Between frames: a critically damped follower of the newest pose, which gives smooth poses, velocities and rates, causally.

The newest frame is carried on with its own velocity for a moment, and every segment's rotation and the root's place follow it:

    a = ω² (x_frame - x) + 2 ω (v_frame - v)

so that steady motion is followed without any lag and the noise of capture is smoothed over about 1/ω.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.character.character import Character
from poise.live.live_pose import BodyPose
from poise.pinned import Pinned, views
from poise.quaternion import log_of_difference, rotate
from poise.reference.reference import Target
from poise.rotation import IDENTITY, Array, Mask


@dataclass(frozen=True)
class FollowerGains:
    """How the newest frame is followed. Measured in docs/live.md."""

    rate: float = 60.0  # rad/s, ω: noise is smoothed over about 17 ms
    carried_on: float = 0.03  # s, beyond the expected next frame, that segments go on turning; then they slow down
    root_carried_on: float = 0.1  # s, beyond it, that the root goes on: to brake the whole body would throw it down
    slowing: float = 0.06  # s, time constant of slowing down
    derivative: float = 0.025  # s, time constant of the rates of momentum
    fastest_turn: float = 30.0  # rad/s: a segment that turns faster is a glitch
    fastest_way: float = 9.0  # m/s, of the root
    hardest: float = 10.0  # m/s2 that the centre of mass is believed to be accelerated: what is more is a break in the stream
    hardest_spin: float = 3.0  # m2/s2, times the mass, of the rate of angular momentum: 200 Nm for an adult


class Follower:
    """The state of the follower for one character; `advance` fills the Target it was made with.

    Goals are the last poses with their velocities and times: rotations (S, 4), spins (S, 3), root and its velocity (3,), world.
    """

    def __init__(self, character: Character, target: Target, gains: FollowerGains | None = None) -> None:
        s, feet, g = character.nsegments, len(character.feet), gains or FollowerGains()
        limits = (g.fastest_turn, g.fastest_way, g.hardest, g.hardest_spin * character.mass)
        law = np.array([g.rate, g.slowing, g.derivative, *limits, g.carried_on, g.root_carried_on])
        body = np.hstack([character.masses[:, None], character.coms, character.inertias.reshape(s, 9), character.offsets])
        self._times = np.full(_GOALS, -np.inf)
        self._goals = np.zeros((_GOALS, 7 * s + 6))
        self._stances = np.zeros((_GOALS, 2 * feet), np.bool_)
        self._count = 0
        self._goal, self._stance = np.zeros(7 * s + 6), np.zeros(2 * feet, np.bool_)
        self.goal_rotation, self.goal_spin = self._goal[: 4 * s].reshape(s, 4), self._goal[4 * s : 7 * s].reshape(s, 3)
        self.goal_root, self.goal_velocity = self._goal[7 * s : 7 * s + 3], self._goal[7 * s + 3 :]
        self.rotation, self.spin = np.tile(IDENTITY, (s, 1)), np.zeros((s, 3))
        self.root, self.velocity = character.joints[0].copy(), np.zeros(3)
        self._momentum = np.full(12, np.nan)  # com velocity and angular momentum, then their rates
        self._target = target
        self._pinned = Pinned(
            _LAYOUT, law, self.goal_rotation, self.goal_spin, self.goal_root, self.goal_velocity, np.array(character.parents),
            body, self.rotation, self.spin, self.root, self.velocity, self._momentum, np.zeros((s, 6)),
            target.joint_rotation, target.rotation, target.position, target.com, target.joint_velocity,
            target.angular_velocity, target.velocity, target.com_velocity, target.angular_momentum, target.com_acceleration,
            target.angular_momentum_rate,
        )  # fmt: skip

    def aim(self, time: float, pose: BodyPose, spin: Array, velocity: Array, stance: Mask, near: Mask) -> None:
        """One more goal, for the simulated `time`; goals that were meant for later than this are dropped."""
        while self._count and self._times[(self._count - 1) % _GOALS] >= time:
            self._count -= 1
        k = self._count % _GOALS
        self._times[k] = time
        self._goals[k] = np.concatenate([pose.turns.ravel(), spin.ravel(), pose.root, velocity])
        self._stances[k] = np.concatenate([stance, near])
        self._count += 1

    def place(self, time: float, pose: BodyPose, stance: Mask, near: Mask) -> None:
        """Puts it somewhere, at rest, with no other goal."""
        self._count = 0
        self.aim(time, pose, np.zeros_like(self.spin), np.zeros(3), stance, near)
        self.catch_up(time)

    def catch_up(self, time: float) -> None:
        """Puts it where its goal for this time is, moving as the goal does."""
        self._choose(time)
        self.rotation[:], self.root[:] = self.goal_rotation, self.goal_root
        self.spin[:], self.velocity[:], self._momentum[:] = self.goal_spin, self.goal_velocity, np.nan

    def advance(self, dt: float, time: float, period: float) -> None:
        """One step of `dt` seconds (0: none, only the target is filled) towards the goal for a time."""
        age = self._choose(time)
        follow_pinned(dt, age, period, self._pinned.where)

    def shift(self, seconds: float) -> None:
        """Time has been set anew: all goals are so much later, or earlier where negative."""
        self._times += seconds

    @property
    def newest_spin(self) -> Array:
        """Of the newest goal (S, 3)."""
        s = len(self.spin)
        return self._goals[(self._count - 1) % _GOALS, 4 * s : 7 * s].reshape(s, 3)

    @property
    def newest_velocity(self) -> Array:
        """Of the newest goal's root (3,)."""
        return self._goals[(self._count - 1) % _GOALS, 7 * len(self.spin) + 3 :]

    def _choose(self, time: float) -> float:
        """Sets goal and stance for a time; returns for how long the newest has been the last, seconds."""
        feet = len(self._target.stance)
        age = choose(
            time, min(self._count, _GOALS), self._count, self._times, self._goals, self._stances, self._goal, self._stance
        )
        self._target.stance[:], self._target.near_stance[:] = self._stance[:feet], self._stance[feet:]
        return age


_GOALS = 64  # that are remembered: half a second at 120 frames/s
_LAYOUT = "f1 f2 f2 f1 f1 i1 f2 f2 f2 f1 f1 f1 f2 f2 f2 f2 f1 f2 f2 f2 f1 f1 f1 f1"  # of the arrays of `follow`, in order


@njit(cache=True)
def choose(time: float, known: int, count: int, times: Array, goals: Array, stances: Mask, goal: Array, stance: Mask) -> float:
    """The goal for a time (in place): between two where there are two, else the newest, whose age is returned."""
    size = times.shape[0]
    newest = (count - 1) % size
    for back in range(known):
        k = (count - 1 - back) % size
        if times[k] > time and back < known - 1:
            continue
        goal[:] = goals[k]
        stance[:] = stances[k]
        if k != newest and times[k] <= time:
            after = (k + 1) % size
            share = float((time - times[k]) / max(times[after] - times[k], 1e-9))
            _mix(goal, goals[after], share)
            if share > 0.5:
                stance[:] = stances[after]
        break
    return max(time - float(times[newest]), 0.0)


@njit(cache=True)
def _mix(goal: Array, other: Array, share: float) -> None:
    """A share of the way from one goal to another, in place; rotations come first and are made of unit length again."""
    nsegments = (goal.shape[0] - 6) // 7
    for k in range(nsegments):
        a, b = goal[4 * k : 4 * k + 4], other[4 * k : 4 * k + 4]
        side = 1.0 if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] > 0.0 else -1.0
        norm = 0.0
        for i in range(4):
            a[i] += share * (side * b[i] - a[i])
            norm += a[i] * a[i]
        for i in range(4):
            a[i] /= np.sqrt(norm)
    for i in range(4 * nsegments, goal.shape[0]):
        goal[i] += share * (other[i] - goal[i])


@njit(cache=True)
def follow_pinned(dt: float, age: float, period: float, where: NDArray[np.int64]) -> None:
    """`follow` with its arrays handed over by address."""
    follow(dt, age, period, *views(where, _LAYOUT))


@njit(cache=True)
def follow(
    dt: float,
    age: float,
    period: float,
    law: Array,
    goal_rotation: Array,
    goal_spin: Array,
    goal_root: Array,
    goal_velocity: Array,
    parents: NDArray[np.int64],
    body: Array,
    turn: Array,
    spin: Array,
    root: Array,
    velocity: Array,
    momentum: Array,
    links: Array,
    joint: Array,
    rotation: Array,
    position: Array,
    com: Array,
    joint_velocity: Array,
    angular: Array,
    linear: Array,
    com_velocity: Array,
    spin_momentum: Array,
    acceleration: Array,
    spin_rate: Array,
) -> None:
    """One step of the follower (in place), and the target that comes of it."""
    rate, slowing, derivative, fastest_turn, fastest_way = law[0], law[1], law[2], law[3], law[4]
    lead, pace = _carried_on(age, period + law[7], slowing)
    for k in range(turn.shape[0]):
        _turn_towards(dt, rate, lead, pace, fastest_turn, goal_rotation[k], goal_spin[k], turn[k], spin[k])
    lead, pace = _carried_on(age, period + law[8], slowing)
    for i in range(3):
        gap = goal_root[i] + lead * goal_velocity[i] - root[i]
        velocity[i] += dt * (rate * rate * gap + 2.0 * rate * (pace * goal_velocity[i] - velocity[i]))
    _limit(velocity, fastest_way)
    for i in range(3):
        root[i] += dt * velocity[i]
    _move(parents, body, turn, spin, root, velocity, joint, rotation, position, joint_velocity, angular, linear)
    _weigh(body, turn, spin, position, linear, links, com, com_velocity, spin_momentum)
    _derive(dt, derivative, com_velocity, spin_momentum, momentum, acceleration, spin_rate)
    _limit(acceleration, law[5])
    _limit(spin_rate, law[6])


@njit(cache=True)
def _carried_on(age: float, fresh: float, slowing: float) -> tuple[float, float]:
    """For how long, in seconds at its full pace, a goal of some age has gone on; and its pace now, of the full one."""
    if age <= fresh:
        return max(age, 0.0), 1.0
    pace = np.exp(-(age - fresh) / slowing)
    return fresh + slowing * (1.0 - pace), pace


@njit(cache=True)
def _turn_towards(
    dt: float, rate: float, lead: float, pace: float, fastest: float, goal: Array, goal_spin: Array, turn: Array, spin: Array
) -> None:
    """One segment's rotation and spin (world frame)."""
    gx, gy, gz, gw = _carried(goal, goal_spin, lead)
    own = log_of_difference(turn[0], turn[1], turn[2], turn[3], gw, gx, gy, gz)
    gap = rotate(turn[0], turn[1], turn[2], turn[3], own[0], own[1], own[2])
    for i in range(3):
        spin[i] += dt * (rate * rate * gap[i] + 2.0 * rate * (pace * goal_spin[i] - spin[i]))
    _limit(spin, fastest)
    x, y, z, w = _carried(turn, spin, dt)
    turn[0], turn[1], turn[2], turn[3] = w, x, y, z


@njit(cache=True)
def _carried(turn: Array, spin: Array, seconds: float) -> tuple[float, float, float, float]:
    """A rotation (as x, y, z, w) after it has gone on with a spin for some time."""
    hx, hy, hz = 0.5 * seconds * spin[0], 0.5 * seconds * spin[1], 0.5 * seconds * spin[2]
    half = np.sqrt(hx * hx + hy * hy + hz * hz)
    share = 1.0 if half < 1e-9 else np.sin(half) / half
    aw, ax, ay, az = np.cos(half), share * hx, share * hy, share * hz
    w, x, y, z = turn[0], turn[1], turn[2], turn[3]
    nw = aw * w - ax * x - ay * y - az * z
    nx = aw * x + ax * w + ay * z - az * y
    ny = aw * y - ax * z + ay * w + az * x
    nz = aw * z + ax * y - ay * x + az * w
    norm = np.sqrt(nw * nw + nx * nx + ny * ny + nz * nz)
    return nx / norm, ny / norm, nz / norm, nw / norm


@njit(cache=True)
def _limit(vector: Array, largest: float) -> None:
    size = np.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2)
    if size > largest:
        for i in range(3):
            vector[i] *= largest / size


@njit(cache=True)
def _move(
    parents: NDArray[np.int64],
    body: Array,
    turn: Array,
    spin: Array,
    root: Array,
    velocity: Array,
    joint: Array,
    rotation: Array,
    position: Array,
    joint_velocity: Array,
    angular: Array,
    linear: Array,
) -> None:
    """Places and velocities of all segments from their rotations and spins and from the root."""
    for k in range(turn.shape[0]):
        p = parents[k]
        rotation[k], angular[k] = turn[k], spin[k]
        sx, sy, sz = spin[k]
        if p < 0:
            position[k], linear[k], joint[k] = root, velocity, turn[k]
        else:
            arm = rotate(turn[p, 0], turn[p, 1], turn[p, 2], turn[p, 3], body[k, 13], body[k, 14], body[k, 15])
            swing = _cross(spin[p], arm)
            for i in range(3):
                position[k, i] = position[p, i] + arm[i]
                linear[k, i] = linear[p, i] + swing[i]
            _relative(turn[p], turn[k], joint[k])
            sx, sy, sz = sx - spin[p, 0], sy - spin[p, 1], sz - spin[p, 2]
        own = rotate(turn[k, 0], -turn[k, 1], -turn[k, 2], -turn[k, 3], sx, sy, sz)
        joint_velocity[k, 0], joint_velocity[k, 1], joint_velocity[k, 2] = own


@njit(cache=True)
def _weigh(
    body: Array,
    turn: Array,
    spin: Array,
    position: Array,
    linear: Array,
    links: Array,
    com: Array,
    com_velocity: Array,
    spin_momentum: Array,
) -> None:
    """Centre of mass, its velocity and the angular momentum about it. `links` (S, 6) is room to work in."""
    com[:], com_velocity[:], spin_momentum[:] = 0.0, 0.0, 0.0
    mass = 0.0
    for k in range(turn.shape[0]):
        arm = rotate(turn[k, 0], turn[k, 1], turn[k, 2], turn[k, 3], body[k, 1], body[k, 2], body[k, 3])
        swing = _cross(spin[k], arm)
        mass += body[k, 0]
        for i in range(3):
            links[k, i], links[k, 3 + i] = position[k, i] + arm[i], linear[k, i] + swing[i]
            com[i] += body[k, 0] * links[k, i]
            com_velocity[i] += body[k, 0] * links[k, 3 + i]
    com /= mass
    com_velocity /= mass
    for k in range(turn.shape[0]):
        _add_momentum(body[k], turn[k], spin[k], links[k, :3] - com, links[k, 3:] - com_velocity, spin_momentum)


@njit(cache=True)
def _derive(
    dt: float,
    derivative: float,
    com_velocity: Array,
    spin_momentum: Array,
    momentum: Array,
    acceleration: Array,
    spin_rate: Array,
) -> None:
    """Rates of the momenta: differences from step to step, smoothed. `momentum` (12,) remembers; NaN: nothing yet."""
    share = 1.0 - np.exp(-dt / derivative)
    for i in range(3):
        if np.isnan(momentum[i]):
            momentum[6 + i], momentum[9 + i] = 0.0, 0.0
        elif dt > 0.0:
            momentum[6 + i] += share * ((com_velocity[i] - momentum[i]) / dt - momentum[6 + i])
            momentum[9 + i] += share * ((spin_momentum[i] - momentum[3 + i]) / dt - momentum[9 + i])
        momentum[i], momentum[3 + i] = com_velocity[i], spin_momentum[i]
        acceleration[i], spin_rate[i] = momentum[6 + i], momentum[9 + i]


@njit(cache=True)
def _add_momentum(body: Array, turn: Array, spin: Array, arm: Array, velocity: Array, total: Array) -> None:
    """One segment's angular momentum about the centre of mass, da Silva (11)."""
    own = rotate(turn[0], -turn[1], -turn[2], -turn[3], spin[0], spin[1], spin[2])
    x = body[4] * own[0] + body[5] * own[1] + body[6] * own[2]
    y = body[7] * own[0] + body[8] * own[1] + body[9] * own[2]
    z = body[10] * own[0] + body[11] * own[1] + body[12] * own[2]
    spun = rotate(turn[0], turn[1], turn[2], turn[3], x, y, z)
    swung = _cross(arm, (velocity[0], velocity[1], velocity[2]))
    for i in range(3):
        total[i] += spun[i] + body[0] * swung[i]


@njit(cache=True)
def _cross(a: Array, b: tuple[float, float, float]) -> tuple[float, float, float]:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def _relative(parent: Array, turn: Array, out: Array) -> None:
    """conj(parent) turn."""
    pw, px, py, pz = parent[0], -parent[1], -parent[2], -parent[3]
    w, x, y, z = turn[0], turn[1], turn[2], turn[3]
    out[0] = pw * w - px * x - py * y - pz * z
    out[1] = pw * x + px * w + py * z - pz * y
    out[2] = pw * y - px * z + py * w + pz * x
    out[3] = pw * z + px * y - py * x + pz * w
