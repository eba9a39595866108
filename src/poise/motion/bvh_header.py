"""What a BVH file says before its numbers: the hierarchy, the announced frames, the frame time."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from poise.errors import BadFile
from poise.motion.source import decode, line_of, number_problem, shown

CHANNELS = ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")
JOINT_LIMIT = 2000
NAME_LIMIT = 200

_CHANNEL_BY_LOWER = {name.lower(): name for name in CHANNELS}
_TOKEN = re.compile(rb"#[^\r\n]*|[{}]|[^\s{}]+")
_NAME = re.compile(rb"[^\r\n{}]*")
_FRAMES = re.compile(rb"\s*Frames\s*:?\s*([^\s]+)", re.IGNORECASE)
_FRAME_TIME = re.compile(rb"\s*Frame\s*Time\s*:?\s*([^\s]+)", re.IGNORECASE)


@dataclass
class Header:
    """Joints in file order (depth first); `numbers_at` is the byte after the frame time, where the motion starts."""

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offsets: list[tuple[float, ...]] = field(default_factory=list)
    channels: list[tuple[str, ...]] = field(default_factory=list)
    ends: list[tuple[int, tuple[float, ...]]] = field(default_factory=list)
    nframes: int = 0
    frame_time: float = 0.0
    numbers_at: int = 0


def read_header(path: Path, data: bytes) -> Header:
    """Everything up to the first motion value; the tree is walked with a stack, so only JOINT_LIMIT bounds its depth."""
    scan = _Scanner(path, data)
    first = scan.word("HIERARCHY")
    if first.upper() != "HIERARCHY":
        raise scan.bad(f"starts with '{shown(first)}', a BVH file starts with HIERARCHY; is it another format?")
    header = Header()
    _read_hierarchy(scan, header)
    if not any(header.channels):
        raise scan.bad("no joint has channels, so nothing can move; export the clip with rotation channels")
    _read_timing(scan, header)
    header.numbers_at = scan.at
    return header


class _Scanner:
    """A place in the file that moves forward by words, and knows how to complain about where it is."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        self.data = data
        self.at = 0  # where the next word is looked for
        self.token_at = 0  # where the last word started

    def word(self, expected: str) -> str:
        """The next word or brace; what follows a # that starts a word is a comment."""
        while match := _TOKEN.search(self.data, self.at):
            self.token_at, self.at = match.span()
            if not match[0].startswith(b"#"):
                return decode(match[0])
        self.token_at = len(self.data)
        raise self.bad(f"the file ends where {expected} is expected; it is truncated, get it again")

    def name(self, keyword: str) -> str:
        """The rest of the line, or up to a brace: names may hold spaces."""
        match = _NAME.match(self.data, self.at)
        name = decode(match[0]).strip() if match else ""
        if not name or len(name) > NAME_LIMIT or not name.isprintable():
            raise self.bad(f"{keyword} needs a name of 1 to {NAME_LIMIT} printable characters, not '{shown(name)}'; rename it")
        self.at += len(match[0]) if match else 0
        return name

    def number(self, of: str) -> float:
        word = self.word(f"a number of {of}")
        if problem := number_problem(word):
            raise self.bad(f"{of} holds {problem}")
        return float(word)

    def vector(self, of: str) -> tuple[float, float, float]:
        return self.number(of), self.number(of), self.number(of)

    def brace(self, brace: str, after: str) -> None:
        word = self.word(f"'{brace}' after {after}")
        if word != brace:
            raise self.bad(f"'{shown(word)}' stands where '{brace}' is expected after {after}; balance the braces")

    def bad(self, problem: str, at: int | None = None) -> BadFile:
        return BadFile(self.path, problem, line_of(self.data, self.token_at if at is None else at))


def _read_hierarchy(scan: _Scanner, header: Header) -> None:
    """Joints up to the word MOTION."""
    named_at: dict[str, int] = {}
    seen_offset: set[int] = set()
    open_joints: list[int] = []
    while True:
        keyword = scan.word("MOTION" if header.names and not open_joints else "'}'")
        match keyword.upper():
            case "ROOT" | "JOINT":
                _open_joint(scan, header, keyword.upper(), open_joints, named_at)
            case "END" if open_joints:
                scan.name("End")
                scan.brace("{", "End Site")
                if (word := scan.word("OFFSET")).upper() != "OFFSET":
                    raise scan.bad(f"'{shown(word)}' stands where OFFSET is expected in End Site; give it an OFFSET line")
                header.ends.append((open_joints[-1], scan.vector("OFFSET")))
                scan.brace("}", "End Site")
            case "OFFSET" if open_joints and open_joints[-1] not in seen_offset:
                header.offsets[open_joints[-1]] = scan.vector("OFFSET")
                seen_offset.add(open_joints[-1])
            case "CHANNELS" if open_joints and not header.channels[open_joints[-1]]:
                header.channels[open_joints[-1]] = _channels(scan)
            case "}" if open_joints:
                if (joint := open_joints.pop()) not in seen_offset:
                    raise scan.bad(f"joint '{header.names[joint]}' has no OFFSET; add one")
            case "MOTION" if header.names and not open_joints:
                return
            case _:
                raise scan.bad(_misplaced(keyword, header, open_joints))


def _open_joint(scan: _Scanner, header: Header, keyword: str, open_joints: list[int], named_at: dict[str, int]) -> None:
    where = scan.token_at
    name = scan.name(keyword)
    if keyword == "ROOT" and header.names:
        raise scan.bad(f"ROOT '{name}' is a second root after '{header.names[0]}'; put each skeleton into its own file")
    if keyword == "JOINT" and not open_joints:
        raise scan.bad(f"JOINT '{name}' stands outside of ROOT; balance the braces")
    if name in named_at:
        raise scan.bad(f"joint name '{name}' was used in line {line_of(scan.data, named_at[name])} before; rename one of the two")
    if len(header.names) == JOINT_LIMIT:
        raise scan.bad(f"joint '{name}' is one more than the {JOINT_LIMIT} joints that are read; leave out what is not the body")
    scan.brace("{", f"{keyword} {name}")
    named_at[name] = where
    header.names.append(name)
    header.parents.append(open_joints[-1] if open_joints else -1)
    header.offsets.append((0.0, 0.0, 0.0))
    header.channels.append(())
    open_joints.append(len(header.names) - 1)


def _channels(scan: _Scanner) -> tuple[str, ...]:
    word = scan.word("the number of CHANNELS")
    if word not in "0123456" or len(word) != 1:
        raise scan.bad(f"CHANNELS says '{shown(word)}', expected a number from 0 to {len(CHANNELS)}")
    names: list[str] = []
    for k in range(int(word)):
        channel = scan.word("a channel name")
        if channel.lower() not in _CHANNEL_BY_LOWER:
            raise scan.bad(f"channel {k + 1} of {word} is '{shown(channel)}'; expected one of {', '.join(CHANNELS)}")
        if (name := _CHANNEL_BY_LOWER[channel.lower()]) in names:
            raise scan.bad(f"channel '{name}' is there twice in one joint; leave one out")
        names.append(name)
    return tuple(names)


def _misplaced(keyword: str, header: Header, open_joints: list[int]) -> str:
    """What is wrong with a word that may not stand here."""
    word = shown(keyword)
    if keyword.lower() in _CHANNEL_BY_LOWER and open_joints:
        return f"channel '{word}' is one more than CHANNELS says for joint '{header.names[open_joints[-1]]}'; correct the number"
    if keyword == "}":
        return "'}' closes nothing; balance the braces"
    if keyword.upper() == "MOTION" and open_joints:
        return f"MOTION stands inside joint '{header.names[open_joints[-1]]}'; {len(open_joints)} '}}' are missing"
    if keyword.upper() in ("OFFSET", "CHANNELS") and open_joints:
        return f"joint '{header.names[open_joints[-1]]}' has a second {keyword.upper()}; leave one out"
    allowed = "JOINT, End Site, OFFSET, CHANNELS or '}'" if open_joints else "MOTION" if header.names else "ROOT"
    return f"'{word}' stands where {allowed} is expected; repair this line or export the file again"


def _read_timing(scan: _Scanner, header: Header) -> None:
    """`Frames: N` and `Frame Time: seconds`; both only claimed, so nothing is allocated by them."""
    frames = _timing_word(scan, _FRAMES, "Frames: N")
    if not frames.isascii() or not frames.isdigit() or len(frames) > 15:
        raise scan.bad(f"Frames says '{shown(frames)}', expected the number of rows that follow")
    header.nframes = int(frames)
    time = _timing_word(scan, _FRAME_TIME, "Frame Time: SECONDS")
    if problem := number_problem(time):
        raise scan.bad(f"Frame Time says {problem}")
    header.frame_time = float(time)


def _timing_word(scan: _Scanner, pattern: re.Pattern[bytes], expected: str) -> str:
    match = pattern.match(scan.data, scan.at)
    if not match:
        word = scan.word(f"'{expected}'")
        raise scan.bad(f"'{shown(word)}' stands where '{expected}' is expected; add that line")
    scan.token_at, scan.at = match.span(1)
    return decode(match[1])
