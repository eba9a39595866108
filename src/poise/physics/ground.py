"""What the character stands on: an endless plane, solid things on it, a platform that turns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from poise import rotation
from poise.character.character import UNTURNED, Quat, Vec3
from poise.character.compile import CHARACTER_BIT, SCENE_BIT
from poise.errors import BadInput
from poise.rotation import Array

if TYPE_CHECKING:
    import mujoco

FIRM_GROUP = 1  # MuJoCo's group of the geometries that feet may reckon with: plane, ramps, platform
_UNMOVED = 1e5  # kg m2: whoever walks on the platform, it turns as it is told
_AXES = np.eye(3)


@dataclass(frozen=True)
class Solid:
    """A thing on the ground, fixed or, where it has a mass (kg), loose.

    `size` is that of a `poise.take.Prop`: full edge lengths of a box, the radius of a sphere, radius and whole length of a
    capsule along its z.
    """

    name: str
    shape: str  # "box", "sphere", "capsule"; in a take also "plane"
    size: tuple[float, ...]
    position: Vec3  # of its middle
    rotation: Quat = UNTURNED
    mass: float | None = None


@dataclass(frozen=True)
class Platform:
    """A box that turns about the middle of its top: roll, then pitch, then yaw, each a sine that swells from rest."""

    size: Vec3  # full edge lengths, m
    position: Vec3  # of the middle of its top
    heading: float  # rad: where its x axis, that of the roll, points
    amplitude: Vec3  # rad, of roll, pitch and yaw
    phase: Vec3  # rad
    frequency: float  # Hz
    swell: float  # s from rest to the whole amplitude

    def motion(self, time: float) -> tuple[Array, Array]:
        """The three angles (3,) and their rates (3,), rad and rad/s."""
        share = min(max(time / self.swell, 0.0), 1.0)
        ease, ease_rate = share * share * (3.0 - 2.0 * share), 6.0 * share * (1.0 - share) / self.swell
        omega = 2.0 * math.pi * self.frequency
        angle = omega * time + np.array(self.phase)
        amplitude = np.array(self.amplitude)
        return amplitude * ease * np.sin(angle), amplitude * (ease * omega * np.cos(angle) + ease_rate * np.sin(angle))


@dataclass(frozen=True)
class Terrain:
    """The ground as a whole. The plane goes through `point` and is square to `normal`."""

    friction: float = 1.0  # Coulomb's coefficient
    point: Vec3 = (0.0, 0.0, 0.0)
    normal: Vec3 = (0.0, 0.0, 1.0)
    solids: tuple[Solid, ...] = ()
    platform: Platform | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.friction <= 10.0:
            raise BadInput(f"ground friction {self.friction} must lie between 0 and 10")

    @property
    def turn(self) -> Array:
        """The rotation of the plane from level."""
        return rotation.between([0.0, 0.0, 1.0], self.normal)

    @property
    def is_level_floor(self) -> bool:
        """Whether the plane is the floor z = 0."""
        return self.normal == (0.0, 0.0, 1.0) and self.point[2] == 0.0

    @property
    def is_level(self) -> bool:
        """Whether firm ground is the level floor everywhere."""
        return self.is_level_floor and all(solid.mass is not None for solid in self.solids)

    @property
    def moving(self) -> tuple[Solid | Platform, ...]:
        """Everything that has a body of its own, in the order of the bodies."""
        return (*(s for s in self.solids if s.mass is not None), *([self.platform] if self.platform else []))


def add_terrain(spec: mujoco.MjSpec, terrain: Terrain) -> None:
    """Adds plane, solids and platform; the bodies of `Terrain.moving` in its order."""
    import mujoco

    touch: dict[str, Any] = {"contype": SCENE_BIT, "conaffinity": CHARACTER_BIT | SCENE_BIT}
    touch["friction"] = (terrain.friction, 0.005, 0.0001)
    plane = mujoco.mjtGeom.mjGEOM_PLANE
    firm = touch | {"group": FIRM_GROUP}
    spec.worldbody.add_geom(name="ground", type=plane, size=(0, 0, 1), pos=terrain.point, quat=terrain.turn, **firm)
    for solid in terrain.solids:
        _add_solid(spec, solid, touch if solid.mass is not None else firm)
    if terrain.platform:
        _add_platform(spec, terrain.platform, firm)


def turn_alike_about_all_axes(model: mujoco.MjModel, terrain: Terrain) -> None:
    """Gives every loose thing the mean of its three moments of inertia.

    MuJoCo integrates gyroscopic torques explicitly: a light stick that spins out from below a foot would spin ever faster.
    """
    import mujoco

    loose = [solid.name for solid in terrain.solids if solid.mass is not None]
    for name in loose:
        model.body(name).inertia[:] = model.body(name).inertia.mean()
    if loose:
        mujoco.mj_setConst(model, mujoco.MjData(model))


def _add_solid(spec: mujoco.MjSpec, solid: Solid, touch: dict[str, Any]) -> None:
    kind, size = _geom(solid)
    if solid.mass is None:
        spec.worldbody.add_geom(name=solid.name, type=kind, size=size, pos=solid.position, quat=solid.rotation, **touch)
        return
    body = spec.worldbody.add_body(name=solid.name, pos=solid.position, quat=solid.rotation)
    body.add_freejoint()
    body.add_geom(name=solid.name, type=kind, size=size, mass=solid.mass, **touch)


def _geom(solid: Solid) -> tuple[Any, tuple[float, float, float]]:
    """MuJoCo's type and half sizes of a solid."""
    import mujoco

    if solid.shape == "sphere":
        return mujoco.mjtGeom.mjGEOM_SPHERE, (solid.size[0], 0.0, 0.0)
    if solid.shape == "capsule":
        radius, length = solid.size
        return mujoco.mjtGeom.mjGEOM_CAPSULE, (radius, 0.5 * length - radius, 0.0)
    x, y, z = solid.size
    return mujoco.mjtGeom.mjGEOM_BOX, (0.5 * x, 0.5 * y, 0.5 * z)


def _add_platform(spec: mujoco.MjSpec, platform: Platform, touch: dict[str, Any]) -> None:
    import mujoco

    body = spec.worldbody.add_body(name="platform", pos=platform.position, quat=rotation.about_z(platform.heading))
    body.explicitinertial = True
    body.mass, body.inertia = _UNMOVED, (_UNMOVED, _UNMOVED, _UNMOVED)  # its centre of mass is the pivot: no weight to turn it
    for name, axis in zip(("roll", "pitch", "yaw"), _AXES, strict=True):
        body.add_joint(name=f"platform_{name}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
    half = 0.5 * np.array(platform.size)
    body.add_geom(name="platform", type=mujoco.mjtGeom.mjGEOM_BOX, size=half, pos=(0.0, 0.0, -half[2]), **touch)
