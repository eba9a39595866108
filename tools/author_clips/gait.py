"""Walking as cycles: when feet stand and swing, how the load passes between them, and how arms and trunk answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tools.author_clips.curves import Clock, ease
from tools.author_clips.feet import Foot, Plant, repeated, walk_through

from poise.rotation import Array


@dataclass(frozen=True)
class Gait:
    """A left step and a right step of equal time, over and over; the left foot lands at time 0."""

    period: float  # seconds, both steps together
    cycles: int
    stride: float  # metres per period
    stance: float = 0.62  # share of the period that a foot stands
    half_width: float = 0.055  # metres from the middle line to each foot
    toe_out: float = 6.0  # degrees
    strike: float = 0.0
    settle: float = 0.12
    push: float = 0.0
    peel: float = 0.3
    lift: float = 0.05
    tuck: float = 0.0
    brake: float = 0.0
    reach: float = 0.0  # metres the swinging foot goes ahead of its straight way
    cop: tuple[float, float] = (0.0, 0.10)  # along the foot at landing and at lift-off, metres ahead of the ankle

    @property
    def clock(self) -> Clock:
        return Clock(self.period * self.cycles, loop=True)

    def feet(self) -> tuple[Foot, Foot]:
        return self._foot(0.0, 1.0), self._foot(0.5, -1.0)

    def load(self) -> Array:
        """(F,) share of the weight on the left foot: over in the time that both feet stand, or in a tenth of a period."""
        both = max(self.stance - 0.5, 0.08)
        phase = (self.clock.times / self.period) % 1.0
        return ease(phase / both) - ease((phase - 0.5) / both)

    def pressure(self) -> tuple[Array, Array]:
        """(F,) per foot: its weight rolls from heel to ball while it stands."""
        return self._rolling(0.0), self._rolling(0.5)

    def wave(self, delay: float = 0.0, times: int = 1) -> Array:
        """(F,) cosine with peaks when the left foot lands, `delay` periods later, so many times a period."""
        return np.cos(2 * np.pi * times * (self.clock.times / self.period - delay))

    def _foot(self, phase: float, s: float) -> Foot:
        begin = phase * self.period
        plant = Plant(
            x=phase * self.stride,
            y=s * self.half_width,
            yaw=s * self.toe_out,
            begin=begin,
            end=begin + self.stance * self.period,
            strike=self.strike,
            settle=self.settle,
            push=self.push,
            peel=self.peel,
            lift=self.lift,
            tuck=self.tuck,
            brake=self.brake,
            arc=(self.reach, 0.0),
        )
        return walk_through(self.clock.times, repeated([plant], self.period, self.stride, self.cycles))

    def _rolling(self, phase: float) -> Array:
        """(F,) of a foot that lands at that share of the period; while it swings, it goes back to where it will land."""
        cycle = (self.clock.times / self.period - phase) % 1.0
        stands, swings = ease(cycle / self.stance), ease((cycle - self.stance) / (1.0 - self.stance))
        return self.cop[0] + (self.cop[1] - self.cop[0]) * (stands - swings)
