"""The controls at the right: clip, robustness, push, ball. What a control does is an order to the session."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise import rotation
from poise.controller_names import DYNAMICS
from poise.scenario.grip import STIFFNESS as GRIP_STIFFNESS
from poise.scenario.robustness import DIAL
from poise.studio.drawing import Drawing
from poise.studio.plots import bar
from poise.studio.receipt import status_line
from poise.studio.session import SPEED, Session
from poise.studio.snapshot import Snapshot
from poise.studio.tuning import CONTROLLERS, RATIO

_CAMERA, _COMPASS = "the camera", "a direction"


class Controls:
    """Shared by everybody who looks at the page."""

    def __init__(self, gui: Any, session: Session, drawing: Drawing) -> None:
        self._gui, self._session, self._drawing = gui, session, drawing
        self._status = gui.add_markdown("")
        self._bodies: list[Any] = []  # drop-downs of segments, to be filled again for another character
        for name, build in (
            ("Clip", self._add_clip),
            ("Robustness", self._add_robustness),
            ("Push", self._add_push),
            ("Ball", self._add_ball),
        ):
            with gui.add_folder(name):
                build()

    @property
    def grip_stiffness(self) -> float:
        """Of the spring between the pointer and a body, N/m."""
        return self._grip.value

    def show(self, now: Snapshot) -> None:
        """Brings everything that tells something up to date."""
        session = self._session
        self._status.content = status_line(session.clip, now, session.playing, session.pace.speed, session.pace.figures)
        self._bar.content = bar(now)
        self._get_up.visible = now.down
        self._looseness.visible = session.tuning.controller == "feedforward"
        self._show_limbs()
        for choice in self._bodies:
            if tuple(choice.options) != now.character.names:
                choice.options = now.character.names
                choice.value = _usual(now.character.names)

    def _show_limbs(self) -> None:
        """What only the limbs controller has."""
        styles = self._session.styles
        self._dynamics.visible, self._style.visible = self._session.tuning.controller == "limbs", len(styles) > 1
        if styles and tuple(self._style.options) != styles:
            self._style.options, self._style.value = styles, self._session.tuning.style

    def _add_clip(self) -> None:
        gui, session = self._gui, self._session
        clip = gui.add_dropdown("Clip", session.repertoire.names, initial_value=session.clip)
        clip.on_update(lambda _: session.choose(clip=clip.value))
        loop = gui.add_checkbox("Loop", session.looped, hint="The clip goes on without a seam; else its last pose is held.")
        loop.on_update(lambda _: session.choose(looped=loop.value))
        speed = gui.add_slider("Speed", min=SPEED.low, max=SPEED.high, step=0.02, initial_value=1.0, marks=(0.1, 1.0))
        speed.on_update(lambda _: session.set_speed(speed.value))
        orders = {"Play": session.play, "Pause": lambda: session.play(False), "Reset": session.reset}
        buttons = gui.add_button_group("Run", tuple(orders))
        buttons.on_click(lambda _: orders[buttons.value]())
        self._get_up = gui.add_button(
            "Get up", visible=False, hint="By itself where the dial allows it, from 0.84 on; else a hand lifts it by the chest."
        )
        self._get_up.on_click(lambda _: session.get_up())

    def _add_robustness(self) -> None:
        gui, session = self._gui, self._session
        controller = gui.add_dropdown("Controller", CONTROLLERS, initial_value=session.tuning.controller)
        controller.on_update(lambda _: session.tune(controller=controller.value))
        named = tuple((place, name) for name, place in DIAL.items())
        dial = gui.add_slider("Dial", min=0.0, max=1.0, step=0.01, initial_value=session.tuning.dial, marks=named)
        dial.on_update(lambda _: session.tune(dial=dial.value))
        self._bar = gui.add_html("")
        hint = "Stiffness of the character, of its auxiliary's: with less its limbs give way further."
        self._looseness = gui.add_slider(
            "Stiffness ×", RATIO.low, RATIO.high, 0.01, session.tuning.looseness, hint=hint, visible=False
        )
        self._looseness.on_update(lambda _: session.tune(looseness=self._looseness.value))
        hint = "Who moves the body: MuJoCo with its contacts, or the planned forces alone, through which balls fly."
        self._dynamics = gui.add_dropdown("Dynamics", DYNAMICS, initial_value=session.tuning.dynamics, hint=hint, visible=False)
        self._dynamics.on_update(lambda _: session.tune(dynamics=self._dynamics.value))
        hint, styles = "The rest pose that colours the whole performance.", session.styles or (session.tuning.style,)
        self._style = gui.add_dropdown("Style", styles, initial_value=session.tuning.style, hint=hint, visible=False)
        self._style.on_update(lambda _: session.tune(style=self._style.value))
        self._show_limbs()

    def _add_push(self) -> None:
        gui, session = self._gui, self._session
        gui.add_markdown("Drag a body with the mouse, or:")
        body = self._body_choice("Body")
        force = gui.add_slider("Force, N", min=0.0, max=1000.0, step=10.0, initial_value=250.0)
        toward = gui.add_slider("Toward, °", min=0.0, max=360.0, step=5.0, initial_value=0.0, hint="0 ahead, 90 to its right")
        lasting = gui.add_slider("For, s", min=0.05, max=2.0, step=0.05, initial_value=0.2)
        push = gui.add_button("Push")
        push.on_click(lambda _: session.push(body.value, force.value, toward.value, lasting.value))
        hint = "Stiffness of the spring between the mouse and a body that it drags"
        self._grip = gui.add_slider("Drag, N/m", min=50.0, max=3000.0, step=50.0, initial_value=GRIP_STIFFNESS, hint=hint)

    def _add_ball(self) -> None:
        gui, session = self._gui, self._session
        target = self._body_choice("At")
        mass = gui.add_slider("Mass, kg", min=0.5, max=20.0, step=0.5, initial_value=5.0)
        speed = gui.add_slider("Speed, m/s", min=1.0, max=20.0, step=0.5, initial_value=5.0)
        source = gui.add_dropdown("From", (_CAMERA, _COMPASS), initial_value=_CAMERA)
        degrees = gui.add_slider("Direction, °", min=0.0, max=360.0, step=5.0, initial_value=0.0, hint="0 in front, 90 its right")

        expected = gui.add_checkbox("Expected", False, hint="With feedforward: the character sees it coming and braces itself.")

        def throw(event: Any) -> None:
            from_deg = degrees.value if source.value == _COMPASS else self._seen_from(event.client.camera.position)
            session.throw(target.value, mass.value, speed.value, from_deg, expected.value)

        gui.add_button("Throw").on_click(throw)

    def _body_choice(self, label: str) -> Any:
        names = self._session.latest.character.names
        choice = self._gui.add_dropdown(label, names, initial_value=_usual(names))
        self._bodies.append(choice)
        return choice

    def _seen_from(self, camera: Any) -> float:
        """Where the camera is on the character's compass, degrees."""
        now = self._session.latest
        away = rotation.rotate(rotation.about_z(-now.heading), self._drawing.in_world(camera) - now.com)
        return float(np.degrees(np.arctan2(-away[1], away[0])))


def _usual(names: tuple[str, ...]) -> str:
    return "chest" if "chest" in names else names[0]
