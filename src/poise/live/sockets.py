"""Where datagrams and bytes come in. Nothing here blocks, and nothing grows: what piles up loses its oldest."""

from __future__ import annotations

import socket
import struct
import sys
import time
from collections import deque

from poise.errors import BadInput
from poise.live.intake import Packet

LOOPBACK = "127.0.0.1"
_MOST = 256  # packets that are read at one go
_LARGEST = 65535  # bytes of a datagram
_TRY_AGAIN = 1.0  # s between attempts to connect
_ROOM = 1 << 18  # bytes that the system keeps for us meanwhile
_SO_TIMESTAMPNS = 35  # Linux: the system tells when each datagram arrived, however late we look; Python has no name for it
_LONGEST_WAIT = 60.0  # s: more means that somebody has set the clock
_TIMESPEC = struct.Struct("@qq")


class UdpSocket:
    """Listens for datagrams."""

    def __init__(self, host: str, port: int) -> None:
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _ROOM)
        self._socket.setblocking(False)
        if sys.platform == "linux":
            self._socket.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        try:
            self._socket.bind((host, port))
        except OSError as problem:
            self._socket.close()
            raise BadInput(f"cannot listen at {host}:{port} ({problem.strerror}); give another --port or address") from None
        self.port: int = self._socket.getsockname()[1]

    def poll(self, now: float) -> list[Packet]:
        """What has come, oldest first; in a flood only the newest."""
        packets: deque[Packet] = deque(maxlen=_MOST)
        for _ in range(4 * _MOST):
            try:
                data, extra, _, sender = self._socket.recvmsg(_LARGEST, _EXTRA)
            except BlockingIOError:
                break
            except OSError:  # such as an echo of a port that nobody listens at
                continue
            packets.append(Packet(now - _waited(extra), f"{sender[0]}:{sender[1]}", data))
        return list(packets)

    def close(self) -> None:
        self._socket.close()


def way_to(host: str, port: int) -> tuple[socket.AddressFamily, tuple]:
    """The family and the numeric address of where datagrams shall go; a name is looked up once, before anything depends on it."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
    except OSError as problem:
        raise BadInput(f"cannot send to '{host}' ({problem.strerror}); give an address or the name of a machine") from None
    return family, address


_EXTRA = socket.CMSG_SPACE(_TIMESPEC.size) if hasattr(socket, "CMSG_SPACE") else 0


def _waited(extra: list[tuple[int, int, bytes]]) -> float:
    """How long ago a datagram arrived, seconds; 0 where the system does not tell."""
    for level, kind, data in extra:
        if level == socket.SOL_SOCKET and kind == _SO_TIMESTAMPNS and len(data) == _TIMESPEC.size:
            seconds, nanoseconds = _TIMESPEC.unpack(data)
            return min(max(time.time() - seconds - 1e-9 * nanoseconds, 0.0), _LONGEST_WAIT)
    return 0.0


class TcpSocket:
    """Connects to a sender that serves TCP, and connects again whenever the connection is lost."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._socket: socket.socket | None = None
        self._tried = -_TRY_AGAIN
        self._connections = 0

    def poll(self, now: float) -> list[Packet]:
        """What has come since."""
        if self._socket is None:
            self._connect(now)
        packets: list[Packet] = []
        while self._socket is not None and len(packets) < _MOST:
            try:
                data = self._socket.recv(_LARGEST)
            except BlockingIOError:
                break
            except OSError:
                data = b""
            if not data:
                self.close()
                break
            packets.append(Packet(now, self._name, data))
        return packets

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    @property
    def _name(self) -> str:
        """Bytes of another connection are another sender's: the half frame at the end of the first has no other half."""
        host, port = self._address
        return f"{host}:{port}" + (f" (connection {self._connections})" if self._connections > 1 else "")

    def _connect(self, now: float) -> None:
        if now - self._tried < _TRY_AGAIN:
            return
        self._tried = now
        try:
            self._socket = socket.create_connection(self._address, timeout=_TRY_AGAIN)
            self._socket.setblocking(False)
            self._connections += 1
        except OSError:
            self._socket = None
