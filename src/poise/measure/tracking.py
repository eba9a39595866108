"""How well a take follows its reference."""

from __future__ import annotations

import numpy as np

from poise import rotation
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
    """The mean horizontal speed of the soles' middles while they carry weight and the reference wants them to stand."""
    if len(take.times) < 2:
        return 0.0
    speeds = []
    for k, foot in enumerate(take.character.feet):
        s = take.character.index(foot)
        box = take.character.segments[s].box
        middle = np.array([box.center[0], box.center[1], box.center[2] - 0.5 * box.size[2]])
        sole = take.position[:, s] + rotation.rotate(take.rotation[:, s], middle)
        speed = np.linalg.norm(np.diff(sole[:, :2], axis=0), axis=-1) / np.diff(take.times)
        standing = take.stance[1:, k] & take.stance[:-1, k] & (take.contact[1:, k] > _CARRIES * take.character.mass * 9.81)
        speeds.append(speed[standing])
    joined = np.concatenate(speeds)
    return float(joined.mean()) if len(joined) else 0.0


_CARRIES = 0.05  # of the body weight: a foot under less may brush the floor


def _local(take: Take, turns: Array) -> Array:
    parents = np.array(take.character.parents[1:])
    return rotation.multiply(rotation.conjugate(turns[:, parents]), turns[:, 1:])
