"""Puts a feedforward controller together from its settings, and looks inside controllers that hold others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from poise.control.auxiliary import AuxiliarySimulation
from poise.control.balance import COMPLIANT, BalanceController, BalanceGains
from poise.control.controller import Controller
from poise.control.error_learning import ErrorLearning
from poise.control.feedforward import FeedforwardController, NoFeedforward, Source
from poise.control.inertia_pd import InertiaGains
from poise.control.inverse_dynamics import InverseDynamics
from poise.control.local_feedback import NO_POSE, LocalFeedback
from poise.control.pose import PoseController
from poise.control.virtual_actuator import ActuatorGains
from poise.errors import BadInput
from poise.scenario.feedforward import Feedforward
from poise.scenario.robustness import Robustness

_NO_CYCLE = "learning needs a motion that repeats itself: loop the clip (loop = 10 in a scenario) or give its period"


def feedforward_controller(
    settings: Feedforward, limits: Robustness, period: float | None = None, actuators: ActuatorGains | None = None
) -> FeedforwardController:
    """The controller that the settings describe; `period` (seconds) is that of a looped clip, `actuators` are for balance."""

    def feedback(gains: InertiaGains) -> LocalFeedback:
        """The joints of one world, on a strategy of its own."""
        if settings.strategy == "root-forces":
            return LocalFeedback(PoseController(NO_POSE), gains, firm=None)
        underneath = BalanceGains(pose=NO_POSE, actuators=actuators or ActuatorGains())
        return LocalFeedback(BalanceController(limits.thr_min, limits.thr_max, underneath), gains, firm=COMPLIANT)

    gains = InertiaGains(settings.stiffness, settings.damping, tension=settings.tension, strength=settings.strength)
    main = feedback(gains.softer(settings.stiffness_ratio, settings.damping_ratio))
    source = _source(settings, main, lambda: feedback(gains), settings.period or period)
    return FeedforwardController(main, source, asdict(settings))


def feedforward_of(controller: Controller) -> dict[str, Any] | None:
    """The settings that a feedforward controller, or the one inside another, was made from; None for other controllers."""
    controller = getattr(controller, "inner", controller)
    return dict(controller.settings) if isinstance(controller, FeedforwardController) and controller.settings else None


def auxiliary_of(controller: Controller) -> AuxiliarySimulation | None:
    """The auxiliary simulation of a controller, or of the one inside it, where it has one."""
    source = getattr(getattr(controller, "inner", controller), "source", None)
    return source if isinstance(source, AuxiliarySimulation) else None


def balance_of(controller: Controller) -> BalanceController | None:
    """The balance law of the main character inside a controller, where there is one."""
    controller = getattr(controller, "inner", controller)
    law = getattr(controller, "strategy", None) or getattr(controller, "balance", None) or controller
    return law if isinstance(law, BalanceController) else None


def _source(settings: Feedforward, main: LocalFeedback, stiff: Callable[[], LocalFeedback], period: float | None) -> Source:
    if settings.source == "auxiliary":
        return AuxiliarySimulation(stiff())
    if settings.source == "inverse-dynamics":
        return InverseDynamics(carried=settings.strategy == "balance")
    if settings.source == "learning":
        if period is None:
            raise BadInput(_NO_CYCLE)
        return ErrorLearning(main, period)
    return NoFeedforward()
