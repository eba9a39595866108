"""Curves over the frames of a clip: keyframes without overshoot, drift, breath, and lag."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from poise.rotation import Array, Mask

FPS = 60.0
Key = tuple[float, ArrayLike]


@dataclass(frozen=True)
class Clock:
    """The frames of a clip. A loop's frames end one before its duration, where the first comes round again."""

    duration: float
    loop: bool = False

    @cached_property
    def times(self) -> Array:
        count = round(self.duration * FPS)
        return np.arange(count if self.loop else count + 1) / FPS

    def curve(self, *keys: Key, soften: float = 0.06) -> Array:
        """A curve through keys (seconds, value or values), shape (F,) or (F, n): monotone between keys, then softened.

        `soften` is the standard deviation, in seconds, of the bell that rounds it off. A loop's keys repeat for ever.
        """
        at = np.array([t for t, _ in keys], float)
        values = np.array([np.asarray(v, float) for _, v in keys])
        if self.loop:
            at = np.concatenate([at - self.duration, at, at + self.duration])
            values = np.concatenate([values] * 3)
        curve = _monotone(at, values.reshape(len(at), -1), self.times)
        return self.soften(curve, soften).reshape(len(self.times), *values.shape[1:])

    def soften(self, curve: Array, seconds: float) -> Array:
        """The curve under a bell of that standard deviation; beyond its ends it holds, or comes round."""
        reach = int(np.ceil(4 * seconds * FPS))
        if reach == 0:
            return curve
        bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / (seconds * FPS)) ** 2)
        return self._windows(curve, reach) @ (bell / bell.sum())

    def widen(self, curve: Array | Mask, seconds: float) -> Array:
        """The largest value within that many seconds on either side."""
        return self._windows(curve, round(seconds * FPS)).max(axis=-1)

    def lag(self, curve: Array, half_life: float) -> Array:
        """The curve as followed by a critically damped spring that closes half the gap in `half_life` seconds."""
        return self.spring(curve, 1.678 / max(half_life, 1e-6), 1.0)

    def spring(self, target: Array, stiffness: float, damping: float) -> Array:
        """A spring of natural frequency `stiffness` (rad/s) and damping ratio `damping` that follows the target.

        It starts at rest on the target; a loop is run through until it repeats.
        """
        flat = np.ascontiguousarray(target, float).reshape(len(target), -1)
        path, speed = _spring_path(flat, stiffness, damping, flat[0], np.zeros(flat.shape[1]))
        for _ in range(6 if self.loop else 0):
            path, speed = _spring_path(flat, stiffness, damping, path[-1], speed)
        return path.reshape(np.shape(target))

    def wander(self, seed: int, slowest: float = 4.0, quickest: float = 0.8) -> Array:
        """Smooth drift about 0 with a standard deviation of about 1: waves of random phase between two periods, seconds.

        It comes round at the clip's end. Outside of loops it fades in from 0 and out to 0 over half a second.
        """
        rng = np.random.default_rng(seed)
        first = max(1, round(self.duration / slowest))
        waves = np.arange(first, max(first + 2, round(self.duration / quickest)))
        size = rng.normal(size=(2, len(waves))) / np.sqrt(waves)
        phase = 2 * np.pi * waves * self.times[:, None] / self.duration
        drift = np.cos(phase) @ size[0] + np.sin(phase) @ size[1]
        drift /= np.sqrt(np.sum(size**2) / 2)
        return drift if self.loop else drift * self.middle()

    def breath(self, breaths: int) -> Array:
        """From 0 (out) to 1 (in) and back, so many times: in a little faster than out, with a pause when out."""
        phase = (self.times / self.duration * breaths) % 1.0
        return np.where(phase < 0.4, ease(phase / 0.4), 1.0 - ease((phase - 0.4) / 0.5))

    def middle(self, fade: float = 0.5) -> Array:
        """1 in the clip, easing to 0 over the first and last `fade` seconds."""
        return ease(self.times / fade) * ease((self.duration - self.times) / fade)

    def difference(self, curve: Array) -> Array:
        """Rate of change per second by central differences; a loop's ends see each other."""
        before, after = self._windows(curve, 1)[..., 0], self._windows(curve, 1)[..., 2]
        rate = (after - before) * (FPS / 2)
        if not self.loop:
            rate[0], rate[-1] = rate[0] * 2, rate[-1] * 2
        return rate

    def _windows(self, curve: ArrayLike, reach: int) -> Array:
        """Each frame's neighbourhood (F, ..., 2 reach + 1)."""
        curve = np.asarray(curve, float)
        pad = [(reach, reach)] + [(0, 0)] * (curve.ndim - 1)
        padded = np.pad(curve, pad, mode="wrap" if self.loop else "edge")
        return np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1, axis=0)


def scaled(curve: Array, *values: float) -> Array:
    """(F, n): so much of each value as the curve (F,) says."""
    return curve[:, None] * np.array(values)


def ease(s: ArrayLike) -> Array:
    """From 0 at s <= 0 to 1 at s >= 1 with no speed and no acceleration at either end."""
    s = np.clip(np.asarray(s, float), 0.0, 1.0)
    return s**3 * (10.0 - 15.0 * s + 6.0 * s**2)


def bump(s: ArrayLike) -> Array:
    """From 0 at s = 0 to 1 at one half and back to 0 at 1, with no speed and no acceleration at the ends."""
    s = np.clip(np.asarray(s, float), 0.0, 1.0)
    return 64.0 * (s * (1.0 - s)) ** 3


def quintic(s: Array, start: tuple[Array, Array, Array], stop: tuple[Array, Array, Array], seconds: float) -> Array:
    """The path (n, k) at shares s of a move that lasts `seconds`, between two (position, velocity, acceleration)."""
    p0, v0, a0 = start[0], start[1] * seconds, start[2] * seconds**2
    p1, v1, a1 = stop[0], stop[1] * seconds, stop[2] * seconds**2
    gap, dv, da = p1 - p0 - v0 - a0 / 2, v1 - v0 - a0, a1 - a0
    c3, c4, c5 = 10 * gap - 4 * dv + da / 2, -15 * gap + 7 * dv - da, 6 * gap - 3 * dv + da / 2
    s = np.asarray(s, float)[:, None]
    return p0 + v0 * s + a0 / 2 * s**2 + c3 * s**3 + c4 * s**4 + c5 * s**5


def _monotone(at: Array, values: Array, times: Array) -> Array:
    """Cubic through the keys whose slope is the harmonic mean of its neighbours', and 0 at peaks (Fritsch-Butland)."""
    if len(at) == 1:
        return np.repeat(values, len(times), axis=0)
    step = np.diff(at)[:, None]
    rise = np.diff(values, axis=0) / step
    before, after, w0, w1 = rise[:-1], rise[1:], 2 * step[1:] + step[:-1], step[1:] + 2 * step[:-1]
    same = before * after > 0
    safe = np.where(same, w0 / np.where(same, before, 1.0) + w1 / np.where(same, after, 1.0), 1.0)
    slope = np.zeros_like(values)
    slope[1:-1] = np.where(same, (w0 + w1) / safe, 0.0)
    k = np.clip(np.searchsorted(at, times, side="right") - 1, 0, len(at) - 2)
    h = step[k]
    s = np.clip((times - at[k])[:, None] / h, 0.0, 1.0)
    u = 1.0 - s
    return values[k] * u**2 * (1 + 2 * s) + values[k + 1] * s**2 * (1 + 2 * u) + h * s * u * (slope[k] * u - slope[k + 1] * s)


@njit(cache=True)
def _spring_path(target, stiffness, damping, place, speed):  # noqa: ANN001, ANN202 - numba infers the types
    """Places (F, n) and last speed (n,) of springs that follow targets (F, n); quarter-frame steps, implicit in the speed."""
    dt = 1.0 / (4 * FPS)
    path = np.empty_like(target)
    for f in range(len(target)):
        path[f] = place
        for _ in range(4):
            push = stiffness**2 * (target[f] - place - dt * speed) - 2 * damping * stiffness * speed
            speed = speed + dt * push / (1 + dt * stiffness * (2 * damping + dt * stiffness))
            place = place + dt * speed
    return path, speed
