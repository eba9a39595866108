"""Balls that change their size and mass while the world runs."""

from __future__ import annotations

import mujoco
import numpy as np

from poise.physics.world import BallShape, World


def reshape_ball(world: World, number: int, shape: BallShape) -> None:
    """Gives a ball, by its number from 0, another radius and mass; nothing happens where it has them already."""
    model = world.model
    body = model.body(f"ball_{number + 1}").id
    geom = model.body_geomadr[body]
    if np.isclose(model.geom_size[geom, 0], shape.radius) and np.isclose(model.body_mass[body], shape.mass):
        return
    model.geom_size[geom, 0] = model.geom_rbound[geom] = shape.radius
    model.body_mass[body] = shape.mass
    model.body_inertia[body] = 0.4 * shape.mass * shape.radius**2
    mujoco.mj_setConst(model, mujoco.MjData(model))  # what MuJoCo has derived from masses; it needs a state to spoil
