"""Whether a pushed character survived, strictly: no fall, no hop, feet where they were. Pure functions of a take."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.character.soles import heel_and_ball
from poise.measure import fell_at_s
from poise.rotation import Array, Mask
from poise.take import Take

FARTHEST = 0.3  # m that a foot may move
HOP = 0.02  # s without any foot on the ground; as long as a lost contact counts on, so that chatter is no hop
_TOUCHES = 1.0  # N
_FLIGHT_MARGIN = 0.1  # s: a simulated jump may begin a little before the reference's and end a little after it


def what_ended(take: Take, pushed_at: float, hop: float = HOP) -> str | None:
    """What happened first of a fall, a hop and a foot that moved too far, as "fell at 1.52 s"; None where it survived.

    `hop` is how long (s) all feet may be off the ground.
    """
    endings = [
        (fell_at_s(take), "fell"),
        (next((start for start, length in _airtimes(take, pushed_at) if length >= hop), None), "hopped"),
        *((_moved_at(take, k, pushed_at), f"{foot} moved") for k, foot in enumerate(take.character.feet)),
    ]
    happened = [(time, word) for time, word in endings if time is not None]
    if not happened:
        return None
    time, word = min(happened)
    return f"{word} {_toward(take)} at {time:.2f} s" if word == "fell" else f"{word} at {time:.2f} s"


def longest_airtime(take: Take, pushed_at: float) -> float:
    """For how long (s) all feet were off the ground at a time since the push in which the reference stands."""
    return max((length for _, length in _airtimes(take, pushed_at)), default=0.0)


def _airtimes(take: Take, pushed_at: float) -> list[tuple[float, float]]:
    """When all feet were off the ground though the reference stands, and for how long: (start, length), seconds."""
    off = (take.contact <= _TOUCHES).all(axis=1) & ~_in_flight(take) & (take.times >= pushed_at)
    change = np.diff(off.astype(int), prepend=0, append=0)
    starts, ends = np.nonzero(change == 1)[0], np.nonzero(change == -1)[0] - 1
    return [
        (float(take.times[start]), float(take.times[end] - take.times[start])) for start, end in zip(starts, ends, strict=True)
    ]


def _in_flight(take: Take) -> Mask:
    """Where the reference has no foot on the ground (N,), widened by a moment on both sides."""
    flight = take.times[~take.stance.any(axis=1)]
    if not len(flight):
        return np.zeros(len(take.times), bool)
    after = np.searchsorted(flight, take.times)
    nearest = np.minimum(
        np.abs(take.times - flight[np.maximum(after - 1, 0)]), np.abs(take.times - flight[np.minimum(after, len(flight) - 1)])
    )
    return nearest <= _FLIGHT_MARGIN


def _moved_at(take: Take, k: int, pushed_at: float) -> float | None:
    """When a foot was 0.3 m from where it was at the push, other than the reference moves it; a foot that steps is free to."""
    after = take.times >= pushed_at
    if not take.stance[after, k].all():
        return None
    s = take.character.index(take.character.feet[k])
    sole = heel_and_ball(take.character.segments[s]).mean(axis=0)
    way = _way(take.position[after, s] + rotation.rotate(take.rotation[after, s], sole))
    wanted = _way(take.ref_position[after, s] + rotation.rotate(take.ref_rotation[after, s], sole))
    far = np.linalg.norm(way - wanted, axis=-1) >= FARTHEST
    return float(take.times[after][far.argmax()]) if far.any() else None


def _way(points: Array) -> Array:
    """Horizontal displacement from the first of the points (n, 2)."""
    return points[:, :2] - points[0, :2]


def _toward(take: Take) -> str:
    """Where the centre of mass went from the reference's, as seen by the character."""
    gone = take.com[-1] - take.ref_com[-1]
    ahead, left, _ = rotation.rotate(rotation.about_z(-rotation.heading(take.ref_rotation[-1, 0])), gone)
    if abs(ahead) > abs(left):
        return "forward" if ahead > 0.0 else "backward"
    return "to the left" if left > 0.0 else "to the right"
