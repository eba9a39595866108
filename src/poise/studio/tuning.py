"""What can be tuned while a character runs, and the controller that comes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise.character.style import NEUTRAL
from poise.control.balance import COMPLIANT, BalanceController, BalanceGains
from poise.control.controller import Controller
from poise.control.feedforward import FeedforwardController
from poise.control.limbs.controller import LimbsController
from poise.control.pose import PoseController, PoseGains
from poise.control.virtual_actuator import ActuatorGains
from poise.controller_names import DYNAMICS, unknown
from poise.controllers import feedforward_controller
from poise.errors import BadInput, choices
from poise.scenario.checked import Interval, number
from poise.scenario.feedforward import Feedforward
from poise.scenario.robustness import Robustness
from poise.simulation import Stepper

CONTROLLERS = ("balance", "feedforward", "limbs", "pose")
STIFFNESS = Interval(0.1, 3.0)
RATIO = Interval(0.0, 1.0)
_DEFAULT = ActuatorGains()
_FEEDFORWARD = Feedforward()


@dataclass(frozen=True)
class Tuning:
    """Everything that a page sets about the controller. The gains are those of a 72 kg adult, as in `ActuatorGains`."""

    controller: str = "balance"
    dial: float = 0.5  # robustness, 0 realistic … 1 superhuman
    looseness: float = _FEEDFORWARD.stiffness_ratio  # of feedforward: stiffness of the character, of its auxiliary's
    dynamics: str = DYNAMICS[0]  # of limbs
    style: str = NEUTRAL.name  # of limbs: the name of a rest pose in the character's file
    stiffness: float = 1.0  # times that of the pose gains; their damping goes with its square root
    force_stiffness: float = _DEFAULT.force_stiffness
    force_damping: float = _DEFAULT.force_damping
    momentum: float = _DEFAULT.momentum
    turn_stiffness: float = _DEFAULT.turn_stiffness
    turn_damping: float = _DEFAULT.turn_damping

    def __post_init__(self) -> None:
        if self.controller not in CONTROLLERS:
            raise BadInput(unknown(self.controller))
        if self.dynamics not in DYNAMICS:
            raise BadInput(f"unknown dynamics '{self.dynamics}'{choices(self.dynamics, DYNAMICS)}")
        number("studio", "stiffness", self.stiffness, STIFFNESS)
        number("studio", "looseness", self.looseness, RATIO)
        for gain in GAINS:
            number("studio", gain.name, getattr(self, gain.name), Interval(0.0, gain.largest), gain.unit)
        Robustness.of(self.dial)

    @property
    def is_planned(self) -> bool:
        """Whether planned forces alone move the body: that takes a world without contacts."""
        return self.controller == "limbs" and self.dynamics == "generalized"

    @property
    def robustness(self) -> Robustness:
        """The two thresholds of the dial."""
        return Robustness.of(self.dial)


@dataclass(frozen=True)
class Gain:
    """A gain of the virtual actuators by its field's name, with the paper's symbol and the end of its slider."""

    name: str
    symbol: str
    unit: str
    largest: float


GAINS = (
    Gain("force_stiffness", "k_fp", "N/m", 4 * _DEFAULT.force_stiffness),
    Gain("force_damping", "k_fd", "N s/m", 4 * _DEFAULT.force_damping),
    Gain("momentum", "k_L", "1/s", 4 * _DEFAULT.momentum),
    Gain("turn_stiffness", "k_tp", "Nm/rad", 4 * _DEFAULT.turn_stiffness),
    Gain("turn_damping", "k_td", "Nm s/rad", 4 * _DEFAULT.turn_damping),
)


def make_controller(tuning: Tuning) -> Controller:
    """A controller with these gains; `limbs` has its own."""
    if tuning.controller == "limbs":
        return LimbsController(tuning.dynamics, style=tuning.style)
    if tuning.controller == "pose":
        return PoseController(_scaled(PoseGains(), tuning.stiffness))
    actuators = replace(_DEFAULT, **{gain.name: getattr(tuning, gain.name) for gain in GAINS})
    if tuning.controller == "feedforward":
        stiffness, damping = tuning.stiffness * _FEEDFORWARD.stiffness, tuning.stiffness**0.5 * _FEEDFORWARD.damping
        parts = replace(_FEEDFORWARD, stiffness=stiffness, damping=damping, stiffness_ratio=tuning.looseness)
        return feedforward_controller(parts, tuning.robustness, actuators=actuators)
    gains = BalanceGains(pose=_scaled(COMPLIANT, tuning.stiffness), actuators=actuators)
    return BalanceController(tuning.robustness.thr_min, tuning.robustness.thr_max, gains)


def retune(stepper: Stepper, tuning: Tuning) -> None:
    """Lets a run go on with another tuning; what the balance controller knows about its support, or its fall, stays."""
    old = stepper.controller
    new = make_controller(tuning)
    if isinstance(old, BalanceController) and isinstance(new, BalanceController):
        old.thr_min, old.thr_max = new.thr_min, new.thr_max
        old.retune(new.gains)
    elif isinstance(old, FeedforwardController) and isinstance(new, FeedforwardController):
        old.retune(new)
    elif not (isinstance(old, LimbsController) and isinstance(new, LimbsController) and old.style == new.style):
        stepper.hand_to(new)


def _scaled(gains: PoseGains, factor: float) -> PoseGains:
    return PoseGains(**{part: (factor * kp, float(np.sqrt(factor)) * kd) for part, (kp, kd) in vars(gains).items()})
