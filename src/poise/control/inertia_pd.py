"""Non-linear springs and dampers scaled by the inertia that they move: one pair of gains for a whole body, Nunes (1) and (2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numba import njit

from poise.errors import BadInput

_YIELDING = 0.2  # s/rad, of joints without any stiffness: a blow turns an arm by 10 rad/s, a third of the damping is left there
_HOLDS = 0.05  # of a standing leg's springs follow its own error, however soft the rest; with none of it 135_07 falls


@dataclass(frozen=True)
class InertiaGains:
    """The gains of (1) for the whole body, and the shape of the factor f of (2)."""

    stiffness: float = 4000.0  # k_s, 1/s2; the paper gives none, docs/feedforward.md has how it was found
    damping: float = 18.0  # k_d, 1/s; more, and a struck limb hardly gives way: it has the same damping
    delay: float = 0.1  # lambda, rad: up to this error the spring is linear (paper)
    most: float = 5.0  # M: the spring stiffens at most by this factor (paper)
    tension: float = 0.0  # 1/s2, of antagonist springs at elbows and knees (control/antagonist.py); 0: springs of (1) there, too
    standing: float = 1.0  # share of a standing leg's springs that follows its own error, the rest the auxiliary's
    fast: float = 2.5  # k_s of joints that are fed grows by this times their squared speed: below it fast limbs run away
    yielding: float = 0.0  # s/rad: k_d is divided by 1 + this times the speed with which a joint is driven off the auxiliary's
    braced_stiffness: float = 16000.0  # 1/s2: with which joints that are braced for a blow hold on, in both worlds
    braced_damping: float = 72.0  # 1/s: and their damping
    strength: float = 300.0  # Nm: no joint's torque exceeds it, for a 72 kg adult
    quickest: float = 5000.0  # rad/s2: nor one that would turn what is beyond the joint faster; 300 Nm would make a foot spin

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not (np.isfinite(value) and value >= 0.0):
                raise BadInput(f"{name} {value} must be a finite number and not negative")
        if self.delay == 0.0 or self.most < 1.0:
            raise BadInput(f"delay {self.delay:g} rad must be greater than 0 and most {self.most:g} at least 1 (Nunes section 4)")

    def softer(self, stiffness_ratio: float, damping_ratio: float) -> InertiaGains:
        """The same with k_s (and the tension, a stiffness as well) and k_d scaled; standing legs grow soft less than the rest.

        Softer joints also yield to what drives them away. How firmly joints hold on that are braced does not change.
        """
        changed = {"stiffness": stiffness_ratio * self.stiffness, "tension": stiffness_ratio * self.tension}
        standing = _HOLDS + (1.0 - _HOLDS) * stiffness_ratio
        yielding = (1.0 - stiffness_ratio) * _YIELDING
        return replace(self, **changed, damping=damping_ratio * self.damping, standing=standing, yielding=yielding)


@njit(cache=True)
def stiffening(error: float, delay: float, most: float) -> float:
    """The factor f of (2) for the size of an error in radians: 1, then growing with the error, at most `most`."""
    return min(max(error / delay, 1.0), most)
