"""Reads a motion file of any known format; its ending tells which."""

from __future__ import annotations

from pathlib import Path

from poise.errors import BadFile
from poise.motion.clip import Clip

ENDINGS = {
    ".bvh": "Biovision hierarchy",
    ".amc": "Acclaim motion, with its .asf beside it",
    ".txt": "DeepMimic clip",
    ".json": "DeepMimic clip",
    ".glb": "glTF 2.0",
    ".gltf": "glTF 2.0",
}


def read(path: str | Path, *, animation: str | None = None) -> Clip:
    """The clip in a file, in the file's own units, axes and frame rate. `animation` picks one by name from a glTF file."""
    path = Path(path)
    match path.suffix.lower():
        case ".bvh":
            from poise.motion.bvh import read as read_file
        case ".amc":
            from poise.motion.amc import read as read_file
        case ".txt" | ".json":
            from poise.motion.deepmimic import read as read_file
        case ".glb" | ".gltf":
            from poise.motion import gltf

            return gltf.read(path, animation)
        case ".asf":
            raise BadFile(path, "is a skeleton without motion; give the .amc file beside it")
        case ending:
            known = ", ".join(ENDINGS)
            raise BadFile(path, f"ending '{ending}' is unknown; expected one of {known}")
    return read_file(path)
