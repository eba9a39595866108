"""The box of a segment: its length from the bone, its width from its mass at the density of a body."""

from __future__ import annotations

import numpy as np

from poise.character import anthropometry
from poise.character.character import Box, Vec3
from poise.rotation import Array

# Width over depth of the trunk parts, and lengths as shares of the body height where the skeleton is silent.
_TRUNK_ASPECT = {"pelvis": 1.5, "abdomen": 1.4, "chest": 1.5, "head": 0.8}
_TRUNK_HEIGHT = {"pelvis": 0.11, "abdomen": 0.12, "chest": 0.16, "head": 0.15}
_LIMB_LENGTH = {"upper_arm": 0.17, "forearm": 0.25, "hand": 0.1, "thigh": 0.24, "shin": 0.24, "tail": 0.08}
# Foot lengths as shares of the body height (Drillis and Contini 1966: 0.152), and where the ankle sits along it.
_FOOT_LENGTH, _FOOT_RANGE = 0.152, (0.12, 0.17)
_HEEL_SHARE, _FOOT_WIDTH_SHARE = 0.25, 0.38
_ANKLE_HEIGHT_RANGE = (0.02, 0.08)


def box_of(name: str, mass: float, height: float, tips: Array, ankle_height: float) -> Box:
    """The box of a segment from the points (n, 3) that belong to it, in its frame (z up, x forward, limbs hang down)."""
    kind = anthropometry.kind(name)
    if kind == "foot":
        return _foot(height, tips, ankle_height)
    if kind in _TRUNK_HEIGHT:
        return _trunk(kind, mass, height, tips)
    return _limb(kind, mass, height, tips)


def centre_of_mass(name: str, box: Box) -> Vec3:
    """Along limbs by the table's share of the length; in the middle of everything else."""
    kind = anthropometry.kind(name)
    if kind in ("upper_arm", "forearm", "thigh", "shin", "tail"):
        share = anthropometry.table(name).com - 0.5
        return _shift(box.center, 2.0 * share)
    return box.center


def inertia_of(name: str, mass: float, box: Box) -> Vec3:
    """Principal moments along the box's axes: radii of gyration from the table, else those of the solid box."""
    radii = anthropometry.table(name).radii
    if radii is not None:
        a, b, c = (mass * (r * box.size[2]) ** 2 for r in radii)
        return (a, b, c)
    x, y, z = (s * s for s in box.size)
    return (mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12)


def _shift(center: Vec3, share: float) -> Vec3:
    x, y, z = center
    return (x * (1 + share), y * (1 + share), z * (1 + share))


def _trunk(kind: str, mass: float, height: float, tips: Array) -> Box:
    """From the joint up to the highest point; as wide and deep as the mass asks."""
    usual = _TRUNK_HEIGHT[kind] * height
    top = max((float(p[2]) for p in tips), default=0.0)
    tall = float(np.clip(top, 0.7 * usual, 2.2 * usual)) if kind != "pelvis" else usual
    middle = 0.25 * tall if kind == "pelvis" else 0.5 * tall
    depth = np.sqrt(mass / (anthropometry.DENSITY * tall * _TRUNK_ASPECT[kind]))
    forward = float(np.clip(np.median(tips[:, 0]) if len(tips) else 0.0, -0.2 * depth, 0.2 * depth))
    return Box((forward if kind != "pelvis" else 0.0, 0.0, middle), (float(depth), float(depth * _TRUNK_ASPECT[kind]), tall))


def _limb(kind: str, mass: float, height: float, tips: Array) -> Box:
    """Along the bone to the farthest point, square across."""
    reach = np.linalg.norm(tips, axis=-1) if len(tips) else np.zeros(0)
    usual = _LIMB_LENGTH[kind] * height
    if kind == "tail":
        return _tail(mass, usual, tips, reach)
    length = float(np.clip(reach.max(initial=0.0), 0.4 * usual, 2.5 * usual)) if reach.max(initial=0.0) > 0.01 * height else usual
    wide = float(np.sqrt(mass / (anthropometry.DENSITY * length)))
    return Box((0.0, 0.0, -0.5 * length), (wide, wide, length))


def _tail(mass: float, usual: float, tips: Array, reach: Array) -> Box:
    from poise import rotation

    far = tips[int(np.argmax(reach))] if len(tips) else np.array([-usual, 0.0, 0.0])
    length = float(max(np.linalg.norm(far), 0.2 * usual))
    wide = float(np.sqrt(mass / (anthropometry.DENSITY * length)))
    turn = rotation.between([0.0, 0.0, -1.0], far)
    x, y, z = (float(v) for v in 0.5 * far)
    return Box((x, y, z), (wide, wide, length), tuple(float(v) for v in turn))


def _foot(height: float, tips: Array, ankle_height: float) -> Box:
    """Flat sole at the ankle's standing height, heel behind the ankle, toes where the skeleton has them."""
    low, high = (share * height for share in _FOOT_RANGE)
    toe = float(np.max(tips[:, 0])) if len(tips) else 0.0
    length = float(np.clip(toe / (1.0 - _HEEL_SHARE), low, high)) if toe > 0.0 else _FOOT_LENGTH * height
    thick = float(np.clip(ankle_height, *(share * height for share in _ANKLE_HEIGHT_RANGE)))
    middle = (0.5 - _HEEL_SHARE) * length
    return Box((middle, 0.0, -0.5 * thick), (length, _FOOT_WIDTH_SHARE * length, thick))
