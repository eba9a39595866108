"""The simulated world: a character on a ground, with props. Sense, act, advance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from poise import rotation
from poise.character.character import Character
from poise.character.compile import CHARACTER_BIT, SCENE_BIT, add_character
from poise.errors import BadFile, BadInput, SimulationDiverged
from poise.files import write_whole
from poise.limits import STEP_S
from poise.physics.feet import set_grip
from poise.physics.ground import Terrain, add_terrain, turn_alike_about_all_axes
from poise.physics.state import State
from poise.rotation import Array, Mask

GRAVITY = 9.81
# MuJoCo's solref as stiffness (1/s2) and damping (1/s) of a contact: well damped, so that light feet do not tremble on it.
_CONTACT_STIFFNESS, _CONTACT_DAMPING = 20000.0, 500.0
_PARKED = np.array([0.0, 0.0, 100.0])  # the ground is solid all the way down, so balls wait in the sky
_HIGH, _NEARINGS, _TOUCHING = 0.5, 100, 1e-4  # m, steps, m: how a character is let down on the ground
SLIP = 0.1  # of the ground's friction, for a foot that slides on purpose
_SENSOR = ("found", "force", "torque", "pos")

# Where a state blows up, MuJoCo would also write a log file into the working folder; `World.check` tells instead.
mujoco.set_mju_user_warning(lambda message: None)


@dataclass(frozen=True)
class BallShape:
    """A ball that waits in the sky until it is thrown."""

    radius: float
    mass: float


class World:
    """One character in MuJoCo. The character's bodies come first: segment k is body k + 1."""

    def __init__(
        self,
        character: Character,
        *,
        dt: float = 0.002,
        terrain: Terrain | None = None,
        balls: tuple[BallShape, ...] = (),
    ) -> None:
        check_step(dt)
        self.character = character
        self.dt = dt
        self.terrain = terrain or Terrain()
        self._platform = self.terrain.platform
        self.spec = _spec(character, dt, self.terrain, balls)
        self.model = self.spec.compile()
        turn_alike_about_all_axes(self.model, self.terrain)
        self.data = mujoco.MjData(self.model)
        self.balls, self.nballs = balls, len(balls)
        s = character.nsegments
        # The solver's accuracy is measured against this; stones and a platform that cannot be moved must not change it.
        self.model.stat.meaninertia = float(self.model.dof_M0[: 3 + 3 * s].mean())
        self.joint_torque: Array = self.data.qfrc_applied[: self.model.nv][6 : 3 + 3 * s].reshape(s - 1, 3)
        self.wrench: Array = self.data.xfrc_applied[1 : s + 1]  # force, then torque, at each segment's centre of mass
        self.damping: Array = self.model.dof_damping[: 3 + 3 * s]  # 6 of the root, then 3 per joint; integrated implicitly
        self.armature: Array = self.model.dof_armature[6 : 3 + 3 * s].reshape(s - 1, 3)  # kg m2, of the joints; may be raised
        self.rotor: Array = self.model.dof_armature[3 : 3 + 3 * s : 3].copy()  # (S,), what the body was built with
        self._soles = np.array([self.model.geom(foot).id for foot in character.feet])
        self._geom_friction: Array = self.model.geom_friction
        self._grip = b""  # of which feet stand, as it was set last
        self.friction = self.terrain.friction
        self.thing_position: Array = self.data.xpos[1 + s + self.nballs :]  # of `Terrain.moving`
        self.thing_rotation: Array = self.data.xquat[1 + s + self.nballs :]
        self.state = State(self)
        self.reset(np.broadcast_to(rotation.IDENTITY, (s, 4)), character.joints[0])

    def reset(
        self,
        joint_rotation: Array,
        root_position: Array,
        joint_velocity: Array | None = None,
        root_velocity: Array | None = None,
    ) -> None:
        """Puts the character in a pose: rotations relative to the parent (S, 4), velocities in the segments' own frames."""
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:3] = root_position
        self.state.joint_coordinate[:] = rotation.multiply(rotation.conjugate(self.state.joint_center), joint_rotation)
        if joint_velocity is not None:
            self.state.joint_velocity[:] = joint_velocity
        if root_velocity is not None:
            self.state.root_velocity[:] = root_velocity
        for k in range(self.nballs):
            self._park(k)
        self._turn_platform()
        mujoco.mj_forward(self.model, self.data)
        self.state.forget()

    def twin(self) -> World:
        """Another world like this one, with the character in the same pose and motion; its balls wait in the sky."""
        other = World(self.character, dt=self.dt, terrain=self.terrain, balls=self.balls)
        other.match(self)
        return other

    def match(self, other: World) -> None:
        """Puts all but the balls to where it is in a twin, so that both go the same way from here."""
        for own, known in zip(self._all_but_balls, other._all_but_balls, strict=True):
            own[:] = known
        self.data.time, self.damping[:] = other.data.time, other.damping
        self.data.sensordata[:] = other.data.sensordata  # loads of the feet during the last step
        self._geom_friction[self._soles], self._grip = other._geom_friction[other._soles], other._grip
        mujoco.mj_step1(self.model, self.data)
        self.state.forget()

    def unbrace(self) -> None:
        """Gives all joints the armature again that the body was built with."""
        self.armature[:] = self.rotor[1:, None]

    def put_on_ground(self) -> None:
        """Moves the character straight up or down until a foot just touches whatever is below it."""
        self.data.qpos[2] += _HIGH
        for _ in range(_NEARINGS):
            mujoco.mj_kinematics(self.model, self.data)
            gap = min(self._gap(sole, other) for sole in self._soles for other in self._scenery)
            self.data.qpos[2] -= gap  # never too far: the way down is at least as long as the distance
            if gap < _TOUCHING:
                break
        mujoco.mj_forward(self.model, self.data)
        self.state.forget()

    def sense(self) -> State:
        """Brings all sensors up to the present moment."""
        if self._platform is not None:
            self._turn_platform()
        mujoco.mj_step1(self.model, self.data)
        self.state.refresh()
        return self.state

    def advance(self) -> None:
        """Takes one step with the torques and wrenches that are set."""
        mujoco.mj_step2(self.model, self.data)

    def let_slide(self, standing: Mask) -> None:
        """Feet that are not meant to stand slip over the ground (da Silva section 5)."""
        if (grip := standing.tobytes()) != self._grip:
            self._grip = grip
            set_grip(self._geom_friction, self._soles, standing, self.friction, SLIP * self.friction)

    def check(self) -> None:
        """Raises SimulationDiverged where the state is no longer a number or moves faster than anything real."""
        worst = np.abs(self.data.qvel).max()
        if not worst < 1e4:  # also catches NaN
            at = f"at {self.data.time:.3f} s (velocity {worst:.3g})"
            raise SimulationDiverged(f"the simulation diverged {at}")

    def throw(self, ball: int, position: Array, velocity: Array) -> None:
        """Sets a waiting ball free."""
        body, q, v = self._ball(ball)
        self.model.body_gravcomp[body] = 0.0
        self.data.qpos[q : q + 7] = [*position, 1.0, 0.0, 0.0, 0.0]
        self.data.qvel[v : v + 6] = [*velocity, 0.0, 0.0, 0.0]

    def ball_pose(self, ball: int) -> tuple[Array, Array]:
        body, _, _ = self._ball(ball)
        return self.data.xpos[body].copy(), self.data.xquat[body].copy()

    def _turn_platform(self) -> None:
        """Turns the platform to where it belongs now, with the velocity it then has, so that its friction carries along."""
        if self._platform is not None:
            self.data.qpos[-3:], self.data.qvel[-3:] = self._platform.motion(self.data.time)

    @cached_property
    def _scenery(self) -> list[int]:
        """What a foot may stand on."""
        bodies = self.model.geom_bodyid
        s = self.character.nsegments
        return [g for g in range(self.model.ngeom) if bodies[g] == 0 or bodies[g] > s + self.nballs]

    def _gap(self, sole: int, other: int) -> float:
        return mujoco.mj_geomDistance(self.model, self.data, int(sole), other, 2.0 * _HIGH, None)

    def _park(self, ball: int) -> None:
        body, q, _ = self._ball(ball)
        self.model.body_gravcomp[body] = 1.0
        self.data.qpos[q : q + 3] = _PARKED + np.array([10.0 * ball, 0.0, 0.0])

    @property
    def _all_but_balls(self) -> list[Array]:
        """Positions, velocities, and the accelerations where the solver begins to look, of the character and loose things."""
        (_, q, v), (_, after_q, after_v) = self._ball(0), self._ball(self.nballs)
        data = self.data
        return [
            *(data.qpos[part] for part in (slice(q), slice(after_q, None))),
            *(each[part] for each in (data.qvel, data.qacc_warmstart) for part in (slice(v), slice(after_v, None))),
        ]

    def _ball(self, ball: int) -> tuple[int, int, int]:
        """Body, first position and first velocity coordinate of a ball."""
        s = self.character.nsegments
        return 1 + s + ball, 3 + 4 * s + 7 * ball, 3 + 3 * s + 6 * ball


def check_step(dt: float) -> None:
    """Refuses step sizes that make no sense."""
    if not isinstance(dt, Real) or not STEP_S[0] <= dt <= STEP_S[1]:
        raise BadInput(f"step {dt!r} s must lie between {STEP_S[0]} and {STEP_S[1]} s; 0.002 is the default, 0.0005 the papers'")


def save_mjcf(character: Character, path: str | Path) -> None:
    """Writes the character on its floor as an MJCF file (.xml) that MuJoCo opens."""
    if Path(path).suffix != ".xml":
        raise BadFile(path, "an MJCF file must end in .xml")
    write_whole(path, World(character).spec.to_xml().encode())


def _spec(character: Character, dt: float, terrain: Terrain, balls: tuple[BallShape, ...]) -> Any:
    spec = mujoco.MjSpec()
    spec.modelname = character.name
    spec.compiler.degree = False
    spec.option.timestep = dt
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)  # a state that blows up is told, not swept away
    spec.option.gravity = (0.0, 0.0, -GRAVITY)
    solref = (-_CONTACT_STIFFNESS, -min(_CONTACT_DAMPING, 1.0 / dt))
    add_character(spec, character)
    for k, ball in enumerate(balls):
        body = spec.worldbody.add_body(name=f"ball_{k + 1}", pos=_PARKED, gravcomp=1.0)
        body.add_freejoint()
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=(ball.radius, 0, 0),
            mass=ball.mass,
            contype=SCENE_BIT,
            conaffinity=CHARACTER_BIT | SCENE_BIT,
        )
    add_terrain(spec, terrain)
    for geom in spec.geoms:
        geom.solref = solref
    for foot in character.feet:  # a foot's own friction counts where it touches anything, so that it can be let slide
        sole = spec.geom(foot)
        sole.priority, sole.friction = 1, (terrain.friction, 0.005, 0.0001)
    for foot in character.feet:
        _add_foot_sensor(spec, foot)
    return spec


def _add_foot_sensor(spec: Any, foot: str) -> None:
    """The net force, its torque and its point of attack under one foot."""
    bits = sum(1 << int(getattr(mujoco.mjtConDataField, f"mjCONDATA_{name.upper()}")) for name in _SENSOR)
    spec.add_sensor(
        name=f"{foot}_contact",
        type=mujoco.mjtSensor.mjSENS_CONTACT,
        objtype=mujoco.mjtObj.mjOBJ_BODY,
        objname=foot,
        reftype=mujoco.mjtObj.mjOBJ_UNKNOWN,
        intprm=[bits, 3, 1],  # 3: reduce to the net force; one slot
    )
