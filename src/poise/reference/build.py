"""What a character's legs and balance ask of a clip that was made by a human body.

A human stands on straight legs with the middle of its body above its feet. A creature may stand on bent legs, bend its knees
backward and carry its weight far from its hips. So its legs count as long as they stand, its knees bend as they are bent at
rest, and its hips are put where its centre of mass is above its feet when the human's is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.character.binding import resting_frames
from poise.character.character import Character
from poise.character.limbs import limbs_of
from poise.errors import BadCharacter
from poise.rotation import Array

_STRAIGHT = 0.99  # of the way along the bones: legs longer than this from hip to ankle are straight
_BACKWARD = np.radians(12.0)  # a knee that is bent backward by more at rest bends that way
_FARTHEST = 0.35  # of the leg: how far the hips may be moved to have the feet below the weight
_OWN = 2e-3  # metres: hips nearer to where the clip's are belong to the clip's own skeleton, whose floor is right already


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


def seat(
    character: Character, anchors: Array, names: list[str], turn: Array, ankles: dict[str, Array], fps: float
) -> tuple[Array, dict[str, Array]]:
    """Root positions (F, 3) and ankles (F, 3) for a character, from joints (F, S, 3) of a human scaled to its legs.

    `names` are the human's segments and `turn` (F, 4) the rotation of its pelvis. Hips come to hips wherever the root joints
    are, and heights are counted from where ankles are when the feet stand. A creature's hips go forward or back until its
    weight is above its feet.
    """
    legs = legs_of(character)
    if not ankles or not legs:
        return anchors[:, 0], ankles
    middle = np.mean([character.joints[leg.thigh] for leg in legs.values()], axis=0) - character.joints[0]
    hips = np.mean([anchors[:, names.index(f"{side}_thigh")] for side in ("left", "right")], axis=0) - anchors[:, 0]
    apart = np.median(rotation.rotate(rotation.conjugate(turn), hips), axis=0) - middle
    lift = np.array([0.0, 0.0, _rise(character, anchors[:, 0], ankles, fps) if np.linalg.norm(apart) > _OWN else 0.0])
    ahead = np.array([0.0 if stands_straight(character) else _to_balance(character, middle), 0.0, 0.0])
    heading = rotation.about_z(rotation.heading(turn))
    root = anchors[:, 0] + rotation.rotate(turn, apart) + lift + rotation.rotate(heading, ahead)
    return root, {foot: ankle + lift for foot, ankle in ankles.items()}


def _rise(character: Character, pelvis: Array, ankles: dict[str, Array], fps: float) -> float:
    """How much higher the character's ankles are than the human's when the feet stand."""
    hip_height = max(float(np.median(pelvis[:, 2])), 0.1)
    low = [np.median(ankle[resting_frames(ankle, hip_height, fps), 2]) for ankle in ankles.values()]
    return float(np.mean([character.joints[leg.foot][2] for leg in legs_of(character).values()]) - min(low))


def _to_balance(character: Character, middle: Array) -> float:
    """How far forward the hips must be of where they rest, to have the centre of mass above the middle of the soles.

    `middle` is that of the hips, from the root's joint. A human's ankles are below its hips, so that is where they count from.
    """
    soles = np.mean([character.segments[leg.foot].box.center[0] for leg in legs_of(character).values()])
    weight = (character.masses @ (character.joints + character.coms))[0] / character.mass - character.joints[0][0] - middle[0]
    reach = _FARTHEST * standing_length(character)
    return float(np.clip(soles - weight, -reach, reach))


def _is_straight(leg: Leg) -> bool:
    return leg.standing >= _STRAIGHT * leg.along and not leg.bends_backward
