"""OSC 1.0, as far as VMC needs it: messages of ints, floats and strings, alone or in bundles.

Our own instead of python-osc: that one is maintained and sound, but makes an object of every message and every argument and
raises on anything it does not know, where VMC asks receivers to pass over it. docs/live.md has the comparison.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

Argument = int | float | str
Message = tuple[str, tuple[Argument, ...]]

_BUNDLE = b"#bundle\0"
_AT_ONCE = _BUNDLE + struct.pack(">Q", 1)  # the time tag that means: now
_DEEPEST = 4  # bundles within bundles
_SIZES = {"i": 4, "f": 4, "h": 8, "d": 8, "t": 8, "T": 0, "F": 0, "N": 0, "I": 0}


def messages(packet: bytes, depth: int = 0) -> Iterator[Message]:
    """The messages of a datagram in their order. What cannot be read is passed over; nothing is raised."""
    if not packet.startswith(_BUNDLE):
        message = _message(packet)
        if message is not None:
            yield message
        return
    place = len(_AT_ONCE)
    while depth < _DEEPEST and place + 4 <= len(packet):
        size = int.from_bytes(packet[place : place + 4], "big")
        place += 4
        if size == 0 or place + size > len(packet):
            return
        yield from messages(packet[place : place + size], depth + 1)
        place += size


def encode(address: str, *arguments: Argument) -> bytes:
    """One message."""
    tags, body = ",", b""
    for argument in arguments:
        if isinstance(argument, str):
            tags, body = tags + "s", body + _padded(argument)
        elif isinstance(argument, int):
            tags, body = tags + "i", body + struct.pack(">i", argument)
        else:
            tags, body = tags + "f", body + struct.pack(">f", argument)
    return _padded(address) + _padded(tags) + body


def bundle(parts: list[bytes]) -> bytes:
    """Messages in one datagram."""
    return _AT_ONCE + b"".join(struct.pack(">I", len(part)) + part for part in parts)


def _message(data: bytes) -> Message | None:
    if not data.startswith(b"/"):
        return None
    address, place = _string(data, 0)
    tags, place = _string(data, place)
    if address is None or tags is None or not tags.startswith(","):
        return None
    if tags == ",sfffffff":  # nearly all there is in a stream of bones
        name, place = _string(data, place)
        if name is None or place + 28 > len(data):
            return None
        return address, (name, *struct.unpack_from(">7f", data, place))
    arguments = _arguments(data, place, tags[1:])
    return None if arguments is None else (address, arguments)


def _arguments(data: bytes, place: int, tags: str) -> tuple[Argument, ...] | None:
    """As many arguments as are of known kinds; None where the message ends too early."""
    values: list[Argument] = []
    for tag in tags:
        if tag == "s":
            text, place = _string(data, place)
            if text is None:
                return None
            values.append(text)
            continue
        size = _SIZES.get(tag)
        if size is None:
            return tuple(values)  # a kind of unknown length: what follows cannot be found
        if place + size > len(data):
            return None
        if tag in "if":
            values.append(struct.unpack_from(">" + tag, data, place)[0])
        place += size
    return tuple(values)


def _string(data: bytes, place: int) -> tuple[str | None, int]:
    """A string that ends with a zero and is filled up to a multiple of four bytes; None where there is none."""
    end = data.find(b"\0", place)
    if end < 0:
        return None, len(data)
    try:
        return data[place:end].decode(), (end + 4) & ~3
    except UnicodeDecodeError:
        return None, len(data)


def _padded(text: str) -> bytes:
    raw = text.encode() + b"\0"
    return raw + b"\0" * (-len(raw) % 4)
