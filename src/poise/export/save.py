"""Saves a take in the format that the file's ending names."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from poise.errors import BadFile, BadInput, choices
from poise.files import path_of
from poise.take import Take

# Ending: the module and the function that writes it, imported when it is needed.
_WRITERS = {
    ".bvh": ("poise.export.bvh", "write"),
    ".glb": ("poise.export.gltf", "write"),
    ".npz": ("poise.export.npz", "write"),
    ".mp4": ("poise.export.video", "write"),
    ".png": ("poise.report.filmstrip", "filmstrip"),
    ".csv": ("poise.export.csv", "write"),
}
ENDINGS = tuple(_WRITERS)


def save(take: Take, path: str | Path, *, progress: Callable[[float], None] | None = None, **options: Any) -> tuple[str, ...]:
    """Write the take, whole or not at all; returns what there is to tell about it, such as a plainer kind of picture.

    The ending picks the format: .bvh (in the source's skeleton), .glb (armature, boxes, ground), .npz (everything, to load
    again), .mp4 (film), .png (filmstrip), .csv (table). `options` are those of the format's writer.
    """
    path = path_of(path)
    if path.suffix.lower() not in _WRITERS:
        raise BadInput(f"{path.name}: ending '{path.suffix}' unknown{choices(path.suffix, ENDINGS)}")
    if not path.parent.is_dir():
        raise BadFile(path, f"there is no folder '{path.parent}'; make it first")
    if path.is_dir():
        raise BadFile(path, "is a folder; name a file in it")
    module, function = _WRITERS[path.suffix.lower()]
    writer = getattr(import_module(module), function)
    known = [name for name, p in inspect.signature(writer).parameters.items() if p.kind is p.KEYWORD_ONLY]
    for name in options:
        if name not in known:
            raise BadInput(f"{path.name}: option '{name}' unknown{choices(name, known)}")
    note = writer(take, path, **options, **({"progress": progress} if "progress" in known else {}))
    return (note,) if note else ()
