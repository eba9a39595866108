"""A take as a .npz file: plain arrays, and JSON text for the rest. No pickle. The same take gives the same bytes."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise import __version__
from poise.character.character import Box, Character, Limit, Segment
from poise.character.limbs import Limb
from poise.character.skin import Skin, SkinPart
from poise.character.style import Style
from poise.errors import BadFile, PoiseError
from poise.files import path_of, write_whole
from poise.motion.clip import BvhLayout, Clip, Placement
from poise.motion.skeleton import Skeleton
from poise.take import Prop, Take

FORMAT = "poise take 1"
_VERSION = f"Poise {__version__}"
_NO_ARRAYS = ("character", "clip", "events", "props", "info", "realtime_factor")

Arrays = dict[str, NDArray[Any]]


def write(take: Take, path: str | Path) -> None:
    """Write a take; how fast it was made is left out, as that differs from run to run."""
    arrays = {name: getattr(take, name) for name in _array_names()}
    about: dict[str, Any] = {"format": FORMAT, "version": _VERSION, "character": asdict(take.character)}
    about |= {"events": take.events, "info": take.info}
    about["props"] = [_pack_prop(prop, f"prop{k}.", arrays) for k, prop in enumerate(take.props)]
    about["clip"] = _pack_clip(take.clip, "clip.", arrays) if take.clip else None
    text = json.dumps(about, ensure_ascii=False, default=_plain)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, about=np.array(text), allow_pickle=False, **arrays)
    write_whole(path, buffer.getvalue())


def read(path: str | Path) -> Take:
    """Read what `write` wrote."""
    path = path_of(path)
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(str(arrays["about"]))
        if about["format"] != FORMAT:
            raise BadFile(path, f"is '{about['format']}', not '{FORMAT}'; save the take again with this version of Poise")
        if lacking := [name for name in _array_names() if name not in arrays]:
            saved = f"was saved by {about.get('version', 'a Poise before 0.1.0')}, whose takes lack {', '.join(lacking)}"
            raise BadFile(path, f"{saved}; simulate it again and save it with this version, {_VERSION}")
        return _unpack(about, arrays)
    except OSError as error:
        raise BadFile(path, f"cannot be read: {error.strerror or error}") from None
    except PoiseError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
        raise BadFile(path, "is no take that Poise saved; give a .npz file made with `take.save`") from None


def _array_names() -> list[str]:
    return [f.name for f in fields(Take) if f.name not in _NO_ARRAYS]


def _unpack(about: dict[str, Any], arrays: Arrays) -> Take:
    samples: dict[str, Any] = {name: arrays[name] for name in _array_names()}
    return Take(
        character=_character(about["character"]),
        clip=_unpack_clip(about["clip"], "clip.", arrays) if about["clip"] else None,
        **samples,
        events=tuple(about["events"]),
        props=tuple(_unpack_prop(prop, f"prop{k}.", arrays) for k, prop in enumerate(about["props"])),
        info=about["info"],
    )


def _pack_prop(prop: Prop, prefix: str, arrays: Arrays) -> dict[str, Any]:
    for name in ("position", "rotation", "visible"):
        arrays[prefix + name] = getattr(prop, name)
    return {"name": prop.name, "shape": prop.shape, "size": prop.size}


def _unpack_prop(about: dict[str, Any], prefix: str, arrays: Arrays) -> Prop:
    places = {name: arrays[prefix + name] for name in ("position", "rotation", "visible")}
    return Prop(about["name"], about["shape"], tuple(about["size"]), **places)


def _pack_clip(clip: Clip, prefix: str, arrays: Arrays) -> dict[str, Any]:
    """A clip's arrays go to `arrays` under the prefix; the rest is returned."""
    skeleton = clip.skeleton
    arrays |= {
        prefix + "rotations": clip.rotations,
        prefix + "translations": clip.translations,
        prefix + "offsets": skeleton.offsets,
    }
    return {
        "name": clip.name,
        "fps": clip.fps,
        "names": skeleton.names,
        "parents": skeleton.parents,
        "ends": skeleton.ends,
        "layout": asdict(clip.layout) if clip.layout else None,
        "placement": asdict(clip.placement),
        "up": clip.up,
        "lead_in": _pack_clip(clip.lead_in, prefix + "lead_in.", arrays) if clip.lead_in else None,
    }


def _unpack_clip(about: dict[str, Any], prefix: str, arrays: Arrays) -> Clip:
    ends = tuple((joint, tuple(offset)) for joint, offset in about["ends"])
    skeleton = Skeleton(tuple(about["names"]), tuple(about["parents"]), arrays[prefix + "offsets"], ends)
    layout, placement = about["layout"], about["placement"]
    return Clip(
        about["name"],
        skeleton,
        arrays[prefix + "rotations"],
        arrays[prefix + "translations"],
        about["fps"],
        BvhLayout(tuple(map(tuple, layout["channels"])), tuple(layout["adds_offset"])) if layout else None,
        Placement(placement["scale"], tuple(placement["turn"]), tuple(placement["shift"])),
        about["up"],
        _unpack_clip(about["lead_in"], prefix + "lead_in.", arrays) if about["lead_in"] else None,
    )


def _character(about: dict[str, Any]) -> Character:
    segments = tuple(_segment(segment) for segment in about["segments"])
    limbs = tuple(Limb(limb["name"], limb["kind"], tuple(limb["segments"]), limb["follows"]) for limb in about.get("limbs", []))
    styles = tuple(_style(style) for style in about.get("styles", []))
    skin = _skin(about["skin"]) if about.get("skin") else None
    return Character(about["name"], segments, tuple(about["feet"]), tuple(about["notes"]), limbs, styles, skin)


def _style(about: dict[str, Any]) -> Style:
    return Style(about["name"], tuple((segment, tuple(turn)) for segment, turn in about["turns_deg"]))


def _skin(about: dict[str, Any]) -> Skin:
    parts = tuple(SkinPart(part["segment"], tuple(part["nodes"]), tuple(part["turn"])) for part in about["parts"])
    return Skin(about["file"], about["sha256"], about["scale"], tuple(about["turn"]), tuple(about["shift"]), parts)


def _segment(about: dict[str, Any]) -> Segment:
    box, limit = about["box"], about["limit"]
    return Segment(
        name=about["name"],
        parent=about["parent"],
        joint=tuple(about["joint"]),
        box=Box(tuple(box["center"]), tuple(box["size"]), tuple(box["turn"])),
        mass=about["mass"],
        com=tuple(about["com"]),
        inertia=tuple(about["inertia"]),
        limit=Limit(limit["angle_deg"], tuple(limit["center"])) if limit else None,
    )


def _plain(value: Any) -> Any:
    """NumPy numbers and arrays, and paths, as JSON has them."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be saved in a take")
