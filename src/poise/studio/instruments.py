"""The instruments at the left: torques and receipt, gains, what to show, what to keep."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields
from typing import Any

from poise.studio import overlays as marks
from poise.studio.drawing import Drawing
from poise.studio.keeping import FORMATS, as_file, file_name
from poise.studio.overlays import Overlays
from poise.studio.plots import History, add_plot
from poise.studio.receipt import receipt_line
from poise.studio.repertoire import KEPT_SECONDS
from poise.studio.session import Session
from poise.studio.snapshot import Snapshot
from poise.studio.tuning import GAINS, STIFFNESS, Tuning

_WIDTH = 300  # pixels


class Instruments:
    """A panel with a tab for each."""

    def __init__(self, gui: Any, session: Session, drawing: Drawing, overlays: Overlays) -> None:
        self._gui, self._session, self._drawing, self._overlays = gui, session, drawing, overlays
        self._history = History()
        panel = gui.add_panel()
        for name, build in (
            ("Torques", self._add_torques),
            ("Show", self._add_show),
            ("Gains", self._add_gains),
            ("Save", self._add_save),
        ):
            with panel.add_tab(name):
                build()
        panel.dock_left()
        panel.set_width(_WIDTH)

    def remember(self, now: Snapshot) -> None:
        """Keeps a frame for the plot."""
        self._history.add(now)

    def show(self) -> None:
        """Redraws the plot."""
        self._plot.data = self._history.columns()

    def show_receipt(self) -> None:
        """Works out the receipt anew, which takes longer; the old one stays while a long clip is being prepared."""
        with suppress(TimeoutError):
            self._receipt.content = receipt_line(self._session.record())

    def _add_torques(self) -> None:
        self._plot = add_plot(self._gui, self._history)
        self._receipt = self._gui.add_markdown("")

    def _add_show(self) -> None:
        gui, drawing, shown = self._gui, self._drawing, self._overlays.shown
        ghost = gui.add_checkbox("reference", drawing.shows_ghost)
        ghost.on_update(lambda _: setattr(drawing, "shows_ghost", ghost.value))
        skin = gui.add_checkbox("artist's mesh", drawing.shows_skin, hint="of a character made from a rig; else its boxes")
        skin.on_update(lambda _: setattr(drawing, "shows_skin", skin.value))
        twin = gui.add_checkbox("auxiliary of feedforward", drawing.shows_auxiliary)
        twin.on_update(lambda _: setattr(drawing, "shows_auxiliary", twin.value))
        through = gui.add_checkbox("see-through body", drawing.see_through)
        through.on_update(lambda _: setattr(drawing, "see_through", through.value))
        for name in marks.NAMES:
            switch = gui.add_checkbox(name, shown[name])
            switch.on_update(lambda event, name=name: shown.update({name: event.target.value}))
        follow = gui.add_checkbox("follow it", drawing.follows)
        follow.on_update(lambda _: setattr(drawing, "follows", follow.value))

    def _add_gains(self) -> None:
        gui, session = self._gui, self._session
        sliders = {"stiffness": gui.add_slider("pose ×", STIFFNESS.low, STIFFNESS.high, 0.05, session.tuning.stiffness)}
        for gain in GAINS:
            value = getattr(session.tuning, gain.name)
            sliders[gain.name] = gui.add_slider(gain.symbol, 0.0, gain.largest, gain.largest / 400.0, value, hint=gain.unit)
        for name, slider in sliders.items():
            slider.on_update(lambda event, name=name: session.tune(**{name: event.target.value}))

        def restore(_: Any) -> None:
            for field in fields(Tuning):
                if field.name in sliders:
                    sliders[field.name].value = field.default

        gui.add_button("Defaults").on_click(restore)

    def _add_save(self) -> None:
        gui, session = self._gui, self._session
        seconds = gui.add_slider("Last, s", 1.0, KEPT_SECONDS, 1.0, 10.0)
        ending = gui.add_dropdown("As", FORMATS, initial_value=FORMATS[0])

        def download(event: Any) -> None:
            content = as_file(session.take(seconds.value), ending.value)
            event.client.send_file_download(file_name(session.clip, ending.value), content, save_immediately=True)

        gui.add_button("Download").on_click(download)
