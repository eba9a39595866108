"""VMC (Virtual Motion Capture protocol 3.1), receiving: OSC messages gathered into poses."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.live.osc import Argument, messages
from poise.live.stream_frame import StreamFrame
from poise.live.vmc_bones import BONES, NBONES, from_unity

METRES = 1.0  # per unit of the stream
_LARGEST = 1e4  # m
_CALIBRATED = 3
_PAST = 1.0  # s: a time that lies farther back is that of a sender that began anew
_SHORT = 5  # poses in a row that lack bones: these come no more
_NUMBER = {name: k for k, name in enumerate(BONES)}


class VmcReader:
    """Datagrams in, poses out, for one sender. `bad` counts the datagrams in which nothing could be read.

    A pose has no end mark. It is complete as soon as all bones that usually come have come; or, where one was left out or lost,
    when the sender's time goes on or the hips come a second time. A datagram with a time that is past is passed over.
    """

    def __init__(self) -> None:
        self.bad = 0
        self._pose = np.zeros((NBONES, 7))
        self._pose[:, 6] = 1.0
        self._root = self._pose[0].copy()
        self._known = np.zeros(NBONES, bool)  # ever seen
        self._fresh: set[int] = set()  # seen since the last pose
        self._expected: set[int] = set(range(NBONES))
        self._first = True  # nothing is known yet about which bones come
        self._short = 0  # poses in a row that lacked some
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
        if k in self._fresh and k == 0:
            frames = self._complete()
        if k == 0:
            self._pose_stamp = self._stamp
        self._pose[k] = pose
        self._known[k] = True
        self._fresh.add(k)
        if self._fresh >= self._expected:
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
        fresh, self._fresh = self._fresh, set()
        if 0 not in fresh or len(fresh) < 2:
            return []
        self._short = 0 if fresh >= self._expected else self._short + 1
        if self._short > _SHORT or self._first or len(fresh) > len(self._expected):
            self._expected, self._short, self._first = fresh, 0, False
        if not self._usable:
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
