"""An actor live for the limbs controller: what they ask of a character that need not look like them (Çimen section 5).

The stream first leads a stand-in, a body of the actor's own size, as `LiveReference` leads any character: over gaps and jumps, to
a stand where the actor is lost, on from there when they are back. What the stand-in does is then put on the character by the
same tracker of features as for clips, and a puppet follows the features as for clips.
"""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.character.binding import Binding
from poise.character.character import Character
from poise.character.style import NEUTRAL, Style
from poise.control.limbs.puppet import STEP, Puppet
from poise.live.live_pose import BodyPose
from poise.live.live_reference import LiveReference
from poise.live.live_target import LiveTarget
from poise.motion.clip import Clip
from poise.reference.actor import Actor
from poise.reference.feature_tracker import FeatureTracker
from poise.reference.features import ActorFrame, Features, foot_effectors
from poise.reference.reference import Target

_RATE = 250.0  # frames/s of the stand-in that the tracker is told of: it sees one at every step, usually every 2 ms


class LimbsReference:
    """The puppet of a character that a live actor leads by features. `source` gives these to the controller."""

    def __init__(self, lead: LiveReference, character: Character, style: Style = NEUTRAL) -> None:
        self.lead, self.character, self.source = lead, character, _Present(self)
        body = lead.character
        self._frame = lead.target()
        self.tracker = FeatureTracker(Actor(body.names, body.joints), character, rate=_RATE, style=style)
        self.features, self._feet = Features(character), foot_effectors(character)
        self._puppet, self._output = Puppet(character), LiveTarget(character)
        self._clock = 0.0  # s, of tracker and puppet: it never goes back
        self._time = 0.0  # of the run
        self._puppet_due = -np.inf  # on that clock
        self._last: BodyPose | None = None  # of the puppet
        self.advance(0.0)

    @property
    def clip(self) -> Clip | None:
        return self.lead.clip

    @property
    def binding(self) -> Binding | None:
        """None: the puppet has no joints of the actor's skeleton."""
        return None

    @property
    def duration(self) -> float:
        """Without an end."""
        return 0.0

    def target(self) -> Target:
        """A fresh Target to sample into."""
        return self._output.fresh()

    def advance(self, time: float) -> None:
        """Takes in what has come and follows it to the simulated `time`."""
        self.lead.advance(time)
        dt = time - self._time
        if dt < 0.0:
            self._output.start_over(time)
        self._time, self._clock = time, self._clock + max(dt, 0.0)
        if self.lead.present:
            self._track(time)
        self._output.advance(max(dt, 0.0), time, 0.0, STEP)
        now = self._output.now
        now.stance[:] = now.near_stance[:] = self.features.contact[self._feet]

    def enter(self) -> None:
        """The actor comes in anew: the next frame is where it all begins."""
        self.lead.enter()
        self.tracker.restart()
        self._last = None

    def sample(self, time: float, target: Target) -> None:
        """Refreshes `target` for a moment about now."""
        self._output.sample(time, target)

    def _track(self, time: float) -> None:
        """From the stand-in to features, and the puppet after them."""
        self.lead.sample(time, self._frame)
        self.tracker.push(ActorFrame(self._clock, self._frame.position, self._frame.rotation))
        self.tracker.sample(self._clock, self.features)
        if self._last is None:
            self._puppet.settle(self.features)
            self._show(time, 0.0)
            self._output.follower.catch_up(time)
        elif self._clock >= self._puppet_due:
            self._puppet.step(self.features)
            self._show(time, STEP)

    def _show(self, time: float, seconds: float) -> None:
        """Where the puppet is becomes the goal of the target, so many seconds after the goal before."""
        state, before = self._puppet.sense(), self._last
        pose = BodyPose(state.rotation.copy(), state.position[0].copy(), state.position[state.feet].copy())
        self._last, self._puppet_due = pose, self._clock + STEP - 1e-9
        spin, velocity = np.zeros((self.character.nsegments, 3)), np.zeros(3)
        if before is not None and seconds > 0.0:
            spin = rotation.log(rotation.multiply(pose.turns, rotation.conjugate(before.turns))) / seconds
            velocity = (pose.root - before.root) / seconds
        contact = self.features.contact[self._feet]
        self._output.follower.aim(time, pose, spin, velocity, contact, contact)


class _Present:
    """The features of the present step, whatever time is asked for."""

    def __init__(self, reference: LimbsReference) -> None:
        self._reference = reference

    def sample(self, time: float, features: Features) -> None:
        features.row[:] = self._reference.features.row
        features.contact[:] = self._reference.features.contact
