"""The simulated character as a VMC stream, at a steady rate."""

from __future__ import annotations

import socket

from poise.live.humanoid import Humanoid
from poise.live.sockets import way_to
from poise.live.vmc_packets import pose_packets
from poise.simulation import Stepper

RATE = 120.0  # poses per second: at 60 a pose would wait 8 ms for its turn, in the mean


class VmcOut:
    """Sends a pose whenever one is due. Nobody has to listen."""

    def __init__(self, stepper: Stepper, host: str, port: int, rate: float = RATE) -> None:
        self._humanoid = Humanoid(stepper.world.character)
        family, self._address = way_to(host, port)
        self._every, self._due = 1.0 / rate, 0.0
        self._socket = socket.socket(family, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self.sent = 0  # poses

    def after(self, stepper: Stepper) -> None:
        """Looks at the step that has just been taken."""
        if stepper.time < self._due:
            return
        self._due = max(self._due + self._every, stepper.time - self._every)
        state = stepper.world.state
        poses = self._humanoid.poses(state.position, state.rotation)
        for packet in pose_packets(self._humanoid.names, poses, stepper.time):
            try:
                self._socket.sendto(packet, self._address)
            except OSError:  # a full buffer, or no way there just now: the next pose is due soon
                return
        self.sent += 1

    def close(self) -> None:
        self._socket.close()
