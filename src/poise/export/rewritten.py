"""A glTF file written anew as GLB, everything in it kept but its animations.

The binary data keeps its bytes and its order, skin weights that do not sum to one excepted; what only the old animations used
is left out, and new data is added at the end.
Buffers and images that lie beside a .gltf file become part of the GLB.
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.export.mended_weights import mend_weights
from poise.export.pruned import without_animations
from poise.motion.gltf_document import Document, Json
from poise.rotation import Array

_FLOAT = 5126
_KINDS = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}
_IMAGES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp", b"\xabKTX": "image/ktx2"}


class Rewritten:
    """A copy of a glTF file with one new animation instead of its own."""

    def __init__(self, document: Document, name: str) -> None:
        self._json, buffers = document.contents()
        self._binary = bytearray()
        self._join(buffers)
        self._binary = without_animations(self._json, self._binary)
        mend_weights(self._json, self._binary)
        self._take_in_images(document)
        self._animation: Json = {"name": name, "channels": [], "samplers": []}
        self._json["animations"] = [self._animation]
        self._times: dict[bytes, int] = {}

    def add(self, node: int, path: str, times: Array, values: Array) -> None:
        """What a node's translation, rotation (x, y, z, w) or scale (N, 3 or 4) does at the times (N,), straight in between."""
        sampler = {"input": self._time_accessor(times), "output": self._accessor(values), "interpolation": "LINEAR"}
        self._animation["channels"].append({"sampler": len(self._animation["samplers"]), "target": {"node": node, "path": path}})
        self._animation["samplers"].append(sampler)

    def take_apart(self, node: int, translation: Array, rotation: Array, scale: Array) -> None:
        """Gives a node that has a matrix its three parts instead: an animated node may have no matrix."""
        part = self._json["nodes"][node]
        if part.pop("matrix", None) is not None:
            part |= {"translation": translation.tolist(), "rotation": rotation.tolist(), "scale": scale.tolist()}

    def to_bytes(self) -> bytes:
        """The whole file."""
        self._json["buffers"] = [{"byteLength": len(self._binary)}]
        text = json.dumps(self._json, separators=(",", ":"), ensure_ascii=False).encode()
        text += b" " * (-len(text) % 4)
        binary = bytes(self._binary) + bytes(-len(self._binary) % 4)
        length = 12 + 8 + len(text) + 8 + len(binary)
        head = struct.pack("<4sII", b"glTF", 2, length) + struct.pack("<I4s", len(text), b"JSON")
        return head + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary

    def _join(self, buffers: list[bytes]) -> None:
        """All buffers one after the other, and the views moved to where their bytes are now."""
        starts = []
        for data in buffers:
            self._pad()
            starts.append(len(self._binary))
            self._binary += data
        for view in self._json.get("bufferViews", []):
            start = starts[view.get("buffer", 0)]
            view["buffer"] = 0
            if start:
                view["byteOffset"] = view.get("byteOffset", 0) + start

    def _take_in_images(self, document: Document) -> None:
        for image in self._json.get("images", []):
            uri = image.get("uri")
            if isinstance(uri, str) and not uri.startswith("data:"):
                data = document.beside(uri)
                kind = next((kind for magic, kind in _IMAGES.items() if data.startswith(magic)), None)
                if kind is None:
                    raise document.bad(f"image '{uri[:80]}' is neither PNG, JPEG, WebP nor KTX2; export the file as .glb")
                del image["uri"]
                image |= {"bufferView": self._view(data), "mimeType": kind}

    def _time_accessor(self, times: Array) -> int:
        data = times.astype(np.float32)
        key = data.tobytes()
        if key not in self._times:
            self._times[key] = self._accessor(data[:, None], min=[float(data.min())], max=[float(data.max())])
        return self._times[key]

    def _accessor(self, values: NDArray[Any], **limits: Any) -> int:
        view = self._view(np.ascontiguousarray(values, np.float32).tobytes())
        part = {"bufferView": view, "componentType": _FLOAT, "count": len(values), "type": _KINDS[values.shape[1]], **limits}
        return self._append("accessors", part)

    def _view(self, data: bytes) -> int:
        self._pad()
        start = len(self._binary)
        self._binary += data
        return self._append("bufferViews", {"buffer": 0, "byteOffset": start, "byteLength": len(data)})

    def _append(self, kind: str, part: Json) -> int:
        parts = self._json.setdefault(kind, [])
        parts.append(part)
        return len(parts) - 1

    def _pad(self) -> None:
        self._binary += bytes(-len(self._binary) % 4)
