"""Second thoughts about measured bodies: left and right are alike, and a human is no giant head on toothpicks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.character import anthropometry
from poise.character.character import Box, as_vec
from poise.character.rig.fitting import Body
from poise.character.rig.rest import Resting
from poise.rotation import Array

_ALIKE = 0.02  # of the limb's place: how far a bound pose may be from symmetric
_FEWEST, _MOST = 0.4, 2.5  # times a human's share of the mass
_LEAST_SHARE = 0.003  # of the whole; a human's hand is 0.006
_LIGHTEST, _HEAVIEST = 0.6, 1.6  # times the usual mass of people of that height: body mass indices of 14 and 38
_NO_MEASURE = (0.25, 4.0)  # times the usual mass: a mesh beyond that tells nothing about mass, and the usual is taken
_USUAL_HEIGHT = 1.75  # metres
# From the joint to the centre of mass, of the height: lengths by Drillis and Contini (1966), shares of them by de Leva (1996).
_LEVERS = {"head": 0.10, "upper_arm": 0.107, "forearm": 0.067, "hand": 0.054}
_ROUNDS = 20
_ACROSS = np.array([1.0, -1.0, 1.0])


def mirrored(resting: Resting, bodies: list[Body]) -> list[Body]:
    """Bodies in which left and right limbs have the mean of both shapes and masses, where their joints mirror each other.

    Skin weights are often careless on one side.
    """
    result = list(bodies)
    for k, name in enumerate(resting.names):
        other = name.replace("left_", "right_", 1)
        if not name.startswith("left_") or other not in resting.names:
            continue
        m = resting.names.index(other)
        left, right = resting.anchors[k], resting.anchors[m] * _ACROSS
        if np.linalg.norm(left - right) <= _ALIKE + 0.1 * np.linalg.norm(left):
            result[k], result[m] = _mean(bodies[k], bodies[m]), _mean(bodies[m], bodies[k])
    return result


def like_a_human(names: list[str], bodies: list[Body], height: float) -> tuple[list[Body], str | None]:
    """Masses kept within some factor of a human's of this height (metres), and a sentence about those that were not.

    Stylised heads and bodies are not as heavy as they are large: a head of half the mass could not be held up by any neck. Where
    a head, forearm or hand reaches farther out than a human's, the limit is on its moment about the joint that holds it.
    """
    mass = np.array([body.mass for body in bodies])
    shares = np.array([(anthropometry.TABLE.get(anthropometry.kind(n)) or anthropometry.TAIL).mass for n in names])
    shares /= shares.sum()
    most = _MOST / np.array([max(1.0, _reach(name, body) / height) for name, body in zip(names, bodies, strict=True)])
    kept = mass
    for _ in range(_ROUNDS):
        kept = np.clip(kept, _FEWEST * shares * kept.sum(), most * shares * kept.sum())
    usual = anthropometry.BODY_MASS * (height / _USUAL_HEIGHT) ** 2
    far_off = not _NO_MEASURE[0] * usual <= mass.sum() <= _NO_MEASURE[1] * usual
    kept = kept * (usual if far_off else np.clip(kept.sum(), _LIGHTEST * usual, _HEAVIEST * usual)) / kept.sum()
    factors = kept / mass
    changed = [f"{n} {m:.1f} → {q:.1f}" for n, m, q in zip(names, mass, kept, strict=True) if abs(q / m - 1.0) > 0.05]
    sentence = f"Kept masses within reach of a human's, kg by the mesh → used: {', '.join(changed)} (--mass)."
    return [_scaled(body, f) for body, f in zip(bodies, factors, strict=True)], sentence if changed else None


def heavy_enough(names: list[str], bodies: list[Body]) -> tuple[list[Body], str | None]:
    """No mass below a small share of the whole, and a sentence about those that were.

    The tip of a tail that weighs a thousandth of the body trembles under joints that are made to move the body.
    """
    least = _LEAST_SHARE * sum(body.mass for body in bodies)
    changed = [f"{name} {body.mass:.1f}" for name, body in zip(names, bodies, strict=True) if body.mass < least]
    sentence = f"Very light parts were given {least:.1f} kg, {_LEAST_SHARE:.1%} of the whole: {', '.join(changed)}."
    return [_scaled(body, max(1.0, least / body.mass)) for body in bodies], sentence if changed else None


def _reach(name: str, body: Body) -> float:
    """How far a part's centre of mass is from its joint, in metres and as a multiple of a human's share of the height."""
    usual = _LEVERS.get(anthropometry.kind(name))
    return float(np.linalg.norm(body.com)) / usual if usual else 0.0


def _scaled(body: Body, factor: float) -> Body:
    x, y, z = body.inertia
    return replace(body, mass=factor * body.mass, inertia=(factor * x, factor * y, factor * z))


def _mean(mine: Body, other: Body) -> Body:
    """The mean of a body and its mirror image; the box keeps its own turn."""
    box = Box(_half(mine.box.center, other.box.center, _ACROSS), _half(mine.box.size, other.box.size), mine.box.turn)
    com, inertia = _half(mine.com, other.com, _ACROSS), _half(mine.inertia, other.inertia)
    return Body(box, 0.5 * (mine.mass + other.mass), com, inertia, mine.guess or other.guess)


def _half(a: tuple[float, float, float], b: tuple[float, float, float], sign: Array | float = 1.0) -> tuple[float, float, float]:
    return as_vec(0.5 * (np.array(a) + sign * np.array(b)))
