"""Damage for property tests: hypothesis strategies that turn a good file into a bad one."""

from __future__ import annotations

import warnings

from hypothesis import strategies as st

from poise.errors import BadInput
from poise.motion.clip import Clip
from poise.motion.read import read

EVIL_WORDS = (
    b"nan inf -Infinity 1e999 -1e308 1e-999 1,5 0x1F 99999999999999999999 -1 0 1 . - + e 1e 1.2.3 1#IND { } {{ }} [ ] \" '"
    b" HIERARCHY ROOT JOINT End Site OFFSET CHANNELS MOTION Frames: Frame Time: 1000000000 Xrotation Wrotation Xposition"
    b" :root :bonedata :hierarchy begin end root dof rx l true false null NaN {} [] [[]] # // \xff \xc3\x28 \x00 \xe2\x80\xa8"
).split(b" ")


def mutated(good: bytes) -> st.SearchStrategy[bytes]:
    """The bytes after one to four blows."""
    return st.lists(_blows(), min_size=1, max_size=4).map(lambda blows: _apply(good, blows))


def reads_or_complains(path) -> None:
    """Reading gives a clip or one line of complaint, never anything else, warnings included."""
    with warnings.catch_warnings(action="error"):
        try:
            clip = read(path)
        except BadInput as complaint:
            assert len(str(complaint).splitlines()) == 1
            return
        assert isinstance(clip, Clip)
        assert clip.world_positions.shape == (clip.nframes, clip.skeleton.njoints, 3)


def _blows():
    share = st.floats(0.0, 1.0, exclude_max=True)
    return st.one_of(
        st.tuples(st.just("flip"), share, st.integers(0, 255)),
        st.tuples(st.just("cut"), share, st.integers(1, 60)),
        st.tuples(st.just("truncate"), share, st.just(0)),
        st.tuples(st.just("insert"), share, st.binary(max_size=12)),
        st.tuples(st.just("word"), share, st.sampled_from(EVIL_WORDS)),
        st.tuples(st.just("drop line"), share, st.just(0)),
        st.tuples(st.just("repeat line"), share, st.integers(1, 3)),
        st.tuples(st.just("move line"), share, share),
    )


def _apply(data: bytes, blows) -> bytes:
    for kind, share, with_ in blows:
        at = int(share * len(data))
        lines = data.splitlines(keepends=True) or [b""]
        line = int(share * len(lines))
        match kind:
            case "flip":
                data = data[:at] + bytes([with_]) + data[at + 1 :]
            case "cut":
                data = data[:at] + data[at + with_ :]
            case "truncate":
                data = data[:at]
            case "insert":
                data = data[:at] + with_ + data[at:]
            case "word":
                data = _replace_word(data, at, with_)
            case "drop line":
                data = b"".join(lines[:line] + lines[line + 1 :])
            case "repeat line":
                data = b"".join(lines[:line] + [lines[line]] * (1 + with_) + lines[line + 1 :])
            case "move line":
                other = int(with_ * len(lines))
                data = b"".join([*lines[:other], lines[line], *lines[other:]])
    return data


def _replace_word(data: bytes, at: int, word: bytes) -> bytes:
    """The word at or after a place, replaced."""
    start = at
    while start and not data[start - 1 : start].isspace():
        start -= 1
    end = at
    while end < len(data) and not data[end : end + 1].isspace():
        end += 1
    return data[:start] + word + data[end:]
