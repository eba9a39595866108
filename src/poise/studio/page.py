"""The page: a viser server that shows a session and passes on what is done to it."""

from __future__ import annotations

import contextlib
import io
import logging
import time
from typing import Any

import numpy as np

from poise import rotation
from poise.studio.controls import Controls
from poise.studio.drawing import Drawing
from poise.studio.instruments import Instruments
from poise.studio.overlays import Overlays
from poise.studio.session import FRAME_RATE, Session

_OFTEN, _SELDOM = 3, 30  # frames between updates of the panels: ten times per second, once per second
_CAMERA = np.array([2.5, -2.0, 1.4])  # m, seen from a character that faces +x
_LOOK_AT = np.array([0.0, 0.0, 0.85])


class Page:
    """A server on a port of this machine, any free one: `port`. It is meant to stand behind a `Gate`."""

    def __init__(self, session: Session) -> None:
        import viser

        logging.getLogger("websockets").setLevel(logging.CRITICAL)  # browsers that leave in the middle are no news
        with _silence():
            self._server = viser.ViserServer(host="127.0.0.1", port=0, label="Poise studio", verbose=False)
        self.port: int = self._server.get_port()
        self._session = session
        gui, scene = self._server.gui, self._server.scene
        gui.configure_theme(show_logo=False, show_share_button=False)
        self._drawing, self._overlays = Drawing(scene, self._dragged), Overlays(scene)
        self._controls = Controls(gui, session, self._drawing)
        self._instruments = Instruments(gui, session, self._drawing, self._overlays)
        gui.main_panel.dock_right()
        turn = rotation.about_z(session.latest.heading)
        self._server.initial_camera.position = rotation.rotate(turn, _CAMERA)
        self._server.initial_camera.look_at = _LOOK_AT
        self._nframes = 0

    def show_forever(self) -> None:
        """Draws thirty frames per second until somebody interrupts."""
        due = time.perf_counter()
        while True:
            self.show()
            due = max(due + 1.0 / FRAME_RATE, time.perf_counter())
            time.sleep(max(due - time.perf_counter(), 0.001))

    def show(self) -> None:
        """Draws the newest moment of the session."""
        now = self._session.latest
        self._instruments.remember(now)
        with self._server.atomic():
            self._drawing.show(now)
            self._overlays.show(now)
        if self._nframes % _OFTEN == 0:
            self._controls.show(now)
            self._instruments.show()
        if self._nframes % _SELDOM == 0:
            self._instruments.show_receipt()
            self._tell_problem()
        self._nframes += 1

    def close(self) -> None:
        """Ends the server."""
        with _silence():
            self._server.stop()

    def _dragged(self, body: str, event: Any) -> None:
        """A body is dragged with the mouse: a spring from where it was grabbed to the pointer."""
        who, point = f"{event.client_id}", self._drawing.in_world(event.end_position)
        if event.phase == "start":
            spot = self._drawing.in_world(event.start_position)
            self._session.grab(who, body, spot, point, self._controls.grip_stiffness)
        elif event.phase == "update":
            self._session.drag(who, point)
        else:
            self._session.let_go(who)

    def _tell_problem(self) -> None:
        problem = self._session.orders.problem
        if problem is None:
            return
        self._session.orders.problem = None
        for client in self._server.get_clients().values():
            client.add_notification("Poise", problem, auto_close_seconds=10.0, color="red")


def _silence() -> contextlib.AbstractContextManager[Any]:
    """viser prints the address of its own port, which nobody is to open, and a farewell."""
    return contextlib.redirect_stdout(io.StringIO())
