"""Acclaim skeletons (.asf): bones with a direction, a length, an axis and degrees of freedom. Their motion is in `amc`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from poise import rotation
from poise.errors import BadFile, choices
from poise.motion.skeleton import Skeleton
from poise.motion.source import decode, number_problem, read_text, shown
from poise.rotation import Array

JOINT_LIMIT = 2000
TURNS = ("rx", "ry", "rz")
MOVES = ("tx", "ty", "tz")
_ORDERS = ("xyz", "xzy", "yxz", "yzx", "zxy", "zyx")


@dataclass(frozen=True)
class Line:
    """One line that holds something: its number and its words."""

    path: Path
    number: int
    words: tuple[str, ...]

    def bad(self, problem: str) -> BadFile:
        return BadFile(self.path, problem, self.number)

    def numbers(self, first: int, count: int) -> list[float]:
        """`count` numbers from word `first` on, which must be there."""
        words = self.words[first : first + count]
        if len(words) < count:
            raise self.bad(f"'{shown(self.words[0])}' has {len(words)} values, expected {count}; repair this line")
        for word in words:
            if problem := number_problem(word):
                raise self.bad(f"'{shown(self.words[0])}' holds {problem}")
        return [float(word) for word in words]


@dataclass(frozen=True)
class Bone:
    """A bone from its joint to `tip` (rest pose, world axes), with the frame `axis` that its degrees of freedom turn about."""

    name: str
    tip: tuple[float, ...]
    axis: Array
    dofs: tuple[str, ...]


@dataclass(frozen=True)
class Acclaim:
    """Bones in the order of the skeleton's joints; bone 0 is the root. `degrees` tells the unit of angles."""

    skeleton: Skeleton
    bones: tuple[Bone, ...]
    degrees: bool


def read_skeleton(path: str | Path) -> Acclaim:
    """The skeleton in an ASF file, in the file's own length unit, with a joint at the start of every bone."""
    path = Path(path)
    sections: dict[str, list[Line]] = {}
    section: list[Line] = []
    for line in lines_of(path):
        if line.words[0].startswith(":"):
            section = sections.setdefault(line.words[0][1:].lower(), [])
        else:
            section.append(line)
    for name in ("root", "bonedata", "hierarchy"):
        if not sections.get(name):
            raise BadFile(path, f"has no section ':{name}'; it is no complete ASF skeleton, get it again")
    degrees = _degrees(sections.get("units", []))
    bones = {"root": _root(sections["root"], degrees)}
    for bone in _bones(path, sections["bonedata"], degrees):
        bones[bone.name] = bone
    return _assemble(bones, _children(sections["hierarchy"], bones), degrees)


def lines_of(path: Path) -> Iterator[Line]:
    """Lines of an ASF or AMC file without comments (from # on) and without blank ones."""
    for number, text in enumerate(decode(read_text(path)).splitlines(), 1):
        if words := text.split("#", 1)[0].split():
            yield Line(path, number, tuple(words))


def turn_of(angles: Array, dofs: tuple[str, ...], degrees: bool) -> Array:
    """The rotation by angles (..., N) about fixed axes, the first of the `dofs` (such as rx, rz) first."""
    order = "".join(dof[-1] for dof in reversed(dofs))
    return rotation.from_euler((np.radians(angles) if degrees else angles)[..., ::-1], order)


def _degrees(units: list[Line]) -> bool:
    for line in units:
        if line.words[0].lower() == "angle":
            return not " ".join(line.words[1:]).lower().startswith("rad")
    return True


def _root(section: list[Line], degrees: bool) -> Bone:
    dofs, order, place, turn = MOVES + TURNS, "xyz", [0.0] * 3, [0.0] * 3
    for line in section:
        match line.words[0].lower():
            case "order":
                dofs = _dofs(line)
            case "axis":
                order = _order(line, 1)
            case "position":
                place = line.numbers(1, 3)
            case "orientation":
                turn = line.numbers(1, 3)
    return Bone("root", tuple(place), turn_of(np.array(turn), tuple(order), degrees), dofs)


def _bones(path: Path, section: list[Line], degrees: bool) -> Iterator[Bone]:
    """The bones between `begin` and `end`."""
    fields: dict[str, Line] | None = None
    names: dict[str, int] = {"root": 0}
    for line in section:
        word = line.words[0].lower()
        if word == "begin":
            fields = {}
        elif fields is None:
            raise line.bad(f"'{shown(line.words[0])}' stands outside of begin and end; repair this bone")
        elif word == "end":
            yield _bone(line, fields, names, degrees)
            fields = None
        else:
            fields[word] = line
    if fields is not None:
        raise BadFile(path, "the last bone has no 'end'; the file is truncated, get it again")


def _bone(end: Line, fields: dict[str, Line], names: dict[str, int], degrees: bool) -> Bone:
    for key in ("name", "direction", "length"):
        if key not in fields or len(fields[key].words) < 2:
            raise end.bad(f"the bone that ends here has no '{key}'; add it")
    name_line = fields["name"]
    name = name_line.words[1]
    if name in names:
        raise name_line.bad(f"bone name '{shown(name)}' was used in line {names[name]} before; rename one of the two")
    if len(names) == JOINT_LIMIT:
        raise name_line.bad(
            f"bone '{shown(name)}' is one more than the {JOINT_LIMIT} that are read; leave out what is not the body"
        )
    names[name] = name_line.number
    direction, (length,) = np.array(fields["direction"].numbers(1, 3)), fields["length"].numbers(1, 1)
    axis = rotation.IDENTITY
    if "axis" in fields:
        axis = turn_of(np.array(fields["axis"].numbers(1, 3)), tuple(_order(fields["axis"], 4)), degrees)
    dofs = _dofs(fields["dof"]) if "dof" in fields else ()
    return Bone(name, tuple((direction * length).tolist()), axis, dofs)


def _dofs(line: Line) -> tuple[str, ...]:
    dofs = tuple(word.lower() for word in line.words[1:])
    for dof in dofs:
        if dof not in TURNS + MOVES or dofs.count(dof) > 1:
            raise line.bad(
                f"degree of freedom '{shown(dof)}' is unknown or there twice; expected some of {', '.join(TURNS + MOVES)}"
            )
    return dofs


def _order(line: Line, word: int) -> str:
    order = line.words[word].lower() if len(line.words) > word else "xyz"
    if order not in _ORDERS:
        raise line.bad(f"axis order '{shown(order)}' is unknown; expected one of {', '.join(_ORDERS).upper()}")
    return order


def _children(section: list[Line], bones: dict[str, Bone]) -> dict[str, list[str]]:
    """The children of every bone, each bone the child of one."""
    children: dict[str, list[str]] = {}
    placed: set[str] = {"root"}
    for line in section:
        if line.words[0].lower() in ("begin", "end"):
            continue
        for name in line.words:
            if name not in bones:
                raise line.bad(f"unknown bone '{shown(name)}' in the hierarchy{choices(shown(name), bones)}")
        for name in line.words[1:]:
            if name in placed:
                raise line.bad(f"bone '{shown(name)}' has two parents or is its own ancestor; leave one out")
            placed.add(name)
        children.setdefault(line.words[0], []).extend(line.words[1:])
    return children


def _assemble(bones: dict[str, Bone], children: dict[str, list[str]], degrees: bool) -> Acclaim:
    """Joints depth first from the root; bones that the hierarchy does not reach are left out."""
    order: list[Bone] = []
    parents: list[int] = []
    waiting = [("root", -1)]
    while waiting:
        name, parent = waiting.pop()
        waiting += [(child, len(order)) for child in reversed(children.get(name, []))]
        order.append(bones[name])
        parents.append(parent)
    offsets = np.array([order[0].tip, *(order[p].tip if p else (0.0, 0.0, 0.0) for p in parents[1:])], float)
    tips = sorted({*range(1, len(order))} - {*parents})
    ends = tuple((j, (order[j].tip[0], order[j].tip[1], order[j].tip[2])) for j in tips)
    return Acclaim(Skeleton(tuple(bone.name for bone in order), tuple(parents), offsets, ends), tuple(order), degrees)
