"""What counts how much: weights and gains that follow from the kinds of the limbs, with no number per character (section 6)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poise.character.character import Character
from poise.character.limbs import Kind, limbs_of
from poise.control.limbs.pendulum import Costs
from poise.rotation import Array

Spring = tuple[float, float]  # stiffness 1/s2, damping 1/s


@dataclass(frozen=True)
class Weights:
    """Shares of w_max; w_i^EE and w_j^reg by kind of limb as in the paper's table, unless said otherwise.

    Free limbs weigh more than the paper's 0.03, but are pulled more softly: with 0.03 a heavy tail stayed where it was flung.
    """

    w_max: float = 4000.0
    root: float = 1.0
    com: float = 1.5  # of the centre of mass; not in the paper; measured, 1 to 4 are about as good
    effector: dict[Kind, float] = field(default_factory=lambda: {"support": 1.0, "targeted": 0.5})
    firm: float = 10.0  # times that of a support limb while it is in contact: with the paper's own weight it slides
    momentum: float = 0.5
    regularisation: dict[Kind, float] = field(default_factory=lambda: {"support": 0.01, "targeted": 0.02, "free": 0.2})
    body: float = 0.1  # regularisation of joints that belong to no limb, the spine's; the paper does not say
    hinge: float = 0.1  # of knees and elbows about other directions than their axis
    residual: float = 30000.0  # of the root's wrench in body weights (torque: times the leg's length), squared; measured
    residual_astray: float = 2000.0  # the same when the root is far from where it is asked to be
    astray: tuple[float, float] = (0.06, 0.22)  # m that the root is away: from here on the price falls, and to there
    limit: float = 10.0  # of a joint's acceleration towards its limit, beyond the allowed
    force: float = 0.1  # of one edge of a friction cone, in body weights, squared; spreads the load over the sole


@dataclass(frozen=True)
class Springs:
    """How errors become accelerations, eq. (3); from a prototype on 21 clips unless said otherwise."""

    root: Spring = (300.0, 80.0)  # measured: with (120, 22) the same clips take half as much help again
    support: Spring = (400.0, 40.0)
    planted: Spring = (100.0, 20.0)  # a support limb in contact that real contacts hold: a stiffer one fights them
    targeted: Spring = (100.0, 20.0)
    pose: Spring = (20.0, 9.0)
    trunk: Spring = (200.0, 28.0)  # of joints that belong to no limb: softer ones give way when a foot lands, and come back late
    free: Spring = (5.0, 4.5)  # of free limbs: soft, so that they lag behind the body for long enough to counter it
    supple: float = 0.18  # rad: free limbs' joints that are bent further grow stiff; else a tail steers the balance from overhead
    hinge: Spring = (400.0, 40.0)  # knees and elbows, mostly sideways: softer ones are bent sideways by real contacts
    momentum: float = 5.0  # 1/s: L' = -5 L, so that the body does not keep turning; the paper asks for L' = 0
    limit: float = 20.0  # 1/s: how fast a joint may approach its limit


@dataclass(frozen=True)
class Strength:
    """What the joints can do, and how hard the law tries to keep to it."""

    torque: float = 1.0  # the largest joint torque, of body weight times the support limbs' length: 600 Nm for an adult
    whip: float = 5000.0  # rad/s2: no joint of a limb that does not carry turns what is beyond it harder than that
    residual: float = 2.0  # the largest residual in real contacts, in body weights (torque: times the support limbs' length)
    rounds: int = 3  # how often a problem is solved again because its solution broke a limit


@dataclass(frozen=True)
class Settings:
    """All that can be tuned; nothing of it depends on the character."""

    weights: Weights = field(default_factory=Weights)
    springs: Springs = field(default_factory=Springs)
    strength: Strength = field(default_factory=Strength)
    course: Costs = field(default_factory=Costs)


def regularisation_weights(character: Character, weights: Weights) -> Array:
    """w_j^reg of each segment's joint (S,), by the limb that it belongs to; the root has none."""
    result = np.full(character.nsegments, weights.body)
    for limb in limbs_of(character):
        for name in limb.segments:
            result[character.index(name)] = weights.regularisation[limb.kind]
    result[0] = 0.0
    return weights.w_max * result


def joint_strength(character: Character, torque: float, strength: Strength) -> Array:
    """The largest torque of each joint (S - 1,), Nm: `torque`, or less where only a little is beyond it, such as a tail's tip."""
    carrying = {name for limb in limbs_of(character) if limb.kind == "support" for name in limb.segments}
    beyond = np.zeros(character.nsegments)
    for k, segment in enumerate(character.segments):
        com, at = character.joints[k] + np.array(segment.com), k
        while at >= 0:
            beyond[at] += segment.mass * np.sum((com - character.joints[at]) ** 2) + max(segment.inertia)
            at = character.parents[at]
    most = np.minimum(torque, strength.whip * beyond)
    return np.array([torque if s.name in carrying else m for s, m in zip(character.segments, most, strict=True)])[1:]


def support_length(character: Character) -> float:
    """The mean length of the support limbs along their bones, metres."""
    lengths = []
    for limb in limbs_of(character):
        if limb.kind == "support":
            lengths.append(sum(np.linalg.norm(character.offsets[character.index(name)]) for name in limb.segments[1:]))
    return float(np.mean(lengths))
