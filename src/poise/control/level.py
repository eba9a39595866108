"""Holding a segment level in the world by the joint above it: a hand with a cup (da Silva section 6, holding cup)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise import rotation
from poise.control.controller import Command, Controller, damping_of_joints
from poise.physics.state import State
from poise.physics.world import GRAVITY, World
from poise.quaternion import rotate
from poise.reference.reference import AnyReference, Target
from poise.rotation import Array


@dataclass(frozen=True)
class Level:
    """A segment whose own `axis` is to point up, and how stiffly (Nm/rad) the joint above it sees to that.

    Where `bend` (radians) is given, the segment above is kept bent forward by so much, as the forearm of an arm that carries.
    """

    body: str
    axis: tuple[float, float, float]
    stiffness: float
    bend: float | None = None


class LevelController:
    """Any controller, with some segments held level: about the two horizontal axes their joints obey the world, not the clip."""

    def __init__(self, inner: Controller, levels: Sequence[Level]) -> None:
        self.inner = inner
        self._levels = tuple(levels)

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def tunable(self) -> bool:
        return self.inner.tunable

    def __setattr__(self, name: str, value: Any) -> None:
        """Thresholds of robustness are those of the controller inside."""
        if name in ("thr_min", "thr_max"):
            setattr(self.inner, name, value)
        else:
            super().__setattr__(name, value)

    def start(self, world: World, reference: AnyReference) -> None:
        self.inner.start(world, reference)
        character = world.character
        self._world = world
        self._held = np.array([character.index(level.body) for level in self._levels])
        self._parents = np.array([character.parents[k] for k in self._held])
        axes = np.array([level.axis for level in self._levels], float)
        self._axes = axes / np.linalg.norm(axes, axis=-1, keepdims=True)
        self._stiffness = np.array([level.stiffness for level in self._levels])
        self._weight = character.masses * GRAVITY
        bends = [(p, level.bend) for p, level in zip(self._parents, self._levels, strict=True) if level.bend is not None]
        self._bent = [int(p) for p, _ in bends]
        self._bends = rotation.exp([(0.0, -bend, 0.0) for _, bend in bends]) if bends else np.zeros((0, 4))

    def get_up(self) -> None:
        """Asks the controller inside to get up, if it can."""
        if get_up := getattr(self.inner, "get_up", None):
            get_up()

    def act(self, state: State, target: Target, command: Command) -> None:
        if self._bent:
            target.joint_rotation[self._bent], target.joint_velocity[self._bent] = self._bends, 0.0
        self.inner.act(state, target, command)
        hold_level(
            self._held, self._parents, self._axes, self._stiffness, damping_of_joints(self._world), self._weight,
            state.position, state.rotation, state.link_com, state.link_velocity, state.joint_velocity,
            command.joint_torque, command.felt_torque,
        )  # fmt: skip


@njit(cache=True)
def hold_level(
    held: NDArray[np.int64],
    parents: NDArray[np.int64],
    axes: Array,
    stiffness: Array,
    damping: Array,
    weight: Array,
    position: Array,
    turn: Array,
    link_com: Array,
    link_velocity: Array,
    joint_velocity: Array,
    joint_torque: Array,
    felt_torque: Array,
) -> None:
    """Replaces the horizontal part of the torques of the joints above the held segments by k L(a, up) - d w + gravity.

    `a` is a segment's axis in the world, `w` its angular velocity; the torque's part about the vertical stays. The integrator
    damps the joint's own velocity, w - w_parent (docs/pose.md), so that here only the parent's part is taken back.
    """
    for h in range(held.shape[0]):
        k, p = held[h], parents[h]
        qw, qx, qy, qz = turn[k]
        ax, ay, az = rotate(qw, qx, qy, qz, axes[h, 0], axes[h, 1], axes[h, 2])
        across = np.sqrt(ax * ax + ay * ay)
        scale = stiffness[h] * (np.arctan2(across, az) / across if across > 1e-9 else 1.0)
        d = damping[k - 1, 0]
        armx, army = link_com[k, 0] - position[k, 0], link_com[k, 1] - position[k, 1]
        told = joint_torque[k - 1]
        vertical = rotate(qw, qx, qy, qz, told[0], told[1], told[2])[2]
        x = scale * ay - d * link_velocity[p, 0] + army * weight[k]
        y = -scale * ax - d * link_velocity[p, 1] - armx * weight[k]
        own = rotate(qw, -qx, -qy, -qz, x, y, vertical)
        for i in range(3):
            joint_torque[k - 1, i] = own[i]
            felt_torque[k - 1, i] = own[i] - d * joint_velocity[k, i]
