"""Bracing for blows that are expected: joints around the place of the blow hold on to what they would do without it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numba import njit

from poise.character.character import Character
from poise.control.outboard_inertia import times
from poise.quaternion import log_of_difference
from poise.rotation import Array, Mask

_BEFORE, _AFTER = 0.1, 0.05  # s: who sees a blow coming is tense so long before it, and until so long after it
_TENSING = 0.03  # s: time constant with which muscles grow tense, and slack again
_SLACK = 1e-3  # what is less is none


class Expectation(Protocol):
    """What is known of blows to come."""

    def struck(self, since: float, until: float) -> set[int]:
        """The segments that something hits, pushes or drags within a span of time."""
        ...


@dataclass(frozen=True, eq=False)
class Brace:
    """Which joints of a body are braced, and what they hold on to: the joints of a twin to which the blow does not happen.

    Brought up to date in place.
    """

    extent: Array  # (S - 1,): how far each joint is braced, 0 ... 1
    coordinate: Array  # (S, 4): the twin's joints at the beginning of the step, as in `State.joint_coordinate`
    before: Array  # (S, 3), rad/s: their velocities then
    velocity: Array  # (S, 3), rad/s: and at its end

    @classmethod
    def none(cls, nsegments: int) -> Brace:
        """Nothing is braced."""
        return cls(np.zeros(nsegments - 1), np.zeros((nsegments, 4)), *np.zeros((2, nsegments, 3)))


class Bracing:
    """Brings the extent of a `brace` up to date in place.

    Nunes section 5 strikes the auxiliary world as well and leaves it at that: an expected blow then moves a limb as far as with
    high gains, which in a leg that carries the body is hardly less than with low ones. Who sees a blow coming grows tense.
    """

    def __init__(self, character: Character, dt: float, brace: Brace) -> None:
        self.brace, self.has_begun = brace, False  # begun in the present step
        self._around, self._rate = joints_around(character), 1.0 - np.exp(-dt / _TENSING)
        self._is_tense = False

    def update(self, expectation: Expectation, time: float) -> bool:
        """Takes one step towards what the blows around this moment ask for; whether anything is braced then."""
        struck, was_tense, extent = expectation.struck(time - _AFTER, time + _BEFORE), self._is_tense, self.brace.extent
        if struck or was_tense:
            extent += self._rate * (self._around[list(struck)].any(axis=0) - extent)
            self._is_tense = bool(extent.max() > _SLACK)
            self.has_begun = self._is_tense and not was_tense
            if not self._is_tense:
                self.end()
        return self._is_tense

    def end(self) -> None:
        """Lets go at once."""
        self.brace.extent[:], self._is_tense = 0.0, False


def joints_around(character: Character) -> Mask:
    """For each segment which joints (S, S - 1) brace it: its own, those of its limb above it, and those of what hangs on it."""
    parents, number = np.array(character.parents), np.arange(character.nsegments)
    hangs = parents[None, :] == number[:, None]
    around = hangs | np.eye(len(parents), dtype=bool)
    for k in number[1:]:
        above = parents[k]
        while above > 0 and hangs[above].sum() == 1:  # where the body branches, a limb ends
            around[k, above] = True
            above = parents[above]
    return around[:, 1:]


@njit(cache=True)
def hold(
    dt: float,
    most: float,
    free: tuple[float, float],
    firm: tuple[float, float],
    inertia: Array,
    coordinate: Array,
    velocity: Array,
    twin: Array,
    before: Array,
    after: Array,
    rotor: float,
    armature: Array,
    torque: Array,
    felt: Array,
) -> None:
    """Adds the torque with which a joint holds on to its twin's, of which the spring's part is at most `most`, Nm.

    `free` are stiffness (1/s2) and damping (1/s) that scale with the inertia, `firm` those of a leg that stands, Nm/rad and
    Nm s/rad. Damping acts as `armature` (3,) of the joint beyond that of its `rotor`, from the next step on: that makes it
    implicit for the contacts, too, and where nothing strikes, the joint goes as without it. Dampers of the integrator act after
    the contact forces are found; they moved a leg that stands by one or two degrees.
    """
    hx, hy, hz = log_of_difference(coordinate[0], coordinate[1], coordinate[2], coordinate[3], twin[0], twin[1], twin[2], twin[3])
    x, y, z = times(inertia, free[0] * hx, free[0] * hy, free[0] * hz)
    x, y, z = x + firm[0] * hx, y + firm[0] * hy, z + firm[0] * hz
    cut = min(1.0, most / max(np.sqrt(x * x + y * y + z * z), 1e-9))
    for i, spring in enumerate((cut * x, cut * y, cut * z)):
        brake = (armature[i] - rotor) / dt
        felt[i] += spring + brake * (before[i] - velocity[i])
        torque[i] += spring + brake * (after[i] - velocity[i])
        armature[i] = rotor + dt * ((free[1] + dt * free[0]) * inertia[i, i] + firm[1] + dt * firm[0])
