"""The limbs controller: any biped follows what an actor asks of it (Çimen et al.)."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from poise import rotation
from poise.character.style import style_of
from poise.control.controller import Command
from poise.control.limbs.follower import Follower
from poise.control.limbs.foresight import SPACING, Foresight
from poise.control.limbs.weights import Settings
from poise.errors import BadInput
from poise.physics.state import State
from poise.physics.world import World
from poise.reference.clip_features import ClipFeatures
from poise.reference.features import Features, FeatureSource, foot_effectors
from poise.reference.reference import AnyReference, Reference, Target

PREVIEW = 0.8  # s: about a step and a half
PREVIEWS = (0.0, 3.0)


@runtime_checkable
class Led(Protocol):
    """A reference that knows itself what its actor asks of the character."""

    @property
    def source(self) -> FeatureSource: ...


class LimbsController:
    """Follows the actor of a clip causally, frame by frame; without a clip, the reference's own root, effectors and pose.

    `dynamics` is "forward", MuJoCo with its contacts, or "generalized", planned forces alone as in the paper. With `strict`,
    root and support limbs go before everything else. `style` is the name of a rest pose in the character's file. `preview` is how
    many seconds a run is behind the actor of its clip, to know the steps to come; live, nothing is known of them.
    """

    name = "limbs"
    tunable = False

    def __init__(
        self,
        dynamics: str = "forward",
        *,
        strict: bool = False,
        style: str | None = None,
        settings: Settings | None = None,
        preview: float = PREVIEW,
    ) -> None:
        if not PREVIEWS[0] <= preview <= PREVIEWS[1]:
            raise BadInput(f"a preview of {preview:g} s must lie between {PREVIEWS[0]:g} and {PREVIEWS[1]:g} s; 0 is none")
        self.dynamics, self.strict, self.style, self.preview = dynamics, strict, style, preview
        self.settings = settings or Settings()

    def start(self, world: World, reference: AnyReference) -> None:
        character = world.character
        self.follower = Follower(world, self.settings, by_hand=self.dynamics == "generalized", strict=self.strict)
        self.features = Features(character)
        self._source = self._source_of(reference, world.dt)
        self._feet = foot_effectors(character)

    def act(self, state: State, target: Target, command: Command) -> None:
        if self._source:
            self._source.sample(target.time, self.features)
            target.stance[:] = self.features.contact[self._feet]  # the reference has it on its own frames, so feet gripped early
        else:
            self._read(target)
        self.follower.follow(state, self.features, command)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a user should know about the run so far."""
        failures = self.follower.failures
        if not failures:
            return ()
        steps, before = ("1 step", "it") if failures == 1 else (f"{failures} steps", "them")
        return (f"{steps} had no solution; the torques before {before} were kept",)

    def _source_of(self, reference: AnyReference, dt: float) -> FeatureSource | None:
        """What the actor of a reference asks: of a live one it knows itself, of a clip the tracker finds out."""
        if isinstance(reference, Led):
            return reference.source
        if not isinstance(reference, Reference) or reference.clip is None:
            return None
        features = ClipFeatures(reference.clip, reference.character, style_of(reference.character, self.style))
        if self.preview < SPACING:
            return features
        return Foresight(features, reference.character, self.preview, dt, self.settings.course)

    def _read(self, target: Target) -> None:
        """The features that the reference itself has."""
        features, at = self.features, self.follower.effectors
        features.root_position[:], features.root_rotation[:] = target.position[0], target.rotation[0]
        features.root_velocity[:], features.root_spin[:] = target.velocity[0], target.angular_velocity[0]
        features.position[:], features.rotation[:] = target.position[at], target.rotation[at]
        features.velocity[:], features.spin[:] = target.velocity[at], target.angular_velocity[at]
        features.pose[:] = target.joint_rotation
        features.pose_spin[:] = rotation.rotate(target.joint_rotation, target.joint_velocity)
        features.com[:], features.com_velocity[:] = target.com, target.com_velocity
        features.contact[self._feet] = target.stance
