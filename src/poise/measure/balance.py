"""Whether and when a take falls (docs/conventions.md)."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.rotation import Array, Mask
from poise.take import Take

LOW_SHARE = 0.7  # of the reference's height of the centre of mass
LEAN_DEG = 60.0  # of the chest from the reference's
SUSTAINED = 0.3  # s
AT_THE_END = 0.1  # s: is enough where the run then ends, as nothing shows that it came back


def fell_at_s(take: Take) -> float | None:
    """When the fall began: the centre of mass too low or the chest too far off, for 0.3 s or at the end; None for no fall."""
    bad = _too_low(take) | _leaning(take)
    since = None
    for time, is_bad in zip(take.times, bad, strict=True):
        since = (time if since is None else since) if is_bad else None
        if since is not None and time - since >= SUSTAINED:
            return float(since)
    return float(since) if since is not None and take.times[-1] - since >= AT_THE_END else None


def _too_low(take: Take) -> Mask:
    return take.com[:, 2] - _ground_height(take) < LOW_SHARE * take.ref_com[:, 2]


def _ground_height(take: Take) -> Array:
    """The height (N,) of slope or platform below the centre of mass; the reference has its floor at zero."""
    for prop in reversed(take.props):
        if prop.name in ("platform", "ground"):
            normal = rotation.rotate(prop.rotation, [0.0, 0.0, 1.0])
            top = prop.position + normal * (0.5 * prop.size[2] if prop.size else 0.0)
            return top[:, 2] - np.sum(normal[:, :2] * (take.com - top)[:, :2], axis=1) / normal[:, 2]
    return np.zeros(len(take.times))


def _leaning(take: Take) -> Mask:
    chest = take.character.names.index("chest") if "chest" in take.character.names else 0
    return np.degrees(rotation.angle_between(take.rotation[:, chest], take.ref_rotation[:, chest])) > LEAN_DEG
