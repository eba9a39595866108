"""The box of a segment: trunk parts span the joints they carry, limbs are as long as the bone and as thick as their mass asks."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.character import anthropometry
from poise.character.character import Box, Vec3, as_quat
from poise.rotation import Array

# Sizes as shares of the body height where the skeleton is silent (Drillis and Contini 1966; head: de Leva 1996).
_TRUNK_HEIGHT = {"pelvis": 0.1, "abdomen": 0.12, "chest": 0.16, "head": 0.17}
_TRUNK_WIDTH = {"pelvis": (0.13, 0.21), "abdomen": (0.15, 0.15), "chest": (0.13, 0.19), "head": (0.085, 0.085)}
_DEPTH = {"pelvis": 0.62, "abdomen": 0.66, "chest": 0.64, "head": 1.2}  # of the width
_HIP_FLESH, _SHOULDER_ROOM = 0.075, 0.05  # of the body height: wider than the hips, narrower than the shoulders
_LIMB_LENGTH = {"upper_arm": 0.17, "forearm": 0.25, "hand": 0.1, "thigh": 0.24, "shin": 0.24, "tail": 0.08}
# Foot lengths as shares of the body height (Drillis and Contini 1966: 0.152), and where the ankle sits along it.
_FOOT_LENGTH, _FOOT_RANGE = 0.152, (0.12, 0.17)
_HEEL_SHARE, _FOOT_WIDTH_SHARE = 0.25, 0.38
_TOE_SHARE = 0.9  # of the way to the tip of the toes: a sole that does not bend ends where the toes would
_ANKLE_HEIGHT_RANGE = (0.02, 0.08)


def box_of(name: str, mass: float, height: float, tips: Array, ankle_height: float) -> Box:
    """The box of a segment from the points (n, 3) that belong to it, in its frame (z up, x forward, limbs hang down)."""
    kind = anthropometry.kind(name)
    if kind == "foot":
        return _foot(height, tips, ankle_height)
    if kind in _TRUNK_HEIGHT:
        return _trunk(kind, height, tips)
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


def _within(value: float, shares: tuple[float, float], height: float) -> float:
    """The value kept between two shares of the body height."""
    return float(np.clip(value, shares[0] * height, shares[1] * height))


def _shift(center: Vec3, share: float) -> Vec3:
    x, y, z = center
    return (x * (1 + share), y * (1 + share), z * (1 + share))


def _trunk(kind: str, height: float, tips: Array) -> Box:
    """From the joint up to the highest point (the pelvis: around the hips), as wide as hips or shoulders are apart."""
    usual = _TRUNK_HEIGHT[kind] * height
    low, high = (float(tips[:, 2].min()), float(tips[:, 2].max())) if len(tips) else (0.0, 0.0)
    if kind == "pelvis":
        low -= 0.35 * usual
        high = max(high, low + usual)
    else:
        # A skeleton often ends at the base of the skull; a head is never less than its usual height above the neck.
        low, shortest = (0.08 * usual, 1.0) if kind == "head" else (0.0, 0.7)
        high = float(np.clip(high, shortest * usual, 2.0 * usual))
    apart = float(np.ptp(tips[:, 1])) if len(tips) else 0.0
    apart += {"pelvis": _HIP_FLESH, "chest": -_SHOULDER_ROOM}.get(kind, 0.0) * height
    wide = _within(apart, _TRUNK_WIDTH[kind], height)
    deep = _DEPTH[kind] * wide
    forward = float(np.clip(np.median(tips[:, 0]) if len(tips) else 0.0, -0.25 * deep, 0.25 * deep))
    return Box((forward, 0.0, 0.5 * (low + high)), (deep, wide, high - low))


def _limb(kind: str, mass: float, height: float, tips: Array) -> Box:
    """Along the bone to the farthest point, square across."""
    reach = np.linalg.norm(tips, axis=-1) if len(tips) else np.zeros(0)
    usual = _LIMB_LENGTH[kind] * height
    if kind == "tail":
        return _tail(mass, usual, tips, reach)
    far = float(reach.max(initial=0.0))
    length = float(np.clip(far, 0.4 * usual, 2.5 * usual)) if far > 0.01 * height else usual
    wide = float(np.sqrt(mass / (anthropometry.DENSITY * length)))
    return Box((0.0, 0.0, -0.5 * length), (wide, wide, length))


def _tail(mass: float, usual: float, tips: Array, reach: Array) -> Box:
    far = tips[int(np.argmax(reach))] if len(tips) else np.array([-usual, 0.0, 0.0])
    length = float(max(np.linalg.norm(far), 0.2 * usual))
    wide = float(np.sqrt(mass / (anthropometry.DENSITY * length)))
    x, y, z = (float(v) for v in 0.5 * far)
    return Box((x, y, z), (wide, wide, length), as_quat(rotation.between([0.0, 0.0, -1.0], far)))


def _foot(height: float, tips: Array, ankle_height: float) -> Box:
    """Flat sole at the ankle's standing height, heel behind the ankle, toes where the skeleton has them."""
    low, high = (share * height for share in _FOOT_RANGE)
    toe = _TOE_SHARE * float(np.max(tips[:, 0])) if len(tips) else 0.0
    length = float(np.clip(toe / (1.0 - _HEEL_SHARE), low, high)) if toe > 0.0 else _FOOT_LENGTH * height
    thick = _within(ankle_height, _ANKLE_HEIGHT_RANGE, height)
    middle = (0.5 - _HEEL_SHARE) * length
    return Box((middle, 0.0, -0.5 * thick), (length, _FOOT_WIDTH_SHARE * length, thick))
