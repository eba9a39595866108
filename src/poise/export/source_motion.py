"""The simulated motion on the skeleton of the clip it came from.

A segment that was simulated with the world rotation R while the reference asked for R_ref has turned by D = R R_ref⁻¹. Every
source joint of that segment turns by the same D from where it was captured. So joints that were not simulated keep their
captured rotation relative to their parents, and perfect tracking gives the captured clip back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise import rotation
from poise.errors import BadInput
from poise.motion.clip import Clip, Placement
from poise.motion.skeleton import Skeleton
from poise.report.resample import Between, resampled, steady_times
from poise.rotation import Array
from poise.take import Take

CHARACTER_FPS = 60.0
# A BVH file of ours without a source: centimetres, Y up, facing +z. The turn takes its axes (x, y, z) to ours (y, z, x).
_CHARACTER_PLACEMENT = Placement(scale=0.01, turn=(0.5, 0.5, 0.5, 0.5))


def source_clip(take: Take) -> Clip:
    """What was simulated, as a tidied clip with the source's skeleton, frame rate and dialect.

    It has a frame for every source frame the take reached. A take that outlasts its clip goes on from the last captured frame.
    Without a clip, or where none of its joints was simulated, the skeleton is the character's own.
    """
    if take.clip is None or take.info.get("joint_segment", ()) is None:
        return _character_clip(take)
    frames = np.arange(_reached(take, take.clip))
    captured = _frames(take.clip, np.minimum(frames, take.clip.nframes - 1))
    return _turned(captured, _owners(take), take, Between(take.times, frames / captured.fps))


def _turned(clip: Clip, owners: list[int], take: Take, at: Between) -> Clip:
    """The captured motion with every joint turned as its segment (`owners`) turned, at the times of the frames."""
    away = at.turned(rotation.multiply(take.rotation, rotation.conjugate(take.ref_rotation)))
    place, turn = clip.world
    parents = clip.skeleton.parents
    position, world = np.empty_like(place), np.empty_like(turn)
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    for j, (parent, owner) in enumerate(zip(parents, owners, strict=True)):
        above = owners[parent] if parent >= 0 else -1
        if owner >= 0 and owner != above:
            world[:, j] = rotation.multiply(away[:, owner], turn[:, j])
            rotations[:, j] = rotation.normalize(_seen_from(world, parent, world[:, j]))
        else:
            world[:, j] = _carried(world, parent, rotations[:, j])
        if owner >= 0 and above < 0:
            position[:, j] = _moved(take, owner, away[:, owner], place[:, j], at)
            translations[:, j] = _offset_from(position, world, parent, position[:, j])
        elif parent >= 0:
            position[:, j] = position[:, parent] + rotation.rotate(world[:, parent], translations[:, j])
        else:
            position[:, j] = translations[:, j]
    return clip.with_(rotations=rotations, translations=translations)


def _moved(take: Take, segment: int, away: Array, captured: Array, at: Between) -> Array:
    """Where a captured point (F, 3) of a segment is now: x + D (captured - x_ref), world frame."""
    reference = at.linear(take.ref_position[:, segment])
    drift = at.linear(take.position[:, segment] - take.ref_position[:, segment])
    lever = captured - reference
    return captured + drift + (rotation.rotate(away, lever) - lever)


def _carried(world: Array, parent: int, local: Array) -> Array:
    return local if parent < 0 else rotation.multiply(world[:, parent], local)


def _seen_from(world: Array, parent: int, turn: Array) -> Array:
    return turn if parent < 0 else rotation.multiply(rotation.conjugate(world[:, parent]), turn)


def _offset_from(position: Array, world: Array, parent: int, point: Array) -> Array:
    return point if parent < 0 else rotation.rotate(rotation.conjugate(world[:, parent]), point - position[:, parent])


def _owners(take: Take) -> list[int]:
    """For every source joint the segment it belongs to, or -1 above the root segment."""
    owners = take.info.get("joint_segment")
    njoints = take.clip.skeleton.njoints if take.clip else 0
    if owners is None or len(owners) != njoints or not all(-1 <= k < take.character.nsegments for k in owners):
        raise BadInput(f"take: info['joint_segment'] must name a segment, or -1, for each of the clip's {njoints} joints")
    return [int(k) for k in owners]


def _reached(take: Take, clip: Clip) -> int:
    """How many of the clip's frames the take covers. A run ends on a whole step, a sample or so off the end of the clip."""
    end = float(take.times[-1])
    sample = float(np.median(np.diff(take.times))) if len(take.times) > 1 else 0.0
    if abs(end - clip.duration) <= 1.5 * sample:
        return clip.nframes
    return int(np.floor(end * clip.fps + 1e-6)) + 1


def _frames(clip: Clip, frames: NDArray[np.int64]) -> Clip:
    return clip.with_(rotations=clip.rotations[frames], translations=clip.translations[frames])


def _character_clip(take: Take) -> Clip:
    """A joint per segment, at 60 frames per second."""
    character = take.character
    take = resampled(take, steady_times(take, CHARACTER_FPS))
    parents = np.array(character.parents)
    rotations = take.rotation.copy()
    rotations[:, 1:] = rotation.multiply(rotation.conjugate(take.rotation[:, parents[1:]]), take.rotation[:, 1:])
    translations = np.tile(character.offsets, (len(take.times), 1, 1))
    translations[:, 0] = take.position[:, 0]
    leaves = [k for k in range(character.nsegments) if k not in character.parents]
    ends = tuple((k, _far_end(character.segments[k].box.center)) for k in leaves)
    skeleton = Skeleton(character.names, character.parents, character.offsets, ends)
    return Clip(
        character.name, skeleton, rotation.normalize(rotations), translations, CHARACTER_FPS, placement=_CHARACTER_PLACEMENT
    )


def _far_end(center: tuple[float, float, float]) -> tuple[float, float, float]:
    """As far beyond a box's middle as the joint is before it."""
    x, y, z = center
    return 2.0 * x, 2.0 * y, 2.0 * z
