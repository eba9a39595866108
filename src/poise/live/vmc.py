"""VMC (Virtual Motion Capture protocol 3.1), receiving: OSC messages gathered into poses."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.live.osc import Argument, messages
from poise.live.stream_frame import StreamFrame
from poise.live.vmc_bones import BONES, NBONES, from_unity

_PARTS = ("Hips", "Spine", "Chest", "Neck", "Head", "Leg", "Foot", "Shoulder", "Arm", "Hand")
METRES = 1.0  # per unit of the stream
_LARGEST = 1e4  # m
_CALIBRATED = 3
_PAST = 1.0  # s: a time that lies farther back is that of a sender that began anew
_GONE = 30  # poses in a row that lack a bone: it comes no more
_NUMBER = {name: k for k, name in enumerate(BONES)}
_ALL = frozenset(range(NBONES))
_BODY = frozenset(k for k, name in enumerate(BONES) if name.endswith(_PARTS))  # fingers and toes need not come every time


class VmcReader:
    """Datagrams in, poses out, for one sender. `bad` counts the datagrams in which nothing could be read.

    A pose has no end mark. It is complete as soon as all bones of the body that usually come have come. One that still lacks some
    when the sender's time goes on, or the hips come a second time, is left out: with bones of another moment in their place limbs
    would jump. A datagram with a time that is past is passed over, and so are bones that came before the hips where these come
    first.
    """

    def __init__(self) -> None:
        self.bad = 0
        self._pose = np.zeros((NBONES, 7))
        self._pose[:, 6] = 1.0
        self._root = self._pose[0].copy()
        self._known = np.zeros(NBONES, bool)  # ever seen
        self._fresh: dict[int, None] = {}  # seen since the last pose, in their order
        self._missed: dict[int, int] = {}  # the bones that usually come, and how many poses in a row lacked each
        self._hips_first = False
        self._stamp: float | None = None  # the newest, and
        self._pose_stamp: float | None = None  # that of the hips
        self._usable = True

    def feed(self, data: bytes) -> list[StreamFrame]:
        """The poses that this datagram completes."""
        frames: list[StreamFrame] = []
        read = False
        for address, arguments in messages(data):
            read = True
            if address == "/VMC/Ext/Bone/Pos":
                frames += self._take_bone(arguments)
            elif address == "/VMC/Ext/Root/Pos":
                self._take_root(arguments)
            elif address == "/VMC/Ext/T" and arguments and isinstance(arguments[0], float) and np.isfinite(arguments[0]):
                if self._stamp is not None and self._stamp - _PAST < arguments[0] <= self._stamp:
                    return frames
                frames += self._complete()
                self._stamp = arguments[0]
            elif address == "/VMC/Ext/OK":
                self._take_state(arguments)
        self.bad += not read
        return frames

    def _take_bone(self, arguments: tuple[Argument, ...]) -> list[StreamFrame]:
        k = _NUMBER.get(arguments[0]) if arguments and isinstance(arguments[0], str) else None
        pose = _checked(arguments)
        if k is None or pose is None:
            return []
        frames = []
        if k == 0:
            frames = self._complete() if k in self._fresh else []
            if self._hips_first:
                self._fresh.clear()
            self._pose_stamp = self._stamp
        self._pose[k] = pose
        self._known[k] = True
        self._fresh[k] = None
        if self._fresh.keys() >= (self._missed.keys() or _ALL):
            frames += self._complete()
        return frames

    def _take_root(self, arguments: tuple[Argument, ...]) -> None:
        pose = _checked(arguments)
        if pose is not None:
            self._root = pose

    def _take_state(self, arguments: tuple[Argument, ...]) -> None:
        loaded = not arguments or arguments[0] == 1
        self._usable = loaded and (len(arguments) < 2 or arguments[1] == _CALIBRATED)

    def _complete(self) -> list[StreamFrame]:
        fresh, self._fresh = self._fresh, {}
        if 0 not in fresh or len(fresh) < 2:
            return []
        whole = fresh.keys() >= self._missed.keys()
        self._hips_first = next(iter(fresh)) == 0 if whole else self._hips_first
        counts = {k: self._missed.get(k, -1) + 1 for k in self._missed.keys() - fresh.keys()}
        self._missed = {k: n for k, n in counts.items() if n < _GONE} | dict.fromkeys(_BODY & fresh.keys(), 0)
        if not whole or not self._usable:
            return []
        turns, positions = from_unity(self._pose)
        root_turn, root = from_unity(self._root)
        positions[0] = root + rotation.rotate(root_turn, positions[0])
        turns[0] = rotation.multiply(root_turn, turns[0])
        known = self._known.copy()
        return [StreamFrame("VMC", turns, positions, known, known, None, self._pose_stamp)]


def _checked(arguments: tuple[Argument, ...]) -> np.ndarray | None:
    """Position and unit quaternion (7,), or None where they are none."""
    if len(arguments) < 8 or not all(isinstance(a, float) for a in arguments[1:8]):
        return None
    pose = np.array(arguments[1:8])
    size = float(np.sqrt(pose[3:] @ pose[3:]))
    if not (np.abs(pose[:3]) < _LARGEST).all() or not 0.5 < size < 2.0:
        return None
    pose[3:] /= size
    return pose
