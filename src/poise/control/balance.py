"""Balance with tunable robustness: pose control, virtual actuators and the topple-free foot together (da Silva et al.)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.character.character import Character
from poise.character.soles import heel_and_ball
from poise.control.controller import Command, damping_of_joints
from poise.control.pose import PoseGains, joint_torques
from poise.control.quaternion import rotate
from poise.control.support import SupportRule, find_support, legs_of
from poise.control.topple_free_foot import FallRule, FlightRule, compensate, steady_in_flight
from poise.control.virtual_actuator import ActuatorGains, Terms, actuate, virtual_wrench
from poise.physics.state import State
from poise.physics.world import GRAVITY, World
from poise.reference.reference import Reference, Target
from poise.reference.retarget import leg_length
from poise.rotation import Array, Mask

_HUMAN_MASS, _HUMAN_LEG = 72.0, 0.85  # kg, m: the body for which the gains are given
COMPLIANT = PoseGains(
    chest=(600.0, 60.0),
    abdomen=(600.0, 60.0),
    head=(60.0, 4.0),
    upper_arm=(120.0, 10.0),
    forearm=(60.0, 3.0),
    hand=(10.0, 0.5),
    thigh=(500.0, 50.0),
    shin=(500.0, 50.0),
    foot=(200.0, 10.0),
    tail=(150.0, 12.0),
)


@dataclass(frozen=True)
class BalanceGains:
    """All that can be tuned beside the two thresholds of robustness."""

    pose: PoseGains = field(default_factory=lambda: COMPLIANT)
    actuators: ActuatorGains = field(default_factory=ActuatorGains)
    support: SupportRule = field(default_factory=SupportRule)
    fall: FallRule = field(default_factory=FallRule)
    flight: FlightRule = field(default_factory=FlightRule)
    terms: Terms = field(default_factory=Terms)


class BalanceController:
    """Tracks a clip or holds a pose, keeps its balance, and gives up where that would take more help than it may use."""

    name = "balance"
    tunable = True

    def __init__(self, thr_min: float, thr_max: float, gains: BalanceGains | None = None) -> None:
        self.thr_min, self.thr_max = thr_min, thr_max
        self.gains = gains or BalanceGains()

    def start(self, world: World, reference: Reference) -> None:
        character, gains = world.character, self.gains
        self._world = world
        self._stiffness, self._damping = gains.pose.of(character)
        damping_of_joints(world)[:] = self._damping[:, None]
        world.damping[:6] = 0.0
        terms = gains.terms if reference.clip else replace(gains.terms, orientation=False)  # as the paper does, 3.2.2
        self._actuator_gains = _scaled(gains.actuators, terms, character)
        self._gravity = character.mass * GRAVITY if gains.terms.gravity else 0.0
        self._tree = (np.array(character.parents), legs_of(character), character.masses)
        self._inertia = np.array([s.inertia for s in character.segments])
        self._soles = np.array([heel_and_ball(character.segments[k]).mean(axis=0) for k in world.state.feet])
        self._chest = character.names.index("chest") if "chest" in character.names else 0
        inertia = character.mass * (gains.flight.gyration * leg_length(character)) ** 2
        self._flight = (inertia * gains.flight.rate**2, 2.0 * inertia * gains.flight.rate)
        self._by_reference = reference.clip is not None
        feet, s = len(character.feet), character.nsegments
        self.stance = np.zeros(feet, np.bool_)
        self.share = np.full(feet, 1.0 / feet)
        self.support = np.zeros((feet, 3))  # middles of the soles, world frame
        self.wrench = np.zeros(6)  # the virtual force and torque
        self.foot_torque = 0.0  # the largest torque that a standing foot receives, Nm: the bar of the paper's Fig. 4
        self.fallen = False
        self._since, self._excess = np.zeros(feet), 0.0
        self._torque, self._memory = np.zeros((s, 3)), np.zeros((s, 6))

    def act(self, state: State, target: Target, command: Command) -> None:
        joint_torques(
            state.joint_coordinate, state.joint_velocity, state.joint_center, target.joint_rotation, target.joint_velocity,
            self._stiffness, self._damping, command.joint_torque, command.felt_torque,
        )  # fmt: skip
        if self.fallen:
            return
        rule = self.gains.support
        self.foot_torque = balance(
            self._world.dt, rule.hold, rule.fade, rule.zone, self._by_reference, self._actuator_gains, self._gravity,
            self.thr_min, self.thr_max, self._chest, state.feet, self._soles, *self._tree, self._inertia, state.inertia_turn,
            state.foot_contact, state.position, state.rotation, state.link_com, state.link_velocity, state.com,
            state.com_velocity, state.angular_momentum, target.near_stance, target.position, target.rotation,
            target.angular_velocity, target.com, target.com_velocity, target.angular_momentum, target.com_acceleration,
            target.angular_momentum_rate, self._since, self.stance, self.share, self.support, self.wrench, self._memory,
            self._torque, command.joint_torque, command.felt_torque, command.help,
        )  # fmt: skip
        command.help[0] = 0.0
        limit, airborne = self.gains.flight.limit(self.thr_max), 1.0 - self.share.sum()
        if limit > 0.0 and airborne > 0.01:
            steady_in_flight(
                airborne, *self._flight, limit, state.rotation[0], state.link_velocity[0], target.rotation[0],
                target.angular_velocity[0], command.help[0],
            )  # fmt: skip
        command.wrench[:] = command.help
        self._excess = self._excess + self._world.dt if self.foot_torque >= self.thr_max else 0.0
        if self._excess > self.gains.fall.patience:
            self.fall(command)

    def fall(self, command: Command) -> None:
        """Gives up: the virtual actuators and all help go off, damping goes up (section 4, falling strategy)."""
        self.fallen = True
        command.wrench[:] = 0.0
        command.help[:] = 0.0
        damping_of_joints(self._world)[:] = self.gains.fall.damping * self._damping[:, None]

    def get_up(self) -> None:
        """Tracks and balances again, from wherever it is."""
        self.fallen, self._excess = False, 0.0
        damping_of_joints(self._world)[:] = self._damping[:, None]

    def info(self) -> dict[str, Any]:
        return {"fallen": self.fallen}


@njit(cache=True)
def balance(
    dt: float,
    hold: float,
    fade: float,
    zone: float,
    by_reference: bool,
    gains: Array,
    gravity: float,
    thr_min: float,
    thr_max: float,
    chest: int,
    feet: NDArray[np.int64],
    soles: Array,
    parents: NDArray[np.int64],
    leg_of: NDArray[np.int64],
    mass: Array,
    inertia: Array,
    inertia_turn: Array,
    contact: Mask,
    position: Array,
    rotation: Array,
    link_com: Array,
    link_velocity: Array,
    com: Array,
    com_velocity: Array,
    angular_momentum: Array,
    ref_stance: Mask,
    ref_position: Array,
    ref_rotation: Array,
    ref_angular_velocity: Array,
    ref_com: Array,
    ref_com_velocity: Array,
    ref_angular_momentum: Array,
    ref_com_acceleration: Array,
    ref_momentum_rate: Array,
    since: Array,
    stance: Mask,
    share: Array,
    support: Array,
    wrench: Array,
    memory: Array,
    torque: Array,
    joint_torque: Array,
    felt_torque: Array,
    help_: Array,
) -> float:
    """One step of balance: support, virtual wrench, joint torques, compensation. Returns the largest torque on a foot."""
    n = feet.shape[0]
    ref_support = np.zeros((n, 3))
    for f in range(n):
        k = feet[f]
        here = rotate(rotation[k, 0], rotation[k, 1], rotation[k, 2], rotation[k, 3], soles[f, 0], soles[f, 1], soles[f, 2])
        there = rotate(
            ref_rotation[k, 0], ref_rotation[k, 1], ref_rotation[k, 2], ref_rotation[k, 3], soles[f, 0], soles[f, 1], soles[f, 2]
        )
        for i in range(3):
            support[f, i] = position[k, i] + here[i]
            ref_support[f, i] = ref_position[k, i] + there[i]
    find_support(contact, ref_stance, by_reference, com, support, dt, hold, fade, zone, since, stance, share)
    carried = 0.0
    for f in range(n):
        carried += share[f]
    part = share / max(carried, 1e-9)
    relative, ref_relative = np.zeros(3), np.zeros(3)
    _relative_positions(part, stance, by_reference, com, support, ref_com, ref_support, relative, ref_relative)
    virtual_wrench(
        gains, gravity, relative, com_velocity, angular_momentum, rotation[chest], link_velocity[chest, :3], ref_relative,
        ref_com_velocity, ref_angular_momentum, ref_rotation[chest], ref_angular_velocity[chest], ref_com_acceleration,
        ref_momentum_rate, wrench,
    )  # fmt: skip
    _spare_the_swing_foot(stance, com, support, wrench)
    wrench *= carried
    actuate(wrench, part, support, parents, leg_of, mass, inertia, inertia_turn, position, link_com, com, memory, torque)
    largest = compensate(torque, feet, stance, thr_min, thr_max, help_)
    for k in range(1, parents.shape[0]):
        own = rotate(rotation[k, 0], -rotation[k, 1], -rotation[k, 2], -rotation[k, 3], torque[k, 0], torque[k, 1], torque[k, 2])
        for i in range(3):
            joint_torque[k - 1, i] += own[i]
            felt_torque[k - 1, i] += own[i]
    return largest


@njit(cache=True)
def _relative_positions(
    part: Array,
    stance: Mask,
    by_reference: bool,
    com: Array,
    support: Array,
    ref_com: Array,
    ref_support: Array,
    relative: Array,
    ref_relative: Array,
) -> None:
    """The centre of mass seen from the support point, horizontally, p_rel of (8), in simulation and reference.

    Like is compared with like: the reference's support point is that of the feet that carry the simulation. Without a clip
    the support point is the mean of the standing feet and the centre of mass belongs above it.
    """
    standing = 0
    for f in range(stance.shape[0]):
        standing += 1 if stance[f] else 0
    for i in range(3):
        relative[i], ref_relative[i] = com[i], ref_com[i] if by_reference or i == 2 else 0.0
        for f in range(stance.shape[0]):
            if by_reference or i == 2:
                relative[i] -= part[f] * support[f, i]
                ref_relative[i] -= part[f] * ref_support[f, i]
            elif standing > 0:
                relative[i] -= support[f, i] / standing if stance[f] else 0.0
        if not by_reference and standing == 0 and i < 2:
            relative[i] = 0.0


@njit(cache=True)
def _spare_the_swing_foot(stance: Mask, com: Array, support: Array, wrench: Array) -> None:
    """Fig. 6: in single stance, a force that would keep the centre of mass from a foot about to step loses that part."""
    if stance.shape[0] != 2 or stance[0] == stance[1]:
        return
    here = 0 if stance[0] else 1
    dx, dy = support[1 - here, 0] - support[here, 0], support[1 - here, 1] - support[here, 1]
    length = dx * dx + dy * dy
    along = (com[0] - support[here, 0]) * dx + (com[1] - support[here, 1]) * dy
    back = wrench[0] * dx + wrench[1] * dy
    if length > 1e-6 and 0.0 < along < length and back < 0.0:
        wrench[0] -= back * dx / length
        wrench[1] -= back * dy / length


def _scaled(gains: ActuatorGains, terms: Terms, character: Character) -> Array:
    """(k_fp, k_fd, k_L, k_tp, k_td) for this body, zero where a term is off."""
    weight = character.mass / _HUMAN_MASS
    size = weight * (leg_length(character) / _HUMAN_LEG) ** 2
    force, turn = weight * terms.force, size * terms.orientation
    return np.array(
        [
            force * gains.force_stiffness,
            force * gains.force_damping,
            gains.momentum * terms.momentum,
            turn * gains.turn_stiffness,
            turn * gains.turn_damping,
            force * gains.height_stiffness,
            force * gains.height_damping,
            gains.ahead * character.mass * terms.force,
            gains.ahead * terms.momentum,
        ]
    )
