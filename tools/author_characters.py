"""Writes the built-in characters from the body that our clips are made for: `python -m tools.author_characters`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from tools.author_clips.body import SKELETON, STANDING_HIPS

from poise import rotation
from poise.character.from_skeleton import character_from_clip
from poise.character.toml import write_character
from poise.motion.clip import Clip

LIBRARY = Path(__file__).resolve().parent.parent / "src" / "poise" / "character" / "library"


def main() -> None:
    for name, hands in (("human", False), ("human_hands", True)):
        character = character_from_clip(t_pose(), hands=hands)
        write_character(replace(character, name=name), LIBRARY / f"{name}.toml")


def t_pose() -> Clip:
    """One frame of the body standing with its arms stretched out, metres, Z up."""
    translations = SKELETON.offsets[None].copy()
    translations[0, 0] = (0.0, 0.0, STANDING_HIPS)
    rotations = np.broadcast_to(rotation.IDENTITY, (1, SKELETON.njoints, 4)).copy()
    return Clip("human", SKELETON, rotations, translations, 30.0)


if __name__ == "__main__":
    main()
