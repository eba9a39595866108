"""Reads a motion file of any known format; its ending tells which."""

from __future__ import annotations

from pathlib import Path

from poise.errors import BadFile
from poise.files import path_of
from poise.motion.clip import Clip
from poise.motion.source import shown

ENDINGS = (".bvh", ".amc", ".txt", ".json", ".glb", ".gltf")


def read(path: str | Path, *, animation: str | None = None) -> Clip:
    """The clip in a file, in the file's own units, axes and frame rate. `animation` picks one by name from a glTF file.

    An .amc file needs its .asf beside it; .txt and .json are DeepMimic clips.
    """
    path = path_of(path)
    ending = path.suffix.lower()
    if ending in (".glb", ".gltf"):
        from poise.motion import gltf

        return gltf.read(path, animation)
    if animation is not None:
        raise BadFile(path, f"holds one motion, not animations such as '{shown(animation)}'; leave the name out")
    match ending:
        case ".bvh":
            from poise.motion.bvh import read as read_file
        case ".amc":
            from poise.motion.amc import read as read_file
        case ".txt" | ".json":
            from poise.motion.deepmimic import read as read_file
        case ".asf":
            raise BadFile(path, "is a skeleton without motion; give the .amc file beside it")
        case _:
            raise BadFile(path, f"ending '{shown(path.suffix)}' is unknown; expected one of {', '.join(ENDINGS)}")
    return read_file(path)
