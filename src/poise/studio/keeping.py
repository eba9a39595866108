"""The last seconds of a run as a file's bytes."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from poise.errors import BadInput, choices
from poise.report.resample import resampled
from poise.take import Take

FORMATS = (".glb", ".bvh", ".npz")


def from_zero(take: Take) -> Take:
    """The take with its clock set to zero at its first whole frame of the clip; the clip is cut to the same stretch.

    A take that was kept from its end begins anywhere, and the exporters want a clip and a take that begin together.
    """
    if take.clip is None or take.times[0] == 0.0:
        return replace(take, times=take.times - take.times[0], events=_earlier(take, float(take.times[0])))
    clip = take.clip
    first = int(np.ceil(take.times[0] * clip.fps - 1e-9))
    start = first / clip.fps
    nsamples = int(np.sum(take.times >= start - 1e-9))
    times = start + np.arange(nsamples) * float(np.median(np.diff(take.times)))
    kept = resampled(take, np.minimum(times, take.times[-1]))
    frames = np.arange(first, int(np.floor(take.times[-1] * clip.fps + 1e-6)) + 1)
    frames = np.minimum(frames, clip.nframes - 1)
    part = clip.with_(rotations=clip.rotations[frames], translations=clip.translations[frames], lead_in=None)
    return replace(kept, times=kept.times - start, clip=part, events=_earlier(take, start))


def as_file(take: Take, ending: str) -> bytes:
    """The take in the format of one of `FORMATS`."""
    if ending not in FORMATS:
        raise BadInput(f"format '{ending}' unknown{choices(ending, FORMATS)}")
    with tempfile.TemporaryDirectory(prefix="poise-") as folder:
        path = Path(folder) / f"take{ending}"
        take.save(path)
        return path.read_bytes()


def file_name(clip: str | None, ending: str) -> str:
    """What the download is called: letters and digits of the clip's name."""
    stem = "".join(c if c.isalnum() or c in "-_" else "_" for c in Path(clip).stem) if clip else "standing"
    return f"{stem}_poise{ending}"


def _earlier(take: Take, start: float) -> tuple[dict[str, Any], ...]:
    """The events with times from `start` on; one that began before begins at zero."""
    return tuple(event | {"at": max(event["at"] - start, 0.0)} for event in take.events)
