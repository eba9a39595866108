"""Who moves the body: MuJoCo with its contacts, or the planned forces alone."""

from __future__ import annotations

import mujoco

from poise.physics.world import World

_CONSTRAINTS = int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)


def set_constraints(world: World, on: bool) -> None:
    """Contacts and joint limits of the engine, on or off; without them a step only integrates the forces that are set."""
    flags = world.model.opt.disableflags
    world.model.opt.disableflags = flags & ~_CONSTRAINTS if on else flags | _CONSTRAINTS
