"""The container of binary glTF 2.0 files: arrays go into one buffer, everything else into JSON."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise import __version__

_COMPONENTS = {"float32": 5126, "uint16": 5123, "uint32": 5125}
_KINDS = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}
VERTICES, INDICES = 34962, 34963  # what a buffer view is bound as


class Glb:
    """A glTF document in the making. Every `add` returns the number by which other parts refer to the new one."""

    def __init__(self) -> None:
        self.parts: dict[str, list[dict[str, Any]]] = {}
        self._buffer = bytearray()

    def add(self, kind: str, **part: Any) -> int:
        """A part of a kind that glTF names: nodes, meshes, materials, skins, animations …"""
        self.parts.setdefault(kind, []).append(part)
        return len(self.parts[kind]) - 1

    def add_array(self, values: NDArray[Any], target: int | None = None, *, bounds: bool = False) -> int:
        """An accessor to an array (N, …) of float32, uint16 or uint32, with its least and greatest values where asked."""
        data = np.ascontiguousarray(values).tobytes()
        view: dict[str, Any] = {"buffer": 0, "byteOffset": len(self._buffer), "byteLength": len(data)}
        if target:
            view["target"] = target
        self._buffer += data + bytes(-len(data) % 4)
        limits = {"min": _listed(values.min(axis=0)), "max": _listed(values.max(axis=0))} if bounds else {}
        return self.add(
            "accessors",
            bufferView=self.add("bufferViews", **view),
            componentType=_COMPONENTS[values.dtype.name],
            count=len(values),
            type=_KINDS[values.shape[1:]],
            **limits,
        )

    def to_bytes(self, roots: list[int]) -> bytes:
        """The whole file, with one scene of the given root nodes."""
        document = {
            "asset": {"version": "2.0", "generator": f"Poise {__version__}"},
            "scene": 0,
            "scenes": [{"nodes": roots}],
            **self.parts,
            "buffers": [{"byteLength": len(self._buffer)}],
        }
        text = json.dumps(document, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = _chunk(b"JSON", text) + _chunk(b"BIN\0", bytes(self._buffer))
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack("<I4s", len(data), kind) + data


def _listed(values: NDArray[Any]) -> list[float]:
    return [float(v) for v in np.atleast_1d(values)]
