"""Balance with steps: SIMBICON's feedback as a virtual force on the swing foot, da Silva (16), on top of the balance law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.control.balance import BalanceController
from poise.control.controller import Command
from poise.control.pose import joint_torques
from poise.control.support import legs_of
from poise.physics.state import State
from poise.physics.world import World
from poise.quaternion import rotate
from poise.reference.reference import AnyReference, Target
from poise.rotation import Array, Mask

_HUMAN_MASS = 72.0  # kg: the body for which the gains are given


@dataclass(frozen=True)
class StepGains:
    """k_sp and k_sd of (16) for a 72 kg adult; the paper leaves them to the user. docs/scenes.md has how they were found."""

    place: float = 600.0  # N per metre that the centre of mass is ahead of the standing foot, against the reference
    speed: float = 500.0  # N per m/s that it is faster than the reference


class SimbiconController:
    """Steps to where it is pushed: from a walk in place it walks in any direction while it is pushed, and stops after.

    The balance controller does the rest; on a swinging leg its torques are suppressed and the virtual force takes their place.
    """

    name = "simbicon"
    tunable = True

    def __init__(self, balance: BalanceController, gains: StepGains | None = None) -> None:
        self.balance = balance
        self.gains = gains or StepGains()

    @property
    def thr_min(self) -> float:
        return self.balance.thr_min

    @thr_min.setter
    def thr_min(self, value: float) -> None:
        self.balance.thr_min = value

    @property
    def thr_max(self) -> float:
        return self.balance.thr_max

    @thr_max.setter
    def thr_max(self, value: float) -> None:
        self.balance.thr_max = value

    def start(self, world: World, reference: AnyReference) -> None:
        self.balance.start(world, reference)
        character = world.character
        weight = character.mass / _HUMAN_MASS
        self._place, self._speed = weight * self.gains.place, weight * self.gains.speed
        self._stiffness, self._damping = self.balance.gains.pose.of(character)
        self._leg_of = legs_of(character)
        self._foot_coms = character.coms[world.state.feet]
        self._pose = np.zeros((character.nsegments - 1, 3))
        self._felt = np.zeros((character.nsegments - 1, 3))

    def act(self, state: State, target: Target, command: Command) -> None:
        self.balance.act(state, target, command)
        if self.balance.is_down:
            return
        joint_torques(
            state.joint_coordinate, state.joint_velocity, state.joint_center, target.joint_rotation, target.joint_velocity,
            self._stiffness, self._damping, self._pose, self._felt,
        )  # fmt: skip
        step(
            self._place, self._speed, self.balance.stance, state.feet, self._foot_coms, self._leg_of, self._pose, self._felt,
            state.position, state.rotation, state.link_com, state.com, state.com_velocity, target.position, target.rotation,
            target.com, target.com_velocity, command.joint_torque, command.felt_torque,
        )  # fmt: skip

    def get_up(self) -> None:
        """Tracks and balances again after a fall."""
        self.balance.get_up()

    def info(self) -> dict[str, Any]:
        return self.balance.info()


@njit(cache=True)
def step(
    k_sp: float,
    k_sd: float,
    stance: Mask,
    feet: NDArray[np.int64],
    foot_coms: Array,
    leg_of: NDArray[np.int64],
    pose: Array,
    pose_felt: Array,
    position: Array,
    rotation: Array,
    link_com: Array,
    com: Array,
    com_velocity: Array,
    ref_position: Array,
    ref_rotation: Array,
    ref_com: Array,
    ref_com_velocity: Array,
    joint_torque: Array,
    felt_torque: Array,
) -> None:
    """Swing legs in single stance: pose torques plus J^T f with f = k_sp (d - d_r) + k_sd (v - v_r), horizontal.

    d is the centre of mass seen from that of the standing foot, v its velocity. The paper's f has no reference in it; ours is
    zero while the character does what the clip does, as Fig. 10 (b) has it. The Jacobian's root is the pelvis, its end the foot.
    """
    if feet.shape[0] != 2 or stance[0] == stance[1]:
        return
    swing = 1 if stance[0] else 0
    k = feet[1 - swing]
    own = foot_coms[1 - swing]
    q = ref_rotation[k]
    ref_foot = rotate(q[0], q[1], q[2], q[3], own[0], own[1], own[2])
    force = np.zeros(2)
    for i in range(2):
        d = com[i] - link_com[k, i]
        d_ref = ref_com[i] - ref_position[k, i] - ref_foot[i]
        force[i] = k_sp * (d - d_ref) + k_sd * (com_velocity[i] - ref_com_velocity[i])
    foot = feet[swing]
    for k in range(1, leg_of.shape[0]):
        if leg_of[k] != swing:
            continue
        rx, ry, rz = link_com[foot, 0] - position[k, 0], link_com[foot, 1] - position[k, 1], link_com[foot, 2] - position[k, 2]
        x, y, z = -rz * force[1], rz * force[0], rx * force[1] - ry * force[0]
        torque = rotate(rotation[k, 0], -rotation[k, 1], -rotation[k, 2], -rotation[k, 3], x, y, z)
        for i in range(3):
            joint_torque[k - 1, i] = pose[k - 1, i] + torque[i]
            felt_torque[k - 1, i] = pose_felt[k - 1, i] + torque[i]
