"""The controllers by name, where they can be known without loading them."""

from poise.errors import choices

DEFAULT = "balance"  # but "pose" where its root forces are said to be off
CONTROLLERS = ("pose", "balance", "simbicon", "feedforward", "limbs")
DYNAMICS = ("forward", "generalized")  # who moves a body of limbs: the engine with its contacts, or planned forces alone
STEPS = {"forward": 0.002, "generalized": 0.01}  # s, unless told; the latter is the paper's


def unknown(name: str) -> str:
    """What to say of a name that is none of theirs."""
    return f"unknown controller '{name}'{choices(name, CONTROLLERS)}"
