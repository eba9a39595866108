"""Finds the two legs and the two arms: pairs of like chains, labelled as a whole by their names and their shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from poise.character.role_labels import NAMED, Labelled, Limb, Plan, label_pair
from poise.character.role_names import Names
from poise.character.role_shape import Shape, alike

_LONGEST_CHAIN = 16  # joints of a limb that are looked at
_MOST_BRANCHES = 10  # per joint
_MOST_PAIRS = 60
_SHORTEST = 0.3  # of a limb's usual length
_LOW, _TOO_HIGH = 0.1, 0.5  # of the body height: where a standing foot is, and where none can be
_USUAL_DROP = 0.25  # of the body height, from hip to foot, at least
_PER_JOINT_FROM_ROOT = 0.97  # factor for legs: of a quadruped's two pairs the one nearer the root
_ANY_FIT = 0.3  # what two like chains of the right size and place count for even if their bones do not fit
_DENIED = -0.5  # names that speak against a limb this much or more rule it out


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
        labelled = label_pair(shape, names, plan, _path(shape, hope, a), _path(shape, hope, b))
        if labelled is None or labelled.named <= _DENIED:
            continue
        pair = _judge(shape, plan, labelled)
        if (pair.named >= NAMED or pair.shaped >= plan.least_shape) and (best is None or pair.score > best.score):
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
    least = _SHORTEST * plan.usual_length * shape.height
    size = shape.bone + shape.reach
    pairs = set()
    for children in shape.children:
        able = [c for c in children if c not in taken and (size[c] > least or hope[c] >= NAMED)]
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


def _judge(shape: Shape, plan: Plan, labelled: Labelled) -> Pair:
    """A labelled pair with how much its shape speaks for it."""
    a, b = labelled.limbs
    fit = _ANY_FIT + (1.0 - _ANY_FIT) * labelled.fit
    return Pair(
        labelled.limbs, labelled.named, fit * _stance(shape, plan, labelled.limbs) * alike(shape, list(a.path), list(b.path))
    )


def _stance(shape: Shape, plan: Plan, limbs: Sequence[Limb]) -> float:
    """How well two chains are long enough and, for legs, come down to the floor (one may be lifted), 0 to 1."""
    lengths = [shape.bone[list(limb.path)[1:]].sum() / (plan.usual_length * shape.height) for limb in limbs]
    factor = min(1.0, *lengths)
    if plan.goes_down:
        low = np.array([_lowest(shape, plan, limb) for limb in limbs])
        top = shape.positions[[limb.path[0] for limb in limbs], 2]
        factor *= np.clip((_TOO_HIGH - (low - shape.floor) / shape.height) / (_TOO_HIGH - _LOW), 0.0, 1.0).mean()
        factor *= np.clip((top - low) / (_USUAL_DROP * shape.height), 0.0, 1.0).mean()
        factor *= _PER_JOINT_FROM_ROOT ** min(len(shape.skeleton.ancestors(limbs[0].path[0])), 50)
    return float(factor)


def _lowest(shape: Shape, plan: Plan, limb: Limb) -> float:
    """The height to which a leg comes down; one that stops at its shin is taken to go on as it began."""
    low = shape.positions[list(limb.path), 2].min()
    if plan.end not in limb.joints:
        upper, lower = shape.positions[limb.joints[plan.upper], 2], shape.positions[limb.joints[plan.lower], 2]
        low = max(shape.floor, min(low, 2.0 * lower - upper))
    return float(low)
