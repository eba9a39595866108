"""One moment of a running simulation, copied so that a page can draw it while the simulation goes on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poise.character.character import Character
from poise.control.balance import BalanceController
from poise.controllers import balance_of
from poise.measure.balance import LOW_SHARE
from poise.rotation import Array
from poise.simulation import Stepper


@dataclass(frozen=True, eq=False)
class BallView:
    """A ball that has been thrown: position (3,), rotation (4,), metres."""

    radius: float
    position: Array
    rotation: Array


@dataclass(frozen=True, eq=False)
class Snapshot:
    """S segments, world frame, SI units. What a controller does not have is None."""

    character: Character
    time: float
    position: Array  # (S, 3) joint origins
    rotation: Array  # (S, 4)
    ref_position: Array  # (S, 3)
    ref_rotation: Array  # (S, 4)
    auxiliary: tuple[Array, Array] | None  # positions (S, 3) and rotations (S, 4) in the auxiliary simulation of feedforward
    heading: float  # of the pelvis, radians from +x
    com: Array  # (3,)
    support_polygon: Array  # (n, 2) of all contacts
    center_of_pressure: Array | None  # (3,)
    support_point: Array | None  # (3,) where the balance controller thinks it is carried
    foot_torque: float | None  # Nm, the largest that a standing foot receives: the bar of da Silva's Fig. 4
    thresholds: tuple[float, float] | None  # thr_min, thr_max, Nm
    help_torque: float  # Nm, magnitudes summed over the helped segments
    help_force: float  # N
    gave_up: bool  # the controller, where it can
    down: bool  # the character lies low, or its controller gave up
    forces: tuple[tuple[Array, Array], ...]  # where (3,) and how strong (3,) the segments are pushed and pulled, newtons
    grip: tuple[Array, Array] | None  # from where to where somebody drags
    balls: tuple[BallView, ...]


def snapshot(stepper: Stepper) -> Snapshot:
    """The present moment of a run that has taken at least one step."""
    world, target, command = stepper.world, stepper.target, stepper.command
    state = world.state
    law, twin = balance_of(stepper.controller), stepper.auxiliary.world.state if stepper.auxiliary else None
    gave_up = law.fallen if law else False
    pushed = np.flatnonzero(np.abs(stepper.script.wrench[:, :3]).sum(axis=1) > 0.0)
    grips = [(grip.held_at(state), grip.point) for grip in stepper.script.grips.values()]
    return Snapshot(
        character=world.character,
        time=stepper.time,
        position=state.position.copy(),
        rotation=state.rotation.copy(),
        ref_position=target.position.copy(),
        ref_rotation=target.rotation.copy(),
        auxiliary=(twin.position.copy(), twin.rotation.copy()) if twin else None,
        heading=state.heading,
        com=state.com.copy(),
        support_polygon=state.contacts.support_polygon,
        center_of_pressure=state.center_of_pressure,
        support_point=_support_point(law) if law and not gave_up else None,
        foot_torque=law.foot_torque if law else None,
        thresholds=(law.thr_min, law.thr_max) if law else None,
        help_torque=float(np.linalg.norm(command.help[:, 3:], axis=1).sum()),
        help_force=float(np.linalg.norm(command.help[:, :3], axis=1).sum()),
        gave_up=gave_up,
        down=gave_up or bool(state.com[2] < LOW_SHARE * target.com[2]),
        forces=tuple((state.link_com[k].copy(), stepper.script.wrench[k, :3].copy()) for k in pushed),
        grip=grips[0] if grips else None,
        balls=_balls(stepper),
    )


def _support_point(law: BalanceController) -> Array | None:
    """The middles of the soles, weighed by what each foot is to carry."""
    carried = float(law.share.sum())
    return law.share @ law.support / carried if carried > 1e-3 and law.stance.any() else None


def _balls(stepper: Stepper) -> tuple[BallView, ...]:
    world = stepper.world
    views = []
    for number in np.flatnonzero(stepper.script.thrown):
        geom = world.model.body_geomadr[world.model.body(f"ball_{number + 1}").id]
        views.append(BallView(float(world.model.geom_size[geom, 0]), *world.ball_pose(int(number))))
    return tuple(views)
