"""A motion in one picture: evenly spaced moments side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from poise.motion.clip import Clip
from poise.report import camera, render, scene
from poise.report.scene import Scene

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

AZIMUTH_DEG = -50.0  # seen from the front right
WIDTH = 1600  # pixels
_OVERSAMPLE = 2  # drawn larger, then shrunk: smooth edges whatever the OpenGL
_GAP = 6
_MARGIN = 24
_TITLE = 58
_LABEL = 26
_PAPER = (255, 255, 255)
_INK = (38, 44, 56)
_FAINT = (120, 128, 140)


def clip_filmstrip(clip: Clip, path: str | Path, frames: int = 8, azimuth_deg: float = AZIMUTH_DEG) -> None:
    """Write a PNG of a tidied clip's bones. Azimuth is where the viewer stands: 0 in front, 90 on the figure's left."""
    title = clip.name
    detail = f"{clip.duration:.2f} s at {clip.fps:.4g} fps"
    draw(scene.of_clip(clip), title, detail, frames, azimuth_deg).save(path)


def draw(whole: Scene, title: str, detail: str, frames: int, azimuth_deg: float) -> Image:
    """The strip of a scene at `frames` evenly spaced moments, with a title line above and a time under each."""
    from PIL import Image, ImageDraw

    moments = whole.at(np.unique(np.round(np.linspace(0, whole.nframes - 1, frames)).astype(int)))
    sight = np.rad2deg(whole.facing) + azimuth_deg + 180.0
    corners = moments.corners()
    across, upright = camera.extent(corners, sight)
    columns, panel = _layout(moments.nframes, across / upright)
    view = camera.fit(corners, sight, panel[0] / panel[1])
    rows = -(-moments.nframes // columns)
    height = _TITLE + rows * (panel[1] + _LABEL) + _MARGIN // 2
    sheet = Image.new("RGB", (WIDTH, height), _PAPER)
    pen = ImageDraw.Draw(sheet)
    pen.text((_MARGIN, 16), title, _INK, _font(22, bold=True))
    pen.text((_MARGIN + pen.textlength(title, _font(22, bold=True)) + 16, 21), detail, _FAINT, _font(16))
    drawn = render.pictures(moments, view, panel[0] * _OVERSAMPLE, panel[1] * _OVERSAMPLE)
    for k, pixels in enumerate(drawn):
        x = _MARGIN + (k % columns) * (panel[0] + _GAP)
        y = _TITLE + (k // columns) * (panel[1] + _LABEL)
        picture = Image.fromarray(pixels).resize(panel, Image.Resampling.LANCZOS)
        sheet.paste(picture, (x, y), _rounded(panel))
        pen.text((x + panel[0] / 2, y + panel[1] + 4), f"{moments.times[k]:.2f} s", _FAINT, _font(14), anchor="ma")
    return sheet


def _layout(count: int, aspect: float) -> tuple[int, tuple[int, int]]:
    """Panels per row, and the size of one in pixels, for figures of that width over height."""
    aspect = float(np.clip(aspect, 0.45, 1.6))
    columns = count if aspect < 1.0 or count < 4 else -(-count // 2)
    width = (WIDTH - 2 * _MARGIN - (columns - 1) * _GAP) // columns
    return columns, (width, round(min(width / aspect, 480)))


def _font(size: int, bold: bool = False) -> FreeTypeFont:
    """DejaVu Sans, which Matplotlib carries: the same letters on every machine."""
    import matplotlib
    from PIL import ImageFont

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name, size)


def _rounded(size: tuple[int, int]) -> Image:
    from PIL import Image, ImageDraw

    mask = Image.new("L", (size[0] * 4, size[1] * 4), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, size[0] * 4 - 1, size[1] * 4 - 1), 32, 255)
    return mask.resize(size, Image.Resampling.LANCZOS)
