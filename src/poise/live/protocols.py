"""The streams that are understood, and what is known about each before anything has come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from poise.errors import BadFile
from poise.live import axis_neuron, vmc
from poise.live.axis_neuron_binary import START, BinaryReader
from poise.live.axis_neuron_text import TextReader
from poise.live.intake import Reader
from poise.live.stock_skeleton import stock_skeleton
from poise.live.stream_frame import StreamFrame
from poise.live.vmc_skeleton import vmc_skeleton
from poise.motion.read import read
from poise.motion.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Protocol:
    """A kind of stream: its bones in their order, its unit, and what reads it."""

    name: str
    bones: Skeleton
    metres: float
    new_reader: Callable[[], Reader]
    lossless: bool = False  # no frame gets lost on the way


class AxisNeuronReader:
    """Text or binary, whichever the first bytes are."""

    def __init__(self, joined: bool) -> None:
        self._joined = joined
        self._reader: TextReader | BinaryReader | None = None

    @property
    def bad(self) -> int:
        return self._reader.bad if self._reader else 0

    def feed(self, data: bytes) -> list[StreamFrame]:
        """The frames that these bytes complete."""
        if self._reader is None:
            self._reader = BinaryReader() if data.startswith(START) else TextReader(self._joined)
        return self._reader.feed(data)


def axis_neuron_protocol(joined: bool) -> Protocol:
    """Axis Neuron over UDP, or over TCP, where bytes come `joined`."""
    return Protocol("axis-neuron", stock_skeleton(), axis_neuron.METRES, lambda: AxisNeuronReader(joined), joined)


def vmc_protocol() -> Protocol:
    """VMC over UDP."""
    return Protocol("vmc", vmc_skeleton(), vmc.METRES, vmc.VmcReader)


def own_bones(path: str | Path, protocol: Protocol) -> Skeleton:
    """The protocol's bones with the lengths of a BVH file that has bones of the same names, in the file's unit."""
    skeleton, bones = read(Path(path)).skeleton, protocol.bones
    missing = [name for name in bones.names if name not in skeleton.names]
    if missing:
        raise BadFile(path, f"has no joint '{missing[0]}'; it must have the {bones.njoints} bones of {protocol.name}")
    order = [skeleton.index(name) for name in bones.names]
    ends = tuple((order.index(joint), offset) for joint, offset in skeleton.ends if joint in order)
    return replace(bones, offsets=skeleton.offsets[order], ends=ends)
