"""Inertia-scaled feedback at every joint, on top of whatever keeps the balance, in one simulated world."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.character.character import Character
from poise.control.antagonist import antagonist, set_points
from poise.control.bracing import Brace, hold
from poise.control.controller import Command, damping_of_joints
from poise.control.fed import Fed
from poise.control.inertia_pd import InertiaGains, stiffening
from poise.control.outboard_inertia import outboard_inertias, times
from poise.control.pose import PoseGains
from poise.control.support import legs_of
from poise.physics.state import State
from poise.physics.world import World
from poise.pinned import Pinned, views
from poise.quaternion import log_of_difference
from poise.reference.reference import AnyReference, Target
from poise.reference.retarget import leg_length
from poise.rotation import Array, Mask

NO_POSE = PoseGains(**dict.fromkeys(vars(PoseGains()), (0.0, 0.0)))  # of a strategy: the joints are fed back here
HUMAN_MASS, HUMAN_LEG = 72.0, 0.85  # kg, m: the body for which the strength is given
_FADE = 0.05  # s in which a leg that comes to stand, or leaves, changes from one kind of spring to the other
_SETTLING = 0.2  # s in which a leg that has come to stand grows soft: who lands is firm
_BRACED_LEGS = 4.0  # times the springs and dampers of a leg that stands: what it holds on with where it is braced
_WHIPS = 20.0  # rad/s: joints do not yield more to what drives them faster; a foot that whirled would never be stopped
_UNFIT = 2.0  # rad: so far from the other world's, a joint gets nothing of its torque; all of it up to 1 rad
_NEAR = 0.01  # rad: joints of two worlds so near are not being driven apart
_FALLING = 2.0  # times the damping while falling, so that limbs do not whip


class LocalFeedback:
    """One world's joints: Nunes (1) everywhere, but in legs that stand the springs that belong to the balance strategy.

    `strategy` is a controller without pose gains of its own (`NO_POSE`): it keeps the balance, each world by itself. `firm` are
    the gains of standing legs, None where the strategy does not need any. A leg that carries the body moves the body, not what
    is beyond its joints; springs scaled by the light foot could not hold it. `fed` is what another world may be fed: the feedback
    alone, capped; its `share` is 1 but in legs that stand.
    """

    def __init__(self, strategy: Any, gains: InertiaGains, firm: PoseGains | None) -> None:
        self.strategy, self.gains, self.firm = strategy, gains, firm

    @property
    def fallen(self) -> bool:
        """Whether the strategy has given up."""
        return getattr(self.strategy, "fallen", False)

    def start(self, world: World, reference: AnyReference) -> None:
        self.strategy.start(world, reference)
        character = world.character
        self._character, self._dt = character, world.dt
        s, feet = character.nsegments, len(character.feet)
        self._damping, self._armature = damping_of_joints(world), world.armature
        self._parents, self._legs = np.array(character.parents), legs_of(character)
        self._principal = np.array([segment.inertia for segment in character.segments])
        self._rotor = world.rotor
        self._firm_stiffness, self._firm_damping = (self.firm or NO_POSE).of(character)
        self._stance: Mask = self.strategy.stance if self.firm else np.zeros(feet, np.bool_)
        self._firmness, self._settled = np.full(feet, 1.0 if self.firm else 0.0), np.zeros(feet)
        self._set_points = set_points(character)
        self._memory, self._inertias = np.zeros((s, 10)), np.zeros((s, 3, 3))
        torque, brake, before, error = np.zeros((4, s - 1, 3))
        self.fed = Fed(torque, brake, before, world.state.joint_velocity, error, np.ones(s - 1), Brace.none(s))
        self._law = _law(self.gains, character, world.dt)
        self._bound_to: Command | None = None

    def retune(self, gains: InertiaGains) -> None:
        """Goes on with other gains from the next step."""
        self.gains = gains
        self._law[:] = _law(gains, self._character, self._dt)

    def match(self, other: LocalFeedback) -> None:
        """Goes on with the gains of another of the same make, in a world like this one, and from where that one is."""
        self.retune(other.gains)
        self.strategy.match(other.strategy)
        self._firmness[:], self._settled[:] = other._firmness, other._settled

    def get_up(self) -> None:
        """Lets the strategy try again after a fall."""
        self.strategy.get_up()

    def act(self, state: State, target: Target, command: Command, fed: Fed) -> None:
        """Sets the command: strategy, and feedback towards `target` together with what is fed forward."""
        self.strategy.act(state, target, command)
        if self._bound_to is not command:
            self._bind(state, target, command, fed)
        fallen = self.fallen
        feedback_pinned(self._pinned.where, fallen, not fallen and getattr(self.strategy, "is_down", False))

    def _bind(self, state: State, target: Target, command: Command, fed: Fed) -> None:
        """Gets the law's arguments ready: in one run they all stay where they are."""
        self._bound_to = command
        own, brace = self.fed, fed.brace
        goal = getattr(self.strategy, "goal", target.joint_rotation)  # a strategy may have legs that land aim elsewhere
        self._pinned = Pinned(
            _LAYOUT, self._law, self._parents, self._legs, state.character.masses, self._principal, self._rotor,
            state.joint_center, self._firm_stiffness, self._firm_damping, self._set_points, state.inertia_turn,
            state.joint_coordinate, state.joint_velocity, state.position, state.rotation, state.link_com, state.com, self._stance,
            goal, target.joint_velocity, fed.torque, fed.brake, fed.before, fed.velocity, fed.error, fed.share, brace.extent,
            brace.coordinate, brace.before, brace.velocity, self._firmness, self._settled, self._memory, self._inertias,
            own.torque, own.brake, own.before, own.error, own.share, self._damping, self._armature, command.joint_torque,
            command.felt_torque,
        )  # fmt: skip


_LAYOUT = (  # of the arrays of `feedback`, in order
    "f1 i1 i1 f1 f2 f1 f2 f1 f1 f2 f3 f2 f2 f2 f2 f2 f1 b1 f2 f2 f2 f2 f2 f2 f2 f1 f1 f2 f2 f2 f1 f1 f2 f3 f2 f2 f2 f2 f1 f2 f2"
    " f2 f2"
)


@njit(cache=True)
def feedback_pinned(where: NDArray[np.int64], fallen: bool, rising: bool) -> None:
    """`feedback` with its arrays handed over by address."""
    feedback(fallen, rising, *views(where, _LAYOUT))


@njit(cache=True)
def feedback(
    fallen: bool,
    rising: bool,
    law: Array,
    parents: NDArray[np.int64],
    legs: NDArray[np.int64],
    mass: Array,
    principal: Array,
    rotor: Array,
    center: Array,
    firm_stiffness: Array,
    firm_damping: Array,
    hinge: Array,
    inertia_turn: Array,
    coordinate: Array,
    velocity: Array,
    position: Array,
    rotation: Array,
    link_com: Array,
    com: Array,
    stance: Mask,
    ref_joint: Array,
    ref_velocity: Array,
    fed: Array,
    fed_brake: Array,
    fed_before: Array,
    fed_velocity: Array,
    fed_error: Array,
    fed_share: Array,
    braced: Array,
    twin: Array,
    twin_before: Array,
    twin_velocity: Array,
    firmness: Array,
    settled: Array,
    memory: Array,
    inertias: Array,
    own: Array,
    brake: Array,
    before: Array,
    error: Array,
    share: Array,
    damping: Array,
    armature: Array,
    joint_torque: Array,
    felt_torque: Array,
) -> None:
    """Adds tau = I [k_s f(e) e + k_d (w_d - w)] + fed, Nunes (1), capped, to the joint torques (S - 1, 3), each in its own frame.

    Of what is fed, the part that this spring would give for the other world's error is taken off: two worlds in the same state
    then go the same way. Where something is fed, k_s grows with the squared speed of the joint. k_d falls while the joint is
    driven away from the other world's. In a leg that stands (`firmness` near 1), or of a body that gets up, the springs and
    dampers of the balance strategy take its place, partly for the other world's error and velocity; with a tension, hinges bend
    by antagonist springs. Joints that are `braced` also hold on to those of a twin. `own`, `brake`, `before`, `error` and `share`
    are those of `Fed` for another world; no more of what is fed acts than did where it comes from, `fed_share`, and none where
    the two are far apart. The diagonal of the damping goes to the integrator (`damping`), and what that took off at the beginning
    of the step, by the damping of the step before, is added here: so damping is implicit though it changes from step to step.
    """
    dt, slow, slack, delay, most, tension, strength, quickest, standing, fast, yielding, hard, tough = law[:13]
    rate, settling, falling, legs_braced = law[13:]
    outboard_inertias(
        parents, mass, principal, inertia_turn, position, rotation, link_com, com, rotor, memory, inertias
    )  # fmt: skip
    for f in range(stance.shape[0]):
        firmness[f] += rate * ((1.0 if stance[f] or rising else 0.0) - firmness[f])
        settled[f] = min(firmness[f], settled[f] + settling * (firmness[f] - settled[f]))
    more, given = (falling, 0.0) if fallen else (1.0, 1.0)
    for k in range(1, coordinate.shape[0]):
        j = k - 1
        target = _in_coordinates(center[k], ref_joint[k])
        ex, ey, ez = log_of_difference(
            coordinate[k, 0], coordinate[k, 1], coordinate[k, 2], coordinate[k, 3], target[0], target[1], target[2], target[3]
        )
        vx, vy, vz = velocity[k]
        ax, ay, az = fed_error[j]
        if fallen:  # what lies aims at the clip: a model that starts anew from it has its velocity, which would damp nothing
            ux, uy, uz = ref_velocity[k]
            gx, gy, gz = 0.0, 0.0, 0.0
        else:
            ux, uy, uz = fed_before[j]
            gx, gy, gz = fed_velocity[k, 0] - ux, fed_velocity[k, 1] - uy, fed_velocity[k, 2] - uz  # gained within the step
        firm, soft = (firmness[legs[k]], settled[legs[k]]) if legs[k] >= 0 else (0.0, 0.0)
        share[j] = 1.0 - firm
        apart = np.sqrt((ax - ex) ** 2 + (ay - ey) ** 2 + (az - ez) ** 2)
        fits = min(1.0, max(0.0, _UNFIT - apart))
        pass_on = given * fits * min(1.0, fed_share[j] / max(share[j], 1e-9))
        fx = pass_on * (fed[j, 0] - fed_brake[j, 0] * gx)
        fy = pass_on * (fed[j, 1] - fed_brake[j, 1] * gy)
        fz = pass_on * (fed[j, 2] - fed_brake[j, 2] * gz)
        k_s = slow + pass_on * fast * (ux * ux + uy * uy + uz * uz)
        away = ((ax - ex) * (vx - ux) + (ay - ey) * (vy - uy) + (az - ez) * (vz - uz)) / (apart + _NEAR)
        yields = 1.0 - 1.0 / (1.0 + given * yielding * min(max(0.0, away), _WHIPS))
        k_d = slack * (1.0 - yields)
        k_a = pass_on * k_s * stiffening(np.sqrt(ax * ax + ay * ay + az * az), delay, most)
        k_f = k_s * stiffening(np.sqrt(ex * ex + ey * ey + ez * ez), delay, most)
        k_v = k_d * more + dt * k_f  # the spring of the end of the step: with that of its beginning, errors of 30° diverge
        bends = tension > 0.0 and hinge[k, 0] < hinge[k, 1]
        bend = 0.0 if bends else k_f * ey - k_a * ay
        x, y, z = times(inertias[k], k_f * ex - k_a * ax + k_v * ux, bend + k_v * uy, k_f * ez - k_a * az + k_v * uz)
        bx, by, bz = times(inertias[k], k_v * vx, k_v * vy, k_v * vz)  # the brake: what exceeds the limit is taken off the rest
        if bends:
            goal = 2.0 * np.arctan2(ref_joint[k, 2], ref_joint[k, 0])
            goal = (goal + np.pi) % (2.0 * np.pi) - np.pi
            y += antagonist(goal - ey, goal, hinge[k, 0], hinge[k, 1], tension * inertias[k, 1, 1], fy) - fy
        limit = min(strength, quickest * max(inertias[k, 0, 0], inertias[k, 1, 1], inertias[k, 2, 2]))
        cut = _cap(limit, x - bx, y - by, z - bz)
        own[j, 0], own[j, 1], own[j, 2] = cut * x - bx, cut * y - by, cut * z - bz
        error[j, 0], error[j, 1], error[j, 2] = ex, ey, ez
        for i in range(3):
            before[j, i], brake[j, i] = velocity[k, i], k_v * inertias[k, i, i]
        x, y, z = x + fx + brake[j, 0] * gx, y + fy + brake[j, 1] * gy, z + fz + brake[j, 2] * gz
        cut = _cap(limit, x - bx, y - by, z - bz)
        both = given * min(soft, 1.0 - fed_share[j])
        common = both * max(0.0, 1.0 - standing * stiffening(apart, delay, most))
        kp, ka = (firm - common) * firm_stiffness[j], common * firm_stiffness[j]
        kc = both * yields * firm_damping[j]
        kd = firm * firm_damping[j] * more - kc
        (rx, ry, rz), (lx, ly, lz) = ref_velocity[k], fed_velocity[k]
        x = share[j] * (cut * x - bx) + kp * ex + ka * ax + kd * (rx - vx) + kc * (rx - lx)
        y = share[j] * (cut * y - by) + kp * ey + ka * ay + kd * (ry - vy) + kc * (ry - ly)
        z = share[j] * (cut * z - bz) + kp * ez + ka * az + kd * (rz - vz) + kc * (rz - lz)
        for i, (torque, speed) in enumerate(((x, vx), (y, vy), (z, vz))):
            felt_torque[j, i] += torque
            joint_torque[j, i] += torque + damping[j, i] * speed  # the integrator has taken off what was damped so far
            damping[j, i] = share[j] * brake[j, i] + kd
        if braced[j] > 0.0 or armature[j, 0] > rotor[k]:
            part = given * braced[j]
            free, stands = part * share[j], part * firm * legs_braced
            hold(
                dt, share[j] * limit + firm * strength, (free * hard, free * tough),
                (stands * firm_stiffness[j], stands * firm_damping[j]), inertias[k], coordinate[k], velocity[k], twin[k],
                twin_before[k], twin_velocity[k], rotor[k], armature[j], joint_torque[j], felt_torque[j],
            )  # fmt: skip


@njit(cache=True)
def _cap(limit: float, x: float, y: float, z: float) -> float:
    """What a torque is multiplied with so that it is not beyond the limit."""
    return min(1.0, limit / max(np.sqrt(x * x + y * y + z * z), 1e-9))


@njit(cache=True)
def _in_coordinates(center: Array, turn: Array) -> tuple[float, float, float, float]:
    """A joint's rotation in MuJoCo's coordinates: conj(center) turn."""
    cw, cx, cy, cz = center
    tw, tx, ty, tz = turn
    return (
        cw * tw + cx * tx + cy * ty + cz * tz,
        cw * tx - cx * tw - cy * tz + cz * ty,
        cw * ty + cx * tz - cy * tw - cz * tx,
        cw * tz - cx * ty + cy * tx - cz * tw,
    )


def _law(gains: InertiaGains, character: Character, dt: float) -> Array:
    """What the law needs beside the body: gains, cap for this body, how fast legs grow firm and soft, the damping of a fall."""
    strength = gains.strength * character.mass * leg_length(character) / (HUMAN_MASS * HUMAN_LEG)
    rates = (1.0 - np.exp(-dt / _FADE), 1.0 - np.exp(-dt / _SETTLING))
    springs = (gains.stiffness, gains.damping, gains.delay, gains.most, gains.tension)
    legs, blows = (gains.standing, gains.fast), (gains.yielding, gains.braced_stiffness, gains.braced_damping)
    return np.array([dt, *springs, strength, gains.quickest, *legs, *blows, *rates, _FALLING, _BRACED_LEGS])
