"""Where a body's weight is above its feet, and how far its hips must go to carry it as the actor carries his.

Rotations that are copied from a human lean a body of other proportions more or less: with a longer trunk or heavier arms the
same stance has its weight ahead of the toes, and no controller could hold it there.
"""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.character.binding import Binding
from poise.character.character import Character
from poise.character.from_skeleton import character_from_clip
from poise.motion.clip import Clip
from poise.reference.build import legs_of
from poise.reference.legs import LONGEST_REACH
from poise.rotation import Array, Mask

_FARTHEST = 0.15  # of the hips' height: how far the hips may be moved
_LOWEST = 0.5  # of that: how far the hips may sink for it
_OWN = 2e-3  # metres: a body whose joints are that near to the actor's is made from the clip, and stands as he does


def shift_of_hips(
    clip: Clip, binding: Binding, character: Character, turns: Array, position: Array, stance: Mask, scale: float
) -> Array | None:
    """How far (F, 3) to move the root to have the weight above the standing feet as the actor has; None for his own body.

    `turns` (F, S, 4), `position` (F, S, 3) and `stance` (F, feet) are the character's motion so far; `scale` is its size over the
    actor's. One distance along the heading, the median over the clip; and down, as far as legs are then too short to stand.
    """
    standing = stance.any(axis=1)
    actor = character_from_clip(clip, binding=binding)
    if not standing.any() or set(character.feet) != set(actor.feet) or _is_own(character, actor):
        return None
    heading = rotation.about_z(rotation.heading(turns[:, 0]))
    order = [character.feet.index(foot) for foot in actor.feet]
    his = _weight_ahead(actor, binding.segment_rotations(clip), binding.anchor_positions(clip), stance[:, order], heading)
    own = _weight_ahead(character, turns, position, stance, heading)
    most = _FARTHEST * float(np.median(position[:, 0, 2]))
    ahead = float(np.clip(np.median((scale * his - own)[standing]), -most, most))
    shift = rotation.rotate(heading, np.array([ahead, 0.0, 0.0]))
    lack = _lack_of_leg(character, position, stance, shift) - _lack_of_leg(character, position, stance, np.zeros(3))
    return shift - [0.0, 0.0, float(np.clip(lack, 0.0, _LOWEST * most))]


def _lack_of_leg(character: Character, position: Array, stance: Mask, shift: Array) -> float:
    """How much (metres) the hips are too high, moved by a shift (F, 3), for standing legs to reach their ankles; the worst."""
    worst = 0.0
    for foot, leg in legs_of(character).items():
        way = (position[:, leg.foot] - position[:, leg.thigh] - shift)[stance[:, character.feet.index(foot)]]
        reach = np.sqrt(np.maximum((LONGEST_REACH * leg.along) ** 2 - np.sum(way[:, :2] ** 2, axis=-1), 0.0))
        worst = max(worst, float(np.max(-way[:, 2] - reach, initial=0.0)))
    return worst


def _is_own(character: Character, actor: Character) -> bool:
    joints = {s.name: offset for s, offset in zip(character.segments, character.offsets, strict=True)}
    apart = [joints[s.name] - offset for s, offset in zip(actor.segments[1:], actor.offsets[1:], strict=True) if s.name in joints]
    return bool(np.abs(apart).max() < _OWN)


def _weight_ahead(character: Character, turns: Array, position: Array, stance: Mask, heading: Array) -> Array:
    """How far (F,) the centre of mass is in front of the middle of the standing soles, along the heading (F, 4)."""
    com = np.einsum("s,fsi->fi", character.masses, position + rotation.rotate(turns, character.coms)) / character.mass
    feet = [character.index(foot) for foot in character.feet]
    centers = np.array([character.segments[k].box.center for k in feet])
    soles = position[:, feet] + rotation.rotate(turns[:, feet], centers)
    share = stance / np.maximum(stance.sum(axis=1, keepdims=True), 1)
    return rotation.rotate(rotation.conjugate(heading), com - np.einsum("fk,fki->fi", share, soles))[:, 0]
