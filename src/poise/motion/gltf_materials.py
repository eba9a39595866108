"""What surfaces of a glTF file look like from afar: one colour, or an image. Gloss, bumps and glow are left out."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import BadFile
from poise.motion.gltf_document import Document, Json

_LARGEST_IMAGE = 1024  # pixels along an edge
_MOST_PIXELS = 1 << 26  # of an image that is decoded at all
_DIFFUSE = "KHR_materials_pbrSpecularGlossiness"  # what exporters wrote before glTF had base colours only


@dataclass(frozen=True, eq=False)
class Surface:
    """A colour (red, green, blue, sRGB, 0 to 1) and, where there is one, the image (H, W, 4) that it tints, 8 bits a channel.

    With `cut` the image's transparent parts are not there at all.
    """

    color: tuple[float, float, float]
    image: NDArray[np.uint8] | None
    cut: bool


def read_surfaces(document: Document) -> tuple[Surface, ...]:
    """The materials of a file, in its order; an image that cannot be read is left out."""
    return tuple(_surface(document, material) for material in document.all("materials"))


def _surface(document: Document, material: Json) -> Surface:
    base = document.object(material, "pbrMetallicRoughness")
    older = document.object(document.object(material, "extensions"), _DIFFUSE)
    factor, texture = ("diffuseFactor", "diffuseTexture") if older else ("baseColorFactor", "baseColorTexture")
    linear = document.numbers(older or base, factor, [1.0] * 4)[:3]
    red, green, blue = _srgb(np.clip(linear, 0.0, 1.0)).tolist()
    image = _image(document, document.object(older or base, texture))
    return Surface((red, green, blue), image, image is not None and document.text(material, "alphaMode", "OPAQUE") != "OPAQUE")


def _image(document: Document, texture: Json) -> NDArray[np.uint8] | None:
    """The pixels of a texture, not too many of them."""
    if "index" not in texture or texture.get("texCoord", 0) != 0:
        return None
    textures, images = document.all("textures"), document.all("images")
    source = textures[document.whole(texture, "index", below=len(textures))]
    if "source" not in source:
        source = document.object(document.object(source, "extensions"), "EXT_texture_webp")
    if "source" not in source:
        return None
    try:
        return _pixels(document.image(images[document.whole(source, "source", below=len(images))]))
    except BadFile:  # it lies elsewhere: a picture in one colour is better than none
        return None


def _pixels(data: bytes) -> NDArray[np.uint8] | None:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as picture:
            if picture.width * picture.height > _MOST_PIXELS:
                return None
            picture.thumbnail((_LARGEST_IMAGE, _LARGEST_IMAGE))
            return np.asarray(picture.convert("RGBA"))
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None


def _srgb(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)
