"""Writes the built-in characters: `python -m tools.author_characters`.

The humans are made from the body that our clips are made for, the creatures from their own bones.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from tools.author_clips.body import SKELETON, STANDING_HIPS
from tools.creatures import alien, raptor

from poise import rotation
from poise.character.from_skeleton import character_from_clip
from poise.character.limbs import implied_limbs
from poise.character.style import Style
from poise.character.toml import write_character
from poise.motion.clip import Clip

SAD = Style("sad", (("abdomen", (0.0, 12.0, 0.0)), ("chest", (0.0, 12.0, 0.0)), ("head", (0.0, 35.0, 0.0))))
LIBRARY = Path(__file__).resolve().parent.parent / "src" / "poise" / "character" / "library"


def main() -> None:
    for name, hands in (("human", False), ("human_hands", True)):
        character = character_from_clip(t_pose(), hands=hands)
        limbs = implied_limbs(character.names)
        write_character(replace(character, name=name, limbs=limbs, styles=(SAD,)), LIBRARY / f"{name}.toml")
    for creature in (raptor(), alien()):
        write_character(creature, LIBRARY / f"{creature.name}.toml")


def t_pose() -> Clip:
    """One frame of the body standing with its arms stretched out, metres, Z up."""
    translations = SKELETON.offsets[None].copy()
    translations[0, 0] = (0.0, 0.0, STANDING_HIPS)
    rotations = np.broadcast_to(rotation.IDENTITY, (1, SKELETON.njoints, 4)).copy()
    return Clip("human", SKELETON, rotations, translations, 30.0)


if __name__ == "__main__":
    main()
