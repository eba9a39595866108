"""The bytes of a motion file, read within a limit, and the lines in them."""

from __future__ import annotations

from pathlib import Path

from poise.errors import BadFile

SIZE_LIMIT = 1 << 30  # bytes; about three hours of a 31-joint BVH at 120 frames per second


def read_bytes(path: Path) -> bytes:
    """The content of a regular file that is neither blank nor larger than SIZE_LIMIT."""
    try:
        if path.is_dir():
            raise BadFile(path, "is a folder; give a file")
        if path.exists() and not path.is_file():
            raise BadFile(path, "is not a regular file; save it to disk first")
        size = path.stat().st_size
        if size > SIZE_LIMIT:
            raise BadFile(path, f"has {size / 2**20:.0f} MiB, the limit is {SIZE_LIMIT >> 20}; cut it into shorter parts")
        data = path.read_bytes()
    except FileNotFoundError:
        raise BadFile(path, f"there is no such file in '{path.parent}'; check name and folder") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        reason = getattr(error, "strerror", None) or error
        raise BadFile(path, f"cannot be read ({reason}); check path and permissions") from None
    if not data or data.isspace():
        raise BadFile(path, "is empty; export or download it again")
    return data


def line_of(data: bytes, position: int) -> int:
    """The number, from 1, of the line that holds the byte at a position; lines end with LF, CR LF or CR."""
    before = data[:position]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
