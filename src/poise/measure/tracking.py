"""How well a take follows its reference."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.character.soles import sole_corners
from poise.rotation import Array
from poise.take import Take


def joint_error_deg(take: Take) -> Array:
    """The angle between simulated and reference joint rotations (N, S - 1), degrees. The root has no joint."""
    own, ref = _local(take, take.rotation), _local(take, take.ref_rotation)
    return np.degrees(rotation.angle_between(own, ref))


def com_error_m(take: Take) -> Array:
    """The distance of the centre of mass from the reference's (N,), metres."""
    return np.linalg.norm(take.com - take.ref_com, axis=-1)


def foot_slide_m_s(take: Take) -> float:
    """The mean horizontal speed of soles that carry weight while the reference wants them to stand.

    It is taken at the lowest corner of the sole: a foot that rolls over its toes does not slide.
    """
    if len(take.times) < 2:
        return 0.0
    joined = np.concatenate([_slide(take, k, take.character.index(foot)) for k, foot in enumerate(take.character.feet)])
    return float(joined.mean()) if len(joined) else 0.0


def _slide(take: Take, k: int, s: int) -> Array:
    """Speeds of the lowest corner of one sole, for the samples in which it stands."""
    points = take.position[:, s, None] + rotation.rotate(take.rotation[:, s, None], sole_corners(take.character.segments[s]))
    speed = np.linalg.norm(np.diff(points[..., :2], axis=0), axis=-1) / np.diff(take.times)[:, None]
    lower = points[1:, :, 2].argmin(axis=1)
    standing = take.stance[1:, k] & take.stance[:-1, k] & (take.contact[1:, k] > _CARRIES * take.character.mass * 9.81)
    return speed[np.arange(len(lower)), lower][standing]


_CARRIES = 0.05  # of the body weight: a foot under less may brush the floor


def _local(take: Take, turns: Array) -> Array:
    parents = np.array(take.character.parents[1:])
    return rotation.multiply(rotation.conjugate(turns[:, parents]), turns[:, 1:])
