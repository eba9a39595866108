"""Pose tracking: a spring and a damper at every joint, da Silva (1), and Nunes' external forces on root and feet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.character import anthropometry
from poise.character.character import Character
from poise.control.controller import Command, damping_of_joints
from poise.errors import BadInput
from poise.physics.state import State
from poise.physics.world import World
from poise.pinned import Pinned, views
from poise.quaternion import log_of_difference, rotate
from poise.reference.reference import AnyReference, Target
from poise.reference.retarget import leg_length
from poise.rotation import Array, Mask

_HUMAN_MASS, _HUMAN_LEG = 72.0, 0.85  # kg, m: the body for which the gains are given


@dataclass(frozen=True)
class PoseGains:
    """Stiffness (Nm/rad) and damping (Nm s/rad) per kind of joint, for a 72 kg adult; scaled by mass times leg length.

    The stiffest of five sets tried on five CMU clips, with a mean joint error of 1.4° there; half the stiffness gave 2.5°.
    """

    chest: tuple[float, float] = (1000.0, 80.0)
    abdomen: tuple[float, float] = (1000.0, 80.0)
    head: tuple[float, float] = (150.0, 8.0)
    upper_arm: tuple[float, float] = (300.0, 18.0)
    forearm: tuple[float, float] = (150.0, 6.0)
    hand: tuple[float, float] = (20.0, 0.6)
    thigh: tuple[float, float] = (1000.0, 80.0)
    shin: tuple[float, float] = (800.0, 50.0)
    foot: tuple[float, float] = (300.0, 12.0)
    tail: tuple[float, float] = (200.0, 15.0)

    def __post_init__(self) -> None:
        for part, (stiffness, damping) in vars(self).items():
            if not (np.isfinite([stiffness, damping]).all() and stiffness >= 0 and damping >= 0):
                raise BadInput(f"gains of {part} ({stiffness}, {damping}) must be finite and not negative")

    def of(self, character: Character) -> tuple[Array, Array]:
        """Stiffness and damping (S - 1,) of a character's joints."""
        size = character.mass * leg_length(character) / (_HUMAN_MASS * _HUMAN_LEG)
        pairs = np.array([getattr(self, anthropometry.kind(s.name), self.tail) for s in character.segments[1:]])
        return size * pairs[:, 0], size * pairs[:, 1]


@dataclass(frozen=True)
class RootForces:
    """Nunes section 6: critically damped springs that pull root and standing feet to the reference. Help, not physics."""

    root_rate: float = 25.0  # rad/s of the whole body's mass on the root's spring
    foot_rate: float = 20.0  # rad/s of `foot_share` of the mass on a foot's spring
    foot_share: float = 0.05
    root_gyration: float = 0.35  # radius of gyration of the body, of the leg length, for the root's torque
    foot_gyration: float = 0.15


class PoseController:
    """Tracks the clip joint by joint. Without root forces it is a ragdoll that keeps its pose but not its balance."""

    name = "pose"
    tunable = False

    def __init__(self, gains: PoseGains | None = None, root_forces: RootForces | None = RootForces()) -> None:  # noqa: B008
        self.gains = gains or PoseGains()
        self.root_forces = root_forces

    def start(self, world: World, reference: AnyReference) -> None:
        character = world.character
        self._stiffness, self._damping = self.gains.of(character)
        damping_of_joints(world)[:] = self._damping[:, None]
        self._center = world.state.joint_center
        self._held = np.array([0, *world.state.feet]) if self.root_forces else np.zeros(0, np.int64)
        self._pull = _pull_gains(self.root_forces, character) if self.root_forces else np.zeros((0, 4))
        world.damping[:6] = np.repeat(self._pull[0, 1::2], 3) if self.root_forces else 0.0
        self._coms = np.array([character.segments[k].com for k in self._held]).reshape(-1, 3)
        self._bound_to: Command | None = None

    def match(self, other: PoseController) -> None:
        """Goes on from where another is, which is the same for all: it remembers nothing."""

    def act(self, state: State, target: Target, command: Command) -> None:
        if self._bound_to is not command:
            self._bind(state, target, command)
        joint_torques_pinned(self._springs.where)
        if self.root_forces:
            external_pull_pinned(self._pulls.where)

    def _bind(self, state: State, target: Target, command: Command) -> None:
        """Gets the laws' arrays ready: in one run they all stay where they are."""
        self._bound_to = command
        self._springs = Pinned(
            _JOINT_LAYOUT, state.joint_coordinate, state.joint_velocity, self._center, target.joint_rotation,
            target.joint_velocity, self._stiffness, self._damping, command.joint_torque, command.felt_torque,
        )  # fmt: skip
        self._pulls = Pinned(
            _PULL_LAYOUT, self._held, self._pull, self._coms, state.foot_contact, state.rotation, state.link_com,
            state.link_velocity, target.rotation, target.position, target.angular_velocity, target.velocity, command.wrench,
            command.help,
        )  # fmt: skip


_JOINT_LAYOUT = "f2 f2 f2 f2 f2 f1 f1 f2 f2"  # of the arrays of `joint_torques`, in order
_PULL_LAYOUT = "i1 f2 f2 b1 f2 f2 f2 f2 f2 f2 f2 f2 f2"  # of the arrays of `external_pull`, in order


@njit(cache=True)
def joint_torques_pinned(where: NDArray[np.int64]) -> None:
    """`joint_torques` with its arrays handed over by address."""
    joint_torques(*views(where, _JOINT_LAYOUT))


@njit(cache=True)
def external_pull_pinned(where: NDArray[np.int64]) -> None:
    """`external_pull` with its arrays handed over by address."""
    external_pull(*views(where, _PULL_LAYOUT))


@njit(cache=True)
def joint_torques(
    coordinate: Array,
    velocity: Array,
    center: Array,
    target_rotation: Array,
    target_velocity: Array,
    stiffness: Array,
    damping: Array,
    torque: Array,
    felt: Array,
) -> None:
    """tau_pose = kp L(q_r q^-1) + kd (w_r - w), da Silva (1), in each segment's own frame.

    The part -kd w is left to the integrator (`torque` lacks it, `felt` has it): taken explicitly it is unstable at any
    usable step (docs/pose.md).
    """
    for j in range(1, coordinate.shape[0]):
        # The target in MuJoCo's coordinates: conj(center) target.
        cw, cx, cy, cz = center[j]
        tw, tx, ty, tz = target_rotation[j]
        rw = cw * tw + cx * tx + cy * ty + cz * tz
        rx = cw * tx - cx * tw - cy * tz + cz * ty
        ry = cw * ty + cx * tz - cy * tw - cz * tx
        rz = cw * tz - cx * ty + cy * tx - cz * tw
        qw, qx, qy, qz = coordinate[j]
        error = log_of_difference(qw, qx, qy, qz, rw, rx, ry, rz)
        kp, kd = stiffness[j - 1], damping[j - 1]
        for i in range(3):
            torque[j - 1, i] = kp * error[i] + kd * target_velocity[j, i]
            felt[j - 1, i] = torque[j - 1, i] - kd * velocity[j, i]


@njit(cache=True)
def external_pull(
    held: NDArray[np.int64],
    pull: Array,
    coms: Array,
    foot_contact: Mask,
    rotation: Array,
    link_com: Array,
    link_velocity: Array,
    target_rotation: Array,
    target_position: Array,
    target_angular: Array,
    target_velocity: Array,
    wrench: Array,
    help_: Array,
) -> None:
    """Forces and torques that pull held segments (root first, then feet while they touch) to the reference.

    `pull` holds (kp, kd, kp of the turn, kd of the turn) per held segment. The root's damping is left to the integrator,
    as in `joint_torques`; a foot's is taken explicitly, it is soft enough.
    """
    for h in range(held.shape[0]):
        k = held[h]
        if h > 0 and not foot_contact[h - 1]:
            wrench[k] = 0.0
            help_[k] = 0.0
            continue
        kp, kd, turn_kp, turn_kd = pull[h]
        tw, tx, ty, tz = target_rotation[k]
        arm = rotate(tw, tx, ty, tz, coms[h, 0], coms[h, 1], coms[h, 2])
        wx, wy, wz = target_angular[k]
        carry = (wy * arm[2] - wz * arm[1], wz * arm[0] - wx * arm[2], wx * arm[1] - wy * arm[0])
        qw, qx, qy, qz = rotation[k]
        own = log_of_difference(qw, qx, qy, qz, tw, tx, ty, tz)
        error = rotate(qw, qx, qy, qz, own[0], own[1], own[2])
        for i in range(3):
            spring = kp * (target_position[k, i] + arm[i] - link_com[k, i])
            damper = kd * (target_velocity[k, i] + carry[i])
            turn_spring = turn_kp * error[i]
            turn_damper = turn_kd * target_angular[k, i]
            brake, turn_brake = kd * link_velocity[k, 3 + i], turn_kd * link_velocity[k, i]
            help_[k, i] = spring + damper - brake
            help_[k, 3 + i] = turn_spring + turn_damper - turn_brake
            implicit = h == 0
            # The integrator brakes the root at its joint, so that the reference's velocity counts there too.
            wrench[k, i] = spring + kd * target_velocity[k, i] if implicit else help_[k, i]
            wrench[k, 3 + i] = help_[k, 3 + i] + (turn_brake if implicit else 0.0)
        if h == 0:
            # What acts at the joint has a moment about the centre of mass, where the wrench acts: com x (-kd v_r).
            vx, vy, vz = target_velocity[k]
            cx, cy, cz = rotate(qw, qx, qy, qz, coms[h, 0], coms[h, 1], coms[h, 2])
            wrench[k, 3] -= kd * (cy * vz - cz * vy)
            wrench[k, 4] -= kd * (cz * vx - cx * vz)
            wrench[k, 5] -= kd * (cx * vy - cy * vx)


def _pull_gains(forces: RootForces, character: Character) -> Array:
    leg = leg_length(character)
    root = _springs(character.mass, forces.root_rate, forces.root_gyration * leg)
    foot = _springs(forces.foot_share * character.mass, forces.foot_rate, forces.foot_gyration * leg)
    return np.array([root, *(foot for _ in character.feet)])


def _springs(mass: float, rate: float, gyration: float) -> tuple[float, float, float, float]:
    """Critically damped springs of a mass: stiffness and damping of the place, then of the turn."""
    return (mass * rate**2, 2 * mass * rate, mass * gyration**2 * rate**2, 2 * mass * gyration**2 * rate)
