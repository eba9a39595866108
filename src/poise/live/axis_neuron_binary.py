"""Axis Neuron's binary form: a header of 64 bytes, then 32-bit floats, little endian."""

from __future__ import annotations

import struct

import numpy as np

from poise.live.axis_neuron import COUNTS, frame_of
from poise.live.stream_frame import StreamFrame
from poise.rotation import Array

START = b"\xff\xdd"
_END = 0xEEFF
_HEADER = struct.Struct("<HIHBBI32sI12xH")
_VERSION = 0x01010000  # 1.1.0.0


class BinaryReader:
    """Bytes in, frames out, for one sender. `bad` counts the stretches of bytes that were no frames.

    Some senders split a frame over two datagrams, and TCP anywhere: what is incomplete waits for the rest. A datagram that
    begins a frame while another is incomplete tells that the other half was lost.
    """

    def __init__(self) -> None:
        self.bad = 0
        self._rest = b""

    def feed(self, data: bytes) -> list[StreamFrame]:
        """The frames that these bytes complete."""
        if self._rest and _begins(data):
            self._rest, self.bad = b"", self.bad + 1
        data = self._rest + data
        frames = []
        while len(data) >= _HEADER.size:
            size = _size(data)
            if size is None:
                self.bad += 1
                start = data.find(START, 1)
                data = data[start:] if start > 0 else b""
                continue
            if len(data) < size:
                break
            frame = _frame(data[:size])
            self.bad += frame is None
            frames += [frame] if frame is not None else []
            data = data[size:]
        self._rest = data if START.startswith(data[:2]) else b""
        self.bad += bool(data) and not self._rest
        return frames


def write(index: int, name: str, frame_index: int, numbers: Array, displacement: bool) -> bytes:
    """One frame without a reference bone."""
    header = _HEADER.pack(
        int.from_bytes(START, "little"), _VERSION, len(numbers), displacement, False, index, name.encode()[:31], frame_index, _END
    )
    return header + np.asarray(numbers, "<f4").tobytes()


def _begins(data: bytes) -> bool:
    return len(data) >= _HEADER.size and _size(data) is not None


def _size(data: bytes) -> int | None:
    """How many bytes the frame at the front has; None where there is none."""
    start, version, count, displacement, reference, *_, end = _HEADER.unpack_from(data)
    if start.to_bytes(2, "little") != START or end != _END or version != _VERSION or displacement > 1 or reference > 1:
        return None
    return _HEADER.size + 4 * count if count == COUNTS[bool(displacement), bool(reference)] else None


def _frame(data: bytes) -> StreamFrame | None:
    _, _, _, displacement, reference, index, name, frame_index, _ = _HEADER.unpack_from(data)
    with np.errstate(invalid="ignore"):  # garbage may be NaN of the kind that signals; it is refused below
        numbers = np.frombuffer(data, "<f4", offset=_HEADER.size).astype(float)
    actor = f"{index} {name.split(bytes(1))[0].decode('ascii', 'replace')}"
    return frame_of(numbers, bool(displacement), bool(reference), actor, frame_index)
