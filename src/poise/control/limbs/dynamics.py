"""Who moves the body: MuJoCo with its contacts, or the planned forces alone."""

from __future__ import annotations

import mujoco

from poise.physics.world import World

_CONSTRAINTS = int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
_ELLIPTIC = int(mujoco.mjtCone.mjCONE_ELLIPTIC)
_FRICTION = 10.0  # how much harder friction is than the normal force: at MuJoCo's own 1 a light foot under load creeps by cm/s


def set_constraints(world: World, on: bool) -> None:
    """Contacts and joint limits of the engine, on or off; without them a step only integrates the forces that are set.

    Contacts have round cones and hard friction, so that feet hold where they stand.
    """
    flags = world.model.opt.disableflags
    world.model.opt.disableflags = flags & ~_CONSTRAINTS if on else flags | _CONSTRAINTS
    world.model.opt.cone, world.model.opt.impratio = _ELLIPTIC, _FRICTION
