"""Collects a run sample by sample and makes a Take of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise import rotation
from poise.character.character import as_quat
from poise.control.controller import Command
from poise.cup import cup
from poise.physics.ground import Platform, Solid
from poise.physics.state import State
from poise.physics.world import World
from poise.pinned import Pinned, views
from poise.reference.reference import AnyReference, Target
from poise.rotation import Array, Mask
from poise.scenario.hold_level import HoldLevel
from poise.scenario.script import Script
from poise.take import Prop, Take

RATE = 250.0  # samples per second: fine enough for every export, and a whole number of steps at 0.5, 1, 2 and 4 ms


class Recorder:
    """Arrays for a whole run, filled every few steps. Help is summed up in every step, so that no spike is missed.

    A run that goes on for longer than `duration` is kept from its end: the newest samples take the place of the oldest.
    """

    def __init__(
        self, world: World, reference: AnyReference, script: Script, duration: float, holds: tuple[HoldLevel, ...] = ()
    ) -> None:
        s, feet = world.character.nsegments, len(world.character.feet)
        self.every = max(1, round(1.0 / (RATE * world.dt)))
        n = int(np.ceil(duration / (self.every * world.dt) - 1e-9)) + 1  # the last sample is at or just after the end
        self.nsteps = (n - 1) * self.every
        self._world, self._reference, self._script = world, reference, script
        self._holds = holds
        self._size, self._count = n, 0
        self._bound_to: Command | None = None
        # Steps, joint torque, help torque, help force, the largest of both, and what of both is on the root.
        self._totals = np.zeros(8)
        shapes = {
            "times": (), "position": (s, 3), "rotation": (s, 4), "velocity": (s, 6), "ref_rotation": (s, 4),
            "ref_position": (s, 3), "ref_com": (3,), "com": (3,), "contact": (feet,), "stance": (feet,), "joint_torque": (),
            "help_torque": (), "help_force": (), "help_peak": (2,), "help_root": (2,),
        }  # fmt: skip
        self._shapes = {name: (shape, int(np.prod(shape))) for name, shape in shapes.items()}
        self._rows = np.zeros((n, sum(size for _, size in self._shapes.values())))  # a sample is one row, in this order
        self._balls = np.zeros((world.nballs, n, 7))
        self._ball_seen = np.zeros((world.nballs, n), bool)
        self._things = np.zeros((n, len(world.terrain.moving), 7))

    @property
    def nsamples(self) -> int:
        """How many samples have been taken so far."""
        return self._count

    def apply(self, command: Command) -> None:
        """Hands the command and the script's forces to the world, and adds up the help."""
        if self._bound_to is not command:
            self._bound_to, world = command, self._world
            self._pinned = Pinned(
                _LAYOUT, command.joint_torque, command.wrench, self._script.wrench, command.felt_torque, command.help,
                world.joint_torque, world.wrench, self._totals,
            )  # fmt: skip
        apply_pinned(self._pinned.where)

    def sample(self, time: float, state: State, target: Target) -> None:
        """Writes down the present moment."""
        k = self._count % self._size
        write_row(
            self._rows[k], time, state.position, state.rotation, state.link_velocity, target.row, state.com, state.foot_load,
            target.stance, self._totals,
        )  # fmt: skip
        for b in range(self._world.nballs):
            self._ball_seen[b, k] = self._script.thrown[b]
            self._balls[b, k, :3], self._balls[b, k, 3:] = self._world.ball_pose(b)
        if self._things.size:
            self._things[k, :, :3], self._things[k, :, 3:] = self._world.thing_position, self._world.thing_rotation
        self._count += 1

    def take(self, info: dict[str, Any], events: tuple[dict[str, Any], ...], last_seconds: float = np.inf) -> Take:
        """What has been recorded so far, or the end of it."""
        last = int(min(last_seconds * RATE, self._count, self._size))
        span = np.arange(self._count - last, self._count) % self._size
        arrays = self._unpacked(self._rows[span])
        balls = [event for event in events if event["type"] == "ball"]
        props = (*self._ground(span), *(self._ball(b, ball["radius"], span) for b, ball in enumerate(balls)))
        character = self._world.character
        for hold in self._holds:
            k = character.index(hold.body)
            props += (cup(character.segments[k], hold.axis, arrays["position"][:, k], arrays["rotation"][:, k]),)
        return Take(character, self._reference.clip, **arrays, events=events, props=props, info=info)

    def _unpacked(self, rows: Array) -> dict[str, Any]:
        """The recorded quantities by the names that a take has for them."""
        arrays: dict[str, Any] = {}
        start = 0
        for name, (shape, size) in self._shapes.items():
            arrays[name] = np.ascontiguousarray(rows[:, start : start + size]).reshape(len(rows), *shape)
            start += size
        return arrays | {"stance": arrays["stance"] > 0.5}

    def _ground(self, span: NDArray[np.int64]) -> tuple[Prop, ...]:
        """The plane where it is not the level floor at zero, and everything on it."""
        terrain = self._world.terrain
        solids = iter(np.moveaxis(self._things[span], 1, 0))
        plane = Solid("ground", "plane", (), terrain.point, as_quat(terrain.turn))
        props = [] if terrain.is_level_floor else [_still(plane, span)]
        props += [_moving(s, next(solids)) if s.mass is not None else _still(s, span) for s in terrain.solids]
        if terrain.platform:
            props.append(_platform(terrain.platform, next(solids)))
        return tuple(props)

    def _ball(self, b: int, radius: float, span: NDArray[np.int64]) -> Prop:
        poses = self._balls[b, span]
        return Prop(f"ball_{b + 1}", "sphere", (radius,), poses[:, :3], poses[:, 3:], self._ball_seen[b, span])


def _still(solid: Solid, span: NDArray[np.int64]) -> Prop:
    n = len(span)
    pose = np.tile([*solid.position, *solid.rotation], (n, 1))
    return _moving(solid, pose)


def _moving(solid: Solid, poses: Array) -> Prop:
    return Prop(solid.name, solid.shape, solid.size, poses[:, :3], poses[:, 3:], np.ones(len(poses), bool))


def _platform(platform: Platform, poses: Array) -> Prop:
    """The box below the pivot."""
    sunk = poses[:, :3] + rotation.rotate(poses[:, 3:], [0.0, 0.0, -0.5 * platform.size[2]])
    return Prop("platform", "box", platform.size, sunk, poses[:, 3:], np.ones(len(poses), bool))


@njit(cache=True)
def write_row(
    row: Array,
    time: float,
    position: Array,
    rotation: Array,
    velocity: Array,
    target_row: Array,
    com: Array,
    load: Array,
    stance: Mask,
    totals: Array,
) -> None:
    """One sample into a row, in the order of the recorder's shapes; the totals start afresh."""
    n, feet = position.shape[0], load.shape[0]
    row[0] = time
    at = _put(velocity, row, _put(rotation, row, _put(position, row, 1)))
    for i in range(4 * n, 11 * n + 3):  # the reference's rotations, positions and centre of mass
        row[at - 4 * n + i] = target_row[i]
    at += 7 * n + 3
    for i in range(3):
        row[at + i] = com[i]
    at += 3
    for f in range(feet):
        row[at + f] = load[f]
        row[at + feet + f] = 1.0 if stance[f] else 0.0
    at += 2 * feet
    for i in range(3):
        row[at + i] = totals[1 + i] / max(totals[0], 1.0)
    row[at + 3], row[at + 4] = totals[4], totals[5]
    row[at + 5], row[at + 6] = totals[6] / max(totals[0], 1.0), totals[7] / max(totals[0], 1.0)
    totals[:] = 0.0


@njit(cache=True)
def _put(values: Array, row: Array, at: int) -> int:
    """Writes a matrix into a row from `at` on; returns where it ends."""
    for k in range(values.shape[0]):
        for i in range(values.shape[1]):
            row[at] = values[k, i]
            at += 1
    return at


_LAYOUT = "f2 f2 f2 f2 f2 f2 f2 f1"  # of the arrays of `apply_and_tally`, in order


@njit(cache=True)
def apply_pinned(where: NDArray[np.int64]) -> None:
    """`apply_and_tally` with its arrays handed over by address."""
    apply_and_tally(*views(where, _LAYOUT))


@njit(cache=True)
def apply_and_tally(
    torque: Array, wrench: Array, push: Array, felt: Array, help_: Array, world_torque: Array, world_wrench: Array, totals: Array
) -> None:
    """Copies forces into the world; adds the magnitudes of joint torque, help torque and help force to the totals."""
    joint_sum = 0.0
    for j in range(torque.shape[0]):
        square = 0.0
        for i in range(3):
            world_torque[j, i] = torque[j, i]
            square += felt[j, i] ** 2
        joint_sum += np.sqrt(square)
    help_force, help_torque = 0.0, 0.0
    for k in range(wrench.shape[0]):
        force, turn = 0.0, 0.0
        for i in range(3):
            world_wrench[k, i] = wrench[k, i] + push[k, i]
            world_wrench[k, 3 + i] = wrench[k, 3 + i] + push[k, 3 + i]
            force += help_[k, i] ** 2
            turn += help_[k, 3 + i] ** 2
        help_force += np.sqrt(force)
        help_torque += np.sqrt(turn)
        if k == 0:
            totals[6] += help_torque
            totals[7] += help_force
    totals[0] += 1.0
    totals[1] += joint_sum
    totals[2] += help_torque
    totals[3] += help_force
    totals[4] = max(totals[4], help_torque)
    totals[5] = max(totals[5], help_force)
