"""Boxes, masses and soles of segments, fitted to their flesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.character import anthropometry, boxes
from poise.character.character import Box, Vec3, as_quat, as_vec
from poise.rotation import Array

NO_MESH = "it has no mesh of its own: mass and box as a human's"
NO_VOLUME = "its mesh encloses no volume: mass from its box"

_OUTER = 0.03  # of a segment's surface that may stick out of its box at either end
_OUTER_SOLE = 0.01  # the same of a sole
_THINNEST = 0.012  # of the height
_FEWEST = 12  # samples of the surface; a segment with fewer has no flesh of its own
_BOX_FILLED = 0.6  # of a box by the flesh in it, where the mesh does not tell
_EMPTY = 0.02  # of its box: a segment whose mesh encloses less is a shell
_LOW = 0.5  # of the way from the sole to the ankle: what is lower is the sole's outline
_THINNEST_SOLE = 0.015  # of the height


@dataclass(frozen=True)
class Body:
    """The shape and mass of a segment in its own frame; `guess` tells what was not measured, if anything was not."""

    box: Box
    mass: float
    com: Vec3
    inertia: Vec3
    guess: str | None = None


def limb_box(points: Array, area: Array, axis: Array, height: float) -> Box:
    """A box along an axis (3,) around samples (P, 3) of a surface, in the segment's frame; a little of them sticks out."""
    turn = rotation.between([0.0, 0.0, -1.0], axis)
    local = rotation.rotate(rotation.conjugate(turn), points)
    low, high = _span(local, area)
    size = np.maximum(high - low, _THINNEST * height)
    return Box(as_vec(rotation.rotate(turn, 0.5 * (low + high))), as_vec(size), as_quat(turn))


def foot_box(points: Array, area: Array, height: float) -> Box:
    """A foot's box: a flat sole at its lowest point, as long and wide as its lower part, as high as the ankle.

    The samples (P, 3) of the surface are those of foot and shin: heels are often bound to the shin.
    """
    bottom = float(points[:, 2].min())
    thick = max(-bottom, _THINNEST_SOLE * height)
    lower = points[:, 2] <= bottom + _LOW * thick
    low, high = _span(points[lower], area[lower], _OUTER_SOLE)
    middle, size = 0.5 * (low + high), np.maximum(high - low, _THINNEST * height)
    return Box((float(middle[0]), float(middle[1]), bottom + 0.5 * thick), (float(size[0]), float(size[1]), thick))


def has_flesh(points: Array) -> bool:
    """Whether there is enough of a surface (P, 3) to fit a box to it."""
    return len(points) >= _FEWEST


def measured_body(box: Box, inside: Array, volume: float) -> Body | None:
    """Mass, centre of mass and inertia of points (Q, 3) inside the flesh, each of that volume; None where they are too few."""
    whole = volume * len(inside)
    if whole < _EMPTY * float(np.prod(box.size)) or len(inside) < _FEWEST:
        return None
    mass = anthropometry.DENSITY * whole
    com = inside.mean(axis=0)
    local = rotation.rotate(rotation.conjugate(np.array(box.turn)), inside - com)
    x, y, z = (np.mean(local**2, axis=0) + volume ** (2 / 3) / 12).tolist()
    return Body(box, mass, as_vec(com), (mass * (y + z), mass * (x + z), mass * (x + y)))


def filled_body(box: Box) -> Body:
    """A segment whose mesh does not tell its volume: part of its box is filled."""
    mass = anthropometry.DENSITY * _BOX_FILLED * float(np.prod(box.size))
    x, y, z = (s * s for s in box.size)
    return Body(box, mass, box.center, (mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12), NO_VOLUME)


def usual_body(name: str, mass: float, height: float, tips: Array, ankle_height: float) -> Body:
    """A segment without flesh: its box from the joints (n, 3) that hang on it, in its frame, its mass as given."""
    known = name if anthropometry.kind(name) in (*anthropometry.TABLE, "tail") else "tail_1"
    box = boxes.box_of(known, mass, height, tips, ankle_height)
    return Body(box, mass, boxes.centre_of_mass(known, box), boxes.inertia_of(known, mass, box), NO_MESH)


def _span(points: Array, area: Array, outer: float = _OUTER) -> tuple[Array, Array]:
    """The extent along each axis but for a small share of the surface at both ends."""
    low, high = np.empty(3), np.empty(3)
    for i in range(3):
        order = np.argsort(points[:, i], kind="stable")
        share = np.cumsum(area[order]) / area.sum()
        low[i] = points[order[np.searchsorted(share, outer)], i]
        high[i] = points[order[min(np.searchsorted(share, 1.0 - outer), len(order) - 1)], i]
    return low, high
