"""The bodies of the built-in creatures, from which `tools.author_characters` writes their files.

A part is a bone from its joint to its tip with flesh around it. Masses are volumes times density: a body fills about pi / 4 of
its boxes, and creatures with air sacs are a little lighter than water. Feet stand below the centre of mass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from poise import rotation
from poise.character.character import UNTURNED, Box, Character, Limit, Segment, Vec3, as_quat, as_vec
from poise.character.limbs import Limb
from poise.character.style import Style

_DENSITY = 900.0  # kg/m3
_FILLED = np.pi / 4  # of a box, by an ellipse within it


@dataclass(frozen=True)
class Part:
    """A bone: joint and tip in the rest pose (world, metres), thickness (forward or up, sideways), how far its joint turns."""

    name: str
    parent: str | None
    joint: Vec3
    tip: Vec3
    thick: tuple[float, float]
    limit_deg: float = 60.0


def raptor() -> Character:
    """As long as a Deinonychus: heavy tail, long upper body, legs that walk on their toes, small arms."""
    parts = [
        Part("pelvis", None, (0.0, 0.0, 1.0), (0.0, 0.0, 1.0), (0.26, 0.24)),
        Part("abdomen", "pelvis", (0.14, 0.0, 1.0), (0.42, 0.0, 1.03), (0.26, 0.22), 35.0),
        Part("chest", "abdomen", (0.42, 0.0, 1.03), (0.72, 0.0, 1.12), (0.26, 0.24), 35.0),
        Part("neck_1", "chest", (0.72, 0.0, 1.14), (0.86, 0.0, 1.34), (0.12, 0.11), 55.0),
        Part("neck_2", "neck_1", (0.86, 0.0, 1.34), (0.96, 0.0, 1.55), (0.1, 0.09), 55.0),
        Part("head", "neck_2", (0.96, 0.0, 1.55), (1.32, 0.0, 1.5), (0.15, 0.13), 70.0),
        *_tail("tail", "pelvis", [(-0.14, 1.02), (-0.48, 1.04), (-0.82, 1.05), (-1.16, 1.07), (-1.5, 1.1), (-1.84, 1.14)]),
    ]
    for side, y in (("left", 1.0), ("right", -1.0)):
        hand = (0.9, 0.16 * y, 0.86)
        parts += [
            Part(f"{side}_upper_arm", "chest", (0.68, 0.15 * y, 1.0), (0.6, 0.17 * y, 0.84), (0.06, 0.06), 90.0),
            Part(f"{side}_forearm", f"{side}_upper_arm", (0.6, 0.17 * y, 0.84), (0.76, 0.17 * y, 0.76), (0.05, 0.05), 80.0),
            Part(f"{side}_hand", f"{side}_forearm", (0.76, 0.17 * y, 0.76), hand, (0.03, 0.06), 80.0),
            Part(f"{side}_thigh", "pelvis", (0.0, 0.16 * y, 0.98), (0.2, 0.16 * y, 0.66), (0.19, 0.13), 75.0),
            Part(f"{side}_shin", f"{side}_thigh", (0.2, 0.16 * y, 0.66), (-0.12, 0.16 * y, 0.36), (0.11, 0.1), 75.0),
            Part(f"{side}_metatarsus", f"{side}_shin", (-0.12, 0.16 * y, 0.36), (-0.03, 0.16 * y, 0.07), (0.07, 0.07), 75.0),
            Part(f"{side}_foot", f"{side}_metatarsus", (-0.03, 0.16 * y, 0.07), (0.23, 0.16 * y, 0.07), (0.07, 0.16), 75.0),
        ]
    legs = [_pair("support", "leg", ("thigh", "shin", "metatarsus", "foot"), side) for side in ("left", "right")]
    arms = [_pair("targeted", "arm", ("upper_arm", "forearm", "hand"), side) for side in ("left", "right")]
    neck = Limb("neck", "targeted", ("neck_1", "neck_2", "head"), "head")
    tail = Limb("tail", "free", tuple(f"tail_{k}" for k in range(1, 6)))
    sad = Style("sad", (("neck_1", (0.0, 55.0, 0.0)), ("neck_2", (0.0, 30.0, 0.0)), ("tail_1", (0.0, -15.0, 0.0))))
    proud = Style("proud", (("neck_1", (0.0, -20.0, 0.0)), ("tail_1", (0.0, 15.0, 0.0))))
    return _creature("raptor", parts, (*legs, *arms, neck, tail), (sad, proud))


def alien() -> Character:
    """No legs: it walks on its hands, and two tails rise behind it."""
    parts = [
        Part("torso", None, (0.0, 0.0, 0.95), (0.0, 0.0, 0.95), (0.3, 0.34)),
        Part("abdomen", "torso", (-0.18, 0.0, 0.97), (-0.46, 0.0, 1.06), (0.19, 0.21), 35.0),
        Part("neck", "torso", (0.2, 0.0, 1.02), (0.36, 0.0, 1.22), (0.11, 0.11), 60.0),
        Part("head", "neck", (0.36, 0.0, 1.22), (0.62, 0.0, 1.26), (0.2, 0.18), 70.0),
    ]
    curl = [(-0.46, 1.08), (-0.72, 1.26), (-0.84, 1.56), (-0.74, 1.86), (-0.5, 2.06)]
    for side, y in (("left", 1.0), ("right", -1.0)):
        parts += _tail(f"{side}_tail", "abdomen", curl, 0.09 * y, 0.06 * y, 0.11)
        elbow, wrist = (-0.36, 0.34 * y, 0.6), (-0.19, 0.2 * y, 0.08)
        parts += [
            Part(f"{side}_upper_arm", "torso", (-0.06, 0.22 * y, 0.98), elbow, (0.13, 0.13), 80.0),
            Part(f"{side}_forearm", f"{side}_upper_arm", elbow, wrist, (0.1, 0.1), 80.0),
            Part(f"{side}_hand", f"{side}_forearm", wrist, (0.03, 0.2 * y, 0.08), (0.08, 0.18), 80.0),
        ]
    arms = [replace(_pair("support", "arm", ("upper_arm", "forearm", "hand"), s), follows=f"{s}_leg") for s in ("left", "right")]
    neck = Limb("neck", "targeted", ("neck", "head"), "head")
    tails = [Limb(f"{side}_tail", "free", tuple(f"{side}_tail_{k}" for k in range(1, 5))) for side in ("left", "right")]
    sad = Style("sad", (("neck", (0.0, 60.0, 0.0)), ("left_tail_2", (0.0, -30.0, 0.0)), ("right_tail_2", (0.0, -30.0, 0.0))))
    return _creature("alien", parts, (*arms, neck, *tails), (sad,))


def _pair(kind: str, part: str, roles: Sequence[str], side: str) -> Limb:
    return Limb(f"{side}_{part}", kind, tuple(f"{side}_{role}" for role in roles), f"{side}_{part}")  # type: ignore[arg-type]


def _tail(
    name: str, parent: str, points: list[tuple[float, float]], y: float = 0.0, dy: float = 0.0, thick: float = 0.2
) -> list[Part]:
    """A tail through points (x, z) that gets thinner; each further point lies `dy` further to the side."""
    parts = []
    for k, ((x, z), (tip_x, tip_z)) in enumerate(pairwise(points)):
        wide = thick * (1.0 - 0.75 * k / (len(points) - 1))
        joint, tip = (x, y + k * dy, z), (tip_x, y + (k + 1) * dy, tip_z)
        parts.append(Part(f"{name}_{k + 1}", f"{name}_{k}" if k else parent, joint, tip, (wide, wide), 50.0))
    return parts


def _creature(name: str, parts: list[Part], limbs: tuple[Limb, ...], styles: tuple[Style, ...]) -> Character:
    feet = tuple(limb.effector for limb in limbs if limb.kind == "support")
    return Character(name, tuple(_segment(part, part.name in feet) for part in parts), feet, limbs=limbs, styles=styles)


def _segment(part: Part, is_foot: bool) -> Segment:
    box = _root_box(part) if part.parent is None else _sole(part) if is_foot else _flesh(part)
    x, y, z = box.size
    mass = _DENSITY * _FILLED * x * y * z
    inertia = (mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12)
    limit = None if part.parent is None else Limit(part.limit_deg)
    return Segment(part.name, part.parent, part.joint, box, round(mass, 2), box.center, inertia, limit)


def _root_box(part: Part) -> Box:
    return Box((0.0, 0.0, 0.0), (1.2 * part.thick[0], part.thick[1], part.thick[0]))


def _sole(part: Part) -> Box:
    """Flat on the floor below the joint: from a third of the bone behind it to the tip."""
    length = part.tip[0] - part.joint[0]
    return Box((length / 3, 0.0, part.thick[0] / 2 - part.joint[2]), (4 * length / 3, part.thick[1], part.thick[0]))


def _flesh(part: Part) -> Box:
    """Along the bone: the box's z axis runs from tip to joint for hanging bones, and lying bones are turned into place."""
    bone = np.subtract(part.tip, part.joint)
    turn = rotation.between([0.0, 0.0, -1.0], bone)
    size = (part.thick[0], part.thick[1], float(np.linalg.norm(bone)))
    return Box(as_vec(0.5 * bone), size, as_quat(turn) if np.linalg.norm(bone[:2]) > 1e-9 else UNTURNED)
