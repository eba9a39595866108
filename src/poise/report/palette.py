"""The colours of everything that Poise draws: red, green, blue (sRGB) and opacity, 0 to 1."""

from __future__ import annotations

Color = tuple[float, float, float, float]

LEFT: Color = (0.12, 0.62, 0.62, 1.0)
RIGHT: Color = (0.93, 0.43, 0.32, 1.0)
CENTRE: Color = (0.33, 0.39, 0.52, 1.0)
HEAD: Color = (0.95, 0.77, 0.56, 1.0)
GHOST: Color = (0.36, 0.52, 0.86, 0.28)
AUXILIARY: Color = (0.42, 0.72, 0.30, 0.28)
PUSH: Color = (0.86, 0.12, 0.30, 1.0)
BALL: Color = (0.98, 0.72, 0.20, 1.0)
CLAY: Color = (0.72, 0.60, 0.47, 1.0)
GROUND: Color = (0.70, 0.73, 0.78, 1.0)


def of_part(name: str) -> Color:
    """The colour of a segment or joint by its name: left, right, head, or the middle of the body."""
    side = side_of(name)
    if side:
        return LEFT if side == "left" else RIGHT
    return HEAD if "head" in name.lower() else CENTRE


def side_of(name: str) -> str | None:
    """'left', 'right' or None, for the ways motion files mark a side (LeftArm, l_arm, Arm.L, mixamorig:LeftArm)."""
    low = name.lower().split(":")[-1]
    for side in ("left", "right"):
        if (
            side in low
            or low.startswith((f"{side[0]}_", f"{side[0]}-", f"{side[0]}."))
            or low.endswith((f"_{side[0]}", f".{side[0]}"))
        ):
            return side
    # lThigh, rShldr: a small letter in front of a capital (Poser, Daz).
    bare = name.split(":")[-1]
    if len(bare) > 1 and bare[0] in "lr" and bare[1].isupper():
        return "left" if bare[0] == "l" else "right"
    # LHipJoint: two capitals and then small letters (CMU).
    if len(bare) > 2 and bare[0] in "LR" and bare[1].isupper() and bare[2].islower():
        return "left" if bare[0] == "L" else "right"
    return None
