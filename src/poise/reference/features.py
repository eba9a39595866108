"""What an actor does at one moment, and what it asks of a character (Çimen section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poise.character.character import Character
from poise.character.limbs import Limb, limbs_of
from poise.rotation import Array, Mask

LANDING = 6  # numbers about a limb that lands


@dataclass(frozen=True, eq=False)
class ActorFrame:
    """The actor at one moment, in the actor's own world: metres, Z up, the floor at z = 0.

    One row per role, in the order of the actor's roles: world positions (R, 3) of the joints and world rotations (R, 4) of
    the segments, whose frames are aligned with the world while the actor stands at rest, facing +x. `time` in seconds.
    """

    time: float
    position: Array
    rotation: Array


class FeatureSource(Protocol):
    """Where features come from: a clip, or an actor live."""

    def sample(self, time: float, features: Features) -> None:
        """Refreshes the features for the run's `time`, seconds."""
        ...


class Features:
    """What the actor asks of the character at one moment: named views into one row. World frame, the character's size, metres.

    E effectors (the tips of the support and targeted limbs, in the order of `limbs_of`), S segments. Positions are those of
    the effector segment's joint, rotations those of its frame, velocities and spins (angular velocities) theirs.
    """

    root_position: Array  # (3,)
    root_rotation: Array  # (4,)
    root_velocity: Array  # (3,)
    root_spin: Array  # (3,)
    position: Array  # (E, 3)
    rotation: Array  # (E, 4)
    velocity: Array  # (E, 3)
    spin: Array  # (E, 3)
    landing: Array  # (E, 6) of limbs that land: seconds until they are to stand, height and rotation then; 0 s for all others
    pose: Array  # (S, 4), to relax into: the style's joint rotations relative to the parent segment, and the actor's bends
    pose_spin: Array  # (S, 3), how fast the joints of that pose turn, seen from the parent segment, rad/s
    com: Array  # (3,) the whole body's centre of mass
    com_velocity: Array  # (3,)
    contact: Mask  # (E,), planned contacts of support limbs; False for targeted limbs

    def __init__(self, character: Character) -> None:
        effectors, nsegments = effector_limbs(character), character.nsegments
        shapes = feature_shapes(len(effectors), nsegments)
        self.row = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()))
        self.contact = np.zeros(len(effectors), np.bool_)
        start = 0
        for name, shape in shapes.items():
            stop = start + int(np.prod(shape))
            setattr(self, name, self.row[start:stop].reshape(shape))
            start = stop


def effector_limbs(character: Character) -> tuple[Limb, ...]:
    """The limbs that have an end effector to place: support and targeted ones, in the order of `limbs_of`."""
    return tuple(limb for limb in limbs_of(character) if limb.kind != "free")


def foot_effectors(character: Character) -> NDArray[np.int64]:
    """Which effectors the character's feet are, in the order of its feet."""
    effectors = [limb.effector for limb in effector_limbs(character)]
    return np.array([effectors.index(foot) for foot in character.feet], np.int64)


def feature_shapes(neffectors: int, nsegments: int) -> dict[str, tuple[int, ...]]:
    """What a row of features holds, in this order."""
    e = neffectors
    root = {"root_position": (3,), "root_rotation": (4,), "root_velocity": (3,), "root_spin": (3,)}
    effectors = {"position": (e, 3), "rotation": (e, 4), "velocity": (e, 3), "spin": (e, 3), "landing": (e, LANDING)}
    pose = {"pose": (nsegments, 4), "pose_spin": (nsegments, 3)}
    return {**root, **effectors, **pose, "com": (3,), "com_velocity": (3,)}
