"""What a run asks for and does not get: sentences for events, settings and grounds that its controller cannot heed."""

from __future__ import annotations

from poise.control.controller import Controller
from poise.control.limbs.controller import LimbsController
from poise.control.pose import PoseController
from poise.controllers import auxiliary_of, feedforward_of
from poise.scenario.events import Ball, Event, Heading, is_expected
from poise.scenario.feedforward import Feedforward
from poise.scenario.ground import AnyGround, Ground, RampGround
from poise.scenario.scenario import Scenario


def unheeded(law: Controller, scene: Scenario, parts: Feedforward | None, length: float) -> list[str]:
    """A sentence for each thing that a run of `length` seconds asks of its controller in vain."""
    events, told = scene.events, _too_late(scene.events, length)
    if any(map(is_expected, events)) and auxiliary_of(law) is None:
        needed = "--feedforward auxiliary" if feedforward_of(law) else "--controller feedforward"
        told.append(f"nothing is expected by the {law.name} controller without an auxiliary simulation ({needed})")
    if parts and not feedforward_of(law):
        told.append(f"settings of feedforward mean nothing to the {law.name} controller (--controller feedforward)")
    if _rises(scene.ground) and _has_root_forces(law):
        told.append("root forces keep the body at the height of its clip, which knows no slope: uphill it is pressed down")
    if isinstance(law, LimbsController) and any(isinstance(event, Heading) for event in events):
        told.append("headings do not turn the actor whom the limbs controller follows")
    if isinstance(law, LimbsController) and law.dynamics == "generalized" and any(isinstance(event, Ball) for event in events):
        told.append("balls fly through a character in generalized dynamics; try --dynamics forward")
    return told


def _too_late(events: tuple[Event, ...], length: float) -> list[str]:
    """A sentence for each event that starts only after the run has ended."""
    late = [event for event in events if event.at >= length]
    return [f"the {event.type} at {event.at:g} s never happens: the run ends at {length:.4g} s (--duration)" for event in late]


def _rises(ground: AnyGround) -> bool:
    return isinstance(ground, RampGround) or (isinstance(ground, Ground) and ground.slope_deg != 0.0)


def _has_root_forces(law: Controller) -> bool:
    """Whether external forces hold the root, in a controller or in what is underneath it."""
    law = getattr(law, "inner", law)
    law = getattr(law, "strategy", law)
    return isinstance(law, PoseController) and law.root_forces is not None
