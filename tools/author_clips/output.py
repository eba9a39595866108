"""Motions as clips and files: Y up, centimetres, facing +Z, as Mixamo's skeletons are."""

from __future__ import annotations

import numpy as np
from tools.author_clips.body import SKELETON, Motion

from poise.motion.clip import BvhLayout, Clip
from poise.motion.skeleton import Skeleton
from poise.rotation import Array

CENTIMETRES = 100.0
DECIMALS = 4  # of degrees and centimetres: accelerations stay clean, files stay small
_ROTATIONS = ("Zrotation", "Xrotation", "Yrotation")
_POSITIONS = ("Xposition", "Yposition", "Zposition")


def clip_of(name: str, motion: Motion) -> Clip:
    """The clip of a motion in the file's frame; a loop's first frame is repeated at its end, where it has travelled to."""
    root, rotations = motion.root, motion.rotations
    if motion.loop:
        travel = np.array([*motion.travel, 0.0])
        root = np.concatenate([root, root[:1] + travel])
        rotations = np.concatenate([rotations, rotations[:1]])
    ends = tuple((joint, tuple(_y_up(np.array(tip)))) for joint, tip in SKELETON.ends)
    skeleton = Skeleton(SKELETON.names, SKELETON.parents, _y_up(SKELETON.offsets), ends)
    translations = np.tile(skeleton.offsets, (len(root), 1, 1))
    translations[:, 0] = _y_up(root)
    turned = np.concatenate([rotations[..., :1], np.roll(rotations[..., 1:], -1, axis=-1)], axis=-1)
    return Clip(name, skeleton, turned, translations, motion.fps, _layout())


def _y_up(v: Array) -> Array:
    """Metres with x forward, y left, z up as centimetres with x left, y up, z forward."""
    return np.roll(v, -1, axis=-1) * CENTIMETRES


def _layout() -> BvhLayout:
    channels = [(*_POSITIONS, *_ROTATIONS)] + [_ROTATIONS] * (SKELETON.njoints - 1)
    return BvhLayout(tuple(channels), (False,) * SKELETON.njoints)
