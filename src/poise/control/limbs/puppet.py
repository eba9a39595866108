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
from poise.physics.world import World
from poise.reference.clip_features import ClipFeatures
from poise.reference.features import Features, effector_limbs
from poise.reference.reference import Reference, table_of
from poise.reference.retarget import SegmentMotion

_STEP = 0.01  # s
_SETTLING = 200  # steps from the rest pose to the first features
_SETTINGS = Settings(
    Weights(momentum=0.0, residual=1e-9),
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
    return Reference(character, 1.0 / _STEP, table_of(character, motion, 1.0 / _STEP), motion.stance, clip)


def _led(clip: Clip, character: Character, style: Style) -> SegmentMotion:
    """Every segment's rotation and position at each step from the clip's start to its end."""
    source, features = ClipFeatures(clip, character, style), Features(character)
    source.sample(0.0, features)
    world = World(character, dt=_STEP)
    world.reset(np.concatenate([features.root_rotation[None], features.pose[1:]]), features.root_position)
    effectors = [limb.effector for limb in effector_limbs(character)]
    feet, s, n = [effectors.index(foot) for foot in character.feet], character.nsegments, round(clip.duration / _STEP) + 1
    turns, places, stance = np.zeros((n, s, 4)), np.zeros((n, s, 3)), np.zeros((n, len(feet)), bool)
    follower, command = Follower(world, _SETTINGS, by_hand=True), Command(s)
    _settle(follower, world, features, command)
    for k in range(n):
        source.sample(k * _STEP, features)
        state = world.sense()
        turns[k], places[k], stance[k] = state.rotation, state.position, features.contact[feet]
        _step(follower, world, features, command)
    return SegmentMotion(turns, places, stance)


def _settle(follower: Follower, world: World, features: Features, command: Command) -> None:
    """Brings the body into the features' pose, at rest, and then makes it move as they do."""
    moving, standing = features.row.copy(), features.contact.copy()
    features.contact[:] = False  # feet that stand stay where they land: first they go where they belong
    for velocity in (features.root_velocity, features.root_spin, features.velocity, features.spin):
        velocity[:] = 0.0
    for _ in range(_SETTLING):
        world.sense()
        _step(follower, world, features, command)
    features.row[:], features.contact[:] = moving, standing
    follower.match_velocities(world.state, features)


def _step(follower: Follower, world: World, features: Features, command: Command) -> None:
    follower.follow(world.state, features, command)
    world.joint_torque[:], world.wrench[:] = command.joint_torque, command.wrench
    world.advance()
