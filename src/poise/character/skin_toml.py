"""The lines of a character file that tie it to an artist's rig: a [rig] table, and `nodes` and `bind_deg` of each segment."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from poise import rotation
from poise.character.character import UNTURNED, Vec3, as_quat
from poise.character.skin import Skin, SkinPart
from poise.errors import BadCharacter, choices

SEGMENT_KEYS = {"nodes", "bind_deg"}
_RIG_KEYS = {"file", "sha256", "scale", "turn_deg", "shift"}
_HEADER = """\
# The artist's rig that this character was made from, and how the rig lies in its file: ours = scale * turn(file's) + shift.
# nodes: the rig's bones that a segment moves, with all below them. bind_deg: how the rig was bound, seen from the rest pose."""


def rig_lines(skin: Skin, folder: Path | None) -> list[str]:
    """The [rig] table; the rig's file is named relative to the folder of the character's file."""
    return [
        "",
        *_HEADER.splitlines(),
        "[rig]",
        f"file = {json.dumps(_relative(skin.file, folder))}",
        f"sha256 = {json.dumps(skin.sha256)}",
        f"scale = {skin.scale:.9g}",
        f"turn_deg = {_numbers(np.degrees(rotation.log(skin.turn)))}",
        f"shift = {_numbers(skin.shift)}",
    ]


def part_lines(part: SkinPart) -> list[str]:
    """What a segment's table says about the rig."""
    lines = [f"nodes = {json.dumps(part.nodes, ensure_ascii=False)}"] if part.nodes else []
    return [*lines, f"bind_deg = {_numbers(np.degrees(rotation.log(part.turn)))}"] if part.turn != UNTURNED else lines


def read_skin(rig: Any, segments: list[dict[str, Any]], folder: Path | None) -> Skin | None:
    """The skin that a character file tells of; None where it has no [rig] table."""
    if rig is None:
        if any(SEGMENT_KEYS & row.keys() for row in segments):
            raise BadCharacter("segments have nodes or bind_deg, but there is no [rig] table that says of which file")
        return None
    if not isinstance(rig, dict):
        raise BadCharacter('rig must be a table: [rig] with lines like file = "raptor.glb"')
    for key in rig:
        if key not in _RIG_KEYS:
            raise BadCharacter(f"rig: unknown key '{key}'{choices(key, _RIG_KEYS)}")
    file, sha256, scale = rig.get("file"), rig.get("sha256", ""), rig.get("scale", 1.0)
    if not isinstance(file, str) or not file or not isinstance(sha256, str):
        raise BadCharacter(f"rig: file must be the name of a .glb or .gltf file, not {file!r}")
    if isinstance(scale, bool) or not isinstance(scale, int | float):
        raise BadCharacter(f"rig: scale must be a number, not {scale!r}")
    turn = as_quat(rotation.exp(np.radians(_vec(rig.get("turn_deg", [0, 0, 0]), "rig: turn_deg"))))
    shift = _vec(rig.get("shift", [0, 0, 0]), "rig: shift")
    parts = tuple(_part(row, k) for k, row in enumerate(segments))
    return Skin(str(folder / file) if folder else file, sha256, float(scale), turn, shift, parts)


def _part(row: dict[str, Any], k: int) -> SkinPart:
    where = f"segment '{row.get('name', k + 1)}'"
    nodes = row.get("nodes", [])
    if not isinstance(nodes, list) or not all(isinstance(node, str) for node in nodes):
        raise BadCharacter(f"{where}: nodes must be a list of names of the rig's nodes, not {nodes!r}")
    turn = rotation.exp(np.radians(_vec(row.get("bind_deg", [0, 0, 0]), f"{where}: bind_deg")))
    return SkinPart(str(row.get("name", k + 1)), tuple(nodes), as_quat(turn))


def _vec(value: Any, where: str) -> Vec3:
    good = isinstance(value, list) and len(value) == 3 and all(type(v) in (int, float) for v in value)
    if not good:
        raise BadCharacter(f"{where} must be three numbers, not {value!r}")
    x, y, z = value
    return (float(x), float(y), float(z))


def _numbers(values: Any) -> str:
    return "[" + ", ".join(f"{float(v):.9g}" for v in values) + "]"


def _relative(file: str, folder: Path | None) -> str:
    """The file as seen from the folder, with slashes; as it is where there is no way (another drive)."""
    try:
        return Path(os.path.relpath(file, folder)).as_posix() if folder else file
    except ValueError:
        return Path(file).as_posix()
