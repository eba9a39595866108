"""A character that has fallen is lifted, so that the show goes on."""

from __future__ import annotations

from poise.control.balance import BalanceController
from poise.live.notices import Notices
from poise.measure.balance import LOW_SHARE
from poise.simulation import Stepper
from poise.studio.lift import Lift

_LIES = 2.0  # s


class GettingUp:
    """Looks at every step; two seconds after a fall it lifts the character by its chest, as the studio's button does."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self._down = 0.0  # s
        self._lift: Lift | None = None

    def after(self, stepper: Stepper) -> None:
        """Looks at the step that has just been taken."""
        if self._lift is not None:
            if not self._lift.lead():
                self._lift = None
            return
        law, state = stepper.controller, stepper.world.state
        gave_up = isinstance(law, BalanceController) and law.fallen
        low = state.com[2] < LOW_SHARE * stepper.target.com[2]
        self._down = self._down + stepper.run.dt if gave_up or low else 0.0
        if self._down > _LIES:
            self._down, self._lift = 0.0, Lift(stepper)
            self._notices.note("fall", "the character fell; it is lifted by its chest and goes on", stepper.time)
