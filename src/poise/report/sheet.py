"""Pictures with labels on a white sheet, under a title line; saved as PNG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from poise.files import whole
from poise.measure import summary
from poise.motion.clip import Clip
from poise.take import Take

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

_GAP, _MARGIN, _TITLE, _LABEL, _CORNER = 6, 24, 58, 28, 8  # pixels
_TALLEST = 520  # pixels, of a panel
_ASPECTS = (0.42, 1.8)  # narrowest and widest panel, width over height
_PAPER, _INK, _FAINT = (255, 255, 255), (38, 44, 56), (112, 120, 134)


@dataclass(frozen=True)
class Layout:
    """How many panels there are in a row, and the size in pixels of a panel and of the sheet."""

    columns: int
    panel: tuple[int, int]
    sheet: tuple[int, int]

    def corner(self, number: int) -> tuple[int, int]:
        """The upper left corner of a panel."""
        row, column = divmod(number, self.columns)
        return _MARGIN + column * (self.panel[0] + _GAP), _TITLE + row * (self.panel[1] + _LABEL)


def layout(count: int, aspect: float, width: int) -> Layout:
    """Panels for figures of that width over height: one row, or two where the figures are wide."""
    aspect = float(np.clip(aspect, *_ASPECTS))
    columns = count if aspect < 0.8 or count < 4 else -(-count // 2)
    across = (width - 2 * _MARGIN - (columns - 1) * _GAP) // columns
    # Even numbers of pixels suit every renderer.
    panel = (across // 2 * 2, round(min(across / aspect, _TALLEST)) // 2 * 2)
    rows = -(-count // columns)
    return Layout(columns, panel, (width, _TITLE + rows * (panel[1] + _LABEL) + _MARGIN // 2))


def take_title(take: Take) -> tuple[str, str]:
    """What was simulated, and how it went."""
    return name_of(take), "   ·   ".join(_remarks(take))


def name_of(take: Take) -> str:
    """The name of what was simulated, fit to be shown on one line."""
    return _printable(take.clip.name if take.clip else take.character.name)


def clip_title(clip: Clip) -> tuple[str, str]:
    """The clip's name, and its length."""
    return _printable(clip.name), f"{clip.duration:.2f} s   ·   {clip.fps:.4g} frames/s   ·   {clip.skeleton.njoints} joints"


def write(
    path: str | Path, layout: Layout, title: tuple[str, str], panels: Sequence[NDArray[np.uint8]], labels: Sequence[str]
) -> None:
    """Write the sheet; panels are shrunk to the layout's size, each with its label below."""
    from PIL import Image, ImageDraw

    sheet = Image.new("RGB", layout.sheet, _PAPER)
    pen = ImageDraw.Draw(sheet)
    _write_title(pen, title, layout.sheet[0])
    mask = _rounded(layout.panel)
    for number, (pixels, label) in enumerate(zip(panels, labels, strict=True)):
        x, y = layout.corner(number)
        sheet.paste(Image.fromarray(pixels).resize(layout.panel, Image.Resampling.LANCZOS), (x, y), mask)
        pen.text((x + layout.panel[0] / 2, y + layout.panel[1] + 5), label, _FAINT, _font(14), anchor="ma")
    with whole(path) as draft:
        sheet.save(draft, format="PNG")


def _printable(name: str) -> str:
    """Clips are named after their files, and files may be called anything."""
    return "".join(c if c.isprintable() else "?" for c in name)


def _remarks(take: Take) -> list[str]:
    told = summary(take)
    if told["fell_at_s"] is not None:
        outcome = f"fell at {told['fell_at_s']:.2f} s"
    else:
        outcome = "completed" if told["completed"] else "cut short"
    control = [f"{told['controller']} controller"] if told["controller"] else []
    receipt = told["help"]
    helped = f"help {receipt['torque_mean_nm']:.0f} Nm, {100 * receipt['force_mean_bw']:.0f} % of body weight"
    return [*control, outcome, f"joint error {told['joint_error_deg']['mean']:.1f}°", helped]


def _write_title(pen: Any, title: tuple[str, str], width: int) -> None:
    """The name in bold, the rest fainter after it; a name too long for the sheet is cut short."""
    bold, fine = _font(22, bold=True), _font(15)
    room = width - 2 * _MARGIN
    name = title[0]
    while len(name) > 1 and pen.textlength(name, bold) > room:
        name = name[:-2].rstrip("…") + "…"
    pen.text((_MARGIN, 42), name, _INK, bold, anchor="ls")
    after = _MARGIN + pen.textlength(name, bold) + 18
    if after + pen.textlength(title[1], fine) <= width - _MARGIN:
        pen.text((after, 42), title[1], _FAINT, fine, anchor="ls")


def _font(size: int, bold: bool = False) -> FreeTypeFont:
    """DejaVu Sans, which Matplotlib carries: the same letters on every machine."""
    import matplotlib
    from PIL import ImageFont

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name, size)


def _rounded(size: tuple[int, int]) -> Image:
    """A mask of that size with round corners."""
    from PIL import Image, ImageDraw

    large = Image.new("L", (4 * size[0], 4 * size[1]), 0)
    ImageDraw.Draw(large).rounded_rectangle((0, 0, 4 * size[0] - 1, 4 * size[1] - 1), 4 * _CORNER, 255)
    return large.resize(size, Image.Resampling.LANCZOS)
