"""Limbs: which chains of segments carry the body, which follow a part of the actor, and which are free (Çimen, table 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from poise.errors import BadCharacter, choices

if TYPE_CHECKING:
    from poise.character.character import Character

Kind = Literal["support", "targeted", "free"]
KINDS: tuple[Kind, ...] = get_args(Kind)
ACTOR_PARTS = ("left_leg", "right_leg", "left_arm", "right_arm", "head")

_LEG, _ARM = ("thigh", "shin", "metatarsus", "foot"), ("upper_arm", "forearm", "hand")


@dataclass(frozen=True)
class Limb:
    """A chain of segments below the body frame, from the one nearest the root to the tip, which is the end effector.

    `follows` is the actor's part that leads it, one of ACTOR_PARTS; None for a free limb.
    """

    name: str
    kind: Kind
    segments: tuple[str, ...]
    follows: str | None = None

    @property
    def effector(self) -> str:
        return self.segments[-1]


def limbs_of(character: Character) -> tuple[Limb, ...]:
    """The character's limbs; for one that names none, those its roles imply: legs carry, arms and head follow, tails are free."""
    return character.limbs or implied_limbs(character.names)


def support_limbs(character: Character) -> tuple[Limb, ...]:
    """The limbs that carry the body; an error for a character that has none."""
    carrying = tuple(limb for limb in limbs_of(character) if limb.kind == "support")
    if not carrying:
        raise BadCharacter(
            f"character '{character.name}' has no support limb, so nothing carries it; "
            'give it a [[limb]] with kind = "support", the segments down to its foot, and follows = "left_leg"'
        )
    return carrying


def implied_limbs(names: Sequence[str]) -> tuple[Limb, ...]:
    """Limbs by the names of the segments (roles), in the order legs, arms, head, tails."""
    limbs: list[Limb] = []
    parts: tuple[tuple[Kind, str, tuple[str, ...]], ...] = (("support", "leg", _LEG), ("targeted", "arm", _ARM))
    for kind, part, chain in parts:
        for side in ("left", "right"):
            segments = tuple(f"{side}_{role}" for role in chain if f"{side}_{role}" in names)
            if segments:
                limbs.append(Limb(f"{side}_{part}", kind, segments, f"{side}_{part}"))
    if "head" in names:
        limbs.append(Limb("head", "targeted", _with_neck(names), "head"))
    return (*limbs, *_tails(names))


def check_limbs(where: str, limbs: Sequence[Limb], parents: Mapping[str, str | None]) -> None:
    """Refuses limbs that contradict each other or the segments; `parents` holds each segment's parent by name."""
    owner: dict[str, str] = {}
    for k, limb in enumerate(limbs):
        here = f"{where}, limb '{limb.name}'"
        if limb.name in [other.name for other in limbs[:k]]:
            raise BadCharacter(f"{here}: two limbs have this name")
        _check_kind(here, limb)
        _check_chain(here, limb, parents)
        for segment in limb.segments:
            if segment in owner:
                raise BadCharacter(f"{here}: segment '{segment}' belongs to limb '{owner[segment]}' already; take it out of one")
            owner[segment] = limb.name


def _with_neck(names: Sequence[str]) -> tuple[str, ...]:
    return (*(name for name in names if name.startswith("neck")), "head")


def _tails(names: Sequence[str]) -> list[Limb]:
    """A free limb for each chain of segments whose names start with 'tail'; the chain is named by what is before the number."""
    chains: dict[str, list[str]] = {}
    for name in names:
        if name.startswith("tail") or name.removeprefix("left_").removeprefix("right_").startswith("tail"):
            chains.setdefault(name.rstrip("0123456789").rstrip("_"), []).append(name)
    return [Limb(name, "free", tuple(segments)) for name, segments in chains.items()]


def _check_kind(here: str, limb: Limb) -> None:
    if limb.kind not in KINDS:
        raise BadCharacter(f"{here}: unknown kind '{limb.kind}'{choices(limb.kind, KINDS)}")
    if limb.kind == "free":
        if limb.follows is not None:
            raise BadCharacter(f"{here}: a free limb follows nobody; leave follows out, or make it targeted")
    elif limb.follows is None:
        raise BadCharacter(f"{here}: a {limb.kind} limb must say whom it follows: one of {', '.join(ACTOR_PARTS)}")
    elif limb.follows not in ACTOR_PARTS:
        raise BadCharacter(f"{here}: the actor has no part '{limb.follows}' to follow{choices(limb.follows, ACTOR_PARTS)}")


def _check_chain(here: str, limb: Limb, parents: Mapping[str, str | None]) -> None:
    """Segments must exist, not be the root, and hang on each other."""
    if not limb.segments:
        raise BadCharacter(f"{here}: needs at least one segment")
    for k, name in enumerate(limb.segments):
        if name not in parents:
            raise BadCharacter(f"{here}: '{name}' is no segment{choices(name, parents)}")
        if parents[name] is None:
            raise BadCharacter(f"{here}: '{name}' is the root, which belongs to the body and to no limb")
        if k and parents[name] != limb.segments[k - 1]:
            wrong = f"'{name}' hangs on '{parents[name]}', not on '{limb.segments[k - 1]}'"
            raise BadCharacter(f"{here}: {wrong}; list the segments from the one nearest the root to the tip")
