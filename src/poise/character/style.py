"""Styles: rest poses that colour a whole performance (Çimen section 6, pose regularization)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from poise import rotation
from poise.errors import BadCharacter, BadInput, choices
from poise.rotation import Array

if TYPE_CHECKING:
    from poise.character.character import Character, Vec3

_LARGEST_DEG = 180.0


@dataclass(frozen=True)
class Style:
    """A pose to relax into: turns of some joints away from the character's rest pose.

    `turns_deg` holds (segment, rotation vector in degrees), relative to the parent segment; other joints stay at rest.
    """

    name: str
    turns_deg: tuple[tuple[str, Vec3], ...] = ()

    def pose(self, character: Character) -> Array:
        """Joint rotations (S, 4) relative to the parent segments; the root's is its own turn in the world."""
        pose = np.tile(rotation.IDENTITY, (character.nsegments, 1))
        for segment, turn in self.turns_deg:
            pose[character.index(segment)] = rotation.exp(np.radians(turn))
        return pose


NEUTRAL = Style("neutral")


def style_of(character: Character, wanted: str | Mapping[str, Vec3] | Style | None) -> Style:
    """A style by its name in the character's file, or from turns by segment; None is the rest pose as it is."""
    if wanted is None:
        return NEUTRAL
    if isinstance(wanted, str):
        known = {style.name: style for style in (NEUTRAL, *character.styles)}
        if wanted not in known:
            raise BadInput(f"character '{character.name}' has no style '{wanted}'{choices(wanted, known)}")
        return known[wanted]
    style = wanted if isinstance(wanted, Style) else Style("given", tuple(wanted.items()))
    check_style(f"character '{character.name}'", style, set(character.names))
    return style


def check_style(where: str, style: Style, segments: set[str]) -> None:
    """Refuses a style that turns unknown segments, or by numbers that are no angles."""
    for segment, turn in style.turns_deg:
        here = f"{where}, style '{style.name}'"
        if segment not in segments:
            raise BadCharacter(f"{here}: '{segment}' is no segment{choices(segment, segments)}")
        angle = float(np.linalg.norm(turn))
        if not angle <= _LARGEST_DEG:
            raise BadCharacter(f"{here}: {segment} turns by {angle:g}°; at most {_LARGEST_DEG:g}° make sense")
