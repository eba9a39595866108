"""A take as BVH, in the skeleton, units, axes and dialect of the file its clip came from."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from poise.export.source_motion import source_clip
from poise.motion import bvh
from poise.motion.clip import Clip
from poise.motion.tidy import untidy
from poise.take import Take


def write(take: Take, path: str | Path) -> None:
    """Write the simulated motion. Frames cut off the clip's front are put back, so that frame numbers are the source's."""
    bvh.write(_with_lead_in(untidy(source_clip(take))), path)


def _with_lead_in(clip: Clip) -> Clip:
    first = clip.lead_in
    if first is None:
        return clip
    return clip.with_(
        rotations=np.concatenate([first.rotations, clip.rotations]),
        translations=np.concatenate([first.translations, clip.translations]),
        lead_in=None,
    )
