"""What every reader of motion files needs: the bytes within a limit, lines, words and numbers, and what is wrong with them."""

from __future__ import annotations

import re
from pathlib import Path

from poise.errors import BadFile

SIZE_LIMIT = 1 << 30  # bytes; about three hours of a 31-joint BVH at 120 frames per second
VALUE_LIMIT = 1e9  # no unit makes a body that large, and products of larger numbers overflow
_SHOWN = 40  # characters of a strange word that a message repeats

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def read_bytes(path: Path, limit: int = SIZE_LIMIT) -> bytes:
    """The content of a regular file that is neither blank nor larger than a limit, in bytes."""
    try:
        if path.is_dir():
            raise BadFile(path, "is a folder; give a file")
        if path.exists() and not path.is_file():
            raise BadFile(path, "is not a regular file; save it to disk first")
        size = path.stat().st_size
        if size > limit:
            raise BadFile(path, f"has {size / 2**20:.0f} MiB, the limit is {limit >> 20}; cut it into shorter parts")
        data = path.read_bytes()
    except FileNotFoundError:
        raise BadFile(path, f"there is no such file in '{path.parent}'; check name and folder") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        reason = getattr(error, "strerror", None) or error
        raise BadFile(path, f"cannot be read ({reason}); check path and permissions") from None
    if not data or data.isspace():
        raise BadFile(path, "is empty; export or download it again")
    return data


def read_text(path: Path, limit: int = SIZE_LIMIT) -> bytes:
    """The bytes of a text file without the marks around it; UTF-8 and Latin-1 pass, see `decode`."""
    data = read_bytes(path, limit)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadFile(path, "is UTF-16 text; save it as UTF-8", 1)
    data = data.removeprefix(b"\xef\xbb\xbf").rstrip(b"\x1a")  # DOS end-of-file mark
    if b"\0" in data[:4096]:
        raise BadFile(path, f"is a binary file, not {path.suffix} text; check what it is", 1)
    return data


def decode(text: bytes) -> str:
    """UTF-8, or else Latin-1, which older tools wrote and which fits any byte."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


def line_of(data: bytes, position: int) -> int:
    """The number, from 1, of the line that holds the byte at a position; lines end with LF, CR LF or CR."""
    before = data[:position]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")


def shown(word: object) -> str:
    """A strange word as a message may repeat it: not too long, on one line, printable."""
    return "".join(c if c.isprintable() else "?" for c in str(word)[:_SHOWN])


def number_problem(word: str) -> str | None:
    """What is wrong with a word that should be a number within VALUE_LIMIT: "'1,5', not a number; …"; None if nothing is."""
    not_ = f"'{shown(word)}', not"
    if _NUMBER.fullmatch(word):
        fits = abs(float(word)) <= VALUE_LIMIT
        return None if fits else f"{not_} a number within ±{VALUE_LIMIT:.0e}; the file is damaged, export it again"
    if "," in word:
        return f"{not_} a number; write decimal points and separate numbers by spaces"
    if re.search("nan|inf|ind|#", word, re.IGNORECASE):
        return f"{not_} a finite number; repair the capture and export it again"
    return f"{not_} a number; repair this line or export the file again"
