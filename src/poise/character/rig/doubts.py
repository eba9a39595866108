"""What is unsure about a character that was proposed for a rig, one plain sentence each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from poise.character.rig.fitting import NO_MESH, Body
from poise.character.rig.flesh import Flesh
from poise.character.rig.placing import Placed
from poise.character.rig.rest import Resting, is_upright
from poise.rotation import Array

_HIGH_ANKLES = 0.2  # of the height: ankles higher than this above the floor are doubtful
_ON_THE_FLOOR = 0.1  # of the height: hands whose flesh comes down that far are paws
FOUR_LEGS = (
    "It stands on four legs, which do not fit yet: only the hind legs carry the body, front legs follow the actor's arms. "
    "Expect it to rise on its hind legs or to fall."
)
_STRAIGHT_AHEAD = 0.5  # cosine: feet that point elsewhere than this make the facing doubtful


def doubts_of(
    placed: Placed, resting: Resting, flesh: Flesh, toes: Mapping[str, Array], bodies: Sequence[Body]
) -> tuple[str, ...]:
    """Sentences about the build, the feet and the flesh; `toes` are the directions (3,) of the feet by side."""
    return (*_about_build(placed, resting, flesh), *_about_feet(toes), *_about_flesh(resting, flesh, bodies))


def _about_build(placed: Placed, resting: Resting, flesh: Flesh) -> list[str]:
    doubts = []
    floor = float(flesh.surface[:, 2].min(initial=np.inf))
    if not resting.human:
        if _stands_on_hands(placed, resting, flesh, floor):
            doubts.append(FOUR_LEGS)
        doubts.append("The body is not built like a human's, so the pose that the rig was bound in is the rest pose.")
    height = {name: float(place[2]) - floor for name, place in zip(resting.names, resting.bound, strict=True)}
    ankles = min(height["left_foot"], height["right_foot"])
    if ankles > _HIGH_ANKLES * placed.height:
        doubts.append(f"The ankles are {ankles:.2f} m above the lowest flesh: are the feet the right bones?")
    return doubts


def _stands_on_hands(placed: Placed, resting: Resting, flesh: Flesh, floor: float) -> bool:
    """Whether the trunk is level and the flesh of both hands, or of forearms without hands, comes down to the floor."""
    ends = [next((k for k in ("hand", "forearm") if f"{side}_{k}" in resting.names), None) for side in ("left", "right")]
    if is_upright(placed) or None in ends:
        return False
    numbers = [resting.names.index(f"{side}_{end}") for side, end in zip(("left", "right"), ends, strict=True)]
    low = max(float(flesh.surface[flesh.surface_owner == k, 2].min(initial=np.inf)) for k in numbers)
    return low - floor < _ON_THE_FLOOR * placed.height


def _about_feet(toes: Mapping[str, Array]) -> list[str]:
    aside = {side: np.degrees(np.arctan2(to[1], to[0])) for side, to in toes.items() if to[0] < _STRAIGHT_AHEAD}
    return [f"The {side} foot points {angle:.0f}° aside." for side, angle in aside.items()]


def _about_flesh(resting: Resting, flesh: Flesh, bodies: Sequence[Body]) -> list[str]:
    if not len(flesh.surface):
        return ["The rig has no mesh: masses and boxes are a human's (--mass)."]
    doubts = []
    if not flesh.is_closed:
        doubts.append(f"The mesh is open in {flesh.gaps:.0%} of its cross-section: masses come from boxes (--mass).")
    guesses: dict[str, list[str]] = {}
    for name, body in zip(resting.names, bodies, strict=True):
        if body.guess and (flesh.is_closed or body.guess == NO_MESH):
            guesses.setdefault(body.guess, []).append(name)
    return [*doubts, *(f"{', '.join(names)}: {guess}." for guess, names in guesses.items())]
