"""Characters as TOML files that a person can read and edit."""

from __future__ import annotations

import json
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from poise import rotation
from poise.character.character import UNTURNED, Box, Character, Limit, Quat, Segment, Vec3, as_quat
from poise.character.limbs import Limb
from poise.character.skin_toml import SEGMENT_KEYS, part_lines, read_skin, rig_lines
from poise.character.style import Style
from poise.errors import BadCharacter, BadFile, choices
from poise.files import path_of, write_whole

_LIMIT_BYTES = 1_000_000
_SEGMENT_KEYS = {"name", "parent", "joint", "box", "mass", "com", "inertia", "limit"} | SEGMENT_KEYS
_LIMB_KEYS = {"name", "kind", "segments", "follows"}
_HEADER = """\
# A Poise character. Metres, kilograms, degrees. Rest pose: standing on z = 0, facing +x, left is +y, arms hang down.
# joint: where the segment's joint sits in the rest pose. box.center, com: from the joint. box.turn_deg, limit.center_deg:
# rotation vectors. inertia: about the centre of mass, along the box's axes. limit: at most angle_deg away from center_deg.
# limb: a chain of segments, nearest the root first. kind "support" carries the body, "targeted" follows a part of the actor
# without touching the ground, "free" moves by itself. style: rest poses, rotation vectors in degrees by segment.
"""


def builtin_names() -> tuple[str, ...]:
    """The characters that come with Poise."""
    folder = resources.files("poise.character") / "library"
    return tuple(sorted(item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml")))


def load_character(name_or_path: str | Path) -> Character:
    """A built-in character by name, or one read from a .toml file."""
    path = path_of(name_or_path, " or a built-in character")
    if str(name_or_path) in builtin_names():
        return read_character(Path(str(resources.files("poise.character") / "library" / f"{name_or_path}.toml")))
    if path.suffix != ".toml":
        hint = choices(str(name_or_path), ["auto", *builtin_names()])
        raise BadCharacter(f"unknown character '{name_or_path}'{hint} or a .toml file")
    return read_character(path)


def read_character(path: Path) -> Character:
    """Reads a character file; errors name the file and the segment."""
    try:
        if path.stat().st_size > _LIMIT_BYTES:
            raise BadFile(path, f"is larger than {_LIMIT_BYTES} bytes; a character file is a few kilobytes")
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadFile(path, f"cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadFile(path, f"is not a character file: {error}") from None
    try:
        return _character(data, path.parent)
    except BadCharacter as error:
        raise BadFile(path, str(error)) from None


def write_character(character: Character, path: str | Path) -> None:
    """Writes a character file."""
    write_whole(path, to_toml(character, Path(path).parent).encode())


def to_toml(character: Character, folder: Path | None = None) -> str:
    """The text of a character file in a folder."""
    lines = [_HEADER, f"name = {json.dumps(character.name)}", f"feet = {json.dumps(character.feet)}"]
    for s in character.segments:
        box = f"center = {_numbers(s.box.center)}, size = {_numbers(s.box.size)}"
        if s.box.turn != UNTURNED:
            box += f", turn_deg = {_numbers(np.degrees(rotation.log(s.box.turn)))}"
        lines += ["", "[[segment]]", f"name = {json.dumps(s.name)}"]
        lines += [f"parent = {json.dumps(s.parent)}"] if s.parent else []
        lines += [f"joint = {_numbers(s.joint)}", f"box = {{ {box} }}", f"mass = {s.mass:.6g}"]
        lines += [f"com = {_numbers(s.com)}", f"inertia = {_numbers(s.inertia)}"]
        if s.limit:
            centre = _numbers(np.degrees(rotation.log(s.limit.center)))
            lines.append(f"limit = {{ center_deg = {centre}, angle_deg = {s.limit.angle_deg:.6g} }}")
        part = character.skin.part(s.name) if character.skin else None
        lines += part_lines(part) if part else []
    lines += rig_lines(character.skin, folder) if character.skin else []
    for limb in character.limbs:
        lines += ["", "[[limb]]", f"name = {json.dumps(limb.name)}", f"kind = {json.dumps(limb.kind)}"]
        lines += [f"segments = {json.dumps(limb.segments)}"]
        lines += [f"follows = {json.dumps(limb.follows)}"] if limb.follows else []
    for style in character.styles:
        lines += ["", f"[style.{json.dumps(style.name)}]"]
        lines += [f"{json.dumps(segment)} = {_numbers(turn)}" for segment, turn in style.turns_deg]
    return "\n".join(lines) + "\n"


def _numbers(values: Any) -> str:
    return "[" + ", ".join(f"{float(v):.6g}" for v in values) + "]"


def _character(data: dict[str, Any], folder: Path) -> Character:
    _only(data, {"name", "feet", "segment", "limb", "style", "rig"}, "character")
    rows = data.get("segment")
    if not isinstance(rows, list) or not rows:
        raise BadCharacter("has no [[segment]] tables")
    limbs = tuple(_limb(row, k) for k, row in enumerate(_tables(data, "limb")))
    stands_on = [limb.effector for limb in limbs if limb.kind == "support"] if limbs else ["left_foot", "right_foot"]
    feet = _strings(data.get("feet", stands_on), "feet")
    segments = tuple(_segment(row, k) for k, row in enumerate(rows))
    skin, styles = read_skin(data.get("rig"), rows, folder), _styles(data.get("style", {}))
    return Character(str(data.get("name", "character")), segments, feet, limbs=limbs, styles=styles, skin=skin)


def _tables(data: dict[str, Any], key: str) -> list[Any]:
    rows = data.get(key, [])
    if not isinstance(rows, list):
        raise BadCharacter(f"{key} must be written as [[{key}]] tables")
    return rows


def _limb(row: Any, k: int) -> Limb:
    if not isinstance(row, dict):
        raise BadCharacter("limb must be written as [[limb]] tables")
    where = f"limb '{row.get('name', k + 1)}'"
    _only(row, _LIMB_KEYS, where)
    missing = {"name", "kind", "segments"} - row.keys()
    if missing:
        raise BadCharacter(f"{where}: missing {', '.join(sorted(missing))}")
    segments = _strings(row["segments"], f"{where}: segments")
    follows = row.get("follows")
    if not segments or not isinstance(follows, str | None):
        raise BadCharacter(f"{where}: needs at least one segment, and follows must be a name, not {follows!r}")
    return Limb(str(row["name"]), row["kind"], segments, follows)


def _styles(data: Any) -> tuple[Style, ...]:
    if not isinstance(data, dict) or not all(isinstance(turns, dict) for turns in data.values()):
        raise BadCharacter("style must be written as tables like [style.sad] with lines like head = [0, 30, 0]")
    return tuple(
        Style(name, tuple((segment, _vec(turn, f"style '{name}': {segment}")) for segment, turn in turns.items()))
        for name, turns in data.items()
    )


def _strings(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise BadCharacter(f"{where} must be a list of segment names, not {value!r}")
    return tuple(value)


def _segment(row: dict[str, Any], k: int) -> Segment:
    where = f"segment '{row.get('name', k + 1)}'"
    _only(row, _SEGMENT_KEYS, where)
    missing = {"name", "joint", "box", "mass"} - row.keys()
    if missing:
        raise BadCharacter(f"{where}: missing {', '.join(sorted(missing))}")
    box = _box(row["box"], where)
    mass = _number(row["mass"], f"{where}: mass")
    x, y, z = (s * s for s in box.size)
    solid = (mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12)
    return Segment(
        name=str(row["name"]),
        parent=row.get("parent"),
        joint=_vec(row["joint"], f"{where}: joint"),
        box=box,
        mass=mass,
        com=_vec(row.get("com", box.center), f"{where}: com"),
        inertia=_vec(row.get("inertia", solid), f"{where}: inertia"),
        limit=_limit(row.get("limit"), where),
    )


def _box(row: Any, where: str) -> Box:
    if not isinstance(row, dict):
        raise BadCharacter(f"{where}: box must be a table like {{ center = [0, 0, 0.1], size = [0.1, 0.2, 0.2] }}")
    _only(row, {"center", "size", "turn_deg"}, f"{where}: box")
    turn = _turn(row.get("turn_deg"), f"{where}: box.turn_deg")
    return Box(_vec(row.get("center"), f"{where}: box.center"), _vec(row.get("size"), f"{where}: box.size"), turn)


def _limit(row: Any, where: str) -> Limit | None:
    if row is None:
        return None
    if not isinstance(row, dict):
        raise BadCharacter(f"{where}: limit must be a table like {{ angle_deg = 90 }}")
    _only(row, {"center_deg", "angle_deg"}, f"{where}: limit")
    centre = _turn(row.get("center_deg"), f"{where}: limit.center_deg")
    return Limit(_number(row.get("angle_deg"), f"{where}: limit.angle_deg"), centre)


def _turn(value: Any, where: str) -> Quat:
    if value is None:
        return UNTURNED
    return as_quat(rotation.exp(np.radians(_vec(value, where))))


def _vec(value: Any, where: str) -> Vec3:
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise BadCharacter(f"{where} must be three numbers, not {value!r}")
    x, y, z = (_number(v, where) for v in value)
    return (x, y, z)


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadCharacter(f"{where} must be a number, not {value!r}")
    return float(value)


def _only(row: dict[str, Any], known: set[str], where: str) -> None:
    for key in row:
        if key not in known:
            raise BadCharacter(f"{where}: unknown key '{key}'{choices(key, known)}")
