"""A puppet: the character led through a whole performance by its features alone, as if gravity and the ground did not matter.

It is the reference of a run of the limbs controller: the pose to start from, and what measurements compare with. It has the
same objectives as the law, stiffer, but no angular momentum to keep calm and a root that may be pulled about freely.
"""

from __future__ import annotations

import numpy as np

from poise.character.character import Character
from poise.character.style import NEUTRAL, Style, style_of
from poise.control.controller import Command
from poise.control.limbs.controller import LimbsController
from poise.control.limbs.follower import Follower
from poise.control.limbs.weights import Settings, Springs, Strength, Weights
from poise.motion.clip import Clip
from poise.physics.state import State
from poise.physics.world import World
from poise.reference.clip_features import ClipFeatures
from poise.reference.features import Features, foot_effectors
from poise.reference.reference import Reference, table_of
from poise.reference.retarget import SegmentMotion

STEP = 0.01  # s
_SETTLING = 200  # steps from the rest pose to the first features
_SETTINGS = Settings(
    Weights(com=0.0, momentum=0.0, residual=1e-9, residual_astray=1e-9),
    Springs(root=(900.0, 60.0), support=(900.0, 60.0), targeted=(900.0, 60.0), pose=(100.0, 20.0)),
    Strength(torque=1e6),
)


def puppet_of(law: LimbsController, reference: Reference) -> Reference:
    """The puppet that a law is measured against, instead of a reference that knows neither limbs nor styles.

    It belongs to the character alone: a take of it has no joints of the clip's own skeleton.
    """
    if reference.clip is None:
        return reference
    return puppet_reference(reference.clip, reference.character, style_of(reference.character, law.style))


def puppet_reference(clip: Clip, character: Character, style: Style = NEUTRAL) -> Reference:
    """The reference of a tidied clip on any character that has limbs."""
    motion = _led(clip, character, style)
    return Reference(character, 1.0 / STEP, table_of(character, motion, 1.0 / STEP), motion.stance, clip)


class Puppet:
    """A character that is led by its features, `STEP` seconds at a time."""

    def __init__(self, character: Character) -> None:
        self._world = World(character, dt=STEP)
        self._follower, self._command = Follower(self._world, _SETTINGS, by_hand=True), Command(character.nsegments)

    def settle(self, features: Features) -> None:
        """Brings the body from rest into the features' pose, and then makes it move as they do."""
        self._world.reset(np.concatenate([features.root_rotation[None], features.pose[1:]]), features.root_position)
        moving, standing = features.row.copy(), features.contact.copy()
        features.contact[:] = False  # feet that stand stay where they land: first they go where they belong
        for moves in (features.root_velocity, features.root_spin, features.velocity, features.spin, features.landing):
            moves[:] = 0.0
        for _ in range(_SETTLING):
            self._world.sense()
            self.step(features)
        features.row[:], features.contact[:] = moving, standing
        self._follower.match_velocities(self._world.state, features)

    def sense(self) -> State:
        """Where it is now."""
        return self._world.sense()

    def step(self, features: Features) -> None:
        """Follows the features for a step; `sense` goes before."""
        self._follower.follow(self._world.state, features, self._command)
        self._world.joint_torque[:], self._world.wrench[:] = self._command.joint_torque, self._command.wrench
        self._world.advance()


def _led(clip: Clip, character: Character, style: Style) -> SegmentMotion:
    """Every segment's rotation and position at each step from the clip's start to its end."""
    source, features, puppet = ClipFeatures(clip, character, style), Features(character), Puppet(character)
    source.sample(0.0, features)
    puppet.settle(features)
    feet, s, n = foot_effectors(character), character.nsegments, round(clip.duration / STEP) + 1
    turns, places, stance = np.zeros((n, s, 4)), np.zeros((n, s, 3)), np.zeros((n, len(feet)), bool)
    for k in range(n):
        source.sample(k * STEP, features)
        state = puppet.sense()
        turns[k], places[k], stance[k] = state.rotation, state.position, features.contact[feet]
        puppet.step(features)
    return SegmentMotion(turns, places, stance)
