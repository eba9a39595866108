"""Where the floor is: the lowest level on which the body rests for a while.

The lowest point of every frame is followed; a frame *rests* when that point hardly rises or falls, so that take-offs, swings and
pedals do not count. It may slide: game clips walk on the spot. The floor lies under nearly all resting frames: a twentieth
of them, or 0.3 s of a short clip, may reach lower, which leaves out glitches. Joints and chain tips
are inside the feet: where their level is a little above the file's zero, that zero is the floor; else it is put below them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import BadInput
from poise.rotation import Array

FLOOR_LIMITS_M = (-1000.0, 1000.0)

_REST_SPEED = 0.3  # m/s; twice what a rolling foot does, since the frame rate may be stamped double
_FEW_RESTS = 0.15  # of the frames: too few to go by
_LOWEST_SHARE, _LOWEST_SECONDS, _LARGEST_SHARE = 0.05, 0.3, 0.25
_BAND_M = (-0.02, 0.025)  # around the first guess; the level is the median inside
_HOVER_M, _HOVER_SECONDS = 0.075, 0.5  # more than this above the floor, for longer than that, is told
_REST_SECONDS = 0.2  # at a time; the top of a jump is shorter
_SINK_M, _SINK_SECONDS = 0.05, 0.1
_LONG_SHARE = 0.05  # of the clip
# How far the lowest joints and tips are above the floor, as shares of the body height: a toe's joint is inside the toe.
_LOWEST_TIP, _USUAL_TIP, _HIGHEST_TIP = -0.005, 0.015, 0.05
_SAME_M = 0.0005  # a floor nearer to 0 than this is at 0


@dataclass(frozen=True, eq=False)
class Lowest:
    """Height and vertical speed of the lowest point in every frame: (F,) metres and (F,) m/s."""

    height: Array
    speed: Array

    @property
    def rests(self) -> NDArray[np.bool_]:
        """The frames (F,) in which the lowest point hardly rises or falls; all of them if these are few."""
        still = np.abs(self.speed) < _REST_SPEED
        return still if still.mean() > _FEW_RESTS else np.ones(len(still), bool)


def lowest(points_w: Array, fps: float) -> Lowest:
    """The lowest of the points (F, P, 3), metres, Z up, without a root that stands still while the body moves: a mere handle."""
    fixed = np.ptp(points_w, axis=0).max(axis=-1) == 0.0
    body = points_w[:, 1:] if fixed[0] and not fixed.all() else points_w
    frames, point = np.arange(len(body)), body[..., 2].argmin(axis=1)
    height = body[frames, point, 2]
    if len(body) < 2:
        return Lowest(height, np.zeros(len(body)))
    speed = (body[frames[1:], point[:-1], 2] - height[:-1]) * fps
    return Lowest(height, np.append(speed, speed[-1]))


@dataclass(frozen=True)
class Floor:
    """Height of the floor above the file's zero, and how far the body rests above or reaches below it for long, metres.

    `joints` is the height of the lowest joints and tips while they rest: inside the foot, above the floor.
    """

    level: float
    joints: float
    hovers: float = 0.0
    sinks: float = 0.0

    @property
    def repair(self) -> str | None:
        if abs(self.level) < _SAME_M:
            return None
        return f"moved the floor from {self.level:.3f} m to 0 (--floor)"

    @property
    def warning(self) -> str | None:
        found = [f"rests {self.hovers:.2f} m above"] if self.hovers else []
        found += [f"reaches {self.sinks:.2f} m below"] if self.sinks else []
        if not found:
            return None
        return f"the floor may not be constant: for a part of the clip the body {' and '.join(found)} it; tell with --floor"


def find_floor(low: Lowest, fps: float, height_m: float) -> Floor:
    """The floor under the lowest points of a body of this height, which lie a sole's thickness above it."""
    joints = resting_level(low, fps)
    in_the_foot = _LOWEST_TIP * height_m <= joints <= _HIGHEST_TIP * height_m  # then the file's own zero is the floor
    return floor_at(0.0 if in_the_foot else joints - _USUAL_TIP * height_m, low, fps, joints)


def resting_level(low: Lowest, fps: float) -> float:
    """The lowest level on which the joints and tips rest for a while, metres above the file's zero."""
    height = low.height[low.rests]
    share = np.clip(_LOWEST_SECONDS * fps / len(height), _LOWEST_SHARE, _LARGEST_SHARE)
    guess = float(np.quantile(height, share, method="lower"))
    below, above = _BAND_M
    return float(np.median(height[(height >= guess + below) & (height <= guess + above)]))


def given_floor(level: float | str, low: Lowest, fps: float) -> Floor:
    """The floor that the caller gives: metres above the file's zero, or "keep" for the file's zero."""
    lowest_m, highest_m = FLOOR_LIMITS_M
    try:
        height = 0.0 if level == "keep" else float(level)
    except (ValueError, TypeError):
        raise BadInput(f"floor '{level}' is neither a height in metres nor 'keep'") from None
    if not lowest_m <= height <= highest_m:
        raise BadInput(f"floor {height:g} m must lie between {lowest_m:g} and {highest_m:g}")
    return floor_at(height, low, fps, height)


def floor_at(level: float, low: Lowest, fps: float, joints: float) -> Floor:
    """A floor at this height, with joints that rest at another, and what it means for the body."""
    hover = low.rests & (low.height > joints + _HOVER_M)
    long = [low.height[a:b] - joints for a, b in runs(hover) if b - a > _REST_SECONDS * fps]
    above = np.concatenate(long) if long else np.empty(0)
    hovers = len(above) > max(_HOVER_SECONDS * fps, _LONG_SHARE * len(low.height))
    below = joints - low.height
    sinks = np.sum(below > _SINK_M) > _SINK_SECONDS * fps
    return Floor(level, joints, float(np.median(above)) if hovers else 0.0, float(below.max()) if sinks else 0.0)


def runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Start and stop of every stretch of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    return [(int(start), int(stop)) for start, stop in zip(edges[::2], edges[1::2], strict=True)]
