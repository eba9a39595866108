"""Measures of authored clips: where the soles are, what they stand on, where the ground would have to push, how joints bend.

Clips are tidied (metres, Z up). Masses are Poise's own: the character that is built from the clip's skeleton.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poise import rotation
from poise.character.binding import bind
from poise.motion.clip import Clip
from poise.reference.reference import Reference

GRAVITY = 9.81
SIDES = ("Left", "Right")
HEEL_M, HEEL_HALF_WIDTH_M, BALL_HALF_WIDTH_M = 0.062, 0.03, 0.045  # of a foot of 0.27 m
ON_FLOOR_M = 0.008  # a point of the sole that is lower carries weight


@dataclass(frozen=True, eq=False)
class Performance:
    """A clip's reference on Poise's character."""

    reference: Reference

    @property
    def clip(self) -> Clip:
        assert self.reference.clip is not None
        return self.reference.clip

    def joint(self, name: str) -> np.ndarray:
        """World positions (F, 3)."""
        return self.clip.world_positions[:, self.clip.skeleton.index(name)]

    def turn(self, name: str) -> np.ndarray:
        """World rotations (F, 4)."""
        return self.clip.world_rotations[:, self.clip.skeleton.index(name)]

    def bend_deg(self, name: str) -> np.ndarray:
        """Angle (F,) of a joint against its T-pose, where all joints are straight."""
        return np.degrees(np.linalg.norm(rotation.log(self.clip.rotations[:, self.clip.skeleton.index(name)]), axis=-1))

    @cached_property
    def soles(self) -> np.ndarray:
        """(F, 2, 6, 3) outer and inner edge of heel, ball and toe tip of both feet."""
        return np.stack([self._sole(side) for side in SIDES], axis=1)

    def _sole(self, side: str) -> np.ndarray:
        # Joint frames are parallel to the world in the T-pose: x left, -y forward, z up.
        ball = self.clip.skeleton.offsets[self.clip.skeleton.index(f"{side}ToeBase")]
        tip = dict(self.clip.skeleton.ends)[self.clip.skeleton.index(f"{side}ToeBase")]
        ankle_height = self.joint(f"{side}Foot")[:, 2].min()
        points = []
        for edge in (1.0, -1.0):
            points.append((f"{side}Foot", (edge * HEEL_HALF_WIDTH_M, HEEL_M, -ankle_height)))
            points.append((f"{side}ToeBase", (edge * BALL_HALF_WIDTH_M, 0.0, -(ankle_height + ball[2]))))
            points.append((f"{side}ToeBase", (edge * HEEL_HALF_WIDTH_M, tip[1], tip[2])))
        return np.stack([self.joint(j) + rotation.rotate(self.turn(j), offset) for j, offset in points], axis=1)

    @cached_property
    def flat(self) -> np.ndarray:
        """(F, 2) the whole sole is on the floor."""
        return (self.soles[..., 2] < ON_FLOOR_M).all(axis=2)

    @cached_property
    def sole_speed(self) -> np.ndarray:
        """(F, 2) speed of each foot's slowest sole point, m/s."""
        return np.linalg.norm(np.gradient(self.soles, 1 / self.clip.fps, axis=0), axis=-1).min(axis=2)

    @cached_property
    def sole_tilt_deg(self) -> np.ndarray:
        """(F, 2) angle of each foot to the floor."""
        up = np.stack([rotation.rotate(self.turn(f"{side}Foot"), [0.0, 0.0, 1.0])[:, 2] for side in SIDES], axis=1)
        return np.degrees(np.arccos(np.clip(up, -1.0, 1.0)))

    @cached_property
    def links(self) -> tuple[np.ndarray, np.ndarray]:
        """World rotations (F, S, 4) and centres of mass (F, S, 3) of the character's segments."""
        binding = bind(self.clip)
        turns = binding.segment_rotations(self.clip)
        return turns, binding.anchor_positions(self.clip) + rotation.rotate(turns, self.reference.character.coms)

    @cached_property
    def com(self) -> np.ndarray:
        """(F, 3) centre of mass."""
        character = self.reference.character
        return character.masses / character.mass @ self.links[1]

    @cached_property
    def zmp(self) -> np.ndarray:
        """(F, 2) zero-moment point on the floor: where the ground's push has no horizontal moment."""
        character, (turns, links) = self.reference.character, self.links
        push = character.masses[:, None] * (self._rate(self._rate(links)) + np.array([0.0, 0.0, GRAVITY]))
        matrix = rotation.to_matrix(turns)
        inertia = matrix @ character.inertias @ np.swapaxes(matrix, -1, -2)
        spin = np.einsum("fsij,fsj->fsi", inertia, rotation.angular_velocity(turns, self.clip.fps))
        moment = np.sum(np.cross(links, push) + self._rate(spin), axis=1)
        return np.column_stack([-moment[:, 1], moment[:, 0]]) / push.sum(axis=1)[:, 2:]

    def _rate(self, rows: np.ndarray) -> np.ndarray:
        return np.gradient(rows, 1 / self.clip.fps, axis=0)

    def off_support_m(self, point: np.ndarray) -> np.ndarray:
        """(F,) how far a floor point (F, 2) lies outside of the area between the sole points on the floor; inf in flight."""
        low = self.soles[..., 2] < ON_FLOOR_M
        return np.array([distance_outside(point[f], self.soles[f][low[f]][:, :2]) for f in range(len(point))])


def distance_outside(point: np.ndarray, cloud: np.ndarray) -> float:
    """How far a point lies outside of the convex hull of a cloud (n, 2), 0 inside; inf for an empty cloud."""
    if len(cloud) == 0:
        return np.inf
    hull = _hull(cloud)
    starts, ends = hull, np.roll(hull, -1, axis=0)
    edge, to_point = ends - starts, point - starts
    if len(hull) > 2 and np.all(edge[:, 0] * to_point[:, 1] - edge[:, 1] * to_point[:, 0] >= 0.0):
        return 0.0
    share = np.clip(np.sum(to_point * edge, axis=1) / np.maximum(np.sum(edge**2, axis=1), 1e-12), 0.0, 1.0)
    return float(np.linalg.norm(to_point - share[:, None] * edge, axis=1).min())


def _hull(cloud: np.ndarray) -> np.ndarray:
    """Counter-clockwise corners of the convex hull (Andrew's monotone chain)."""
    points = np.unique(np.round(cloud, 6), axis=0)
    if len(points) < 3:
        return points
    return np.array(_chain(points)[:-1] + _chain(points[::-1])[:-1])


def _chain(points: np.ndarray) -> list[np.ndarray]:
    chain: list[np.ndarray] = []
    for p in points:
        while len(chain) > 1:
            a, b = chain[-1] - chain[-2], p - chain[-1]
            if a[0] * b[1] - a[1] * b[0] > 0:
                break
            chain.pop()
        chain.append(p)
    return chain
