"""The ground of a scenario as what the world is built from, placed where the character starts and faces."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from poise import rotation
from poise.character.character import Vec3, as_quat, as_vec
from poise.physics.ground import Platform, Solid, Terrain
from poise.rotation import Array
from poise.scenario.events import compass
from poise.scenario.ground import AXES, AnyGround, Ground, PlatformGround, RampGround
from poise.scenario.rubble import scatter

_PLATFORM_SIZE = (3.0, 3.0, 0.1)  # m
_PLATFORM_PHASE = (0.0, 0.5 * math.pi, 0.0)  # pitch a quarter period before roll: the top leans to every side in turn
_PLATFORM_SWELL = 2.0  # s
_BELOW_PLATFORM = 1.2  # m: a floor that the platform's edge never reaches
_RAMP_WIDTH, _RAMP_TOP, _RAMP_THICKNESS = 2.0, 0.4, 0.3  # m


def terrain_of(ground: AnyGround, place: Array, heading: float, seed: int) -> Terrain:
    """The terrain around a place on the floor (3,), for a character that faces `heading` (radians about z from +x)."""
    if isinstance(ground, Ground):
        return _plane(ground, place, heading)
    if isinstance(ground, PlatformGround):
        return _platform(ground, place, heading)
    if isinstance(ground, RampGround):
        return _ramp(ground, place, heading)
    return Terrain(ground.friction, solids=scatter(ground.count, place, ground.radius, ground.height, seed))


def _plane(ground: Ground, place: Array, heading: float) -> Terrain:
    tilt = math.radians(ground.slope_deg)
    if tilt == 0.0:
        return Terrain(ground.friction)
    uphill = rotation.rotate(rotation.about_z(heading), compass(ground.slope_toward_deg))
    normal = math.cos(tilt) * np.array([0.0, 0.0, 1.0]) - math.sin(tilt) * uphill
    return Terrain(ground.friction, as_vec(place), as_vec(normal))


def _platform(ground: PlatformGround, place: Array, heading: float) -> Terrain:
    amplitude = as_vec(np.radians([ground.amplitude_deg * (axis in ground.axes) for axis in AXES]))
    platform = Platform(
        size=_PLATFORM_SIZE,
        position=as_vec(place),
        heading=heading,
        amplitude=amplitude,
        phase=_PLATFORM_PHASE,
        frequency=ground.frequency_hz,
        swell=_PLATFORM_SWELL,
    )
    return Terrain(ground.friction, as_vec(place - np.array([0.0, 0.0, _BELOW_PLATFORM])), platform=platform)


def _ramp(ground: RampGround, place: Array, heading: float) -> Terrain:
    to_world = rotation.about_z(heading - math.radians(ground.toward_deg))
    run = ground.height / math.tan(math.radians(ground.slope_deg))
    along = np.array([0.0, run, run + _RAMP_TOP, 2.0 * run + _RAMP_TOP]) + ground.ahead
    level = (0.0, ground.height, ground.height, 0.0)
    return Terrain(ground.friction, solids=tuple(_slab(place, to_world, along, level, k) for k in range(3)))


def _slab(place: Array, to_world: Array, along: Array, level: Sequence[float], k: int) -> Solid:
    """The part of a ramp between its corners k and k + 1: a box whose top joins them, sunk into the ground."""
    start, end = (np.array([along[i], 0.0, level[i]]) for i in (k, k + 1))
    way = end - start
    turn = rotation.multiply(to_world, rotation.from_axis_angle([0.0, 1.0, 0.0], -math.atan2(way[2], way[0])))
    middle = place + rotation.rotate(to_world, 0.5 * (start + end)) - rotation.rotate(turn, [0.0, 0.0, 0.5 * _RAMP_THICKNESS])
    size: Vec3 = (float(np.linalg.norm(way)), _RAMP_WIDTH, _RAMP_THICKNESS)
    return Solid(f"ramp_{k + 1}", "box", size, as_vec(middle), as_quat(turn))
