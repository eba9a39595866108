"""A pose as VMC datagrams: the state, the time, the root, then the bones, in bundles that fit an Ethernet frame."""

from __future__ import annotations

from collections.abc import Sequence

from poise.live.osc import bundle, encode
from poise.rotation import Array

_FITS = 1400  # bytes


def pose_packets(names: Sequence[str], poses: Array, seconds: float) -> list[bytes]:
    """Datagrams of bones by name with x y z, qx qy qz qw (B, 7) in Unity's axes, at the sender's time in seconds."""
    messages = [
        encode("/VMC/Ext/OK", 1, 3, 0, 1),
        encode("/VMC/Ext/T", float(seconds)),
        encode("/VMC/Ext/Root/Pos", "root", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    ]
    messages += [encode("/VMC/Ext/Bone/Pos", name, *pose) for name, pose in zip(names, poses.tolist(), strict=True)]
    packets: list[bytes] = []
    part: list[bytes] = []
    size = 0
    for message in messages:
        if size + len(message) + 4 > _FITS:
            packets.append(bundle(part))
            part, size = [], 0
        part.append(message)
        size += len(message) + 4
    return [*packets, bundle(part)]
