"""The JSON and the binary buffers of a glTF 2.0 file, every index and length checked before it is used."""

from __future__ import annotations

import base64
import binascii
import copy
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import numpy as np

from poise.errors import BadFile
from poise.motion.json_text import parse_json
from poise.motion.source import VALUE_LIMIT, read_bytes, read_text, shown
from poise.rotation import Array

VALUES_LIMIT = 50_000_000  # numbers in one accessor

_MAGIC, _JSON_CHUNK, _BINARY_CHUNK = b"glTF", b"JSON", b"BIN\0"
_COMPONENTS = {5120: np.int8, 5121: np.uint8, 5122: np.int16, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
_SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}  # matrices of bytes or shorts would be padded; none is used
_MARK = b"\xef\xbb\xbf"  # of UTF-8
_EXPECTED = "expected a character as glTF 2.0 (.glb, .gltf, .vrm), as Blender and others export it"
_OTHER_KINDS = {
    b"Kaydara FBX": "FBX",
    b"; FBX": "FBX",
    b"HIERARCHY": "BVH motion",
    b"BLENDER": "a Blender file",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "a gzip archive",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"<?xml": "XML",
    b"<!doctype": "a web page",
    b"<html": "a web page",
    b"version https://git-lfs": "a pointer of Git LFS, which `git lfs pull` replaces by the file",
}
Json = dict[str, Any]


class Document:
    """A glTF file's parts: JSON objects by kind and number, and accessors as arrays."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._json, self._binary = _open(path)
        self._buffers: dict[int, bytes] = {}
        if "asset" not in self._json:
            raise self.bad(f"is JSON, but no glTF: it says nothing about its version (asset); {_EXPECTED}")
        version = self.object(self._json, "asset").get("version")
        if not isinstance(version, str) or not version.startswith("2."):
            raise self.bad(f"is glTF version '{shown(version)}', expected 2.x; export it as glTF 2.0")

    def bad(self, problem: str) -> BadFile:
        return BadFile(self.path, problem)

    def all(self, kind: str) -> list[Json]:
        """The objects of a kind, such as `nodes`."""
        return self.objects(self._json, kind)

    def objects(self, owner: Json, key: str) -> list[Json]:
        """A list of objects in an object; empty where there is none."""
        found = owner.get(key, [])
        if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
            raise self.bad(f"'{key}' must be a list of objects; the file is damaged, export it again")
        return found

    def object(self, owner: Json, key: str) -> Json:
        found = owner.get(key, {})
        if not isinstance(found, dict):
            raise self.bad(f"'{key}' must be an object; the file is damaged, export it again")
        return found

    def whole(self, owner: Json, key: str, default: int | None = None, below: int | None = None) -> int:
        """A whole number of at least 0, and below a limit if there is one."""
        found = owner.get(key, default)
        if type(found) is not int or found < 0 or (below is not None and found >= below):
            limit = "" if below is None else f" below {below}"
            raise self.bad(f"'{key}' is '{shown(found)}', expected a whole number{limit}; export the file again")
        return found

    def indices(self, owner: Json, key: str, below: int) -> list[int]:
        """A list of indices; empty where there is none."""
        found = owner.get(key, [])
        if not isinstance(found, list) or not all(type(index) is int and 0 <= index < below for index in found):
            raise self.bad(f"'{key}' must be a list of whole numbers below {below}; export the file again")
        return found

    def numbers(self, owner: Json, key: str, default: list[float]) -> Array:
        """A list of as many numbers as the default has."""
        found = owner.get(key, default)
        fits = isinstance(found, list) and len(found) == len(default)
        if not fits or not all(type(x) in (int, float) and abs(x) <= VALUE_LIMIT for x in found):
            raise self.bad(f"'{key}' must be {len(default)} numbers up to {VALUE_LIMIT:.0e}; export the file again")
        return np.array(found, float)

    def text(self, owner: Json, key: str, default: str) -> str:
        found = owner.get(key, default)
        return found if isinstance(found, str) else default

    def contents(self) -> tuple[Json, list[bytes]]:
        """A copy of the whole JSON object, and all buffers, to write the file anew."""
        return copy.deepcopy(self._json), [self._buffer(k) for k in range(len(self.all("buffers")))]

    def beside(self, uri: str) -> bytes:
        """The bytes of a file that a URI names: embedded, or in the folder of the glTF file."""
        return self._embedded(uri) if uri.startswith("data:") else self._beside(uri)

    def image(self, image: Json) -> bytes:
        """The bytes of an image, encoded as they are: in a buffer, embedded, or beside the file."""
        if "bufferView" not in image:
            return self.beside(self.text(image, "uri", ""))
        views = self.all("bufferViews")
        view = views[self.whole(image, "bufferView", below=len(views))]
        buffer = self._buffer(self.whole(view, "buffer", below=len(self.all("buffers"))))
        start, length = self.whole(view, "byteOffset", 0), self.whole(view, "byteLength")
        if start + length > len(buffer):
            raise self.bad(f"an image of {length} bytes at {start} ends after its buffer; the file is truncated")
        return buffer[start : start + length]

    def accessor(self, number: int, kind: str) -> Array:
        """The values (N, size) of an accessor of a kind such as VEC3, as floats; integers are normalised if it says so."""
        accessors = self.all("accessors")
        if number >= len(accessors):
            raise self.bad(f"accessor {number} is not there, the file has {len(accessors)}; export it again")
        accessor = accessors[number]
        if accessor.get("type") != kind:
            raise self.bad(f"accessor {number} has type '{shown(accessor.get('type'))}', expected {kind}; export it again")
        count, size = self.whole(accessor, "count"), _SIZES[kind]
        if count * size > VALUES_LIMIT:
            raise self.bad(f"accessor {number} has {count} elements, the limit is {VALUES_LIMIT // size}; cut the clip")
        component = self._component(accessor)
        if "bufferView" in accessor:
            values = self._view(accessor, "bufferView", component, count, size).copy()
        else:
            values = np.zeros((count, size), component)
        self._replace_sparse(accessor, values)
        return self._as_floats(values, accessor.get("normalized") is True, number)

    def _component(self, owner: Json) -> type[np.generic]:
        code = owner.get("componentType")
        if type(code) is not int or code not in _COMPONENTS:
            raise self.bad(f"component type '{shown(code)}' is unknown; expected one of {', '.join(map(str, _COMPONENTS))}")
        return _COMPONENTS[code]

    def _view(self, owner: Json, key: str, component: type[np.generic], count: int, size: int) -> np.ndarray:
        """Elements (count, size) in a buffer view, from the owner's byteOffset on."""
        views = self.all("bufferViews")
        view = views[self.whole(owner, key, below=len(views))]
        if "EXT_meshopt_compression" in self.object(view, "extensions"):
            raise self.bad("is compressed (EXT_meshopt_compression); export it without compression")
        buffer = self._buffer(self.whole(view, "buffer", below=len(self.all("buffers"))))
        element = np.dtype(component).itemsize * size
        stride = self.whole(view, "byteStride", 0, below=253) or element
        start, offset = self.whole(view, "byteOffset", 0), self.whole(owner, "byteOffset", 0)
        length = self.whole(view, "byteLength")
        used = offset + stride * (count - 1) + element if count else 0
        if stride < element or used > length or start + length > len(buffer):
            raise self.bad(f"a buffer view of {length} bytes at {start} does not hold {count} elements; the file is truncated")
        strides = (stride, np.dtype(component).itemsize)
        return np.ndarray((count, size), component, buffer, start + offset if count else 0, strides)

    def _replace_sparse(self, accessor: Json, values: np.ndarray) -> None:
        if "sparse" not in accessor:
            return
        sparse = self.object(accessor, "sparse")
        where, what = self.object(sparse, "indices"), self.object(sparse, "values")
        count = self.whole(sparse, "count", below=len(values) + 1)
        component = self._component(where)
        if not issubclass(component, np.unsignedinteger):
            raise self.bad("indices of a sparse accessor must be unsigned integers; export the file again")
        rows = self._view(where, "bufferView", component, count, 1)[:, 0]
        if count and rows.max() >= len(values):
            raise self.bad(f"a sparse accessor changes element {rows.max()} of {len(values)}; export the file again")
        values[rows] = self._view(what, "bufferView", values.dtype.type, count, values.shape[1])

    def _as_floats(self, values: np.ndarray, normalized: bool, number: int) -> Array:
        with np.errstate(invalid="ignore"):  # NaN is told below
            floats = values.astype(float)
        if normalized and values.dtype.kind in "iu":
            floats = np.maximum(floats / np.iinfo(values.dtype).max, -1.0)
        if not (np.abs(floats) <= VALUE_LIMIT).all():
            raise self.bad(f"accessor {number} holds NaN, infinity or numbers beyond {VALUE_LIMIT:.0e}; export the file again")
        return floats

    def _buffer(self, number: int) -> bytes:
        if number not in self._buffers:
            buffer = self.all("buffers")[number]
            uri = buffer.get("uri")
            if uri is None and number == 0:
                data = self._binary
            elif isinstance(uri, str) and uri.startswith("data:"):
                data = self._embedded(uri)
            else:
                data = self._beside(uri if isinstance(uri, str) else "")
            if len(data) < self.whole(buffer, "byteLength"):
                raise self.bad(
                    f"buffer {number} has {len(data)} bytes of {buffer['byteLength']}; the file is truncated, get it again"
                )
            self._buffers[number] = data
        return self._buffers[number]

    def _embedded(self, uri: str) -> bytes:
        header, _, body = uri.partition(",")
        try:
            return base64.b64decode(body, validate=True) if header.endswith(";base64") else unquote_to_bytes(body)
        except (binascii.Error, ValueError):
            raise self.bad("an embedded buffer is not valid base64; export the file again") from None

    def _beside(self, uri: str) -> bytes:
        """A buffer in a file of its own, which must lie in the folder of the glTF file."""
        name = unquote_to_bytes(uri).decode("utf-8", "replace")
        folder = self.path.parent.resolve()
        try:
            outside = not name or bool(urlsplit(uri).scheme) or not (folder / name).resolve().is_relative_to(folder)
        except (OSError, ValueError, RuntimeError):
            outside = True
        if outside:
            raise self.bad(f"buffer '{shown(uri)}' lies outside of the file's folder; put it beside the file, or export as .glb")
        return read_bytes(folder / name)


def _other_kind(data: bytes) -> str:
    """What a file is that is no glTF, by how it begins."""
    for beginning, kind in _OTHER_KINDS.items():
        if data[: len(beginning)].lower() == beginning.lower():
            return f"is {kind}, not glTF"
    return f"is no glTF: it begins with '{shown(data[:12].decode('latin-1'))}'"


def _open(path: Path) -> tuple[Json, bytes]:
    """The JSON object and the binary chunk of a GLB, or the JSON of a .gltf."""
    data = read_bytes(path)
    if not data.startswith(_MAGIC):
        text = data.removeprefix(_MARK).lstrip()
        if not text.startswith((b"{", b"[")):
            raise BadFile(path, f"{_other_kind(text)}; {_EXPECTED}")
        return parse_json(path, read_text(path)), b""
    if data[4:8] != struct.pack("<I", 2):
        raise BadFile(path, "is not version 2 of the binary format; export it as glTF 2.0")
    chunks: dict[bytes, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        length, kind = struct.unpack_from("<I4s", data, at)
        at += 8
        if at + length > len(data):
            raise BadFile(path, f"a chunk of {length} bytes ends after the file's {len(data)}; it is truncated, get it again")
        chunks.setdefault(kind, data[at : at + length])
        at += length
    if _JSON_CHUNK not in chunks:
        raise BadFile(path, "holds no JSON chunk; it is no glTF 2.0 binary or is truncated, get it again")
    return parse_json(path, chunks[_JSON_CHUNK]), chunks.get(_BINARY_CHUNK, b"")
