"""The character, its ghost, the balls and the ground as nodes of a viser scene.

Everything hangs below one frame that is moved against the character's way, so that the camera keeps it in sight while
the user is free to look around.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from poise import rotation
from poise.character.character import Character
from poise.report import palette
from poise.report.mesh import rounded_box, soft_radius
from poise.rotation import Array
from poise.studio.skin import SkinDrawing
from poise.studio.snapshot import Snapshot

STAGE = "/stage"
_GHOST_OPACITY, _GHOST_SIZE = 0.3, 0.97
_SEE_THROUGH = 0.35
_FOLLOW = 0.15  # of the gap that the stage closes in each frame: smooth, half a second behind a walk
_BALLS = 8
_BALL_SIZE = 0.13  # m, before it is known: a browser may show a ball some frames before it hears of its size
_ENVIRONMENT = 0.4  # of the light from all sides: more washes the colours out

Color = tuple[int, int, int]
Drag = Callable[[str, Any], None]  # the segment's name, the drag event of viser


def rgb(color: palette.Color) -> Color:
    """A colour of the palette as viser takes it, 0 to 255."""
    return (round(255 * color[0]), round(255 * color[1]), round(255 * color[2]))


class Drawing:
    """Nodes of the scene, made anew when another character comes, else only moved."""

    def __init__(self, scene: Any, on_drag: Drag) -> None:
        self.follows, self.shows_ghost, self.see_through, self.shows_skin = True, False, False, True
        self.shows_auxiliary = True
        self._scene, self._on_drag = scene, on_drag
        scene.configure_environment_map("studio", environment_intensity=_ENVIRONMENT)
        self._stage = scene.add_frame(STAGE, show_axes=False)
        scene.add_grid(
            f"{STAGE}/ground",
            infinite_grid=True,
            cell_size=0.5,
            section_size=1.0,
            cell_color=(214, 219, 226),
            section_color=(182, 189, 200),
            fade_distance=30.0,
            shadow_opacity=0.25,
            plane_color=(236, 239, 244),
            plane_opacity=1.0,
        )
        self._character: Character | None = None
        self._skin = SkinDrawing(scene, STAGE)
        self._bodies: list[Any] = []
        self._ghosts: list[Any] = []
        self._twins: list[Any] = []
        self._balls = [
            scene.add_icosphere(f"{STAGE}/ball_{k}", 1.0, rgb(palette.BALL), scale=_BALL_SIZE, visible=False)
            for k in range(_BALLS)
        ]
        self.middle = np.zeros(3)  # the place of the world at the middle of the view

    def show(self, now: Snapshot) -> None:
        """Brings all nodes to where they are now."""
        if now.character is not self._character:
            self._cast(now.character)
            self.middle[:2] = now.com[:2]
        if self.follows:
            self.middle[:2] += _FOLLOW * (now.com[:2] - self.middle[:2])
        self._stage.position = -self.middle
        self._pose(self._bodies, now.character, now.position, now.rotation)
        skinned = self._skin.show(now.position, now.rotation, visible=self.shows_skin)
        for body in self._bodies:
            body.opacity = 0.0 if skinned else _SEE_THROUGH if self.see_through else None  # unseen, but still to be grasped
            body.cast_shadow = not skinned
        self._haunt(self._ghosts, now, (now.ref_position, now.ref_rotation) if self.shows_ghost else None)
        self._haunt(self._twins, now, now.auxiliary if self.shows_auxiliary else None)
        for k, node in enumerate(self._balls):
            node.visible = k < len(now.balls)
            if k < len(now.balls):
                node.position, node.wxyz, node.scale = now.balls[k].position, now.balls[k].rotation, now.balls[k].radius

    def _haunt(self, ghosts: list[Any], now: Snapshot, place: tuple[Array, Array] | None) -> None:
        """Shows a ghost of the character where it is, or hides it."""
        for ghost in ghosts:
            ghost.visible = place is not None
        if place is not None:
            self._pose(ghosts, now.character, *place)

    def in_world(self, point: Any) -> Array:
        """A point of the view (3,) as a point of the simulated world."""
        return np.asarray(point, float) + self.middle

    def _cast(self, character: Character) -> None:
        for node in (*self._bodies, *self._ghosts, *self._twins):
            node.remove()
        self._character = character
        self._skin.cast(character)
        self._bodies = [self._solid(character, k, "body", None) for k in range(character.nsegments)]
        self._ghosts = [self._solid(character, k, "ghost", rgb(palette.GHOST)) for k in range(character.nsegments)]
        self._twins = [self._solid(character, k, "auxiliary", rgb(palette.AUXILIARY)) for k in range(character.nsegments)]
        for segment, node in zip(character.segments, self._bodies, strict=True):
            self._make_draggable(segment.name, node)

    def _solid(self, character: Character, k: int, kind: str, color: Color | None) -> Any:
        segment = character.segments[k]
        size = np.array(segment.box.size) * (_GHOST_SIZE if color else 1.0)
        mesh = rounded_box(size, soft_radius(size))
        return self._scene.add_mesh_simple(
            f"{STAGE}/{kind}_{k}",
            mesh.vertices,
            mesh.triangles,
            color=color or rgb(palette.of_part(segment.name)),
            opacity=_GHOST_OPACITY if color else None,
            cast_shadow=color is None,
            receive_shadow=color is None,
        )

    def _make_draggable(self, name: str, node: Any) -> None:
        @node.on_drag
        async def _(event: Any) -> None:  # async: viser keeps the order of such callbacks only
            self._on_drag(name, event)

    def _pose(self, nodes: list[Any], character: Character, position: Array, turn: Array) -> None:
        centers = position + rotation.rotate(turn, np.array([s.box.center for s in character.segments]))
        turns = rotation.multiply(turn, np.array([s.box.turn for s in character.segments]))
        for node, center, wxyz in zip(nodes, centers, turns, strict=True):
            node.position, node.wxyz = center, wxyz
