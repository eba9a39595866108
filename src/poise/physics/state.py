"""Everything that can be sensed (Geijtenbeek et al. 2.3.1). Holding a State means the sensors are fresh for this step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from poise import rotation
from poise.physics.contact import Contacts, read_contacts
from poise.physics.sensing import LAYOUT, sense_pinned
from poise.pinned import Pinned
from poise.rotation import Array

if TYPE_CHECKING:
    from poise.physics.world import World

CONTACT_FORCE = 1.0  # N: a foot that carries less has no contact
_POINT = slice(7, 10)  # in a foot's contact sensor: found, force, torque, point


class State:
    """Views into the simulation that stay valid; `World.sense` refreshes what is computed. World frame, S segments."""

    def __init__(self, world: World) -> None:
        data, character = world.data, world.character
        s, feet = character.nsegments, len(character.feet)
        self._world = world
        self.character = character
        self.joint_center = np.array([g.limit.center if g.limit else rotation.IDENTITY for g in character.segments])
        self.feet = np.array([character.index(foot) for foot in character.feet])
        # Joint state: MuJoCo's own coordinates (see joint_rotation) and angular velocities in the segments' frames.
        self.joint_coordinate: Array = data.qpos[3 : 3 + 4 * s].reshape(s, 4)
        self.joint_velocity: Array = data.qvel[3 : 3 + 3 * s].reshape(s, 3)
        self.root_velocity: Array = data.qvel[:3]
        # Global placement of the segments.
        self.position: Array = data.xpos[1 : s + 1]
        self.rotation: Array = data.xquat[1 : s + 1]
        self.link_com: Array = data.xipos[1 : s + 1]
        self.com: Array = data.subtree_com[1]
        # Computed by `refresh`.
        self.link_velocity = np.zeros((s, 6))  # angular, then linear velocity of the centre of mass
        self.momenta = np.zeros(6)  # the next two in one piece
        self.com_velocity = self.momenta[:3]
        self.angular_momentum = self.momenta[3:]
        self.foot_force = np.zeros((feet, 3))  # on each foot during the last step, newtons
        self.foot_load = np.zeros(feet)  # the upward part of it
        self.foot_contact = np.zeros(feet, np.bool_)  # which feet carry something
        self.momentum_rate = np.zeros(6)  # of linear, then angular momentum, over the last step
        self._last = np.full(6, np.nan)
        self._spatial_velocity: Array = data.cvel[1 : s + 1]
        self.inertia_turn: Array = data.ximat[1 : s + 1].reshape(s, 3, 3)
        self._mass = character.masses
        self._inertia = np.array([g.inertia for g in character.segments])
        self._feet = data.sensordata[: 10 * feet].reshape(feet, 10)
        # All of it stays where it is, so the compiled call gets its arguments ready-made.
        self._pinned = Pinned(
            LAYOUT, self._feet, self.foot_force, self.foot_load, self.foot_contact, self._spatial_velocity, self.link_com,
            self.com, self.inertia_turn, self._inertia, self._mass, self.link_velocity, self.momenta, self._last,
            self.momentum_rate,
        )  # fmt: skip
        self._senses = (self._pinned.where, CONTACT_FORCE, world.dt)

    @property
    def time(self) -> float:
        return self._world.data.time

    def refresh(self) -> None:
        """Velocities and momenta from the present positions and velocities; loads of the feet from the last step."""
        sense_pinned(*self._senses)

    def forget(self) -> None:
        """After a jump in the state: rates over the last step are unknown, hence zero."""
        self._last[:] = np.nan

    @property
    def joint_rotation(self) -> Array:
        """Each segment relative to its parent (S, 4); the root's in the world."""
        return rotation.multiply(self.joint_center, self.joint_coordinate)

    @property
    def heading(self) -> float:
        """Where the pelvis faces: the turn about the vertical from +x, radians."""
        return float(rotation.heading(self.rotation[0]))

    @property
    def up(self) -> Array:
        """The pelvis' own up axis in the world: (0, 0, 1) when upright."""
        return rotation.rotate(self.rotation[0], [0.0, 0.0, 1.0])

    @property
    def contacts(self) -> Contacts:
        """Every contact of the character with its surroundings during the last step."""
        return read_contacts(self._world)

    @property
    def center_of_pressure(self) -> Array | None:
        """Where the feet's normal forces act together; None while no foot carries anything."""
        total = self.foot_load.sum()
        return None if total <= CONTACT_FORCE else self.foot_load @ self._feet[:, _POINT] / total

    @property
    def zero_moment_point(self) -> Array | None:
        """The point of the ground about which gravity and inertia have no horizontal moment; None in free fall."""
        from poise.physics.world import GRAVITY

        mass = self.character.mass
        push = self.momentum_rate[:3] + np.array([0.0, 0.0, mass * GRAVITY])  # what the ground must give
        if push[2] <= CONTACT_FORCE:
            return None
        spin = self.momentum_rate[3:]
        x = self.com[0] - (self.com[2] * push[0] + spin[1]) / push[2]
        y = self.com[1] - (self.com[2] * push[1] - spin[0]) / push[2]
        return np.array([x, y, 0.0])
