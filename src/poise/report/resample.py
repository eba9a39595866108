"""A take at other times than those it was recorded at."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise import rotation
from poise.rotation import Array
from poise.take import Prop, Take

_ROTATIONS = ("rotation", "ref_rotation")
_SWITCHES = ("stance", "visible")


def resampled(take: Take, times: Array) -> Take:
    """The take at the given times (M,), seconds: straight lines between samples, short arcs for rotations.

    Before the first sample and after the last the take stands still.
    """
    between = Between(take.times, times)
    sampled = [f.name for f in fields(take) if isinstance(getattr(take, f.name), np.ndarray) and f.name != "times"]
    changes = {name: _values(between, name, getattr(take, name)) for name in sampled}
    props = tuple(_prop(between, prop) for prop in take.props)
    return replace(take, **changes, times=np.asarray(times, float), props=props)


def steady_times(take: Take, fps: float) -> Array:
    """Times at a steady rate from the first sample to the last, seconds."""
    start, end = float(take.times[0]), float(take.times[-1])
    return start + np.arange(int(np.floor((end - start) * fps + 1e-6)) + 1) / fps


class Between:
    """Where each asked time lies between two samples."""

    def __init__(self, samples: Array, asked: Array) -> None:
        self.before: NDArray[np.int64] = np.clip(np.searchsorted(samples, asked, side="right") - 1, 0, max(len(samples) - 2, 0))
        self.after: NDArray[np.int64] = np.minimum(self.before + 1, len(samples) - 1)
        span = samples[self.after] - samples[self.before]
        self.share: Array = np.clip((asked - samples[self.before]) / np.where(span > 0.0, span, 1.0), 0.0, 1.0)

    def linear(self, values: Array) -> Array:
        """Values (N, …) on the straight line between samples."""
        share = self.share.reshape(-1, *[1] * (values.ndim - 1))
        # The sample itself, bit for bit, where a time falls on one.
        return np.where(
            share == 1.0, values[self.after], values[self.before] + share * (values[self.after] - values[self.before])
        )

    def turned(self, values: Array) -> Array:
        """Unit quaternions (N, …, 4) on the short arc between samples."""
        share = self.share.reshape(-1, *[1] * (values.ndim - 2))
        between = rotation.slerp(values[self.before], values[self.after], share)
        share = share[..., None]
        return np.where(share == 0.0, values[self.before], np.where(share == 1.0, values[self.after], between))

    def nearest(self, values: NDArray[Any]) -> NDArray[Any]:
        """Switches (N, …) as they are at the nearer sample."""
        return values[np.where(self.share < 0.5, self.before, self.after)]


def _values(between: Between, name: str, values: NDArray[Any]) -> NDArray[Any]:
    if name in _ROTATIONS:
        return between.turned(values)
    return between.nearest(values) if name in _SWITCHES else between.linear(values)


def _prop(between: Between, prop: Prop) -> Prop:
    return replace(
        prop,
        position=between.linear(prop.position),
        rotation=between.turned(prop.rotation),
        visible=between.nearest(prop.visible),
    )
