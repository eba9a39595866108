"""The clips, one module each: what the performer does, as curves over time."""

from __future__ import annotations

from collections.abc import Callable

from tools.author_clips.clips.bow import bow
from tools.author_clips.clips.dance import dance
from tools.author_clips.clips.front_kick import front_kick
from tools.author_clips.clips.ginga import ginga
from tools.author_clips.clips.march import march
from tools.author_clips.clips.one_leg_balance import one_leg_balance
from tools.author_clips.clips.punch import punch
from tools.author_clips.clips.reach import reach
from tools.author_clips.clips.squat import squat
from tools.author_clips.clips.stand import stand
from tools.author_clips.clips.walk import walk
from tools.author_clips.clips.walk_in_place import walk_in_place
from tools.author_clips.clips.weight_shift import weight_shift
from tools.author_clips.score import Score

_ALL: tuple[Callable[[], Score], ...] = (
    stand,
    weight_shift,
    bow,
    reach,
    punch,
    front_kick,
    one_leg_balance,
    squat,
    walk_in_place,
    walk,
    march,
    dance,
    ginga,
)
CLIPS = {make.__name__: make for make in _ALL}
