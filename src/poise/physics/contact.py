"""Contacts of the character with ground and props, and the support polygon they span."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from poise.rotation import Array

if TYPE_CHECKING:
    from poise.physics.world import World


@dataclass(frozen=True, eq=False)
class Contacts:
    """Points (C, 3), the forces on the character there (C, 3), and the segment of each (C,). World frame."""

    point: Array
    force: Array
    segment: Array

    def of(self, segments: Array) -> Contacts:
        """Only those of some segments, the feet for instance."""
        keep = np.isin(self.segment, segments)
        return Contacts(self.point[keep], self.force[keep], self.segment[keep])

    @property
    def support_polygon(self) -> Array:
        """The convex hull of the points seen from above, counter-clockwise (n, 2); fewer than three points stay as they are."""
        return convex_hull(self.point[:, :2])


def read_contacts(world: World) -> Contacts:
    """The contacts of the last step that carry a force."""
    data, model = world.data, world.model
    points, forces, segments = [], [], []
    wrench = np.zeros(6)
    for k in range(data.ncon):
        contact = data.contact[k]
        first, second = (int(model.geom_bodyid[g]) for g in contact.geom)
        own = [b for b in (first, second) if 1 <= b <= world.character.nsegments]
        if len(own) != 1 or contact.efc_address < 0:
            continue
        mujoco.mj_contactForce(model, data, k, wrench)
        push = contact.frame.reshape(3, 3).T @ wrench[:3]  # of the first body on the second
        points.append(contact.pos.copy())
        forces.append(push if own[0] == second else -push)
        segments.append(own[0] - 1)
    return Contacts(np.array(points).reshape(-1, 3), np.array(forces).reshape(-1, 3), np.array(segments, int))


def convex_hull(points: Array) -> Array:
    """Andrew's monotone chain: the hull of points (n, 2), counter-clockwise."""
    ordered = np.unique(points.round(9), axis=0)
    if len(ordered) < 3:
        return ordered
    return np.array(_half_hull(ordered)[:-1] + _half_hull(ordered[::-1])[:-1])


def _half_hull(points: Array) -> list[Array]:
    hull: list[Array] = []
    for p in points:
        while len(hull) > 1:
            (ax, ay), (bx, by) = hull[-1] - hull[-2], p - hull[-2]
            if ax * by - ay * bx > 0:
                break
            hull.pop()
        hull.append(p)
    return hull


def inside_polygon(point: Array, polygon: Array) -> float:
    """How deep (metres) a point lies inside a counter-clockwise polygon (n, 2); negative outside."""
    edge = np.roll(polygon, -1, axis=0) - polygon
    length = np.maximum(np.linalg.norm(edge, axis=-1), 1e-12)
    gap = point[:2] - polygon
    return float(np.min((edge[:, 0] * gap[:, 1] - edge[:, 1] * gap[:, 0]) / length))
