"""The rows of a BVH file's motion block, checked against what its header announced."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import numpy as np

from poise.errors import BadFile
from poise.motion.bvh_header import Header
from poise.motion.source import VALUE_LIMIT, decode, line_of, number_problem
from poise.rotation import Array

_WORD = re.compile(rb"\S+")
_LINE = re.compile(rb"[^\r\n]+")


def read_rows(path: Path, data: bytes, header: Header) -> Array:
    """Channel values (F, C) in file order; angles in degrees."""
    values, per_line, odd_line_at = _read_values(path, data, header.numbers_at)
    nchannels = sum(map(len, header.channels))
    if odd_line_at >= 0 and per_line == nchannels:
        found = len(_match(_LINE, data, odd_line_at).split())
        problem = f"this row has {found} values, the hierarchy has {nchannels} channels; repair the row or get the file again"
        raise BadFile(path, problem, line_of(data, odd_line_at))
    nframes, left = divmod(len(values), nchannels)
    if left or nframes < max(header.nframes, 1):
        problem = (
            f"{header.nframes} frames of {nchannels} channels are announced, but {len(values)} values follow "
            f"({nframes} frames and {left} values); get the whole file or correct Frames and CHANNELS"
        )
        raise BadFile(path, problem, line_of(data, header.numbers_at - 1))
    return values.reshape(nframes, nchannels)


def _read_values(path: Path, data: bytes, start: int) -> tuple[Array, int, int]:
    """All values from a byte on, the number of values in the first line, and the byte of the first line that has another."""
    from poise.motion.bvh_numbers import parse_numbers

    values, slow, bad_at, per_line, odd_line_at = parse_numbers(np.frombuffer(data, np.uint8), start)
    for index, at in slow:
        values[index] = float(_match(_WORD, data, at))
    if bad_at < 0 and max(values.max(initial=0.0), -values.min(initial=0.0)) > VALUE_LIMIT:
        bad_at = _value_at(data, start, int(np.abs(values).argmax()))
    if bad_at >= 0:
        problem = number_problem(decode(_match(_WORD, data, bad_at)))
        raise BadFile(path, f"motion holds {problem}", line_of(data, bad_at))
    return values, per_line, odd_line_at


def _value_at(data: bytes, start: int, index: int) -> int:
    """Where the value of that index stands."""
    return next(islice(_WORD.finditer(data, start), index, None)).start()


def _match(pattern: re.Pattern[bytes], data: bytes, at: int) -> bytes:
    match = pattern.match(data, at)
    return match[0] if match else b""
