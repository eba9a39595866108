"""A hand that lifts a fallen character by its chest until it stands again, as a puppeteer would."""

from __future__ import annotations

import numpy as np

from poise.controllers import balance_of
from poise.scenario.grip import Grip
from poise.simulation import Stepper

WHO = "lift"
_SPEED = 0.6  # m/s upwards
_CALM = 0.5  # s that the feet must have been calm before the hand gives way
_LONGEST_HOLD = 3.0  # s
_FADE = 1.0  # s in which the hand gives way
_STIFFNESS = 6000.0  # N/m: hanging, the body sags by a tenth of a metre


class Lift:
    """Call `lead` before every step, until it says that it is over."""

    def __init__(self, stepper: Stepper) -> None:
        names = stepper.world.character.names
        self._stepper = stepper
        self._k = names.index("chest") if "chest" in names else 0
        self._point = stepper.world.state.link_com[self._k].copy()
        self._velocity = np.zeros(3)
        self._held, self._calm, self._strength = 0.0, 0.0, 1.0

    def lead(self) -> bool:
        """Moves the hand on by one step; False when it has let go."""
        self._encourage()
        self._raise_or_give_way()
        grips, coms = self._stepper.script.grips, self._stepper.world.character.coms
        if self._strength <= 0.0:
            grips.pop(WHO, None)
            return False
        stiffness = self._strength * _STIFFNESS
        grips[WHO] = Grip(self._k, coms[self._k], self._point.copy(), stiffness, self._velocity.copy())
        return True

    def _encourage(self) -> None:
        """Half upright a character would give up again at once."""
        law = balance_of(self._stepper.controller)
        if law and law.fallen:
            law.get_up()

    def _raise_or_give_way(self) -> None:
        """Up to the reference's height; then hold it, free to move sideways, until it is calm; then give way."""
        stepper, dt = self._stepper, self._stepper.run.dt
        top = float(stepper.target.position[self._k, 2] + stepper.world.character.coms[self._k, 2])
        self._point[2] = min(self._point[2] + _SPEED * dt, top)
        if self._strength == 1.0 and self._point[2] < top:
            return
        self._held += dt
        self._velocity[:2] = stepper.world.state.link_velocity[self._k, 3:5]
        self._point[:2] = stepper.world.state.link_com[self._k, :2]
        self._calm = self._calm + dt if _is_calm(stepper) else 0.0
        if self._calm > _CALM or self._held > _LONGEST_HOLD or self._strength < 1.0:
            self._strength -= dt / _FADE


def _is_calm(stepper: Stepper) -> bool:
    law = balance_of(stepper.controller)
    return law is None or (bool(law.stance.any()) and law.foot_torque < law.thr_max)
