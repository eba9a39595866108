"""Reads joint names: which side, and which parts of the body a name can stand for."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from poise.character.role_words import (
    AS_FRONT_LIMB,
    FILLERS,
    FRONT,
    OTHERS,
    OTHERS_ON_A_SIDE,
    PARTS,
    ROOT_WORDS,
    SIDES,
    VERTEBRAE,
)

_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_PREFIX_SHARE = 0.8  # a token in at least this share of the names is a prefix of the file, not a part of the body
_FEW_NAMES = 5
_CONTRADICTION = -0.5  # a name that stands for other parts only
_NOT_A_PART = -1.0  # a finger, a handle, an end


@dataclass(frozen=True)
class Meaning:
    """What one name says. Empty parts and not other: it says nothing."""

    side: str | None = None
    parts: dict[str, float] = field(default_factory=dict)
    other: bool = False

    @property
    def silent(self) -> bool:
        """Whether the name says nothing about the part."""
        return not self.parts and not self.other

    def support(self, part: str, side: str | None = None) -> float:
        """How much the name speaks for a part (on a side, if that is known): positive for, negative against."""
        if self.other:
            return _NOT_A_PART
        if not self.parts:
            return 0.0
        if side and self.side and side != self.side:
            return _CONTRADICTION
        return self.parts.get(part, _CONTRADICTION)


@dataclass(frozen=True)
class Names:
    """What all names of one skeleton say: a meaning for each joint, and pairs that differ only in the side."""

    meanings: tuple[Meaning, ...]
    mirrored: dict[int, int] = field(default_factory=dict)

    def support(self, joint: int, part: str, side: str | None = None) -> float:
        """How much the joint's name speaks for a part."""
        return self.meanings[joint].support(part, side)


def read_names(names: Sequence[str]) -> Names:
    """What the names of one skeleton say."""
    return Names(_meanings(names), mirrored_names(names))


def no_names(njoints: int) -> Names:
    """Names that say nothing."""
    return Names((Meaning(),) * njoints)


def mirrored_names(names: Sequence[str]) -> dict[int, int]:
    """Pairs of joints whose names differ only in the side, both ways: {left: right, right: left}."""
    found: dict[tuple[str, tuple[str, ...]], int] = {}
    for j, name in enumerate(names):
        side, key = _side_and_key(name)
        if side:
            found.setdefault((side, key), j)
    pairs = {}
    for (side, key), j in found.items():
        other = found.get(("right" if side == "left" else "left", key))
        if other is not None:
            pairs[j] = other
    return pairs


def _meanings(names: Sequence[str]) -> tuple[Meaning, ...]:
    prefixes = _prefixes(names)
    kept = [[t for t in _tokens(name) if t not in prefixes] or _tokens(name) for name in names]
    vertebrae = {"".join(tokens) for tokens in kept} & VERTEBRAE
    # L5 and L3 alone could be numbers on the left; thoracic ones beside them cannot.
    spinal = vertebrae if any(v.startswith("t") for v in vertebrae) else set()
    return tuple(Meaning(None, {"spine": 1.0}) if "".join(tokens) in spinal else _read(tokens) for tokens in kept)


def _tokens(name: str) -> list[str]:
    """Lower-case words and numbers of a name, without its namespace: 'mixamorig:LeftUpLeg1' -> left up leg 1."""
    plain = unicodedata.normalize("NFKC", name)
    plain = [piece for piece in re.split(r"[:|]", plain) if piece.strip()][-1:] or [""]
    sided = plain[0].replace("左", " left ").replace("右", " right ")
    return [token.lower() for token in _TOKEN.findall(sided)]


def _prefixes(names: Sequence[str]) -> set[str]:
    if len(names) < _FEW_NAMES:
        return set()
    count = Counter(token for name in names for token in set(_tokens(name)))
    return {token for token, n in count.items() if n >= _PREFIX_SHARE * len(names)}


def _read(tokens: list[str]) -> Meaning:
    """The meaning of a name's tokens."""
    words = [t for t in tokens if not t.isdigit()]
    side, words = _take_side(words)
    if OTHERS.intersection(words) or (side and OTHERS_ON_A_SIDE.intersection(words)):
        return Meaning(side, other=True)
    parts = _parts(words)
    if not parts and not side and ROOT_WORDS.intersection(words):
        parts = {"pelvis": 0.5}
    if FRONT.intersection(words) and AS_FRONT_LIMB.keys() & parts.keys():
        parts = _front(parts)
    if side:
        parts = {part: weight for part, weight in parts.items() if part != "pelvis"}
    return Meaning(side, parts)


def _take_side(words: list[str]) -> tuple[str | None, list[str]]:
    """Splits the side from the words: a word of its own (left, L), or glued to a known one (lfemur, LUArm, leftupleg)."""
    words = [piece for word in words for piece in _known_words(word) or (word,)]
    named = [w for w in words if w in ("left", "right")] or [w for w in words if w in SIDES]
    if named:
        return SIDES[named[-1]], [w for w in words if w != named[-1]]
    whole = "".join(w for w in words if w not in FILLERS)
    for word in (whole, *words):
        side, rest = _glued_side(word)
        if side:
            return side, rest
    return None, words


def _glued_side(word: str) -> tuple[str | None, list[str]]:
    """The side of a word such as lfemur or armr: a letter, and words of the table."""
    if not _known_words(word):
        for mark in ("l", "r"):
            for rest in (word.removeprefix(mark), word.removesuffix(mark)):
                if rest != word and (pieces := _known_words(rest)):
                    return SIDES[mark], list(pieces)
    return None, [word]


_WHOLE_WORDS = PARTS.keys() | OTHERS | OTHERS_ON_A_SIDE | FILLERS | ROOT_WORDS | FRONT | {"left", "right"}
_SHORTEST_PIECE = 3  # letters; shorter words are not looked for inside others
_LONGEST_WORD = 40  # letters


@lru_cache(maxsize=4096)
def _known_words(word: str) -> tuple[str, ...]:
    """The fewest words of the table that a word is made of: toebase -> toe base; empty where it is not."""
    if word in _WHOLE_WORDS:
        return (word,)
    if len(word) > _LONGEST_WORD:
        return ()
    cuts = range(_SHORTEST_PIECE, len(word) - _SHORTEST_PIECE + 1)
    ways = [(word[:cut], *_known_words(word[cut:])) for cut in cuts if word[:cut] in _WHOLE_WORDS and _known_words(word[cut:])]
    return min(ways, key=len, default=())


def _parts(words: list[str]) -> dict[str, float]:
    """What the longest run of words in the table stands for; of equally long runs the last: BackLeg is a leg."""
    for size in range(min(3, len(words)), 0, -1):
        for start in range(len(words) - size, -1, -1):
            run = "".join(words[start : start + size])
            if run in PARTS:
                return dict(PARTS[run])
    return {}


def _front(parts: dict[str, float]) -> dict[str, float]:
    """The same for a front leg."""
    front = {AS_FRONT_LIMB[part]: weight for part, weight in parts.items() if part in AS_FRONT_LIMB}
    return {"clavicle": 0.4, **front} if "shin" in parts and "thigh" in parts else front


def _side_and_key(name: str) -> tuple[str | None, tuple[str, ...]]:
    """A name's side, and what is left of it without the side."""
    tokens = _tokens(name)
    side, words = _take_side([t for t in tokens if not t.isdigit()])
    return side, (*words, *(t for t in tokens if t.isdigit()))
