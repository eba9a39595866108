"""A reference that changes its direction while it runs (da Silva section 6, following different directions)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from poise import rotation
from poise.reference.reference import Reference, table_of
from poise.reference.retarget import SegmentMotion
from poise.rotation import Array

_GROUND = np.array([1.0, 1.0, 0.0])


@dataclass(frozen=True)
class Turn:
    """A change of direction by `angle` (radians about the vertical) that starts `at` and takes `over` seconds."""

    angle: float
    at: float
    over: float

    def of(self, times: Array) -> Array:
        """How far (F,) it has come at some times, radians: slow, fast, slow."""
        share = np.clip((times - self.at) / self.over, 0.0, 1.0)
        return self.angle * share * share * (3.0 - 2.0 * share)


def turned(reference: Reference, turns: Sequence[Turn]) -> Reference:
    """The same motion turned about the vertical through the centre of mass; it goes on in its new direction.

    Joint rotations stay, everything in the world turns, and the way that was made so far is kept. Only what comes after a turn
    depends on it: a turn can be added while a character follows the reference, by making it anew.
    """
    angle = np.sum([turn.of(np.arange(len(reference.table)) / reference.fps) for turn in turns], axis=0)
    if not np.any(angle):
        return reference
    about_z = rotation.about_z(angle)
    place = reference.column("com") * _GROUND
    offset = reference.column("position") - place[:, None]
    motion = SegmentMotion(
        rotation.multiply(about_z[:, None], reference.column("rotation")),
        _way(place, angle)[:, None] + rotation.rotate(about_z[:, None], offset),
        reference.stance,
    )
    return replace(reference, table=table_of(reference.character, motion, reference.fps))


def _way(place: Array, angle: Array) -> Array:
    """A path (F, 3) whose every step is turned by the angle (F,) that is reached by then."""
    between = rotation.about_z(0.5 * (angle[1:] + angle[:-1]))
    steps = rotation.rotate(between, np.diff(place, axis=0))
    return place[0] + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
