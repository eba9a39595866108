"""A motion in one picture: evenly spaced moments side by side."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from poise.errors import BadInput
from poise.motion.clip import Clip
from poise.report import camera, render, sheet
from poise.report.clip_scene import clip_scene
from poise.report.scene import Scene, picked
from poise.report.take_scene import pushes, take_scene
from poise.rotation import Array
from poise.take import Take

AZIMUTH_DEG = -50.0  # seen from the front right
FRAMES = 8
WIDTH = 1600  # pixels
_FEWEST, _MOST = 1, 24
_NARROWEST, _WIDEST = 200, 10000  # pixels
_GIVES_WAY = 0.2  # s: a struck limb is furthest off in the middle of it
_OVERSAMPLE = 2  # drawn larger, then shrunk: smooth edges whatever the OpenGL

Progress = Callable[[float], None]  # takes the share that is done, 0 … 1


def filmstrip(
    take: Take,
    path: str | Path,
    *,
    frames: int = FRAMES,
    ghost: bool = False,
    azimuth_deg: float = AZIMUTH_DEG,
    width: int = WIDTH,
    progress: Progress | None = None,
) -> str | None:
    """Write a PNG of a take, pushes as arrows, with `ghost` the reference behind it; returns a note, if there is one.

    Azimuth is where the viewer stands, about the figure as it faces at first: 0 in front, 90 on its left.
    """
    scene = take_scene(take, moments(take, _checked(frames)), ghost=ghost)
    draw(scene, path, sheet.take_title(take), azimuth_deg, width, progress)
    return render.note(scene)


def clip_filmstrip(
    clip: Clip, path: str | Path, frames: int = FRAMES, azimuth_deg: float = AZIMUTH_DEG, width: int = WIDTH
) -> str | None:
    """Write a PNG of a tidied clip's bones (metres, Z up); returns a note, if there is one."""
    chosen = np.unique(np.round(np.linspace(0, clip.nframes - 1, _checked(frames))).astype(int))
    scene = picked(clip_scene(clip), chosen)
    draw(scene, path, sheet.clip_title(clip), azimuth_deg, width, None)
    return render.note(scene)


def draw(
    scene: Scene, path: str | Path, title: tuple[str, str], azimuth_deg: float, width: int, progress: Progress | None
) -> None:
    """Write a PNG of a scene, one panel per frame, under a title of a name and a remark."""
    _check_view(azimuth_deg, width)
    sight = float(np.rad2deg(scene.facing)) + azimuth_deg + 180.0
    corners = scene.corners()
    across, upright = camera.extent(corners, sight)
    layout = sheet.layout(scene.nframes, across / upright, width)
    view = camera.fit(corners, sight, layout.panel[0] / layout.panel[1])
    drawn = render.pictures(scene, view, layout.panel[0] * _OVERSAMPLE, layout.panel[1] * _OVERSAMPLE, samples=0)
    panels = []
    for pixels in drawn:
        panels.append(pixels)
        if progress:
            progress(len(panels) / scene.nframes)
    sheet.write(path, layout, title, panels, [f"{t:.2f} s" for t in scene.times])


def moments(take: Take, count: int) -> Array:
    """Evenly spaced times of a take, seconds; where a blow would fall between two, the nearest moves into it (not the ends).

    The earlier of two blows goes first, and each moment shows one.
    """
    times = np.linspace(take.times[0], take.times[-1], count)
    free = np.ones(count, bool)
    free[[0, -1]] = count <= 2
    for begin, end in _blows(take):
        middle = float(np.clip(0.5 * (begin + end), take.times[0], take.times[-1]))
        if not (seen := (times >= begin) & (times <= end)).any() and begin <= middle <= end and free.any():
            seen[np.argmin(np.where(free, np.abs(times - middle), np.inf))] = True
            times[seen] = middle
        free[np.flatnonzero(seen)[:1]] = False
    return np.unique(times)


def _blows(take: Take) -> list[tuple[float, float]]:
    """When each push acts, and when what a ball has struck gives way: from and until, seconds."""
    balls = [event["at"] for event in take.events if event.get("type") == "ball"]
    acts = [(event["at"], event["at"] + event["duration"]) for event in pushes(take)]
    return sorted([*acts, *((at, at + _GIVES_WAY) for at in balls)])


def _checked(frames: int) -> int:
    if not isinstance(frames, int | np.integer) or not _FEWEST <= frames <= _MOST:
        raise BadInput(f"a filmstrip of {frames} frames cannot be drawn; ask for {_FEWEST} to {_MOST}")
    return int(frames)


def _check_view(azimuth_deg: float, width: int) -> None:
    if not isinstance(width, int | np.integer) or not _NARROWEST <= width <= _WIDEST:
        raise BadInput(f"a filmstrip {width} pixels wide cannot be drawn; ask for {_NARROWEST} to {_WIDEST}")
    if not isinstance(azimuth_deg, int | float | np.number) or not np.isfinite(azimuth_deg):
        raise BadInput(f"azimuth_deg = {azimuth_deg} must be a number of degrees")
