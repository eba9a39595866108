"""What a step of the law works on, pinned and found again."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from poise.character.toml import load_character
from poise.control.limbs import follower
from poise.control.limbs.parts import parts_of, pin
from poise.control.limbs.weights import Settings
from poise.physics.world import World


@njit
def found(where):
    return parts_of(where)


def leaves(value, name=""):
    """Every array and number with the names that lead to it."""
    if isinstance(value, tuple):
        return [leaf for field in value._fields for leaf in leaves(getattr(value, field), f"{name}.{field}")]
    return [(name, value)]


@pytest.mark.parametrize("strict", [False, True])
def test_each_part_is_found_where_it_was_pinned(monkeypatch, strict):
    kept = []
    monkeypatch.setattr(follower, "pin", lambda parts: kept.append(parts) or pin(parts))
    follower.Follower(World(load_character("human")), Settings(), by_hand=strict, strict=strict)
    pinned = pin(kept[0])
    for (name, ours), (same_name, theirs) in zip(leaves(kept[0]), leaves(found(pinned.where)), strict=True):
        assert name == same_name
        if isinstance(ours, np.ndarray):
            assert (ours.ctypes.data, ours.shape, ours.strides) == (theirs.ctypes.data, theirs.shape, theirs.strides), name
        else:
            assert ours == theirs, name
