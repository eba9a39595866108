"""A take as an MP4 film (H.264), seen by a camera that goes along calmly."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import BadInput
from poise.files import whole
from poise.report import camera, render
from poise.report.filmstrip import AZIMUTH_DEG
from poise.report.resample import steady_times
from poise.report.take_scene import take_scene
from poise.take import Take

FPS, SIZE = 30, (1280, 720)
_LARGEST = 4096  # pixels; more than that is not H.264 that plays everywhere
_CALM_SECONDS = 0.8
# One thread, and arithmetic that does not depend on the processor: x264's fast paths differ from run to run with where in memory
# a picture lies. It costs no time that can be measured.
_ENCODER = {"crf": "19", "preset": "medium", "threads": "1", "x264-params": "cpu-independent=1"}


def write(
    take: Take,
    path: str | Path,
    *,
    fps: int = FPS,
    size: tuple[int, int] = SIZE,
    ghost: bool = False,
    azimuth_deg: float = AZIMUTH_DEG,
    progress: Callable[[float], None] | None = None,
) -> str | None:
    """Write a film of the take in real time; with `ghost` the reference too. Returns a note, if there is one.

    `size` is width and height in pixels, even numbers. `progress` is told the share that is done.
    """
    _check(fps, size)
    scene = take_scene(take, steady_times(take, fps), ghost=ghost)
    sight = float(np.rad2deg(scene.facing)) + azimuth_deg + 180.0
    view = camera.fit(scene.corners(), sight, size[0] / size[1], calm=round(_CALM_SECONDS * fps))
    with whole(path) as draft:
        _encode(draft, _told(render.pictures(scene, view, *size), scene.nframes, progress), fps, size)
    return render.note(scene)


def _encode(path: Path, pictures: Iterable[NDArray[np.uint8]], fps: int, size: tuple[int, int]) -> None:
    import av
    from av.video.reformatter import Colorspace

    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart", "fflags": "+bitexact"}) as film:
        stream: Any = film.add_stream("libx264", rate=fps, options=_ENCODER)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        _tag_colors(stream.codec_context)
        for pixels in pictures:
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
            film.mux(stream.encode(frame.reformat(format="yuv420p", dst_colorspace=Colorspace.ITU709)))
        film.mux(stream.encode())


def _tag_colors(codec: Any) -> None:
    """Says that the colours are BT.709 in the video range, so that no player has to guess."""
    codec.color_primaries = codec.color_trc = codec.colorspace = codec.color_range = 1


def _told(
    pictures: Iterable[NDArray[np.uint8]], total: int, progress: Callable[[float], None] | None
) -> Iterable[NDArray[np.uint8]]:
    for done, pixels in enumerate(pictures, start=1):
        yield pixels
        if progress:
            progress(done / total)


def _check(fps: Any, size: Any) -> None:
    if not isinstance(fps, int | np.integer) or not 1 <= fps <= 240:
        raise BadInput(f"a film of {fps} frames per second cannot be made; ask for a whole number in 1 … 240")
    edges = size if isinstance(size, tuple | list) and len(size) == 2 else ()
    if not edges or not all(isinstance(edge, int | np.integer) and edge % 2 == 0 and 16 <= edge <= _LARGEST for edge in edges):
        raise BadInput(f"a film of size {size} cannot be made; ask for (width, height) in pixels, even and in 16 … {_LARGEST}")
