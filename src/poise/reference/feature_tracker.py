"""Features of an actor for a character, as its frames arrive: no look-ahead, no drift (Çimen section 5)."""

from __future__ import annotations

import numpy as np

from poise.character.character import Character
from poise.character.style import NEUTRAL, Style
from poise.errors import BadInput
from poise.pinned import Pinned
from poise.reference.actor import Actor
from poise.reference.actor_mass import actor_mass_of
from poise.reference.actor_smoothing import arrived, smoothed, take_in
from poise.reference.contact_cleanup import DEFAULT, CleanUp, contacts
from poise.reference.feature_memory import Memory
from poise.reference.feature_plan import plan_of
from poise.reference.feature_retargeting import LAYOUT, advance
from poise.reference.features import ActorFrame, Features, effector_limbs
from poise.rotation import Array

_RATES = (5.0, 1000.0)  # frames/s that a stream may bring
_LONGEST_STEP = 0.005  # s: longer ones are taken in several
_SETTLED, _FIRST_STEP = 1.0, 1e-6  # s
_LOST = 1.0  # s: after a longer silence of its caller the actor is taken up anew


class FeatureTracker:
    """Turns an actor's frames into what they ask of a character; the same for clips and for live streams.

    `rate` is about how many frames come in a second, `smoothing` the rate ω of the low-pass, rad/s. Times of frames and samples
    are on one clock. What `sample` gives at a time is what the actor did `delay` seconds before.
    """

    def __init__(
        self,
        actor: Actor,
        character: Character,
        *,
        rate: float = 60.0,
        smoothing: float = 60.0,
        style: Style = NEUTRAL,
        rule: CleanUp = DEFAULT,
    ) -> None:
        if not _RATES[0] <= rate <= _RATES[1]:
            raise BadInput(f"{rate} frames per second must lie between {_RATES[0]:g} and {_RATES[1]:g}")
        self.actor, self.character = actor, character
        self._plan, self._rule = plan_of(actor, character, style), np.array(rule)
        self._mass = actor_mass_of(actor, character, style, int(self._plan.trunk[0]), self.scale)
        self._interval, self._smoothing = 1.0 / rate, smoothing
        self._frames = arrived(len(actor.roles))
        self.restart()

    @property
    def delay(self) -> float:
        """How far the features are behind the actor, seconds: one frame to interpolate to, and the low-pass."""
        return self._interval + 2.0 / self._smoothing

    @property
    def scale(self) -> float:
        """The character's size over the actor's: α of root and support limbs."""
        return float(self._plan.scale[0])

    def edge(self, effector: int) -> Array:
        """The front edge of an effector's sole in its frame (3,): what stays where it is while the effector is in contact."""
        return self._plan.edge[effector]

    def restart(self) -> None:
        """Forgets every frame and all that was learnt."""
        e, plan = len(effector_limbs(self.character)), self._plan
        self._smoothed = smoothed(len(self.actor.roles))
        soles = np.tile([1.0, 0.0, 0.0, 0.0], (e, 1))
        self._memory = Memory(
            contacts(e), plan.actor_tip[:, 2].copy(), soles, soles.copy(), np.zeros(1), np.zeros(e), np.zeros(2), np.zeros((3, 2))
        )
        self._last = np.zeros((2 + e, 7))
        self._frames.filled[0] = 0
        self._time: float | None = None
        self._bound_to: Features | None = None

    def push(self, frame: ActorFrame) -> None:
        """Takes in a new frame. One that is older than the newest, or holds numbers that are none, is left out.

        Joints that jump (a lost marker, a flipped sensor) stay as they were for a moment.
        """
        frames, n = self._frames, int(self._frames.filled[0])
        if not (np.isfinite(frame.position).all() and np.isfinite(frame.rotation).all() and np.isfinite(frame.time)):
            return
        if n and frame.time <= frames.time[n - 1]:
            return
        take_in(frame.time, frame.position, frame.rotation, frames)

    def sample(self, time: float, features: Features) -> None:
        """Refreshes the features for control at `time`, seconds; times must not go back."""
        if self._frames.filled[0] == 0:
            raise BadInput("no frame of the actor has come yet; push one before sampling")
        if self._time is None or time - self._time > _LOST:
            self._take_up(time, features)
            return
        ahead = time - self._time
        nsteps = int(np.ceil(ahead / _LONGEST_STEP - 1e-9))
        for k in range(1, nsteps + 1):
            self._advance(time - ahead * (nsteps - k) / nsteps, ahead / nsteps, features)

    def _take_up(self, time: float, features: Features) -> None:
        """Starts where the actor is, moving as it moves between the first frames."""
        frames, state = self._frames, self._smoothed
        state.position[:], state.rotation[:] = frames.position[0], frames.rotation[0]
        state.velocity[:], state.spin[:] = 0.0, 0.0
        if frames.filled[0] > 1:
            state.velocity[:] = (frames.position[1] - frames.position[0]) / (frames.time[1] - frames.time[0])
        self._bind(features)
        for _ in range(2):  # without following: everything but the actor comes to rest
            advance(self._pinned.where, time, _SETTLED, 0.0)
        self._time = time - _FIRST_STEP
        self._advance(time, _FIRST_STEP, features)

    def _advance(self, time: float, dt: float, features: Features) -> None:
        if self._bound_to is not features:
            self._bind(features)
        advance(self._pinned.where, time - self._interval, dt, self._smoothing)
        self._time = time

    def _bind(self, features: Features) -> None:
        """Gets the arrays ready: in one run they all stay where they are."""
        self._bound_to, memory = features, self._memory
        self._pinned = Pinned(
            LAYOUT, *self._plan, self._rule, *self._frames[:4], *self._smoothed, *memory.contacts, *memory[1:], self._last,
            features.row, features.contact, *self._mass,
        )  # fmt: skip
