"""`--skin`: whose mesh a run is written with, and so which character it is."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from poise.errors import BadInput

if TYPE_CHECKING:
    from poise.character.character import Character

NONE = "none"


def skinned_character(args: argparse.Namespace, character: str | None) -> tuple[Character | None, tuple[str, ...]]:
    """The character with the skin that the options ask for, and what is unsure about one that was made for it.

    None where the character stays as it is. A rig that is needed and not there is told before the run.
    """
    if args.skin is None:
        _check(character, args.output)
        return None, ()
    if args.skin != NONE and character in (None, "auto"):
        from poise.character.rig.proposal import propose

        proposal = propose(args.skin, mass=args.mass)
        args.mass = None  # it has gone into the character
        return proposal.character, proposal.doubts
    return _reskinned(character, args.skin), ()


def _check(character: str | None, outputs: Sequence[Path]) -> None:
    if character and character.endswith(".toml") and any(path.suffix.lower() == ".glb" for path in outputs):
        from poise.character.toml import load_character
        from poise.export.skin import check_rig

        body = load_character(character)
        if body.skin:
            check_rig(body, body.skin)


def _reskinned(name: str | None, skin: str) -> Character | None:
    """A character of its own with another file for its rig, or with none."""
    from poise.character.toml import load_character
    from poise.export.skin import check_rig

    if name in (None, "auto"):
        return None
    body = load_character(name)
    if skin == NONE:
        return replace(body, skin=None)
    if body.skin is None:
        raise BadInput(f"character '{name}' was not made from a rig, so '{skin}' cannot be its skin; leave out --character")
    found = replace(body.skin, file=skin)
    check_rig(body, found)
    return replace(body, skin=found)
