"""Puts a feedforward controller together: two worlds' feedback, what keeps their balance, and where the torques come from."""

from __future__ import annotations

from poise.control.auxiliary import AuxiliarySimulation
from poise.control.balance import COMPLIANT, BalanceController, BalanceGains
from poise.control.controller import Controller
from poise.control.error_learning import ErrorLearning
from poise.control.feedforward import FeedforwardController, NoFeedforward, Source
from poise.control.inertia_pd import InertiaGains
from poise.control.inverse_dynamics import InverseDynamics
from poise.control.local_feedback import NO_POSE, LocalFeedback
from poise.control.pose import PoseController
from poise.errors import BadInput
from poise.scenario.feedforward import Feedforward
from poise.scenario.robustness import Robustness


def feedforward_controller(settings: Feedforward, limits: Robustness, period: float | None = None) -> FeedforwardController:
    """The controller that the settings describe; `period` is that of a looped clip, seconds."""
    gains = InertiaGains(settings.stiffness, settings.damping, tension=settings.tension, strength=settings.strength)
    main = _feedback(settings, limits, gains.softer(settings.stiffness_ratio, settings.damping_ratio))
    return FeedforwardController(main, _source(settings, limits, gains, main, settings.period or period))


def auxiliary_of(controller: Controller) -> AuxiliarySimulation | None:
    """The auxiliary simulation of a controller, or of the one inside it, where it has one."""
    controller = getattr(controller, "inner", controller)
    source = getattr(controller, "source", None)
    return source if isinstance(source, AuxiliarySimulation) else None


def _feedback(settings: Feedforward, limits: Robustness, gains: InertiaGains) -> LocalFeedback:
    """The joints of one world on its own instance of the strategy."""
    if settings.strategy == "root-forces":
        return LocalFeedback(PoseController(NO_POSE), gains, firm=None)
    balance = BalanceController(limits.thr_min, limits.thr_max, BalanceGains(pose=NO_POSE))
    return LocalFeedback(balance, gains, firm=COMPLIANT)


def _source(settings: Feedforward, limits: Robustness, gains: InertiaGains, main: LocalFeedback, period: float | None) -> Source:
    if settings.source == "auxiliary":
        return AuxiliarySimulation(_feedback(settings, limits, gains))
    if settings.source == "inverse-dynamics":
        return InverseDynamics(carried=settings.strategy == "balance")
    if settings.source == "learning":
        if period is None:
            raise BadInput(
                "learning needs a motion that repeats itself: loop the clip (loop = 10 in a scenario) or give its period"
            )
        return ErrorLearning(main, period)
    return NoFeedforward()
