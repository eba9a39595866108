"""Body segment masses and inertias of an adult.

Table 4 (males) of P. de Leva, Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters,
Journal of Biomechanics 29(9), 1223-1230, 1996. The trunk's three parts are our pelvis, abdomen and chest.
"""

from __future__ import annotations

from dataclasses import dataclass

DENSITY = 1050.0  # kg/m3, mean density of the body; turns masses into box widths
BODY_MASS = 72.0  # kg, da Silva section 6


@dataclass(frozen=True)
class SegmentTable:
    """Mass as a share of the body, centre of mass from the proximal end and radii of gyration as shares of the length.

    Radii are about the sagittal (x, forward), transverse (y, sideways) and longitudinal axis. Trunk parts, hands and
    feet have None: their landmarks are not joints of a skeleton, so their boxes give the inertia.
    """

    mass: float
    com: float
    radii: tuple[float, float, float] | None


TABLE: dict[str, SegmentTable] = {
    "head": SegmentTable(0.0694, 0.50, (0.303, 0.315, 0.261)),
    "chest": SegmentTable(0.1596, 0.50, None),
    "abdomen": SegmentTable(0.1633, 0.50, None),
    "pelvis": SegmentTable(0.1117, 0.50, None),
    "upper_arm": SegmentTable(0.0271, 0.5772, (0.285, 0.269, 0.158)),
    "forearm": SegmentTable(0.0162, 0.4574, (0.276, 0.265, 0.121)),
    "hand": SegmentTable(0.0061, 0.50, None),
    "thigh": SegmentTable(0.1416, 0.4095, (0.329, 0.329, 0.149)),
    "shin": SegmentTable(0.0433, 0.4459, (0.255, 0.249, 0.103)),
    "foot": SegmentTable(0.0137, 0.50, None),
}

# Extra parts that humans lack. A tail segment is heavier the longer it is; this is per segment, before rescaling.
TAIL = SegmentTable(0.02, 0.45, None)

# Range of motion as (flexion at the middle of the range, largest turn away from it), degrees. A ball joint's limit is
# a cone, so these cones are drawn generously around the ranges of the American Academy of Orthopaedic Surgeons (1965).
# Flexion turns about the segment's y axis: positive moves a hanging limb backwards (knee), negative forwards (hip).
RANGES: dict[str, tuple[float, float]] = {
    "head": (0.0, 75.0),
    "chest": (0.0, 50.0),
    "abdomen": (10.0, 60.0),
    "upper_arm": (-50.0, 130.0),
    "forearm": (-70.0, 100.0),
    "hand": (0.0, 95.0),
    "thigh": (-45.0, 95.0),
    "shin": (70.0, 95.0),
    "foot": (10.0, 65.0),
}


def kind(role: str) -> str:
    """The row of the table for a role: 'left_thigh' is a 'thigh', 'tail_2' a 'tail'."""
    for side in ("left_", "right_"):
        role = role.removeprefix(side)
    return "tail" if role.startswith("tail") else role


def table(role: str) -> SegmentTable:
    return TAIL if kind(role) == "tail" else TABLE[kind(role)]
