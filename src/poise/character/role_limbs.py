"""Finds the two legs and the two arms: pairs of like chains, labelled as a whole by their names and their shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from poise.character.role_names import Names
from poise.character.role_shape import Shape, alike, bone_fit, limb_fit

_LONGEST_CHAIN = 16  # joints of a limb that are looked at
_MOST_BRANCHES = 10  # per joint
_MOST_PAIRS = 60
_NAMED = 1.5  # a chain whose names speak this much for a limb is one, whatever its shape
_SHAPE_WEIGHT = 0.5  # of the shape against one sure name
_USUALLY_APART = 0.35  # distance of two hips or shoulders in lengths of the upper bone
_TOO_CLOSE = 0.3  # the least factor for limbs that start too close to each other
_LOW, _TOO_HIGH = 0.1, 0.5  # of the body height: where a standing foot is, and where none can be
_USUAL_DROP = 0.25  # of the body height, from hip to foot, at least
_PER_JOINT_FROM_ROOT = 0.97
_WITHOUT_END = 0.3  # shape of a limb that stops before its foot or hand


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


Key = tuple[int, int, int | None]  # where along a chain its upper, lower and end joint are


@dataclass(frozen=True)
class Limb:
    """A chain with its labelled joints; `side` is what the names say."""

    path: tuple[int, ...]
    joints: dict[str, int]
    side: str | None


@dataclass(frozen=True)
class Pair:
    """Two limbs of one kind, and how much names and shape speak for them."""

    limbs: tuple[Limb, Limb]
    named: float
    shaped: float

    @property
    def score(self) -> float:
        return self.named + self.shaped


def find_pair(shape: Shape, names: Names, plan: Plan, taken: set[int]) -> Pair | None:
    """The pair of chains outside `taken` that is most like this limb; None where nothing is."""
    hope = _hopes(shape, names, plan)
    best = None
    for a, b in _candidates(shape, names, hope, plan, taken):
        pair = _judge(shape, names, plan, _path(shape, hope, a), _path(shape, hope, b))
        if pair and (pair.named >= _NAMED or pair.shaped >= plan.least_shape) and (best is None or pair.score > best.score):
            best = pair
    return best


def _hopes(shape: Shape, names: Names, plan: Plan) -> np.ndarray:
    """(J,) the most that names can speak for this limb along one way down from each joint."""
    own = np.array([max(0.0, max(m.support(part) for part in plan.parts)) for m in names.meanings])
    hope = own.copy()
    for j in range(len(own) - 1, 0, -1):
        p = shape.skeleton.parents[j]
        hope[p] = max(hope[p], own[p] + hope[j])
    return hope


def _path(shape: Shape, hope: np.ndarray, base: int) -> list[int]:
    """The way down from a joint along the best names, then the longest bones."""
    path = [base]
    while shape.children[path[-1]] and len(path) < _LONGEST_CHAIN:
        path.append(max(shape.children[path[-1]], key=lambda c: (hope[c], shape.bone[c] + shape.reach[c], -c)))
    return path


def _candidates(shape: Shape, names: Names, hope: np.ndarray, plan: Plan, taken: set[int]) -> list[tuple[int, int]]:
    """Pairs of joints from which the two limbs may start, the most promising first."""
    least = 0.3 * plan.usual_length * shape.height
    size = shape.bone + shape.reach
    pairs = set()
    for children in shape.children:
        able = [c for c in children if c not in taken and (size[c] > least or hope[c] >= _NAMED)]
        able = sorted(able, key=lambda c: (-hope[c], -size[c], c))[:_MOST_BRANCHES]
        pairs.update(combinations(sorted(able), 2))
    pairs.update((a, b) for a, b in _named_apart(shape, names) if not {a, b} & taken)
    promise = {(a, b): min(hope[a], hope[b]) + min(size[a], size[b], shape.height) / shape.height for a, b in pairs}
    return sorted(pairs, key=lambda pair: (-promise[pair], pair))[:_MOST_PAIRS]


def _named_apart(shape: Shape, names: Names) -> Iterator[tuple[int, int]]:
    """Topmost pairs of mirrored names that hang from different joints."""
    parents = shape.skeleton.parents
    for a, b in names.mirrored.items():
        apart = parents[a] != parents[b] and names.mirrored.get(parents[a]) != parents[b]
        if a < b and apart and a not in shape.skeleton.ancestors(b):
            yield a, b


def _judge(shape: Shape, names: Names, plan: Plan, a: list[int], b: list[int]) -> Pair | None:
    """The best labelling of two chains; None where their names say that they lie on one side."""
    sides = _side(names, a), _side(names, b)
    if sides[0] and sides[0] == sides[1]:
        return None
    apart = [shape.distance(p, q) for p, q in zip(a, b, strict=False)]
    tables = [_label_scores(shape, names, plan, path, side, apart) for path, side in zip((a, b), sides, strict=True)]
    choice = _choose(tables, alike=len(a) == len(b))
    if choice is None:
        return None
    limbs = tuple(_limb(shape, names, plan, path, key, side) for path, key, side in zip((a, b), choice, sides, strict=True))
    named = sum(_named(names, limb) for limb in limbs) / 2
    fit = sum(table[key][1] for table, key in zip(tables, choice, strict=True)) / 2
    return Pair((limbs[0], limbs[1]), named, (0.3 + 0.7 * fit) * _stance(shape, plan, limbs) * alike(shape, a, b))


def _choose(tables: list[dict[Key, tuple[float, float]]], *, alike: bool) -> tuple[Key, Key] | None:
    """The best labelling of each chain; chains of as many joints are labelled alike."""
    if not all(tables):
        return None
    if alike:
        both = {key: tables[0][key][0] + tables[1][key][0] for key in tables[0] if key in tables[1]}
        key = max(both, key=lambda key: both[key])
        return key, key
    a, b = (max(table, key=lambda key, t=table: t[key][0]) for table in tables)
    return a, b


def _label_scores(
    shape: Shape, names: Names, plan: Plan, path: list[int], side: str | None, apart: list[float]
) -> dict[Key, tuple[float, float]]:
    """For each choice of upper, lower and end joint along a chain: the score of names and shape, and of shape alone.

    `apart` are the distances to the joints of the other chain: a limb starts off the middle line, its clavicle on it.
    """
    support = {part: [names.support(j, part, side) for j in path] for part in plan.parts}
    scores = {}
    for i, j in combinations(range(len(path)), 2):
        named = support[plan.upper][i] + support[plan.lower][j]
        beside = _beside(shape, path, i, j, apart)
        for k in range(j + 1, len(path)):
            fit = limb_fit(shape, path, i, j, k) * beside
            after = max((0.0, *support[plan.after][k + 1 :])) if plan.after else 0.0
            before = max((0.0, *support[plan.before][:i])) if plan.before else 0.0
            scores[i, j, k] = named + support[plan.end][k] + after + before + _SHAPE_WEIGHT * fit, fit
        if j == len(path) - 1 or named >= _NAMED:
            fit = _WITHOUT_END * bone_fit(shape, path, i, j) * beside
            scores[i, j, None] = named + _SHAPE_WEIGHT * fit, fit
    return scores


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


def _stance(shape: Shape, plan: Plan, limbs: Sequence[Limb]) -> float:
    """How well two chains are long enough and, for legs, come down to the floor (one may be lifted), 0 to 1."""
    lengths = [shape.bone[list(limb.path)[1:]].sum() / (plan.usual_length * shape.height) for limb in limbs]
    factor = min(1.0, *lengths)
    if plan.goes_down:
        low = np.array([_lowest(shape, plan, limb) for limb in limbs])
        top = shape.positions[[limb.path[0] for limb in limbs], 2]
        factor *= np.clip((_TOO_HIGH - (low - shape.floor) / shape.height) / (_TOO_HIGH - _LOW), 0.0, 1.0).mean()
        factor *= np.clip((top - low) / (_USUAL_DROP * shape.height), 0.0, 1.0).mean()
        # Of two pairs that stand on the floor (a quadruped's) the one nearer the root is the legs.
        factor *= _PER_JOINT_FROM_ROOT ** min(len(shape.skeleton.ancestors(limbs[0].path[0])), 50)
    return float(factor)


def _lowest(shape: Shape, plan: Plan, limb: Limb) -> float:
    """The height to which a leg comes down; one that stops at its shin is taken to go on as it began."""
    low = shape.positions[list(limb.path), 2].min()
    if plan.end not in limb.joints:
        upper, lower = shape.positions[limb.joints[plan.upper], 2], shape.positions[limb.joints[plan.lower], 2]
        low = max(shape.floor, min(low, 2.0 * lower - upper))
    return float(low)
