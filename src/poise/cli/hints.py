"""What to try next after a run that fell."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from poise.take import Take

_FOR_HUMANS = ("balance", "feedforward")


def better_controller(take: Take) -> str | None:
    """A sentence where a creature fell under a controller that was made for humans."""
    from poise.character.limbs import limbs_of
    from poise.measure import summary
    from poise.reference.build import stands_straight

    controller = take.info.get("controller")
    if controller not in _FOR_HUMANS or summary(take)["fell_at_s"] is None:
        return None
    if any(limb.kind == "free" for limb in limbs_of(take.character)):
        return f"the {controller} controller knows nothing of tails; try --controller limbs, which is made for creatures"
    if not stands_straight(take.character):
        return f"the {controller} controller is made for straight legs; try --controller limbs, which is made for creatures"
    return None
