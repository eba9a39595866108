"""Axis Neuron's string form: blank-separated records that end with `||`, cut from a stream of bytes."""

from __future__ import annotations

import re

import numpy as np

from poise.live.axis_neuron import flags_of, frame_of
from poise.live.stream_frame import StreamFrame
from poise.rotation import Array

_END = re.compile(rb"\|\||[\r\n]")
_LONGEST = 64 * 1024  # bytes without an end: no frame


class TextReader:
    """Bytes in, frames out, for one sender. `bad` counts the records that were no frames.

    A datagram has whole records only; in a TCP stream (`joined`) what is left over waits for the rest.
    """

    def __init__(self, joined: bool) -> None:
        self.bad = 0
        self._joined = joined
        self._rest = b""

    def feed(self, data: bytes) -> list[StreamFrame]:
        """The frames that these bytes complete."""
        *records, rest = _END.split(self._rest + data)
        self._rest = b""
        if self._joined:
            self._rest = rest if len(rest) <= _LONGEST else b""
        self.bad += bool(rest.strip()) and not self._rest
        frames = []
        for record in records:
            frame = _frame(record)
            if frame is not None:
                frames.append(frame)
            elif record.strip():
                self.bad += 1
        return frames


def write(index: int, name: str, numbers: Array) -> bytes:
    """One record."""
    return f"{index} {name} {' '.join(f'{n:.4f}' for n in numbers)} ||".encode()


def _frame(record: bytes) -> StreamFrame | None:
    words = record.split()
    flags = flags_of(len(words) - 2)
    if flags is None:
        return None
    try:
        numbers = np.array(words[2:], dtype=float)
        actor = f"{int(words[0])} {words[1].decode()}"
    except ValueError:  # UnicodeDecodeError is one of them
        return None
    return frame_of(numbers, *flags, actor, None)
