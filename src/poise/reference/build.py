"""What a character's legs and balance ask of a clip that was made by a human body.

A human stands on straight legs with the middle of its body above its feet. A creature may stand on bent legs, bend its knees
backward and carry its weight far from its hips. So its legs count as long as they stand, its knees bend as they are bent at
rest, and its hips are put where its centre of mass is above its feet when the human's is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.character.character import Character
from poise.character.limbs import limbs_of
from poise.errors import BadCharacter
from poise.rotation import Array

_STRAIGHT = 0.99  # of the way along the bones: legs longer than this from hip to ankle are straight
_BACKWARD = np.radians(12.0)  # a knee that is bent backward by more at rest bends that way
_FARTHEST = 0.35  # of the leg: how far the hips may be moved to have the feet below the weight
_STANDING = 10.0  # percentile of the ankles' heights at which feet stand


@dataclass(frozen=True)
class Leg:
    """Segments of a leg: thigh, the next, and all down to the foot; offsets (3,) from hip to knee and from knee to ankle."""

    thigh: int
    lower: tuple[int, ...]  # from the shin to the one above the foot: they keep their angle to each other
    foot: int
    knee: Array
    ankle: Array

    @property
    def along(self) -> float:
        return float(np.linalg.norm(self.knee) + np.linalg.norm(self.ankle))

    @property
    def standing(self) -> float:
        """From hip to ankle in the rest pose."""
        return float(np.linalg.norm(self.knee + self.ankle))

    @property
    def bends_backward(self) -> bool:
        """Whether the knee is bent the other way than a human's at rest."""
        return self._bend < -_BACKWARD

    @property
    def _bend(self) -> float:
        """The angle at rest by which the lower leg is turned backward from the thigh's direction, about the y axis."""
        a, b = self.knee, self.ankle
        return float(np.arctan2(a[2] * b[0] - a[0] * b[2], a[0] * b[0] + a[2] * b[2]))


def legs_of(character: Character) -> dict[str, Leg]:
    """The legs by their feet; a foot without two bones above it has none."""
    found = {}
    for limb in limbs_of(character):
        chain = [character.index(name) for name in limb.segments]
        if limb.kind != "support" or limb.effector not in character.feet or len(chain) < 3:
            continue
        joints = character.joints
        knee, ankle = joints[chain[1]] - joints[chain[0]], joints[chain[-1]] - joints[chain[1]]
        found[limb.effector] = Leg(chain[0], tuple(chain[1:-1]), chain[-1], knee, ankle)
    return found


def standing_length(character: Character) -> float:
    """Hip to ankle in the rest pose, mean of all legs; along the bones where the legs are straight."""
    legs = legs_of(character).values()
    if not legs:
        raise BadCharacter(f"character '{character.name}': no foot has two bones above it, so no clip can move its legs")
    return float(np.mean([leg.along if _is_straight(leg) else leg.standing for leg in legs]))


def stands_straight(character: Character) -> bool:
    """Whether all legs are straight at rest."""
    return all(_is_straight(leg) for leg in legs_of(character).values())


def creature_root(character: Character, hips: Array, ankles: dict[str, Array], turn: Array) -> tuple[Array, dict[str, Array]]:
    """Root positions (F, 3) and ankles (F, 3) for a creature, from those of a human scaled to its legs.

    `hips` (F, 3) is the middle of the human's hips and `turn` (F, 4) the rotation of its pelvis. Heights are counted from where
    the creature's ankles are when it stands; the hips go forward or back until the weight is above the feet.
    """
    legs = legs_of(character)
    middle = np.mean([character.joints[leg.thigh] for leg in legs.values()], axis=0)
    low = np.mean([np.percentile(ankle[:, 2], _STANDING) for ankle in ankles.values()])
    rise = np.mean([character.joints[leg.foot][2] for leg in legs.values()]) - low
    soles = np.mean([character.segments[leg.foot].box.center[0] for leg in legs.values()])
    weight = (character.masses @ (character.joints + character.coms))[0] / character.mass - middle[0]
    reach = _FARTHEST * standing_length(character)
    ahead = np.array([float(np.clip(soles - weight, -reach, reach)), 0.0, 0.0])
    heading = rotation.about_z(rotation.heading(turn))
    lift = np.array([0.0, 0.0, float(rise)])
    placed = hips + lift + rotation.rotate(heading, ahead)
    root = placed - rotation.rotate(turn, middle - character.joints[0])
    return root, {foot: ankle + lift for foot, ankle in ankles.items()}


def _is_straight(leg: Leg) -> bool:
    return leg.standing >= _STRAIGHT * leg.along and not leg.bends_backward
