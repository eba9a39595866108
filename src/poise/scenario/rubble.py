"""Loose things strewn on the ground, the same for the same seed."""

from __future__ import annotations

import math

import numpy as np

from poise import rotation
from poise.character.character import as_quat
from poise.physics.ground import Solid
from poise.rotation import Array

DENSITY = 1500.0  # kg/m3, between brick and sandstone
_GOLDEN = math.pi * (3.0 - math.sqrt(5.0))  # rad: successive points of a sunflower's head
_ROOM = 0.75  # of the distance between neighbours: how long a thing may be
_LOWEST = 0.4  # of the tallest


def scatter(count: int, place: Array, radius: float, height: float, seed: int) -> tuple[Solid, ...]:
    """Boxes, balls and sticks within a radius (metres) of a place, the tallest of `height`, none in another's way."""
    dice = np.random.default_rng(seed)
    room = max(_ROOM * radius * math.sqrt(math.pi / count), height)
    things = []
    for k in range(count):
        away, angle = radius * math.sqrt((k + 0.5) / count), k * _GOLDEN
        spot = place + away * np.array([math.cos(angle), math.sin(angle), 0.0])
        shape = ("box", "sphere", "capsule")[dice.choice(3, p=(0.5, 0.2, 0.3))]
        things.append(_thing(f"stone_{k + 1}", shape, spot, height * dice.uniform(_LOWEST, 1.0), room, dice))
    return tuple(things)


def _thing(name: str, shape: str, spot: Array, tall: float, room: float, dice: np.random.Generator) -> Solid:
    """One thing of a height that lies on the ground at a spot, turned anyhow."""
    yaw = rotation.about_z(dice.uniform(0.0, math.pi))
    long, wide = (max(tall, room * dice.uniform(0.4, 0.7)) for _ in range(2))
    middle = (float(spot[0]), float(spot[1]), float(spot[2] + 0.5 * tall))
    if shape == "sphere":
        return Solid(name, shape, (0.5 * tall,), middle, mass=DENSITY * math.pi / 6.0 * tall**3)
    if shape == "capsule":
        lying = rotation.multiply(yaw, rotation.from_axis_angle([0.0, 1.0, 0.0], 0.5 * math.pi))
        long = max(long, 1.5 * tall)
        volume = math.pi * (0.5 * tall) ** 2 * (long - tall / 3.0)
        return Solid(name, shape, (0.5 * tall, long), middle, as_quat(lying), DENSITY * volume)
    return Solid(name, shape, (long, wide, tall), middle, as_quat(yaw), DENSITY * long * wide * tall)
