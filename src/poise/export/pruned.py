"""A glTF file without its animations: the numbers that only they used go as well, and so do their bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from poise.motion.gltf_document import Json

_ALIGNED = 4  # bytes: the largest component of an accessor
_COMPONENTS = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
_SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
# Extensions that refer to neither accessors nor buffer views. In a file with any other nothing is taken out.
_HARMLESS = (
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_mesh_quantization",
    "KHR_animation_pointer",
    "KHR_xmp",
    "EXT_texture_",
    "EXT_materials_",
    "VRM",
)


def without_animations(document: Json, binary: bytearray) -> bytearray:
    """Takes the animations out of a file's JSON, with the accessors and buffer views that nothing else uses.

    Returns what is left of the binary data, the one buffer of the file; what is left keeps its order.
    """
    samplers = [sampler for animation in document.pop("animations", []) for sampler in animation.get("samplers", [])]
    if not samplers or not _is_plain(document):
        return binary
    dead = {sampler[key] for sampler in samplers for key in ("input", "output") if _is_number(document, sampler.get(key))}
    dead -= {owner[key] for owner, key in _references(document)}
    freed = {use.view for number in dead for use in _uses(document["accessors"][number])}
    _renumber(document, "accessors", dead, _references(document))
    live = [use for accessor in document["accessors"] for use in _uses(accessor)]
    for number in freed & {use.view for use in live}:
        _trim(document["bufferViews"][number], [use for use in live if use.view == number])
    images = [(image, "bufferView") for image in document.get("images", []) if "bufferView" in image]
    unused = freed - {use.view for use in live} - {image["bufferView"] for image, _ in images}
    _renumber(document, "bufferViews", unused, [*((use.owner, "bufferView") for use in live), *images])
    return _compacted(document["bufferViews"], binary)


def _is_plain(document: Json) -> bool:
    """Whether nothing in a file could name what is taken out in a way that is not known here."""
    return all(str(name).startswith(_HARMLESS) for name in document.get("extensionsUsed", [])) and all(
        part.get("type") in _SIZES
        and part.get("componentType") in _COMPONENTS
        and all(
            isinstance(use.count, int) and use.count > 0 and isinstance(use.owner.get("bufferView"), int) for use in _uses(part)
        )
        for part in document.get("accessors", [])
    )


def _is_number(document: Json, accessor: object) -> bool:
    return type(accessor) is int and 0 <= accessor < len(document["accessors"])


@dataclass(frozen=True)
class _Use:
    """A part of an accessor that reads some bytes of a buffer view."""

    owner: Json  # holds bufferView and byteOffset
    count: int
    element: int  # bytes

    @property
    def view(self) -> int:
        return self.owner["bufferView"]

    def end(self, stride: int) -> int:
        """Where in the view it ends."""
        return self.owner.get("byteOffset", 0) + (stride or self.element) * (self.count - 1) + self.element


def _uses(accessor: Json) -> Iterator[_Use]:
    width = _SIZES[accessor["type"]]
    if "bufferView" in accessor:
        yield _Use(accessor, accessor.get("count", 0), _COMPONENTS[accessor["componentType"]] * width)
    if "sparse" in accessor:
        indices, values = accessor["sparse"]["indices"], accessor["sparse"]["values"]
        count = accessor["sparse"]["count"]
        yield _Use(indices, count, _COMPONENTS[indices["componentType"]])
        yield _Use(values, count, _COMPONENTS[accessor["componentType"]] * width)


def _references(document: Json) -> Iterator[tuple[Json, str]]:
    """Where accessors are named outside of animations: (object, key)."""
    for mesh in document.get("meshes", []):
        for primitive in mesh.get("primitives", []):
            for attributes in (primitive.get("attributes", {}), *primitive.get("targets", [])):
                yield from ((attributes, name) for name in attributes)
            if "indices" in primitive:
                yield primitive, "indices"
    yield from ((skin, "inverseBindMatrices") for skin in document.get("skins", []) if "inverseBindMatrices" in skin)


def _renumber(document: Json, kind: str, gone: set[int], references: Iterable[tuple[Json, str]]) -> None:
    """Takes some objects of a kind out of a file, and gives the others their new numbers wherever they are named."""
    kept = [number for number in range(len(document[kind])) if number not in gone]
    new = {old: number for number, old in enumerate(kept)}
    for owner, key in list(references):
        owner[key] = new[owner[key]]
    document[kind] = [document[kind][number] for number in kept]


def _trim(view: Json, uses: list[_Use]) -> None:
    """Cuts a view that others use too to what they read of it."""
    start = min(use.owner.get("byteOffset", 0) for use in uses) // _ALIGNED * _ALIGNED
    end = max(use.end(view.get("byteStride", 0)) for use in uses)
    view["byteOffset"], view["byteLength"] = view.get("byteOffset", 0) + start, end - start
    for use in uses:
        use.owner["byteOffset"] = use.owner.get("byteOffset", 0) - start


def _compacted(views: list[Json], binary: bytearray) -> bytearray:
    """The bytes that views name, in their order, each where it may be aligned; moves the views there."""
    packed, end, shift = bytearray(), 0, 0
    for view in sorted(views, key=lambda view: view.get("byteOffset", 0)):
        start, stop = view.get("byteOffset", 0), view.get("byteOffset", 0) + view["byteLength"]
        if start >= end:  # nothing before it reaches this far; else it lies, whole or in part, in what was kept already
            packed += bytes((start - len(packed)) % _ALIGNED)
            shift, end = len(packed) - start, start
        packed += binary[end:stop]
        end = max(end, stop)
        view["byteOffset"] = start + shift
    return packed
