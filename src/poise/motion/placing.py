"""Moves clips between the coordinates of their file and the tidied ones: metres, Z up, floor at 0."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise import rotation
from poise.motion.clip import Clip, Placement
from poise.motion.skeleton import Skeleton
from poise.rotation import Array


def place(clip: Clip, step: Placement) -> Clip:
    """The clip in other coordinates, p_new = scale * turn(p_old) + shift, as though it had been recorded in them.

    Joint frames turn with the world: offsets o become R o, local rotations q become R q R^-1, so that a rotation of zero stays
    zero. The shift goes to the root. `placement` then tells the way from the file to the new coordinates.
    """
    matrix = rotation.to_matrix(step.turn)
    translations = step.scale * (clip.translations @ matrix.T)
    translations[:, 0] += step.shift
    return clip.with_(
        skeleton=_placed_skeleton(clip.skeleton, step.scale * matrix),
        rotations=np.concatenate([clip.rotations[..., :1], clip.rotations[..., 1:] @ matrix.T], axis=-1),
        translations=translations,
        placement=_after(clip.placement, step),
        lead_in=place(clip.lead_in, step) if clip.lead_in else None,
    )


def untidy(clip: Clip) -> Clip:
    """The clip in the units and axes of its file; the frame rate and `lead_in` stay."""
    there = clip.placement
    back = rotation.conjugate(there.turn)
    shift = -rotation.rotate(back, there.shift) / there.scale
    placed = place(clip, Placement(1.0 / there.scale, _four(back), _three(shift)))
    lead_in = placed.lead_in.with_(placement=Placement()) if placed.lead_in else None
    return replace(placed, placement=Placement(), lead_in=lead_in)


def _placed_skeleton(skeleton: Skeleton, scaled_turn: Array) -> Skeleton:
    ends = tuple((joint, _three(scaled_turn @ offset)) for joint, offset in skeleton.ends)
    return replace(skeleton, offsets=skeleton.offsets @ scaled_turn.T, ends=ends)


def _after(first: Placement, second: Placement) -> Placement:
    """One placement that does what the two do one after the other."""
    shift = second.scale * rotation.rotate(second.turn, first.shift) + second.shift
    return Placement(second.scale * first.scale, _four(rotation.multiply(second.turn, first.turn)), _three(shift))


def _three(v: Array) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])


def _four(q: Array) -> tuple[float, float, float, float]:
    return float(q[0]), float(q[1]), float(q[2]), float(q[3])
