"""Balance with tunable robustness: pose control, virtual actuators and the topple-free foot together (da Silva et al.)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.character.character import Character
from poise.character.soles import heel_and_ball
from poise.control.bearable import bearable, ease, keep_grip
from poise.control.controller import Command, damping_of_joints
from poise.control.landing import hips_of, land
from poise.control.pose import PoseGains, joint_torques
from poise.control.rising import Rise, RiseRule
from poise.control.support import SupportRule, find_support, legs_of, relative_positions, sole_points
from poise.control.topple_free_foot import FallRule, FlightRule, compensate, steady_in_flight
from poise.control.virtual_actuator import ActuatorGains, Terms, actuate, virtual_wrench
from poise.physics.state import State
from poise.physics.world import GRAVITY, World
from poise.pinned import Pinned, views
from poise.quaternion import rotate
from poise.reference.reference import AnyReference, Target
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
    thigh=(800.0, 70.0),
    shin=(800.0, 60.0),
    foot=(300.0, 12.0),
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
    rise: RiseRule = field(default_factory=RiseRule)
    terms: Terms = field(default_factory=Terms)


class BalanceController:
    """Tracks a clip or holds a pose, keeps its balance, and gives up where that would take more help than it may use."""

    name = "balance"
    tunable = True

    def __init__(self, thr_min: float, thr_max: float, gains: BalanceGains | None = None) -> None:
        self.thr_min, self.thr_max = thr_min, thr_max
        self.gains = gains or BalanceGains()

    def start(self, world: World, reference: AnyReference) -> None:
        character = world.character
        self._world, self._by_reference = world, reference.clip is not None
        self._stiffness, self._damping = self.gains.pose.of(character)
        world.damping[:6] = 0.0
        self._law = _law(self.gains, self._by_reference, world)
        self._set_limits()
        self._parents, self._legs, self._hips = np.array(character.parents), legs_of(character), hips_of(character)
        self._inertia = np.array([s.inertia for s in character.segments])
        self._soles = np.array([heel_and_ball(character.segments[k]).mean(axis=0) for k in world.state.feet])
        self._chest = character.names.index("chest") if "chest" in character.names else 0
        feet, s = len(character.feet), character.nsegments
        self.stance = np.zeros(feet, np.bool_)
        self.wrench = np.zeros(6)  # the virtual force and torque
        self.share = np.full(feet, 1.0 / feet)
        self._since, self._borne = np.zeros(feet), np.zeros(feet)  # s since each foot's last contact, its load in newtons
        self._landing = np.zeros(feet)  # how far each leg aims at the ground rather than at its joints' angles
        self.goal = np.zeros((s, 4))  # joint rotations to aim at: the clip's, but in legs that land
        self.support = np.zeros((feet, 3))  # middles of the soles, world frame
        self.foot_torque = 0.0  # the largest torque that a standing foot receives, Nm: the bar of the paper's Fig. 4
        self.fallen = False
        self._excess = 0.0
        self._rise: Rise | None = None
        self._set_damping()
        self._bound_to: Command | None = None
        self._torque, self._subtree = np.zeros((s, 3)), np.zeros((s, 6))

    def act(self, state: State, target: Target, command: Command) -> None:
        if self.fallen or (self._rise and self._rise.lifts):
            self._lie_or_rise(state, target, command)
            return
        if self._limits != (self.thr_min, self.thr_max):
            self._set_limits()
        if self._bound_to is not command:
            self._bind(state, target, command)
        self.foot_torque, lost = balance_pinned(*self._arguments)
        # Chatter of the contacts must not save a character that is past saving, so the excess drains slower than it fills.
        over = lost or self.foot_torque >= self.thr_max
        self._excess = max(0.0, self._excess + (self._world.dt if over else -self.gains.fall.forgiveness * self._world.dt))
        if self._rise:
            self._let_go(self._rise, state, target, command)
        elif self._excess > self.gains.fall.patience:
            self.fall(command)

    def _lie_or_rise(self, state: State, target: Target, command: Command) -> None:
        """The pose alone; and what draws a rising body up."""
        self.goal[:] = target.joint_rotation
        joint_torques(
            state.joint_coordinate, state.joint_velocity, state.joint_center, target.joint_rotation, target.joint_velocity,
            self._stiffness, self._damping, command.joint_torque, command.felt_torque,
        )  # fmt: skip
        if self._rise:
            command.wrench[:], command.help[:] = 0.0, 0.0
            self._rise.help(state, target, command)
            if self._rise.failed:
                self.fall(command)

    def _let_go(self, rise: Rise, state: State, target: Target, command: Command) -> None:
        """Balance is on again, and what has raised the body gives way."""
        self._excess = 0.0
        rise.help(state, target, command)
        if rise.is_over:
            self._rise = None

    def _bind(self, state: State, target: Target, command: Command) -> None:
        """Gets the law's arguments ready: in one run they all stay where they are."""
        self._bound_to = command
        self._pinned = Pinned(
            _LAYOUT, self._law, state.feet, self._soles, self._parents, self._legs, state.character.masses, self._inertia,
            state.joint_center, self._stiffness, self._damping, state.foot_contact, state.joint_coordinate, state.joint_velocity,
            state.position, state.rotation, state.inertia_turn, state.link_com, state.link_velocity, state.com,
            state.com_velocity, state.angular_momentum, target.near_stance, target.joint_rotation, target.joint_velocity,
            target.rotation, target.position, target.angular_velocity, target.com, target.com_velocity,
            target.angular_momentum, target.com_acceleration, target.angular_momentum_rate, self.stance, self.share,
            self._since, self.support, self.wrench, self._subtree, self._torque, command.joint_torque, command.felt_torque,
            command.help, command.wrench, self._hips, state.foot_load, self._borne, self._landing, self.goal,
        )  # fmt: skip
        self._arguments = (self._pinned.where, self._by_reference, self._chest)

    def _set_limits(self) -> None:
        """Hands the thresholds, which may change while it runs, to the law."""
        self._limits = (self.thr_min, self.thr_max)
        self._law[-3:] = (*self._limits, self.gains.flight.limit(*self._limits))

    def fall(self, command: Command) -> None:
        """Gives up: the virtual actuators and all help go off, damping goes up (section 4, falling strategy)."""
        self.fallen, self._rise = True, None
        command.wrench[:] = 0.0
        command.help[:] = 0.0
        self._set_damping()

    def get_up(self) -> None:
        """Tracks and balances again after a fall, from wherever it is; drawn up to standing where the dial allows it."""
        if self.fallen:
            self._rise = Rise(self.gains.rise, self._world, self._world.state, self.thr_max) if self.can_rise else None
            self.fallen, self._excess = False, 0.0
            self._set_damping()

    @property
    def can_rise(self) -> bool:
        """Whether the dial allows enough help to get up from the ground."""
        return self.gains.rise.suffices(self.thr_max)

    @property
    def is_down(self) -> bool:
        """Whether it lies or is drawn up: the virtual actuators are off."""
        return self.fallen or (self._rise is not None and self._rise.lifts)

    def retune(self, gains: BalanceGains) -> None:
        """Goes on with other gains from the next step; what it knows about its support, its fall or its rise stays."""
        self.gains = gains
        self._stiffness[:], self._damping[:] = gains.pose.of(self._world.character)
        self._law[:] = _law(gains, self._by_reference, self._world)
        self._set_limits()
        self._set_damping()

    def match(self, other: BalanceController) -> None:
        """Goes on with the gains of another, and with what that one knows about its support; both balance."""
        self.thr_min, self.thr_max = other.thr_min, other.thr_max
        self.retune(other.gains)
        self.fallen, self._rise, self._excess = False, None, other._excess
        for own, known in (
            (self.stance, other.stance), (self.share, other.share), (self._since, other._since), (self._borne, other._borne),
            (self._landing, other._landing),
        ):  # fmt: skip
            own[:] = known

    def _set_damping(self) -> None:
        """Hands the joints' damping, which is higher in a fall, to the integrator."""
        damping_of_joints(self._world)[:] = (self.gains.fall.damping if self.fallen else 1.0) * self._damping[:, None]

    def info(self) -> dict[str, Any]:
        return {"fallen": self.fallen}


_LAYOUT = (  # of the arrays of `balance`, in order
    "f1 i1 f2 i1 i1 f1 f2 f2 f1 f1 b1 f2 f2 f2 f2 f3 f2 f2 f1 f1 f1 b1 f2 f2 f2 f2 f2 f1 f1 f1 f1 f1 b1 f1 f1 f2 f1 f2 f2 f2 f2"
    " f2 f2 i1 f1 f1 f1 f2"
)


@njit(cache=True)
def balance_pinned(where: NDArray[np.int64], by_reference: bool, chest: int) -> tuple[float, bool]:
    """`balance` with its arrays handed over by address."""
    return balance(by_reference, chest, *views(where, _LAYOUT))


@njit(cache=True)
def balance(
    by_reference: bool,
    chest: int,
    law: Array,
    feet: NDArray[np.int64],
    soles: Array,
    parents: NDArray[np.int64],
    legs: NDArray[np.int64],
    mass: Array,
    inertia: Array,
    center: Array,
    stiffness: Array,
    damping: Array,
    contact: Mask,
    coordinate: Array,
    velocity: Array,
    position: Array,
    rotation: Array,
    inertia_turn: Array,
    link_com: Array,
    link_velocity: Array,
    com: Array,
    com_velocity: Array,
    momentum: Array,
    ref_stance: Mask,
    ref_joint: Array,
    ref_joint_velocity: Array,
    ref_rotation: Array,
    ref_position: Array,
    ref_spin: Array,
    ref_com: Array,
    ref_com_velocity: Array,
    ref_momentum: Array,
    ref_acceleration: Array,
    ref_momentum_rate: Array,
    stance: Mask,
    share: Array,
    since: Array,
    support: Array,
    wrench: Array,
    subtree: Array,
    torque: Array,
    joint_torque: Array,
    felt_torque: Array,
    help_: Array,
    wrench_on: Array,
    hips: NDArray[np.int64],
    load: Array,
    borne: Array,
    landing: Array,
    goal: Array,
) -> tuple[float, bool]:
    """One step: pose, support, virtual wrench, joint torques, compensation.

    Returns the largest torque on a standing foot, and whether the posture is lost beyond any balancing. `law` has the
    actuators' gains, gravity, the step, the supervisor's times, the springs in flight and the thresholds.
    """
    n, s = feet.shape[0], position.shape[0]
    gravity, dt, hold, fade, zone, weighing, heavy, sole, grip, held, reserve = law[9:20]
    flight_kp, flight_kd, thr_min, thr_max, flight_limit = law[20:25]
    for k in range(s):
        for i in range(4):
            goal[k, i] = ref_joint[k, i]
    if by_reference:
        sinks, rate = com_velocity[2] < 0.0, 1.0 - np.exp(-dt / fade)
        land(hold, rate, sinks, hips, feet, parents, ref_stance, since, rotation, ref_rotation, landing, goal)
    joint_torques(coordinate, velocity, center, goal, ref_joint_velocity, stiffness, damping, joint_torque, felt_torque)
    ref_support, part, relative, ref_relative = np.empty((n, 3)), np.empty(n), np.empty(3), np.empty(3)
    sole_points(feet, soles, position, rotation, support)
    sole_points(feet, soles, ref_position, ref_rotation, ref_support)
    find_support(
        contact, load, ref_stance, by_reference, com, support, dt, hold, fade, zone, weighing, heavy, since, borne, stance, share
    )  # fmt: skip
    carried = 0.0
    for f in range(n):
        carried += share[f]
    for f in range(n):
        part[f] = share[f] / max(carried, 1e-9)
    relative_positions(part, stance, by_reference, com, support, ref_com, ref_support, relative, ref_relative)
    # What a clip does in the air no ground has given it; a foot that is still there, or there already, cannot give it either.
    ahead = 1.0 if not by_reference or ref_stance.any() else 0.0
    virtual_wrench(
        law, gravity * mass.sum(), relative, com_velocity, momentum, rotation[chest], link_velocity[chest, :3], ref_relative,
        ref_com_velocity, ref_momentum, ref_rotation[chest], ref_spin[chest], ref_acceleration, ref_momentum_rate, ahead,
        wrench,
    )  # fmt: skip
    keep_grip(grip, held * borne.sum(), wrench)
    _spare_the_swing_foot(stance, com, support, wrench)
    asked = ease(reserve * bearable(stance, borne, sole, thr_min, thr_max), part, support, com, wrench)
    wrench *= carried
    actuate(wrench, part, support, parents, legs, mass, inertia, inertia_turn, position, link_com, com, subtree, torque)
    largest = max(compensate(torque, feet, stance, borne, sole, thr_min, thr_max, help_), share.max() * asked)
    help_[0] = 0.0
    if flight_limit > 0.0 and carried < 0.99:
        steady_in_flight(
            1.0 - carried,
            flight_kp,
            flight_kd,
            flight_limit,
            rotation[0],
            link_velocity[0],
            ref_rotation[0],
            ref_spin[0],
            help_[0],
        )
    for k in range(s):
        for i in range(6):
            wrench_on[k, i] = help_[k, i]
    for k in range(1, s):
        own = rotate(rotation[k, 0], -rotation[k, 1], -rotation[k, 2], -rotation[k, 3], torque[k, 0], torque[k, 1], torque[k, 2])
        for i in range(3):
            joint_torque[k - 1, i] += own[i]
            felt_torque[k - 1, i] += own[i]
    return largest, _is_lost(rotation[chest], ref_rotation[chest], relative[2], ref_relative[2])


@njit(cache=True)
def _is_lost(chest: Array, ref_chest: Array, height: float, ref_height: float) -> bool:
    """Whether the chest is more than 75° from the reference's, or the centre of mass below half its height over the feet."""
    dot = chest[0] * ref_chest[0] + chest[1] * ref_chest[1] + chest[2] * ref_chest[2] + chest[3] * ref_chest[3]
    return abs(dot) < 0.7934 or height < 0.5 * ref_height  # cos(75° / 2)


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


def _law(gains: BalanceGains, by_reference: bool, world: World) -> Array:
    """The numbers of `balance` for this body: gains, gravity, step, times of the support, springs of the flight; then limits."""
    character, rule = world.character, gains.support
    terms = gains.terms if by_reference else replace(gains.terms, orientation=False)  # as the paper does, 3.2.2
    heavy, sole = rule.carries * character.mass * GRAVITY, rule.sole * leg_length(character) / _HUMAN_LEG
    steps = [GRAVITY if terms.gravity else 0.0, world.dt, rule.hold, rule.fade, rule.zone, rule.weighing, heavy, sole]
    steps += [rule.grip, rule.held, rule.reserve]
    return np.concatenate([_scaled(gains.actuators, terms, character), steps, _flight_rates(gains, character), np.zeros(3)])


def _flight_rates(gains: BalanceGains, character: Character) -> tuple[float, float]:
    """Stiffness and damping of the spring that turns the body in flight."""
    inertia = character.mass * (gains.flight.gyration * leg_length(character)) ** 2
    return inertia * gains.flight.rate**2, 2.0 * inertia * gains.flight.rate


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
