"""Where replayed frames go out: datagrams, or a TCP server for whoever connects."""

from __future__ import annotations

import contextlib
import socket
import time
from typing import Protocol

from poise.errors import BadInput
from poise.live.replay import Frame
from poise.live.sockets import way_to

_ROOM = 1 << 20  # bytes that a slow reader may be behind; one that is farther behind is left


class Sender(Protocol):
    """Takes the packets of a frame."""

    def send(self, packets: list[bytes]) -> None: ...


class UdpSender:
    """Sends datagrams to an address, whether or not anybody listens."""

    def __init__(self, host: str, port: int) -> None:
        family, self._address = way_to(host, port)
        self.port = port
        self._socket = socket.socket(family, socket.SOCK_DGRAM)

    def send(self, packets: list[bytes]) -> None:
        """Each packet is a datagram."""
        for packet in packets:
            with contextlib.suppress(ConnectionError, BlockingIOError):
                self._socket.sendto(packet, self._address)

    def close(self) -> None:
        self._socket.close()


class TcpSender:
    """Serves one reader at a time; frames go nowhere while there is none."""

    def __init__(self, host: str, port: int) -> None:
        self._listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.setblocking(False)
        try:
            self._listener.bind((host, port))
        except OSError as problem:
            self._listener.close()
            raise BadInput(f"cannot serve at {host}:{port} ({problem.strerror}); give another --port or --host") from None
        self._listener.listen(1)
        self.port: int = self._listener.getsockname()[1]
        self._reader: socket.socket | None = None

    def send(self, packets: list[bytes]) -> None:
        """The packets one after the other."""
        with contextlib.suppress(BlockingIOError):
            reader, _ = self._listener.accept()
            self._leave()
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _ROOM)
            reader.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            reader.settimeout(1.0)
            self._reader = reader
        if self._reader is None:
            return
        try:
            self._reader.sendall(b"".join(packets))
        except OSError:
            self._leave()

    def close(self) -> None:
        self._leave()
        self._listener.close()

    def _leave(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def send(sender: Sender, frame: Frame, nframes: int, fps: float) -> None:
    """Sends all frames, each at its time."""
    began = time.perf_counter()
    for k in range(nframes):
        packets = frame(k)
        time.sleep(max(began + k / fps - time.perf_counter(), 0.0))
        sender.send(packets)
