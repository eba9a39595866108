"""A bow: a breath, hips back and down into it, a moment's stillness, head last on the way up."""

from __future__ import annotations

from dataclasses import replace

from tools.author_clips.curves import Clock, scaled
from tools.author_clips.score import Score, relaxed


def bow() -> Score:
    """Hips lead, the back follows, the head comes last; the hands slide along the thighs."""
    clock = Clock(5.0)
    still = relaxed(clock)
    hips = clock.curve((0.45, 0.0), (0.85, -0.09), (1.95, 0.96), (2.7, 1.0), (3.75, -0.02), (4.3, 0.0), soften=0.09)
    spine = clock.curve((0.5, 0.0), (0.95, -0.10), (2.1, 1.0), (2.75, 1.0), (3.95, -0.06), (4.5, 0.0), soften=0.1)
    nod = clock.curve((0.4, 0.0), (0.8, -0.08), (2.2, 1.0), (2.95, 0.97), (4.15, -0.04), (4.7, 0.0), soften=0.1)
    hands = clock.lag(spine, 0.1)
    along = 0.75 - 0.5 * spine
    left, right = still.arms
    return replace(
        still,
        sink=still.sink + 0.012 * hips.clip(0.0),
        pelvis=still.pelvis + scaled(hips, -1.0, 36.0, 0.0),
        chest=still.chest + scaled(spine, 1.5, 14.0, 0.5),
        head=still.head + scaled(nod, -2.0, 44.0, 0.0),
        arms=(
            replace(left, angles=left.angles + scaled(hands, 14.0, -3.0, 14.0, 6.0, 10.0, -6.0), upright=along),
            replace(right, angles=right.angles + scaled(hands, 15.0, -3.0, 12.0, 4.0, 8.0, -6.0), upright=along),
        ),
        breath=clock.curve((0.0, 0.0), (0.85, 1.0), (2.3, 0.1), (2.9, 0.3), (3.8, 0.9), (5.0, 0.0), soften=0.15),
        seed=3,
    )
