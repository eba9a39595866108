"""A reference that is led by a live actor: what `Reference` is for a clip, without any look ahead."""

from __future__ import annotations

import time as wall
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from poise import rotation
from poise.character.binding import Binding
from poise.character.character import Character
from poise.live.intake import TimedFrame
from poise.live.live_feet import LiveFoot
from poise.live.live_pose import BodyPose, Legs, Retargeter
from poise.live.live_target import LiveTarget
from poise.live.notices import Notices
from poise.live.playout import Playout
from poise.live.seam import Seam
from poise.live.standing import ComingToRest, come_to_rest
from poise.live.world_time import WorldTime
from poise.motion.clip import Clip
from poise.reference.reference import Target
from poise.reference.retarget import leg_length
from poise.reference.turning import Turn
from poise.rotation import Array

_SILENCE = 0.1  # s, or six frames, beyond what is usual, without a frame: the actor is lost
_SEAM = 0.4  # s over which a stream that goes on elsewhere takes over
_RETURN = 2.6  # s over which an actor who was away takes over: a body that stands needs as long to walk as they do
_STRIDE = 0.2  # s over which an actor's pace is taken
_GRAVITY = 9.81  # m/s2
_PAUSE = 0.02  # s in which nobody looked: a world was built, or the machine was busy; the actor has gone on
_JUMP, _FASTEST = 0.25, 6.0  # m, m/s: a root that goes farther and faster than both has been put elsewhere
_SMOOTH_VELOCITY = 0.015  # s
_AT_LEAST = 0.8  # of the time since the frame before: the moments of two frames are no nearer, or a slower sender seems to run
_LONGEST_GAP = 0.1  # s between frames: velocities of before mean nothing after it
_MOST_AT_ONCE = 16  # frames: of more that have piled up the oldest are left out


class Frames(Protocol):
    """Where frames come from."""

    @property
    def period(self) -> float:
        """Seconds between two frames, as measured lately."""
        ...

    @property
    def lateness(self) -> float:
        """Nearly all frames come no later than this after the quickest, seconds."""
        ...

    def take(self, now: float) -> list[TimedFrame]:
        """What has come since the last call; `now` is the time on the wall."""
        ...

    def forget(self) -> None:
        """What comes next begins anew."""
        ...


class LiveReference:
    """The character's target from the newest frames. The place on the ground and the direction go on where a stream broke off."""

    def __init__(
        self,
        retargeter: Retargeter,
        character: Character,
        frames: Frames,
        notices: Notices,
        first: TimedFrame,
        *,
        clip: Clip,
        binding: Binding | None = None,
        turns: Sequence[Turn] = (),
        clock: Callable[[], float] = wall.perf_counter,
    ) -> None:
        self.character, self.clip, self.binding = character, clip, binding
        self._retargeter, self._frames, self._notices, self._turns, self._clock = retargeter, frames, notices, turns, clock
        self._output, self._legs = LiveTarget(character), Legs(character)
        self._target, self._follower = self._output.now, self._output.follower
        leg = leg_length(character)
        self._feet = [LiveFoot(character.segments[character.index(foot)], leg) for foot in character.feet]
        self._foot_rows = [character.index(foot) for foot in character.feet]
        self._world_time, self.playout = WorldTime(), Playout()
        self._stance, self._near = self._target.stance.copy(), self._target.near_stance.copy()  # of the newest goal
        self._time = 1.0  # later than the first step
        self._yaw, self._shift = 0.0, np.zeros(3)
        self._heard = self._advanced = self._clock()
        self._seam: Seam | None = None
        self._pace = np.zeros(3)  # m/s, of the stream in this seam
        self._trodden: Array | None = None  # (3,) where the root of the last frame of this seam was placed
        self._rest: tuple[float, ComingToRest] | None = None
        self._turned = 0.0
        self._goal_time = 0.0
        self._last: BodyPose | None = None
        self._start(retargeter.read(first.frame))

    @property
    def duration(self) -> float:
        """Without an end."""
        return 0.0

    @property
    def present(self) -> bool:
        """Whether a frame has come since the actor came in."""
        return self._last is not None

    def target(self) -> Target:
        """A fresh Target to sample into."""
        return self._output.fresh()

    def advance(self, time: float) -> None:
        """Takes in what has come and follows it to the simulated `time`."""
        now, dt = self._clock(), time - self._time
        anew = dt < 0.0  # a run that starts, or starts over
        self._world_time.keep(time, now)
        pause, self._advanced = now - self._advanced, now
        if pause > _PAUSE:
            self._begin_seam(min(4.0 * pause, _SEAM))
        if anew:
            self._output.start_over(time)
            self._goal_time, self._seam, self._rest, self._heard = time, None, None, now
        self._time = time
        self._take_in(time, now)
        self._mind_silence(time, now)
        self.playout.adapt(max(dt, 0.0), self._frames.lateness)
        if anew:
            self.playout.start(self._frames.lateness)
            self._follower.catch_up(time - self.playout.delay)
        self._output.advance(max(dt, 0.0), time, self.playout.delay, self._frames.period)

    def enter(self) -> None:
        """The actor comes in anew: the next frame is where it all begins."""
        self._frames.take(self._clock())  # what came meanwhile
        self._frames.forget()
        self._rest, self._goal_time = None, self._time
        self._last, self._seam, self._heard, self._yaw, self._shift = None, None, self._clock(), 0.0, np.zeros(3)

    def sample(self, time: float, target: Target) -> None:
        """Refreshes `target` for the present moment, for one shortly before, or for one ahead, as far as can be guessed."""
        self._output.sample(time, target)

    def _take_in(self, time: float, now: float) -> None:
        frames = self._frames.take(now)
        skipped = sum(timed.seconds for timed in frames[:-_MOST_AT_ONCE])
        for timed in frames[-_MOST_AT_ONCE:]:
            self._lead(timed, timed.seconds + skipped, time)
            skipped = 0.0

    def _lead(self, timed: TimedFrame, seconds: float, time: float) -> None:
        """A frame has come, some seconds after the one before: it becomes the goal."""
        if self._rest is not None and time - self._rest[0] < self._rest[1].landed:
            return  # back already: a step that has been begun is finished first
        pose = self._retargeter.read(timed.frame)
        if self._last is None:
            self._start(pose)
        placed = pose.moved(self._yaw, self._shift)
        lost = self._rest is not None
        if lost or self._has_jumped(placed, seconds):
            self._carry_on_from(pose)
            placed = pose.moved(self._yaw, self._shift)
            self._take_over(timed.arrival, lost)
        self._rest, self._heard = None, timed.arrival
        placed = self._turned_by_events(placed, pose, time)
        if self._seam is not None:
            placed = self._blended(placed, seconds)
        moment = max(self._world_time.simulated(timed.moment), self._goal_time + _AT_LEAST * seconds)
        self._set_goal(self._on_feet(placed, seconds), min(moment, time), seconds)

    def _start(self, pose: BodyPose) -> None:
        """Where it all begins, at rest."""
        for foot in self._feet:
            foot.forget()
        self._seam, self._last = None, self._on_feet(pose, 0.0)
        self._follower.place(self._goal_time, self._last, self._stance, self._near)

    def _take_over(self, now: float, lost: bool) -> None:
        """The stream begins anew here."""
        away = now - self._heard
        if lost:
            self._notices.note("again", f"the actor is back after {away:.1f} s", now)
            self._begin_seam(_RETURN)
        else:
            self._notices.note("jump", "the actor's place jumped; the character goes on from where it is", now)
            self._begin_seam(_SEAM)

    def _on_feet(self, pose: BodyPose, seconds: float) -> BodyPose:
        """Soles on the floor, held in place, and legs that reach them."""
        turns, ankles = pose.turns.copy(), pose.ankles.copy()
        for k, (foot, row) in enumerate(zip(self._feet, self._foot_rows, strict=True)):
            foot.update(seconds, turns[row], ankles[k])
            turns[row], ankles[k] = foot.turn, foot.ankle
            self._stance[k], self._near[k] = foot.stance, foot.near
        return self._legs.fit(BodyPose(turns, pose.root, ankles))

    def _set_goal(self, pose: BodyPose, moment: float, seconds: float) -> None:
        """The pose as the follower's goal, with a velocity smoothed over the last frames."""
        before, follower = self._last, self._follower
        assert before is not None
        was_spin, was_velocity = follower.newest_spin, follower.newest_velocity
        share = 1.0 if seconds > _LONGEST_GAP else 1.0 - np.exp(-seconds / _SMOOTH_VELOCITY)
        spin = rotation.log(rotation.multiply(pose.turns, rotation.conjugate(before.turns))) / seconds
        velocity = (pose.root - before.root) / seconds
        spin, velocity = was_spin + share * (spin - was_spin), was_velocity + share * (velocity - was_velocity)
        follower.aim(moment, pose, spin, velocity, self._stance, self._near)
        self._last, self._goal_time = pose, moment

    def _mind_silence(self, time: float, now: float) -> None:
        """Without frames for too long, the goal is to come to rest."""
        silent = now - self._heard
        if self._rest is None:
            if silent < max(_SILENCE, 6.0 * self._frames.period) + self._frames.lateness:
                return
            self._notices.note("silence", f"nothing heard for {silent:.2f} s; standing still until the actor is back", now)
            self._rest = (time, self._coming_to_rest())
        began, rest = self._rest
        if time - self._goal_time < 0.5 * self._frames.period:
            return
        pose, stance = rest.at(time - began)
        self._stance[:], self._near[:] = stance, stance
        self._set_goal(pose, time, time - self._goal_time)

    def _coming_to_rest(self) -> ComingToRest:
        """From the pose that the follower has by now; it has slowed down meanwhile, the body has not."""
        follower = self._follower
        self._last, self._goal_time = self._present(), self._time
        start = Seam(0.0, 0.0, self._last, follower.spin.copy(), follower.velocity.copy())
        return come_to_rest(self.character, self._legs, start, self._target.stance.copy(), self._target.com, start.velocity)

    def _present(self) -> BodyPose:
        """Where the follower is now."""
        turns, root = self._follower.rotation.copy(), self._follower.root.copy()
        return BodyPose(turns, root, self._legs.ankles(turns, root))

    def _has_jumped(self, placed: BodyPose, seconds: float) -> bool:
        assert self._last is not None
        way = float(np.linalg.norm((placed.root - self._last.root)[:2]))
        return way > _JUMP and way > _FASTEST * seconds

    def _carry_on_from(self, pose: BodyPose) -> None:
        """Lays the stream anew so that this pose of it is where the character is now, on the ground and in direction."""
        here = self._present()
        self._yaw = here.heading - pose.heading
        there = rotation.rotate(rotation.about_z(self._yaw), pose.root)
        self._shift = (here.root - there) * [1.0, 1.0, 0.0]
        for foot in self._feet:
            foot.forget()

    def _begin_seam(self, seconds: float) -> None:
        follower = self._follower
        self._seam = Seam(self._advanced, seconds, self._present(), follower.spin.copy(), follower.velocity.copy())
        self._trodden, self._pace = None, np.zeros(3)

    def _blended(self, placed: BodyPose, seconds: float) -> BodyPose:
        """While a seam is being closed: on the way from what the character did to what the stream does.

        Over the ground the stream begins where the character is, and leads it faster and faster: what it is ahead meanwhile is
        never made up, so that nobody has to run after an actor who walks.
        """
        seam = self._seam
        assert seam is not None
        share = (self._advanced - seam.began) / seam.seconds
        if share >= 1.0:
            self._seam = None
            return placed
        gaining = 6.0 * share * (1.0 - share) / seam.seconds  # 1/s, of the share
        share *= share * (3.0 - 2.0 * share)
        way = np.zeros(3) if self._trodden is None else placed.root - self._trodden
        self._pace += (1.0 - np.exp(-seconds / _STRIDE)) * (way / seconds - self._pace)
        ahead = placed.root - seam.pose.root if self._trodden is None else (1.0 - share) * way
        ahead[2] = 0.0
        self._shift -= ahead
        placed = placed.moved(0.0, -ahead)
        self._trodden = placed.root
        old = seam.old(self._advanced, self._legs)
        drift = (1.0 - share) * (old.root - seam.pose.root) * [1.0, 1.0, 0.0]
        # Feet are taken along with the root: a stride grows as the root's speed does, so the foot that stands stays in place.
        blended = old.moved(0.0, (placed.root - old.root) * [1.0, 1.0, 0.0]).towards(placed, share).moved(0.0, drift)
        lean = gaining * self._pace * self._target.com[2] / _GRAVITY * [1.0, 1.0, 0.0]
        return replace(blended, root=blended.root + lean)

    def _turned_by_events(self, placed: BodyPose, pose: BodyPose, time: float) -> BodyPose:
        """The headings of a scenario turn the stream about where the character is."""
        angle = float(sum(turn.of(np.array([time]))[0] for turn in self._turns))
        more, self._turned = angle - self._turned, angle
        if more == 0.0:
            return placed
        about = placed.root * [1.0, 1.0, 0.0]
        self._yaw += more
        self._shift = about + rotation.rotate(rotation.about_z(more), self._shift - about)
        return pose.moved(self._yaw, self._shift)
