"""Whether a clip's frame rate can be true: whatever flies, falls with 9.81 m/s2.

Two kinds of evidence, both from the height of the approximate centre of mass:

* a *flight*: every point is off the floor and the centre follows a parabola. Its acceleration gives the rate;
* a *fall* that is faster than gravity although a foot may touch the floor: nothing pulls a body down. It only says that the rate
  is too high.

The parabola's height over the flight, the *arch*, does not depend on the rate; it tells how well the acceleration is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

import numpy as np

from poise.errors import BadInput
from poise.motion.floor import runs
from poise.rotation import Array

GRAVITY = 9.81
FPS_LIMITS = (0.1, 1e4)
COMMON_RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 75.0, 90.0, 100.0, 120.0, 125.0, 150.0, 180.0, 200.0, 240.0)

_OFF_FLOOR_M = 0.03
_FEWEST_FRAMES = 6
_MISFIT = 0.05  # rms distance from the parabola, as a share of the arch
_ARCH_M, _CLEARANCE_M = 0.015, 0.05  # the least a flight must show
_SLOW_ARCH_M, _SLOW_CLEARANCE_M = 0.04, 0.08  # to say that a rate is too low: tiptoes and steps also rise slowly
_LONG_ARCH_M = 0.08  # one flight like this is enough
_AGREEMENT, _MOST = 0.2, 0.6  # distance from the median acceleration; share of the flights that keep to it
_TRUE_BAND = (0.75, 1.35)  # implied over stamped rate: no doubt; an eighth is what the centre of mass can tell
_REPAIR_BAND = (0.62, 1.6)  # outside of it a rate may be repaired
_NEAR_RATE = 0.1  # how near a common rate must be
_LEAST_RATE = 23.0  # nothing is captured at a lower one; a slower fall is a cartoon's

_FALL_WINDOWS = (10, 14, 20, 28)  # frames
_FALL_ARCH_M, _FALL_MISFIT = 0.02, 0.1
_FALL_GRAVITIES = 1.6
_FEWEST_FALLS, _SECONDS_PER_FALL = 3, 4.0  # fewer, or rarer, are glitches
_GLITCH_GRAVITIES = 2.5


@dataclass(frozen=True)
class Flight:
    """When the body flies (s), for how long (s), how high the path arches (m), and the downward acceleration (m/s2)."""

    start: float
    seconds: float
    arch: float
    acceleration: float


@dataclass(frozen=True)
class FrameRate:
    """The rate to use, the one stamped into the file, and what speaks against the stamp (None where nothing does)."""

    fps: float
    stamped: float
    evidence: str | None = None

    @property
    def repair(self) -> str | None:
        if self.fps == self.stamped:
            return None
        why = f": {self.evidence}" if self.evidence else " as told"
        return f"changed the frame rate from {self.stamped:.4g} to {self.fps:.4g}{why} (--fps)"

    @property
    def warning(self) -> str | None:
        if self.evidence is None or self.fps != self.stamped:
            return None
        return f"frame rate suspect: {self.evidence}; tell with --fps"


def judge_rate(center_height: Array, clearance: Array, fps: float, size_known: bool = True) -> FrameRate:
    """What the height of the centre of mass (F,) and of the lowest point above the floor (F,), metres, say about the rate.

    Where the size is a guess, so is every acceleration: then nothing is repaired.
    """
    flights = find_flights(center_height, clearance, fps)
    if flights:
        return _judge_flights(flights, fps, size_known)
    return FrameRate(fps, fps, _doubt_of_falls(fast_falls(center_height, fps), len(center_height) / fps, fps))


def given_rate(fps: float, stamped: float) -> FrameRate:
    """The rate that the caller gives."""
    low, high = FPS_LIMITS
    if not isinstance(fps, Real) or not low <= fps <= high:
        raise BadInput(f"frame rate {fps!r} must lie between {low:g} and {high:g} frames per second")
    return FrameRate(float(fps), stamped)


def find_flights(center_height: Array, clearance: Array, fps: float) -> list[Flight]:
    """The flights in which the centre of mass follows a parabola that is known well enough."""
    flights = []
    for start, stop in runs(clearance > _OFF_FLOOR_M):
        if stop - start < _FEWEST_FRAMES:
            continue
        acceleration, misfit, arch = _parabolas(center_height[start:stop], stop - start, fps)
        flight = Flight(start / fps, (stop - start) / fps, float(arch[0]), float(acceleration[0]))
        if misfit[0] < _MISFIT * arch[0] and _shows_enough(flight, float(clearance[start:stop].max())):
            flights.append(flight)
    return flights


def fast_falls(center_height: Array, fps: float) -> list[float]:
    """Downward accelerations, m/s2, the largest of each time that the centre of mass falls clearly faster than gravity."""
    fastest = np.zeros(len(center_height))
    for width in (width for width in _FALL_WINDOWS if width <= len(center_height)):
        acceleration, misfit, arch = _parabolas(center_height, width, fps)
        counts = (arch > _FALL_ARCH_M) & (misfit < _FALL_MISFIT * arch)
        middle = slice(width // 2, width // 2 + len(arch))
        fastest[middle] = np.maximum(fastest[middle], np.where(counts, acceleration, 0.0))
    return [float(fastest[start:stop].max()) for start, stop in runs(fastest > _FALL_GRAVITIES * GRAVITY)]


def _judge_flights(flights: list[Flight], fps: float, size_known: bool) -> FrameRate:
    acceleration = float(np.median([flight.acceleration for flight in flights]))
    implied = fps * float(np.sqrt(GRAVITY / acceleration))
    if _TRUE_BAND[0] < implied / fps < _TRUE_BAND[1]:
        return FrameRate(fps, fps)
    rate = _common_rate(implied, fps)
    jumps = "1 jump falls" if len(flights) == 1 else f"{len(flights)} jumps fall"
    evidence = f"at {fps:.4g} fps {jumps} with {acceleration:.1f} m/s2 instead of {GRAVITY}"
    far = not _REPAIR_BAND[0] < implied / fps < _REPAIR_BAND[1]
    if rate and far and size_known and _strong(flights, acceleration):
        return FrameRate(rate, fps, evidence)
    return FrameRate(fps, fps, f"{evidence}; {rate or implied:.4g} fps would be plausible")


def _strong(flights: list[Flight], acceleration: float) -> bool:
    """Whether at least two flights, and most of all, agree on the acceleration, or a long one does."""
    agreeing = [flight for flight in flights if abs(flight.acceleration / acceleration - 1.0) < _AGREEMENT]
    return len(agreeing) >= max(2.0, _MOST * len(flights)) or any(flight.arch > _LONG_ARCH_M for flight in agreeing)


def _doubt_of_falls(falls: list[float], seconds: float, fps: float) -> str | None:
    """What falls (m/s2) say against a rate: many that it is too high, a violent one that something is wrong."""
    if len(falls) >= max(_FEWEST_FALLS, seconds / _SECONDS_PER_FALL):
        highest = fps * np.sqrt(GRAVITY / np.median(falls))
        rate = next(fps / 2**k for k in range(1, 60) if fps / 2**k < highest)
        found = f"at {fps:.4g} fps the body falls with up to {max(falls):.0f} m/s2, faster than gravity {len(falls)} times"
        return f"{found}; {rate:.4g} fps would be plausible"
    if falls and max(falls) > _GLITCH_GRAVITIES * GRAVITY:
        return f"at {fps:.4g} fps the body once falls with {max(falls):.0f} m/s2: a glitch, or the rate is too high"
    return None


def _shows_enough(flight: Flight, clearance: float) -> bool:
    """Whether a parabola is a flight and not a step on tiptoe; slow ones must show more."""
    slow = flight.acceleration < GRAVITY / _TRUE_BAND[1] ** 2
    arch, gap = (_SLOW_ARCH_M, _SLOW_CLEARANCE_M) if slow else (_ARCH_M, _CLEARANCE_M)
    return flight.acceleration > 0.0 and flight.arch > arch and clearance > gap


def _parabolas(height: Array, width: int, fps: float) -> tuple[Array, Array, Array]:
    """Downward acceleration, rms misfit and arch of the parabola through each `width` neighbouring frames."""
    t = (np.arange(width) - 0.5 * (width - 1)) / fps
    basis = np.stack([np.ones(width), t, t * t], axis=1)
    windows = np.lib.stride_tricks.sliding_window_view(height, width)
    fit = windows @ np.linalg.pinv(basis).T
    misfit = np.sqrt(np.mean((fit @ basis.T - windows) ** 2, axis=1))
    return -2.0 * fit[:, 2], misfit, -fit[:, 2] * t[-1] ** 2


def _common_rate(implied: float, fps: float) -> float | None:
    """The likeliest true rate near the implied one: a half, double … of the stamp, else a common rate."""
    multiples = [fps * factor for factor in (0.25, 0.5, 2.0, 4.0) if fps * factor > _LEAST_RATE] or COMMON_RATES
    for rates in (multiples, COMMON_RATES):
        rate = min(rates, key=lambda rate: abs(np.log(rate / implied)))
        if abs(rate / implied - 1.0) < _NEAR_RATE:
            return rate
    return None
