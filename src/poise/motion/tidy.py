"""Makes every clip alike: metres, Z up, floor at height 0, true frame rate, no added pose in front.

Every step is a guess from the motion itself, is told in the findings, and can be overruled by an argument; see docs/tidy.md.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from poise import rotation
from poise.errors import BadInput
from poise.motion import first_frame
from poise.motion.clip import Clip, Placement
from poise.motion.doubts import doubts
from poise.motion.floor import find_floor, given_floor, lowest
from poise.motion.floor_tilt import LEVEL, find_tilt
from poise.motion.frame_rate import given_rate, judge_rate
from poise.motion.glitches import mend
from poise.motion.landmarks import body_height, landmarks, mass_center, points
from poise.motion.leaps import rejoin
from poise.motion.placing import place, untidy
from poise.motion.units import find_units, given_units
from poise.motion.up_axis import find_up, given_up

__all__ = ["Findings", "tidy", "untidy"]


@dataclass(frozen=True)
class Findings:
    """What tidy understood. `repairs` tells what it changed, `warnings` what it could not decide, one sentence each."""

    units: str  # m, cm …; "given" as a number, or "body" where no unit fits and the body was scaled
    scale: float  # metres per file unit
    up: str
    floor: float  # height of the floor above the file's zero, metres
    fps: float
    stamped_fps: float
    dropped_first_frame: bool
    height_m: float  # along the bones, from the ankles to the top of the head
    repairs: tuple[str, ...]
    warnings: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The same as a dictionary that JSON can hold."""
        return asdict(self) | {"repairs": list(self.repairs), "warnings": list(self.warnings)}


def tidy(
    clip: Clip,
    *,
    units: str | float | None = None,
    up: str | None = None,
    floor: float | str | None = None,
    fps: float | None = None,
    keep_first_frame: bool | None = None,
    keep_jumps: bool | None = None,
) -> tuple[Clip, Findings]:
    """The clip in metres, Z up, floor at 0, and what was found and done. None means: find out.

    units: a name (m, dm, cm, mm, inch, foot, cmu) or metres per file unit. up: x, y, z, -x, -y or -z. floor: its height above the
    file's zero in metres, or "keep" for the file's zero. fps: the true frame rate. keep_first_frame: False takes it off.
    keep_jumps: True leaves jumps of the motion as they are.
    """
    if not isinstance(clip, Clip):
        raise BadInput(f"tidy takes a Clip, not {clip!r}; read the file first, with poise.read")
    up = up or clip.up
    added = _added(clip, keep_first_frame)
    motion = first_frame.without_first_frames(clip, added)
    marks, points_f = landmarks(motion), points(motion)
    height = body_height(points_f, marks)
    unit = find_units(height) if units is None else given_units(units, height)
    axis = find_up(points_f, clip.skeleton, marks, height) if up is None else given_up(up)
    points_w = unit.scale * (points_f @ rotation.to_matrix(axis.turn).T)
    tilt = find_tilt(points_w, clip.fps) if floor is None else LEVEL
    points_w = points_w @ rotation.to_matrix(tilt.turn).T
    low = lowest(points_w, clip.fps)
    ground = find_floor(low, clip.fps, unit.height_m) if floor is None else given_floor(floor, low, clip.fps)
    center = mass_center(points_w, marks)[:, 2]
    clearance = low.height - ground.joints
    rate = judge_rate(center, clearance, clip.fps, unit.plausible) if fps is None else given_rate(fps, clip.fps)
    turn = rotation.multiply(tilt.turn, axis.turn).tolist()
    placed = _at_rate(place(motion, Placement(unit.scale, tuple(turn), (0.0, 0.0, -ground.level))), rate.fps)
    joined, leaps = (placed, None) if keep_jumps else rejoin(placed)
    tidied, jumps = (joined, None) if keep_jumps else mend(joined)
    repairs = (first_frame.sentence(added), unit.repair, axis.repair, tilt.repair, ground.repair, rate.repair, jumps)
    warnings = (unit.warning, axis.warning, ground.warning, rate.warning, leaps)
    return tidied, Findings(
        units=unit.name,
        scale=unit.scale,
        up=axis.name,
        floor=ground.level,
        fps=rate.fps,
        stamped_fps=rate.stamped,
        dropped_first_frame=added > 0,
        height_m=unit.height_m,
        repairs=tuple(repair for repair in repairs if repair),
        warnings=(*(warning for warning in warnings if warning), *doubts(tidied)),
    )


def _added(clip: Clip, keep_first_frame: bool | None) -> int:
    """How many frames to take off the front; at least one where that was asked for and another is left."""
    if keep_first_frame or clip.nframes == 1:
        return 0
    return max(first_frame.added_frames(clip), keep_first_frame is False)


def _at_rate(clip: Clip, fps: float) -> Clip:
    return clip.with_(fps=fps, up="z", lead_in=clip.lead_in.with_(fps=fps) if clip.lead_in else None)
