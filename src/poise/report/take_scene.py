"""A take as a scene: the character's boxes or its artist's mesh, things around it, pushes and pulls, the reference as a ghost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise import rotation
from poise.character.character import Box, Character
from poise.character.rig.carried import carried_mesh
from poise.errors import PoiseError
from poise.motion.gltf_document import Document
from poise.motion.gltf_materials import read_surfaces
from poise.report import palette
from poise.report.palette import Color
from poise.report.resample import resampled
from poise.report.scene import LEVEL, Ground, Piece, Scene, Skinned
from poise.rotation import Array
from poise.take import Prop, Take

_ARROW_WIDTH = 0.05
_ARROW_LENGTHS = (0.25, 0.6)  # metres, shortest and longest
_ARROW_NEWTONS_PER_METRE = 700.0
_ARROW_CLEARANCE = 0.04
_PLANE_THICKNESS = 0.02
_GHOST_SIZE = 0.94


def take_scene(take: Take, times: Array, *, ghost: bool = False) -> Scene:
    """Everything that a take shows at some times (seconds); with `ghost`, the reference too, translucent."""
    take = resampled(take, times)
    pieces, skins, note = _figures(take, ghost)
    pieces += [prop_piece(prop) for prop in take.props if not is_ground(prop)]
    pieces += [_push(take, event) for event in pushes(take)] + [_pull(take, event) for event in _of_type(take, "pull")]
    return Scene(tuple(pieces), take.times, float(rotation.heading(take.rotation[0, 0])), ground(take), skins, note)


def _figures(take: Take, ghost: bool) -> tuple[list[Piece], tuple[Skinned, ...], str | None]:
    """The character, and the reference as its ghost: boxes, or the artist's mesh where the character was made from a rig.

    Where the rig is not there any more the boxes are shown, and the sentence says so.
    """
    character, skin, note = take.character, take.character.skin, None
    shown = [(take.position, take.rotation, None)]
    shown += [(take.ref_position, take.ref_rotation, palette.GHOST)] if ghost else []
    if skin:
        try:
            mesh, surfaces = carried_mesh(character, skin), read_surfaces(Document(Path(skin.file)))
            return [], tuple(Skinned(mesh, surfaces, *figure) for figure in shown), None
        except PoiseError as problem:
            note = f"{problem}; boxes were drawn"
    return [piece for figure in shown for piece in boxes(character, *figure)], (), note


def ground(take: Take) -> Ground:
    """What the take stands on: its endless plane, or the level floor."""
    for prop in take.props:
        if is_ground(prop):
            return Ground(tuple(prop.position[0].tolist()), tuple(prop.rotation[0].tolist()))
    return LEVEL


def is_ground(prop: Prop) -> bool:
    """Whether a prop is the endless plane that takes the place of the level floor."""
    return prop.shape == "plane" and not any(prop.size)


def pushes(take: Take) -> list[dict[str, Any]]:
    """The events that put a force on a segment for a while."""
    return _of_type(take, "push")


def prop_piece(prop: Prop) -> Piece:
    """A ball, a stick, a box, or a bounded plane as a thin box below its surface."""
    if prop.shape == "capsule":
        radius, length = prop.size
        return _thing("capsule", np.array([2.0 * radius, 2.0 * radius, length]), prop.position, prop, palette.GROUND)
    if prop.shape == "sphere":
        return _thing("sphere", np.full(3, 2.0 * prop.size[0]), prop.position, prop, palette.BALL)
    if prop.shape == "plane":
        size = np.array([prop.size[0], prop.size[1], _PLANE_THICKNESS])
        sunk = prop.position + rotation.rotate(prop.rotation, [0.0, 0.0, -0.5 * _PLANE_THICKNESS])
        return _thing("box", size, sunk, prop, palette.GROUND)
    return _thing("box", np.array(prop.size, float), prop.position, prop, palette.GROUND)


def boxes(character: Character, position: Array, turn: Array, color: Color | None = None) -> Iterator[Piece]:
    """A character's boxes, from the positions (N, S, 3) and rotations (N, S, 4) of its segments."""
    for k, segment in enumerate(character.segments):
        # A ghost is a little thinner, so that it hides inside the body where the two agree.
        size = np.array(segment.box.size) * (1.0 if color is None else _GHOST_SIZE)
        yield _box(segment.box, size, position[:, k], turn[:, k], color or palette.of_part(segment.name), framed=color is None)


def _box(box: Box, size: Array, position: Array, turn: Array, color: Color, framed: bool) -> Piece:
    n = len(position)
    return Piece(
        "box",
        np.broadcast_to(size, (n, 3)),
        position + rotation.rotate(turn, np.array(box.center)),
        rotation.multiply(turn, np.array(box.turn)),
        color,
        np.ones(n, bool),
        framed,
    )


def _thing(shape: str, size: Array, position: Array, prop: Prop, color: Color) -> Piece:
    sizes = np.broadcast_to(size, position.shape)
    return Piece(shape, sizes, position, prop.rotation, color, prop.visible.astype(bool), framed=False)


def _of_type(take: Take, kind: str) -> list[dict[str, Any]]:
    """The events of a type that act on a segment of the character."""
    return [event for event in take.events if event.get("type") == kind and event.get("body") in take.character.names]


def _push(take: Take, event: dict[str, Any]) -> Piece:
    """An arrow whose tip is at the pushed segment's box, seen while the push lasts."""
    force = np.array(event["force"], float)
    length = float(np.clip(np.linalg.norm(force) / _ARROW_NEWTONS_PER_METRE, *_ARROW_LENGTHS))
    return _arrow(take, event, force, length, -length)


def _pull(take: Take, event: dict[str, Any]) -> Piece:
    """An arrow that leaves the pulled segment's box towards where it is drawn, seen while the pull lasts."""
    return _arrow(take, event, np.array(event["toward"], float), _ARROW_LENGTHS[0], 0.0)


def _arrow(take: Take, event: dict[str, Any], along: Array, length: float, begins: float) -> Piece:
    """An arrow beside the box of an event's segment; it begins so far from the box: behind it, seen along the arrow, below 0."""
    strength = float(np.linalg.norm(along))
    direction = along / strength if strength > 0.0 else np.array([1.0, 0.0, 0.0])
    k = take.character.index(event["body"])
    box = take.character.segments[k].box
    middle = take.position[:, k] + rotation.rotate(take.rotation[:, k], np.array(box.center))
    across = rotation.rotate(rotation.conjugate(rotation.multiply(take.rotation[:, k], np.array(box.turn))), direction)
    reach = 0.5 * np.abs(across) @ np.array(box.size) + _ARROW_CLEARANCE
    start = middle + direction * (begins + (reach if begins >= 0.0 else -reach))[:, None]
    n = len(take.times)
    return Piece(
        "arrow",
        np.broadcast_to([_ARROW_WIDTH, _ARROW_WIDTH, length], (n, 3)),
        start,
        np.broadcast_to(rotation.between([0.0, 0.0, 1.0], direction), (n, 4)),
        palette.PUSH,
        acting(event, take.times) & (strength > 0.0),
    )


def acting(event: dict[str, Any], times: Array) -> NDArray[np.bool_]:
    """At which times (N,) a push or a pull acts; a pull without a duration never lets go."""
    start, duration = float(event["at"]), event.get("duration")
    return (times >= start) & (times <= (np.inf if duration is None else start + float(duration)))
