"""What is seen of the balance: support polygon, centre of mass, support point, centre of pressure, forces.

Shapes that change are given near a node's own place, and the node is moved: a browser moves nodes at once but may be some
frames late with new shapes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.report import palette
from poise.rotation import Array
from poise.studio.drawing import STAGE, Color, rgb
from poise.studio.snapshot import Snapshot

NAMES = ("support polygon", "centre of mass", "support point", "centre of pressure", "forces")
_LIFT = 0.006  # m above the ground, so that it does not flicker
_NEWTONS_PER_METRE = 500.0
_POLYGON, _COM, _SUPPORT, _PRESSURE = (60, 170, 90), (35, 35, 45), (130, 80, 220), (230, 60, 90)
_NO_LINE = np.zeros((1, 2, 3))


class Overlays:
    """Marks that can be switched on and off by name; `shown` says which."""

    def __init__(self, scene: Any) -> None:
        self.shown: dict[str, bool] = dict.fromkeys(NAMES, True)
        self._polygon = _Polygon(scene)
        self._com = scene.add_icosphere(f"{STAGE}/com", radius=0.035, color=_COM, cast_shadow=False)
        self._plumb = scene.add_cylinder(f"{STAGE}/plumb", radius=0.004, height=1.0, color=_COM, cast_shadow=False)
        self._below = _disc(scene, "below", _COM)
        self._support, self._pressure = _disc(scene, "support", _SUPPORT), _disc(scene, "pressure", _PRESSURE)
        red = rgb(palette.PUSH)
        self._forces = scene.add_arrows(f"{STAGE}/forces", _NO_LINE, red, shaft_radius=0.012, head_radius=0.035)
        self._grip = scene.add_line_segments(f"{STAGE}/grip", _NO_LINE, red, thickness=0.01)

    def show(self, now: Snapshot) -> None:
        """Brings all marks to where they are now."""
        self._polygon.show(now.support_polygon, self.shown["support polygon"])
        self._show_com(now.com, self.shown["centre of mass"])
        _place(self._support, now.support_point, self.shown["support point"])
        _place(self._pressure, now.center_of_pressure, self.shown["centre of pressure"])
        self._show_forces(now, self.shown["forces"])

    def _show_com(self, com: Array, shown: bool) -> None:
        for node in (self._com, self._plumb, self._below):
            node.visible = shown
        self._com.position = com
        self._plumb.position = (com[0], com[1], 0.5 * com[2])
        self._plumb.scale = (1.0, 1.0, float(np.round(com[2], 2)))
        self._below.position = (com[0], com[1], _LIFT)

    def _show_forces(self, now: Snapshot, shown: bool) -> None:
        """Arrows that end where the forces act, and the line from a grip to the pointer."""
        self._forces.visible = shown and bool(now.forces)
        self._forces.position = self._grip.position = now.com
        if now.forces:
            arrows = [(at - force / _NEWTONS_PER_METRE, at) for at, force in now.forces]
            self._forces.points = np.array(arrows - now.com, np.float32)
        self._grip.visible = now.grip is not None
        if now.grip:
            self._grip.points = np.array([now.grip] - now.com, np.float32)


class _Polygon:
    """An area and its edge."""

    def __init__(self, scene: Any) -> None:
        triangle = np.zeros((3, 3)), np.array([[0, 1, 2]])
        look = {"color": _POLYGON, "opacity": 0.35, "side": "double", "cast_shadow": False, "receive_shadow": False}
        self._area = scene.add_mesh_simple(f"{STAGE}/polygon", *triangle, **look)
        self._edge = scene.add_line_segments(f"{STAGE}/polygon_edge", _NO_LINE, _POLYGON, thickness=0.008)

    def show(self, polygon: Array, shown: bool) -> None:
        n = len(polygon)
        self._area.visible, self._edge.visible = shown and n > 2, shown and n > 1
        if n < 2:
            return
        middle = polygon.mean(axis=0)
        self._area.position = self._edge.position = (*middle, _LIFT)
        # To the millimetre, so that a foot that stands still sends nothing new.
        corners = np.column_stack([(polygon - middle).round(3), np.zeros(n)]).astype(np.float32)
        self._edge.points = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
        if n > 2:
            self._area.vertices = corners
            self._area.faces = np.array([[0, k, k + 1] for k in range(1, n - 1)], np.uint32)


def _disc(scene: Any, name: str, color: Color) -> Any:
    return scene.add_cylinder(f"{STAGE}/{name}", radius=0.025, height=0.004, color=color, cast_shadow=False)


def _place(node: Any, point: Array | None, shown: bool) -> None:
    node.visible = shown and point is not None
    if point is not None:
        node.position = (point[0], point[1], 1.5 * _LIFT)
