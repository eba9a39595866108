"""Poise: captured motion becomes a character that lives in physics.

>>> import poise
>>> take = poise.simulate("walk.bvh", robustness="plausible", events=[poise.Push("chest", (250, 0, 0), at=1.0, duration=0.2)])
>>> take.save("walk_pushed.glb")

Names are loaded when first used, so that `import poise` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from poise.character.character import Character
    from poise.character.from_skeleton import character_from_clip
    from poise.character.toml import load_character
    from poise.errors import BadInput, PoiseError, SimulationDiverged
    from poise.measure import summary
    from poise.motion.clip import Clip
    from poise.motion.read import read
    from poise.motion.tidy import tidy
    from poise.scenario.events import Ball, Pull, Push
    from poise.scenario.scenario import Scenario
    from poise.simulation import simulate
    from poise.take import Take

__version__ = "0.1.0"

_HOMES = {
    "BadInput": "errors",
    "Ball": "scenario.events",
    "Character": "character.character",
    "Clip": "motion.clip",
    "PoiseError": "errors",
    "Pull": "scenario.events",
    "Push": "scenario.events",
    "Scenario": "scenario.scenario",
    "SimulationDiverged": "errors",
    "Take": "take",
    "character_from_clip": "character.from_skeleton",
    "load_character": "character.toml",
    "read": "motion.read",
    "simulate": "simulation",
    "summary": "measure",
    "tidy": "motion.tidy",
}

__all__ = [
    "BadInput",
    "Ball",
    "Character",
    "Clip",
    "PoiseError",
    "Pull",
    "Push",
    "Scenario",
    "SimulationDiverged",
    "Take",
    "character_from_clip",
    "load_character",
    "read",
    "simulate",
    "summary",
    "tidy",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'poise' has no attribute '{name}'")
    value = getattr(import_module(f"poise.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
