"""Who moves the body: MuJoCo with its contacts, or the planned forces alone."""

from __future__ import annotations

from typing import Literal

import mujoco

from poise.physics.world import World

Dynamics = Literal["forward", "generalized"]
DYNAMICS: tuple[Dynamics, ...] = ("forward", "generalized")
STEP = {"forward": 0.002, "generalized": 0.01}  # s: the paper's own for its own

_CONSTRAINTS = int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)


def set_constraints(world: World, on: bool) -> None:
    """Contacts and joint limits of the engine, on or off; without them a step only integrates the forces that are set."""
    flags = world.model.opt.disableflags
    world.model.opt.disableflags = flags & ~_CONSTRAINTS if on else flags | _CONSTRAINTS
