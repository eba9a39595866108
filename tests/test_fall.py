"""What counts as a fall on ground that is not the level floor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise import rotation
from poise.measure import fell_at_s
from poise.simulation import simulate
from poise.take import Prop


def moved(take, drop):
    """The same take, lower by so much (N,)."""
    shift = drop[:, None] * np.array([0.0, 0.0, 1.0])
    return replace(take, com=take.com - shift, position=take.position - shift[:, None])


def plane(take, turn):
    n = len(take.times)
    return Prop("ground", "plane", (), np.zeros((n, 3)), np.tile(turn, (n, 1)), np.ones(n, bool))


def test_walking_downhill_is_no_fall_and_sinking_is_one():
    take = simulate("walk", duration=3.5)
    way = take.com[:, 1] - take.com[0, 1]  # the clip walks along -y
    downhill = rotation.from_axis_angle([1.0, 0.0, 0.0], np.arctan(0.2))  # rises by a fifth along +y
    lower = moved(take, -0.2 * way)
    assert fell_at_s(lower) is not None
    assert fell_at_s(replace(lower, props=(plane(take, downhill),))) is None
    assert fell_at_s(replace(moved(take, -0.4 * way), props=(plane(take, downhill),))) is not None


def test_who_lies_at_the_end_has_fallen_and_who_dips_has_not():
    take = simulate("stand", duration=2.0)
    low = 0.5 * take.com[0, 2]
    for begin, end, fell in ((1.8, 2.0, True), (1.95, 2.0, False), (1.5, 1.7, False), (1.0, 1.4, True)):
        dropped = moved(take, low * ((take.times >= begin) & (take.times <= end)))
        assert (fell_at_s(dropped) is not None) == fell, (begin, end)
