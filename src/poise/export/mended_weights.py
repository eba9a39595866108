"""Skin weights that sum to one, written in place: glTF asks for it, and not all exporters care."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from poise.motion.gltf_document import Json

_FLOAT = 5126
_OFF = 1e-6
_WIDTH = 16  # bytes of four floats


def mend_weights(document: Json, binary: bytearray) -> None:
    """Divides weights by their sum where it is not one; only float weights, as whole numbers are rounded by their exporter."""
    for attributes in _attributes(document):
        names = sorted(name for name in attributes if name.startswith("WEIGHTS_"))
        accessors = [document["accessors"][attributes[name]] for name in names]
        if not names or any(a.get("componentType") != _FLOAT or "sparse" in a or "bufferView" not in a for a in accessors):
            continue
        sets = [_view(document, accessor, binary) for accessor in accessors]
        total = np.concatenate(sets, axis=1).sum(axis=1, dtype=np.float64)
        off = (np.abs(total - 1.0) > _OFF) & (total > 0.0)
        for part in sets:
            part[off] = part[off] / total[off, None]


def _attributes(document: Json) -> Iterator[Json]:
    for mesh in document.get("meshes", []):
        for primitive in mesh.get("primitives", []):
            yield primitive.get("attributes", {})


def _view(document: Json, accessor: Json, binary: bytearray) -> NDArray[np.float32]:
    """The weights (V, 4) as they lie in the buffer, to be written to."""
    view = document["bufferViews"][accessor["bufferView"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return np.ndarray((accessor["count"], 4), "<f4", binary, start, (view.get("byteStride", _WIDTH), 4))
