"""A squat: hips back and down between the knees, arms forward against it, up with a little too much swing."""

from __future__ import annotations

from dataclasses import replace

from tools.author_clips.curves import Clock, Key, scaled
from tools.author_clips.score import Score, relaxed

# fmt: off
DEPTH: tuple[Key, ...] = ((0.5, 0.0), (0.8, -0.012), (2.1, 0.98), (2.45, 1.0), (3.55, 0.02), (3.8, -0.008), (4.2, 0.0))
LEAN: tuple[Key, ...] = ((0.45, 0.0), (0.75, -0.1), (1.75, 0.95), (2.5, 1.0), (2.9, 0.95), (3.7, -0.07), (4.3, 0.0))
ARMS: tuple[Key, ...] = ((0.45, 0.0), (0.75, -0.08), (1.9, 1.0), (2.55, 0.97), (3.6, 0.1), (3.9, -0.09), (4.4, 0.0))
# fmt: on


def squat() -> Score:
    """The lean goes before the depth, both ways; knees open over the toes."""
    clock = Clock(5.0)
    still = relaxed(clock)
    deep, lean, lift = clock.curve(*DEPTH, soften=0.08), clock.curve(*LEAN, soften=0.09), clock.curve(*ARMS, soften=0.09)
    left, right = still.arms
    return replace(
        still,
        sink=still.sink + 0.37 * deep,
        pelvis=still.pelvis + scaled(lean, -1.5, 25.0, 0.5),
        chest=still.chest + scaled(lean, 1.5, 6.0, 0.0),
        head=still.head + scaled(clock.lag(lean, 0.07), -1.0, 2.0, 0.0),
        arms=(
            replace(left, angles=left.angles + scaled(lift, 74.0, 3.0, 12.0, 8.0, 34.0, -4.0), loose=0.5),
            replace(right, angles=right.angles + scaled(clock.lag(lift, 0.03), 70.0, 1.0, 12.0, 10.0, 30.0, -8.0), loose=0.5),
        ),
        cop=(0.05 + 0.012 * lean, 0.05 + 0.012 * lean),
        knees_out=4.0 + 9.0 * deep,
        breath=clock.curve((0.0, 0.0), (0.8, 1.0), (2.4, 0.8), (3.3, 0.3), (5.0, 0.0), soften=0.15),
        seed=4,
    )
