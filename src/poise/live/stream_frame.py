"""One captured pose as a stream gives it, whatever the protocol."""

from __future__ import annotations

from dataclasses import dataclass

from poise.rotation import Array, Mask


@dataclass(frozen=True, eq=False)
class StreamFrame:
    """Joints relative to their parents: rotations (J, 4), positions (J, 3) in the stream's unit, right-handed, Y up.

    Joints are those of the protocol, in its order. `known` (J,) tells which came with a rotation, `placed` (J,) which with
    a position. `index` counts frames, `stamp` is the sender's clock in seconds; None where the protocol sends neither.
    """

    actor: str
    rotations: Array
    positions: Array
    known: Mask
    placed: Mask
    index: int | None = None
    stamp: float | None = None
