"""A reference that is led by a live actor: what `Reference` is for a clip, without any look ahead."""

from __future__ import annotations

import time as wall
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from poise import rotation
from poise.character.binding import Binding
from poise.character.character import Character
from poise.live.follower import Follower
from poise.live.intake import TimedFrame
from poise.live.live_feet import LiveFoot
from poise.live.live_pose import BodyPose, Legs, Retargeter
from poise.live.notices import Notices
from poise.live.standing import ComingToRest, come_to_rest
from poise.live.world_time import WorldTime
from poise.motion.clip import Clip
from poise.reference.reference import Columns, Target
from poise.reference.retarget import leg_length
from poise.reference.turning import Turn
from poise.rotation import Array

_SILENCE = 0.15  # s, or six frames, without a frame: the actor is lost
_SEAM = 0.4  # s over which a stream that begins anew takes over
_JUMP, _FASTEST = 0.25, 6.0  # m, m/s: a root that goes farther and faster than both has been put elsewhere
_SMOOTH_VELOCITY = 0.015  # s
_LONGEST_GAP = 0.1  # s between frames: velocities of before mean nothing after it
_REMEMBERED = 0.02  # s that can be asked about afterwards, and by which changes of speed are measured
_HISTORY = 11  # steps: the last 20 ms at the usual step
_MOST_AT_ONCE = 4  # frames: of more that have piled up the oldest are left out


class Frames(Protocol):
    """Where frames come from."""

    @property
    def period(self) -> float:
        """Seconds between two frames, as measured lately."""
        ...

    def take(self, now: float) -> list[TimedFrame]:
        """What has come since the last call; `now` is the time on the wall."""
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
        self._columns = Columns(character.nsegments)
        self._target = Target(self._columns, len(character.feet))
        self._follower, self._legs = Follower(character, self._target), Legs(character)
        leg = leg_length(character)
        self._feet = [LiveFoot(character.segments[character.index(foot)], leg) for foot in character.feet]
        self._foot_rows = [character.index(foot) for foot in character.feet]
        self._world_time = WorldTime()
        self._time = -np.inf
        self._history: deque[tuple[float, Array]] = deque(maxlen=_HISTORY)
        self._yaw, self._shift = 0.0, np.zeros(3)
        self._heard = self._clock()
        self._seam: tuple[float, BodyPose] | None = None
        self._rest: tuple[float, ComingToRest] | None = None
        self._turned = 0.0
        self._goal_time = 0.0
        self._last = self._on_feet(retargeter.read(first.frame), 0.0)
        self._follower.place(self._last.turns, self._last.root)

    @property
    def duration(self) -> float:
        """Without an end."""
        return 0.0

    def target(self) -> Target:
        """A fresh Target to sample into."""
        return Target(self._columns, len(self.character.feet))

    def advance(self, time: float) -> None:
        """Takes in what has come and follows it to the simulated `time`."""
        now = self._clock()
        dt = max(time - self._time, 0.0) if np.isfinite(self._time) else 0.0
        if self._world_time.keep(time, now) or time < self._time:
            self._begin_seam(time)
            self._goal_time = time
            self._history.clear()
        self._time = time
        for frame in self._frames.take(now)[-_MOST_AT_ONCE:]:
            self._lead(frame, time)
        self._mind_silence(time, now)
        self._follower.advance(dt, time - self._goal_time, self._frames.period)
        self._history.append((time, self._target.row.copy()))

    def sample(self, time: float, target: Target) -> None:
        """Refreshes `target` for the present moment, for one shortly before, or for one ahead, as far as can be guessed."""
        if not self._history:
            self.advance(time)
        target.row[:] = self._target.row
        target.stance[:], target.near_stance[:] = self._target.stance, self._target.near_stance
        target.time = time
        if time < self._time:
            target.row[:] = next((row for at, row in reversed(self._history) if at <= time + 1e-6), self._history[0][1])
        elif time > self._time:
            self._guess(time - self._time, target)

    def _lead(self, timed: TimedFrame, time: float) -> None:
        """A frame has come: it becomes the goal."""
        moment = min(self._world_time.simulated(timed.moment), time)
        seconds = max(moment - self._goal_time, 1e-4)
        pose = self._retargeter.read(timed.frame)
        placed = pose.moved(self._yaw, self._shift)
        lost = self._rest is not None
        if lost or self._has_jumped(placed, seconds):
            self._carry_on_from(pose)
            placed = pose.moved(self._yaw, self._shift)
            self._begin_seam(time)
            if not lost:
                self._notices.note("jump", "the actor's place jumped; the character goes on from where it is", timed.arrival)
        if lost:
            silent = timed.arrival - self._heard
            self._notices.note("again", f"the actor is back after {silent:.1f} s", timed.arrival)
        self._rest, self._heard = None, timed.arrival
        placed = self._turned_by_events(placed, pose, time)
        if self._seam is not None:
            placed = self._blended(placed, time)
        self._set_goal(self._on_feet(placed, seconds), moment, seconds)

    def _on_feet(self, pose: BodyPose, seconds: float) -> BodyPose:
        """Soles on the floor, held in place, and legs that reach them."""
        turns, ankles = pose.turns.copy(), pose.ankles.copy()
        for k, (foot, row) in enumerate(zip(self._feet, self._foot_rows, strict=True)):
            foot.update(seconds, turns[row], ankles[k])
            turns[row], ankles[k] = foot.turn, foot.ankle
            self._target.stance[k], self._target.near_stance[k] = foot.stance, foot.near
        return self._legs.fit(BodyPose(turns, pose.root, ankles))

    def _set_goal(self, pose: BodyPose, moment: float, seconds: float) -> None:
        """The pose as the follower's goal, with a velocity smoothed over the last frames."""
        before, follower = self._last, self._follower
        share = 1.0 if seconds > _LONGEST_GAP else 1.0 - np.exp(-seconds / _SMOOTH_VELOCITY)
        spin = rotation.log(rotation.multiply(pose.turns, rotation.conjugate(before.turns))) / seconds
        velocity = (pose.root - before.root) / seconds
        follower.aim(
            pose.turns,
            follower.goal_spin + share * (spin - follower.goal_spin),
            pose.root,
            follower.goal_velocity + share * (velocity - follower.goal_velocity),
        )
        self._last, self._goal_time = pose, moment

    def _mind_silence(self, time: float, now: float) -> None:
        """Without frames for too long, the goal is to come to rest."""
        silent = now - self._heard
        if self._rest is None:
            if silent < max(_SILENCE, 6.0 * self._frames.period):
                return
            self._notices.note("silence", f"nothing heard for {silent:.2f} s; standing still until the actor is back", now)
            self._rest = (time, self._coming_to_rest())
        began, rest = self._rest
        if time - self._goal_time < 0.5 * self._frames.period and time > began:
            return
        pose, stance = rest.at(time - began)
        self._target.stance[:], self._target.near_stance[:] = stance, stance
        self._set_goal(pose, time, max(time - self._goal_time, 1e-4))

    def _coming_to_rest(self) -> ComingToRest:
        follower, target = self._follower, self._target
        self._last = self._present()
        self._goal_time = self._time
        return come_to_rest(
            self.character, self._legs, self._last, target.stance.copy(), target.com, target.com_velocity, follower.velocity
        )

    def _present(self) -> BodyPose:
        """Where the follower is now."""
        turns, root = self._follower.rotation.copy(), self._follower.root.copy()
        return BodyPose(turns, root, self._legs.ankles(turns, root))

    def _has_jumped(self, placed: BodyPose, seconds: float) -> bool:
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

    def _begin_seam(self, time: float) -> None:
        self._seam = (time, self._present())

    def _blended(self, pose: BodyPose, time: float) -> BodyPose:
        """While a seam is being closed: on the way from where the character was to the stream."""
        assert self._seam is not None
        began, old = self._seam
        share = (time - began) / _SEAM
        if share >= 1.0:
            self._seam = None
            return pose
        return old.towards(pose, share * share * (3.0 - 2.0 * share))

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

    def _guess(self, lead: float, target: Target) -> None:
        """Everything goes on as it does now; speeds change as lately, for a moment."""
        target.position += lead * target.velocity
        target.com += lead * target.com_velocity
        at, row = self._history[0]
        if self._time > at:
            speeds = self._columns.parts["joint_velocity"][0].start
            change = (self._target.row[speeds:] - row[speeds:]) / (self._time - at)
            target.row[speeds:] += min(lead, _REMEMBERED) * change
