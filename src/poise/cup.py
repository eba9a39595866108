"""The cup in a hand that is held level: seen in pictures and files, without weight."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.character.character import Segment
from poise.rotation import Array
from poise.take import Prop

SIZE = (0.075, 0.075, 0.11)  # m
_GRIP = 0.62  # of the way through the hand: where fingers close


def cup(hand: Segment, axis: tuple[float, float, float], position: Array, turn: Array) -> Prop:
    """A cup whose axis is the hand's own `axis`, at positions (N, 3) and rotations (N, 4) of the hand's joint."""
    upright = rotation.between([0.0, 0.0, 1.0], axis)
    place = position + rotation.rotate(turn, 2.0 * _GRIP * np.array(hand.box.center))
    return Prop(f"cup_{hand.name}", "box", SIZE, place, rotation.multiply(turn, upright), np.ones(len(position), bool))
