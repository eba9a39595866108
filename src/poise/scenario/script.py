"""Makes the events of a scenario happen in a world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from poise import rotation
from poise.errors import BadScenario
from poise.physics.balls import reshape_ball
from poise.physics.state import State
from poise.physics.world import BallShape, World
from poise.reference.reference import AnyReference
from poise.rotation import Array
from poise.scenario.events import Ball, Event, GetUp, Pull, Push, Retune, compass
from poise.scenario.grip import Grip

_THROW_DISTANCE = 1.5  # m: from here a ball comes flying
_CLEAR = 0.2  # m: so far from the middle of its target the surface of a ball is at least when it leaves; nearer, it is in it
_LONGEST_FLIGHT = 0.5  # s


@dataclass(frozen=True)
class _Throw:
    """A ball that has left, or will leave, some time before it arrives."""

    ball: Ball
    number: int
    leaves: float
    flight: float


class Script:
    """Pushes, pulls and balls by the clock. `wrench` (S, 6) is what acts on the segments now, world frame.

    Events may be added while a run goes on, and `grips` hold whatever somebody drags about by hand just now.
    """

    def __init__(self, events: tuple[Event, ...], world: World, reference: AnyReference) -> None:
        self.wrench = np.zeros((world.character.nsegments, 6))
        self._world, self._reference = world, reference
        self.events: list[Event] = []
        self.grips: dict[str, Grip] = {}
        self._pushes: list[tuple[Push, int]] = []
        self._pulls: list[tuple[Pull, int]] = []
        self._throws: list[_Throw] = []
        self._orders: list[Retune | GetUp] = []
        self._pull_starts: dict[int, Array] = {}
        self.acting = False  # whether `wrench` holds anything
        self.thrown = np.zeros(world.nballs, bool)
        for event in events:
            self.add(event)
        self._first_spare = self._next_reused = len(self._throws)

    def add(self, event: Event) -> None:
        """Takes in one more event. A ball is one of those that the world has to spare, or else the spare one thrown first."""
        index = self._world.character.index
        if isinstance(event, Ball) and len(self._throws) == self._world.nballs:
            self._throw_again(event)
            return
        self.events.append(event)
        if isinstance(event, Push):
            self._pushes.append((event, index(event.body)))
        elif isinstance(event, Pull):
            self._pulls.append((event, index(event.body)))
        elif isinstance(event, Ball):
            index(event.target)
            self._throws.append(_throw(event, len(self._throws)))
        elif isinstance(event, Retune | GetUp):
            self._orders = sorted([*self._orders, event], key=lambda order: order.at)

    def tune(self, controller: Any, time: float) -> None:
        """Tells a controller what its time has come for: other thresholds of robustness, or to get up if it can."""
        while self._orders and time >= self._orders[0].at:
            order = self._orders.pop(0)
            if isinstance(order, Retune):
                controller.thr_min, controller.thr_max = order.to.thr_min, order.to.thr_max
            elif get_up := getattr(controller, "get_up", None):
                get_up()

    def wrench_at(self, state: State, time: float) -> Array:
        """Lets happen what happens now, and gives what then acts on the segments (S, 6)."""
        self.act(state, time)
        return self.wrench

    def struck(self, since: float, until: float) -> set[int]:
        """The segments that an event hits, pushes or drags within a span of time."""
        index = self._world.character.index
        blows = ((_span(e), e.body) for e in self.events if isinstance(e, Push | Pull | Ball))
        return {index(body) for (begins, ends), body in blows if begins <= until and ends >= since}

    def act(self, state: State, time: float) -> None:
        """Sets `wrench` for this moment and throws the balls whose time has come."""
        for throw in self._throws:
            if not self.thrown[throw.number] and time >= throw.leaves:
                self._let_go(throw, state, time)
        if self.acting:
            self.wrench[:] = 0.0
            self.acting = False
        for push, k in self._pushes:
            if push.at <= time < push.at + push.duration:
                self.wrench[k, :3] += push.force
                self.acting = True
        for number, (pull, k) in enumerate(self._pulls):
            if pull.at <= time < pull.at + (pull.duration or np.inf):
                self.wrench[k, :3] += self._drag(number, pull, k, state, time)
                self.acting = True
        for grip in self.grips.values():
            self.wrench[grip.segment] += grip.wrench(state)
            self.acting = True

    def _throw_again(self, ball: Ball) -> None:
        if self._first_spare == self._world.nballs:
            raise BadScenario("ball: this world has no spare ball to throw")
        number = self._next_reused
        spares = self._world.nballs - self._first_spare
        self._next_reused = self._first_spare + (number + 1 - self._first_spare) % spares
        self.events[self.events.index(self._throws[number].ball)] = ball
        self._throws[number] = _throw(ball, number)
        self.thrown[number] = False

    def _drag(self, number: int, pull: Pull, k: int, state: State, time: float) -> Array:
        """The pull of a travelling point on a segment's centre of mass, da Silva (15)."""
        start = self._pull_starts.setdefault(number, state.link_com[k].copy())
        way = np.array(pull.toward)
        length = float(np.linalg.norm(way))
        gone = min(pull.speed * (time - pull.at), length)
        direction = way / max(length, 1e-9)
        velocity = direction * pull.speed if gone < length else np.zeros(3)
        gap = start + gone * direction - state.link_com[k]
        return pull.stiffness * gap + pull.damping * (velocity - state.link_velocity[k, 3:])

    def _let_go(self, throw: _Throw, state: State, time: float) -> None:
        """Throws a ball so that it meets the target where the reference says the target will be by then."""
        ball = throw.ball
        k = self._world.character.index(ball.target)
        late = time - throw.leaves  # by more than a step where a script takes over while the ball is already in flight
        flight = throw.flight if late < 2.0 * self._world.dt else max(throw.flight - late, _shortest_flight(ball))
        now, then = self._reference.target(), self._reference.target()
        self._reference.sample(time, now)
        self._reference.sample(time + flight, then)
        meeting = state.link_com[k] + then.position[k] - now.position[k]
        source = rotation.rotate(rotation.about_z(state.heading), compass(ball.from_deg))
        velocity = -source * ball.speed + [0.0, 0.0, 0.5 * 9.81 * flight]
        start = meeting + source * max(ball.speed * flight, ball.radius + _CLEAR)
        reshape_ball(self._world, throw.number, BallShape(ball.radius, ball.mass))
        self._world.throw(throw.number, start, velocity)
        self.thrown[throw.number] = True


def ball_shapes(events: tuple[Event, ...]) -> tuple[BallShape, ...]:
    """The balls that a world needs for these events, in their order."""
    return tuple(BallShape(e.radius, e.mass) for e in events if isinstance(e, Ball))


def _throw(ball: Ball, number: int) -> _Throw:
    flight = _flight(ball)
    return _Throw(ball, number, max(ball.at - flight, 0.0), flight)


def _flight(ball: Ball) -> float:
    """How long a ball flies, seconds; one that would have to leave before the run begins comes from nearer, or later."""
    return min(_LONGEST_FLIGHT, _THROW_DISTANCE / max(ball.speed, 0.1), max(ball.at, _shortest_flight(ball)))


def _shortest_flight(ball: Ball) -> float:
    """In seconds, so that a ball does not begin in what it is to hit."""
    return min(_LONGEST_FLIGHT, (ball.radius + _CLEAR) / max(ball.speed, 0.1))


def _span(event: Push | Pull | Ball) -> tuple[float, float]:
    """When an event begins to act and when it is over, seconds; a pull that never lets go is not."""
    if isinstance(event, Ball):
        arrives = max(event.at, _flight(event))
        return arrives, arrives
    return event.at, np.inf if event.duration is None else event.at + event.duration
