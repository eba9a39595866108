"""Where an actor's centre of mass is, and where it asks the character's to be.

Actors keep their balance: where an actor's centre of mass goes, its feet can take it. A root says less, because a kick or a bow
moves the centre of mass of a raptor otherwise than that of the actor. The masses of an actor whom nobody has weighed are those
of an adult (`character/anthropometry.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from poise.character import anthropometry, boxes
from poise.character.character import Character
from poise.character.from_skeleton import mass_shares
from poise.character.style import Style
from poise.quaternion import rotate
from poise.reference.actor import Actor
from poise.reference.actor_smoothing import Smoothed
from poise.reference.feature_plan import styled_rest
from poise.rotation import Array
from poise.rotation import rotate as rotated

_LEG_OF_HEIGHT = 0.49  # hip to ankle, of the standing height (Drillis and Contini 1966)
_NEXT = {
    "pelvis": ("abdomen", "chest"), "abdomen": ("chest",), "chest": ("head",), "thigh": ("shin",), "shin": ("foot",),
    "upper_arm": ("forearm",), "forearm": ("hand",),
}  # fmt: skip


class ActorMass(NamedTuple):
    """The actor's segments as weights, and how much farther from its root the character's centre of mass is at rest."""

    share: Array  # (R,) of the whole mass
    arm: Array  # (R, 3) from the joint to the segment's centre of mass, in its frame
    offset: Array  # (3,) in the heading frame, m: what is left of the two rest poses when the actor's is scaled


def actor_mass_of(actor: Actor, character: Character, style: Style, pelvis: int, scale: float) -> ActorMass:
    """The masses of an actor, for a character that is `scale` times its size."""
    shares = mass_shares(list(actor.roles))
    share, arm = np.array([shares[role] for role in actor.roles]), np.array([_arm(actor, role) for role in actor.roles])
    turns, joints = styled_rest(character, style)
    own = character.masses @ (joints + rotated(turns, character.coms)) / character.mass - joints[0]
    return ActorMass(share, arm, own - scale * (share @ (actor.rest + arm) - actor.rest[pelvis]))


@njit(cache=True)
def place_com(mass: ActorMass, actor: Smoothed, pelvis: int, scale: float, heading: float, root: Array, com: Array) -> None:
    """By (2), relative to the root: `com` (3,) becomes root + offset + α (c_r - x_r), the offset turned with the heading."""
    cosine, sine = np.cos(heading), np.sin(heading)
    com[0] = root[0] + cosine * mass.offset[0] - sine * mass.offset[1]
    com[1] = root[1] + sine * mass.offset[0] + cosine * mass.offset[1]
    com[2] = root[2] + mass.offset[2]
    for r in range(mass.share.shape[0]):
        q, arm = actor.rotation[r], mass.arm[r]
        x, y, z = rotate(q[0], q[1], q[2], q[3], arm[0], arm[1], arm[2])
        com[0] += scale * mass.share[r] * (actor.position[r, 0] + x - actor.position[pelvis, 0])
        com[1] += scale * mass.share[r] * (actor.position[r, 1] + y - actor.position[pelvis, 1])
        com[2] += scale * mass.share[r] * (actor.position[r, 2] + z - actor.position[pelvis, 2])


def _arm(actor: Actor, role: str) -> Array:
    """From a segment's joint to its centre of mass at rest (3,): that of the box that a character of this size would have."""
    height, at = actor.leg / _LEG_OF_HEIGHT, actor.rest[actor.index(role)]
    kind = anthropometry.kind(role)
    side = role.removesuffix(kind)
    ends = [actor.rest[actor.index(side + end)] - at for end in _NEXT.get(kind, ()) if side + end in actor.roles]
    mass = anthropometry.BODY_MASS * anthropometry.table(role).mass
    box = boxes.box_of(role, mass, height, np.array(ends[:1]).reshape(-1, 3), float(at[2]))
    return np.array(boxes.centre_of_mass(role, box))
