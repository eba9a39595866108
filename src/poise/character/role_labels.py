"""Labels two like chains as a pair of legs or arms: which joint is the thigh, which the shin, which the foot.

All choices of joints are compared as a whole by names and shape, since single names mislead: LeftShoulder is the clavicle
before LeftArm and the upper arm before LeftElbow.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from poise.character.role_chain import make_chain
from poise.character.role_names import Names
from poise.character.role_shape import Shape

NAMED = 1.5  # a chain whose names speak this much for a limb is one, whatever its shape
_SHAPE_WEIGHT = 0.5  # of the shape against one sure name
_USUALLY_APART = 0.35  # distance of two hips or shoulders in lengths of the upper bone
_TOO_CLOSE = 0.3  # the least factor for limbs that start too close to each other
_WITHOUT_END = 0.3  # shape of a limb that stops before its foot or hand
_HALVED = 0.5  # taken off for a bone that starts at its second half: upperleg02 after upperleg01
_STRAIGHT = 0.9  # cosine between the halves of one bone
_SURE = 1.0  # support of a name that stands for one part only

Key = tuple[int, int, int | None]  # where along a chain its upper, lower and end joint are
Scores = dict[Key, tuple[float, float]]  # of names and shape together, and of shape alone


@dataclass(frozen=True)
class Plan:
    """The parts of a limb from the trunk outward, and how it must be shaped to pass without names."""

    upper: str
    lower: str
    end: str
    before: str | None
    after: str | None
    usual_length: float  # of the body height
    least_shape: float
    goes_down: bool

    @property
    def main(self) -> tuple[str, str, str]:
        return self.upper, self.lower, self.end

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(p for p in (self.before, self.upper, self.lower, self.end, self.after) if p)


LEG = Plan("thigh", "shin", "foot", None, "toe", usual_length=0.35, least_shape=0.08, goes_down=True)
ARM = Plan("upper_arm", "forearm", "hand", "clavicle", None, usual_length=0.25, least_shape=0.12, goes_down=False)


@dataclass(frozen=True)
class Limb:
    """A chain with its labelled joints; `side` is what the names say."""

    path: tuple[int, ...]
    joints: dict[str, int]
    side: str | None


@dataclass(frozen=True)
class Labelled:
    """Two limbs, how much their names speak for them (1 is one sure name), and how well their shapes fit, 0 to 1."""

    limbs: tuple[Limb, Limb]
    named: float
    fit: float


def label_pair(shape: Shape, names: Names, plan: Plan, a: list[int], b: list[int]) -> Labelled | None:
    """The best labelling of two chains; None where they are too short, or their names say that they lie on one side."""
    sides = _side(names, a), _side(names, b)
    if min(len(a), len(b)) < 2 or (sides[0] and sides[0] == sides[1]):
        return None
    apart = [shape.distance(p, q) for p, q in zip(a, b, strict=False)]
    tables = [_scores(shape, names, plan, path, side, apart) for path, side in zip((a, b), sides, strict=True)]
    keys = _choose(tables, alike=len(a) == len(b))
    limbs = [_limb(shape, names, plan, path, key, side) for path, key, side in zip((a, b), keys, sides, strict=True)]
    fit = sum(table[key][1] for table, key in zip(tables, keys, strict=True)) / 2
    return Labelled((limbs[0], limbs[1]), sum(_named(names, limb) for limb in limbs) / 2, fit)


def _choose(tables: list[Scores], *, alike: bool) -> tuple[Key, Key]:
    """The best labelling of each chain; chains of as many joints are labelled alike."""
    if alike:
        both = {key: tables[0][key][0] + tables[1][key][0] for key in tables[0] if key in tables[1]}
        key = max(both, key=lambda key: both[key])
        return key, key
    a, b = (max(table, key=lambda key, t=table: t[key][0]) for table in tables)
    return a, b


def _scores(shape: Shape, names: Names, plan: Plan, path: list[int], side: str | None, apart: list[float]) -> Scores:
    """For each choice of upper, lower and end joint along a chain: the score of names and shape, and of shape alone.

    `apart` are the distances to the joints of the other chain: a limb starts off the middle line, its clavicle on it.
    """
    support = {part: [names.support(j, part, side) for j in path] for part in plan.parts}
    chain, scores = make_chain(shape, path), {}
    for i, j in combinations(range(len(path)), 2):
        named = support[plan.upper][i] + support[plan.lower][j]
        named -= _HALVED * _second_half(shape, path, support[plan.upper], i)
        named -= _HALVED * (j > i + 1 and _second_half(shape, path, support[plan.lower], j))
        beside = _beside(shape, path, i, j, apart)
        for k in range(j + 1, len(path)):
            fit = chain.limb_fit(i, j, k) * beside
            after = max((0.0, *support[plan.after][k + 1 :])) if plan.after else 0.0
            before = max((0.0, *support[plan.before][:i])) if plan.before else 0.0
            scores[i, j, k] = named + support[plan.end][k] + after + before + _SHAPE_WEIGHT * fit, fit
        if j == len(path) - 1 or named >= NAMED:
            fit = _WITHOUT_END * chain.bone_fit(i, j) * beside
            scores[i, j, None] = named + _SHAPE_WEIGHT * fit, fit
    return scores


def _second_half(shape: Shape, path: list[int], support: list[float], k: int) -> bool:
    """Whether the joint before k is surely called the same part, and the bones before and after k are in one line."""
    if not 0 < k < len(path) - 1 or min(support[k - 1], support[k]) < _SURE:
        return False
    before, after = (shape.positions[path[n + 1]] - shape.positions[path[n]] for n in (k - 1, k))
    return bool(before @ after > _STRAIGHT * np.linalg.norm(before) * np.linalg.norm(after))


def _beside(shape: Shape, path: list[int], i: int, j: int, apart: list[float]) -> float:
    """A factor that falls when two limbs start too close to each other for the length of their upper bones."""
    if i >= len(apart):
        return 1.0
    usual = _USUALLY_APART * shape.distance(path[i], path[j])
    return max(_TOO_CLOSE, min(1.0, apart[i] / usual)) if usual > 0 else 1.0


def _limb(shape: Shape, names: Names, plan: Plan, path: list[int], key: Key, side: str | None) -> Limb:
    """The limb of a chosen labelling, with the optional parts before and after it."""
    i, j, k = key
    joints = {plan.upper: path[i], plan.lower: path[j]}
    if k is not None:
        joints[plan.end] = path[k]
    if plan.before:
        joints |= _optional(names, plan.before, side, path[:i][::-1])
    if plan.after and k is not None:
        moved = [joint for joint in path[k + 1 :] if shape.distance(joint, path[k]) > 0.0]
        joints |= _optional(names, plan.after, side, path[k + 1 :], moved)
    return Limb(tuple(path), joints, side)


def _optional(names: Names, part: str, side: str | None, near: list[int], usable: list[int] | None = None) -> dict[str, int]:
    """A part that may be missing, out of joints listed nearest first: the one with the best name, else the first usable one.

    A name that speaks against the part rules a joint out.
    """
    best = max(near, key=lambda joint: names.support(joint, part, side), default=None)
    if best is not None and names.support(best, part, side) > 0.0:
        return {part: best}
    silent = [joint for joint in (near if usable is None else usable) if names.support(joint, part, side) == 0.0]
    return {part: silent[0]} if silent else {}


def _side(names: Names, path: list[int]) -> str | None:
    """The side that most names of a chain give."""
    left = sum(names.meanings[j].side == "left" for j in path)
    right = sum(names.meanings[j].side == "right" for j in path)
    return None if left == right else "left" if left > right else "right"


def _named(names: Names, limb: Limb) -> float:
    return sum(names.support(joint, part, limb.side) for part, joint in limb.joints.items())
