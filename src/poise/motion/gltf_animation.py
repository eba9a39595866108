"""glTF animations: key frames of nodes, sampled at steady times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise import rotation
from poise.errors import choices
from poise.motion.gltf_document import Document, Json
from poise.motion.joint_names import usable_names
from poise.motion.sampling import FRAME_LIMIT, linear, spherical, steady_times, whole_rate
from poise.motion.source import shown
from poise.rotation import Array

_KINDS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}
_USUAL_RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0, 240.0)
_OTHERWISE = 30.0  # frames per second, where key times tell none
_SLOWEST = 20.0  # sparser keys are sampled at a multiple of their rate
_ON_FRAME = 0.02  # of a frame; key times are single precision
_SINGLE = 1e-5  # seconds, likewise: a step must not come a frame late


@dataclass(frozen=True)
class Track:
    """Keys of one property (translation, rotation or scale) of one node: times (K,) and values (K, 3 or 4), quaternions wxyz.

    With `tangents` (K, 2, 3 or 4), in and out, the curve is a cubic spline; otherwise `stepped` or straight.
    """

    node: int
    path: str
    times: Array
    values: Array
    tangents: Array | None
    stepped: bool

    def at(self, times: Array) -> Array:
        """The values (F, 3 or 4) at other times; before the first key and after the last they are held."""
        if self.stepped:
            return self.values[np.clip(np.searchsorted(self.times, times + _SINGLE, side="right") - 1, 0, None)]
        if self.tangents is None:
            return (spherical if self.path == "rotation" else linear)(self.times, self.values, times)
        values = _spline(self.times, self.values, self.tangents, times)
        return rotation.normalize(values) if self.path == "rotation" else values


def pick(document: Document, name: str | None) -> tuple[str, Json] | None:
    """The animation of that name, or else the first, with its name; None where there is none to pick.

    Blender names an animation `Armature|Walk`; that is called `Walk` here as long as no other is.
    """
    animations = document.all("animations")
    full = [document.text(a, "name", "") or f"animation_{k}" for k, a in enumerate(animations)]
    short = [name.rpartition("|")[2] or name for name in full]
    names = usable_names(short if len({*short}) == len(short) else full)
    if name is None:
        return (names[0], animations[0]) if animations else None
    for known in (names, full):
        if name in known:
            return name, animations[known.index(name)]
    raise document.bad(f"has no animation '{shown(name)}'{choices(shown(name), names) if names else ', nor any other'}")


def read_tracks(document: Document, animation: Json) -> list[Track]:
    """The tracks of an animation that move nodes; other properties, such as morph weights, are left out."""
    samplers, nnodes = document.objects(animation, "samplers"), len(document.all("nodes"))
    tracks = []
    for channel in document.objects(animation, "channels"):
        target = document.object(channel, "target")
        path = document.text(target, "path", "")
        if path in _KINDS and "node" in target:
            sampler = samplers[document.whole(channel, "sampler", below=len(samplers))]
            tracks.append(_track(document, document.whole(target, "node", below=nnodes), path, sampler))
    return tracks


def frame_times(document: Document, tracks: list[Track]) -> tuple[Array, float]:
    """Steady times from the first key to the last, and their rate: the one the keys lie on, or else 30 per second."""
    keys = np.unique(np.concatenate([track.times for track in tracks])) if tracks else np.zeros(1)
    fps = _rate(keys)
    if (keys[-1] - keys[0]) * fps > FRAME_LIMIT:
        raise document.bad(
            f"its animation lasts {keys[-1] - keys[0]:g} s, more than {FRAME_LIMIT} frames at {fps:g} per second; cut it"
        )
    return keys[0] + steady_times(keys[-1] - keys[0], fps), fps


def _rate(keys: Array) -> float:
    if len(keys) < 2:
        return _OTHERWISE
    spacing = float(np.median(np.diff(keys)))
    own = whole_rate(1.0 / max(spacing, 1.0 / 240.0))
    own *= np.ceil(_SLOWEST / own)
    for fps in (*_USUAL_RATES, own):
        frames = (keys - keys[0]) * fps
        if fps * spacing > 1.0 - _ON_FRAME and np.abs(frames - np.round(frames)).max() < _ON_FRAME:
            return fps
    return _OTHERWISE


def _track(document: Document, node: int, path: str, sampler: Json) -> Track:
    times = document.accessor(document.whole(sampler, "input"), "SCALAR")[:, 0]
    values = document.accessor(document.whole(sampler, "output"), _KINDS[path])
    method = document.text(sampler, "interpolation", "LINEAR")
    if method not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise document.bad(f"interpolation '{method}' is unknown; expected LINEAR, STEP or CUBICSPLINE")
    if not len(times) or (np.diff(times) < 0.0).any():
        raise document.bad(f"key times of node {node}'s {path} must be there and grow; export the file again")
    if len(values) != len(times) * (3 if method == "CUBICSPLINE" else 1):
        raise document.bad(f"node {node}'s {path} has {len(values)} values for {len(times)} keys; export the file again")
    if path == "rotation":
        values = values[:, [3, 0, 1, 2]]
    if method != "CUBICSPLINE":
        values = rotation.normalize(values) if path == "rotation" else values
        return Track(node, path, times, values, None, method == "STEP")
    triples = values.reshape(len(times), 3, -1)
    return Track(node, path, times, triples[:, 1], triples[:, [0, 2]], False)


def _spline(times: Array, values: Array, tangents: Array, at: Array) -> Array:
    """The cubic Hermite spline of the glTF 2.0 specification, appendix C."""
    at = np.clip(at, times[0], times[-1])
    first = np.clip(np.searchsorted(times, at, side="right") - 1, 0, max(len(times) - 2, 0))
    following = np.minimum(first + 1, len(times) - 1)
    step = (times[following] - times[first])[:, None]
    t = np.divide(at[:, None] - times[first][:, None], step, out=np.zeros_like(step), where=step > 0.0)
    return (
        (2 * t**3 - 3 * t**2 + 1) * values[first]
        + step * (t**3 - 2 * t**2 + t) * tangents[first, 1]
        + (3 * t**2 - 2 * t**3) * values[following]
        + step * (t**3 - t**2) * tangents[following, 0]
    )
