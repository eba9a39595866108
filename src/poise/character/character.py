"""A character: rigid segments joined by ball joints, each with a role, a box and a mass."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from poise import rotation
from poise.character.limbs import Limb, check_limbs
from poise.character.skin import Skin, check_skin
from poise.character.style import Style, check_style
from poise.errors import BadCharacter, choices
from poise.rotation import Array

Vec3 = tuple[float, float, float]
Quat = tuple[float, float, float, float]

UNTURNED: Quat = (1.0, 0.0, 0.0, 0.0)


def as_vec(v: Array) -> Vec3:
    """Three numbers of an array as a tuple."""
    return (float(v[0]), float(v[1]), float(v[2]))


def as_quat(q: Array) -> Quat:
    """A quaternion of an array as a tuple."""
    return (float(q[0]), float(q[1]), float(q[2]), float(q[3]))


@dataclass(frozen=True)
class Box:
    """A segment's shape: full edge lengths, centred at `center` from the segment's joint, turned in the segment's frame."""

    center: Vec3
    size: Vec3
    turn: Quat = UNTURNED


@dataclass(frozen=True)
class Limit:
    """How far a ball joint turns: at most `angle_deg` away from the orientation `center` (child in parent frame)."""

    angle_deg: float
    center: Quat = UNTURNED


@dataclass(frozen=True)
class Segment:
    """One rigid body. Its frame sits at its joint and is aligned with the world in the character's rest pose.

    `joint` is the joint's place in the rest pose (world, metres); `com` is relative to the joint; `inertia` holds the
    principal moments about the centre of mass along the box's axes, kg m2. The name is the role: left_thigh, chest …
    """

    name: str
    parent: str | None
    joint: Vec3
    box: Box
    mass: float
    com: Vec3
    inertia: Vec3
    limit: Limit | None = None


@dataclass(frozen=True, eq=False)
class Character:
    """Segments in depth-first order (each followed by all that hangs on it), the root first: the pelvis of a human.

    Given in another order with parents first, they are sorted: that is the order in which MuJoCo numbers bodies.
    The rest pose stands on the floor (z = 0), faces +x, left is +y, arms hang down. `feet` are the segments it stands on: an
    alien's may be its hands.
    """

    name: str
    segments: tuple[Segment, ...]
    feet: tuple[str, ...] = ("left_foot", "right_foot")
    notes: tuple[str, ...] = field(default=())
    limbs: tuple[Limb, ...] = ()
    styles: tuple[Style, ...] = ()
    skin: Skin | None = None  # of a character made from an artist's rig

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for k, segment in enumerate(self.segments):
            where = f"character '{self.name}', segment '{segment.name}'"
            if segment.name in seen:
                raise BadCharacter(f"{where}: two segments have this name")
            if (segment.parent is None) != (k == 0):
                raise BadCharacter(f"{where}: exactly the first segment must have no parent")
            if segment.parent is not None and segment.parent not in seen:
                raise BadCharacter(f"{where}: parent '{segment.parent}' must come before it{choices(segment.parent, seen)}")
            _check_body(where, segment)
            seen.add(segment.name)
        if not self.segments:
            raise BadCharacter(f"character '{self.name}' has no segments")
        object.__setattr__(self, "segments", tuple(_depth_first(self.segments, self.segments[0])))
        for foot in self.feet:
            if foot not in seen:
                raise BadCharacter(f"character '{self.name}': foot '{foot}' is no segment{choices(foot, seen)}")
        self._check_limbs()
        if self.skin:
            check_skin(f"character '{self.name}'", self.skin, self.names)

    @property
    def nsegments(self) -> int:
        return len(self.segments)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(s.name for s in self.segments)

    @cached_property
    def parents(self) -> tuple[int, ...]:
        return tuple(-1 if s.parent is None else self.names.index(s.parent) for s in self.segments)

    @cached_property
    def mass(self) -> float:
        return sum(s.mass for s in self.segments)

    @cached_property
    def joints(self) -> Array:
        """Joint positions in the rest pose (S, 3)."""
        return np.array([s.joint for s in self.segments], float)

    @cached_property
    def offsets(self) -> Array:
        """Each joint relative to its parent's joint in the rest pose (S, 3); the root's is its rest position."""
        offsets = self.joints.copy()
        for k, p in enumerate(self.parents):
            if p >= 0:
                offsets[k] -= self.joints[p]
        return offsets

    @cached_property
    def masses(self) -> Array:
        return np.array([s.mass for s in self.segments], float)

    @cached_property
    def coms(self) -> Array:
        """Centres of mass relative to the joints, segment frame (S, 3)."""
        return np.array([s.com for s in self.segments], float)

    @cached_property
    def inertias(self) -> Array:
        """Inertia tensors about the centres of mass in the segment frames (S, 3, 3)."""
        turns = rotation.to_matrix([s.box.turn for s in self.segments])
        return turns @ (np.array([s.inertia for s in self.segments])[:, :, None] * np.swapaxes(turns, -1, -2))

    def index(self, name: str) -> int:
        """The segment of that name (role)."""
        if name not in self.names:
            raise BadCharacter(f"unknown body '{name}'{choices(name, self.names)}")
        return self.names.index(name)

    def _check_limbs(self) -> None:
        where = f"character '{self.name}'"
        check_limbs(where, self.limbs, {s.name: s.parent for s in self.segments})
        for limb in self.limbs:
            if limb.kind == "support" and limb.effector not in self.feet:
                stands = f"it stands on '{limb.effector}', which is not among the feet {', '.join(self.feet) or '(none)'}"
                raise BadCharacter(f"{where}, limb '{limb.name}': {stands}; add it to feet")
        for style in self.styles:
            check_style(where, style, {s.name for s in self.segments})


def _depth_first(segments: tuple[Segment, ...], top: Segment) -> list[Segment]:
    """A segment, then its children, each followed by its own."""
    ordered = [top]
    for child in segments:
        if child.parent == top.name:
            ordered += _depth_first(segments, child)
    return ordered


def _check_body(where: str, segment: Segment) -> None:
    numbers = [*segment.joint, *segment.com, *segment.box.center, *segment.box.turn, segment.mass, *segment.inertia]
    if not np.isfinite(numbers).all():
        raise BadCharacter(f"{where}: numbers must be finite")
    if segment.mass <= 0 or min(segment.inertia) <= 0 or min(segment.box.size) <= 0:
        raise BadCharacter(f"{where}: mass, inertia and box size must be greater than zero")
    a, b, c = sorted(segment.inertia)
    if c > a + b + 1e-9:
        raise BadCharacter(f"{where}: inertia {segment.inertia} belongs to no body: each moment is at most the sum of the others")
    if segment.limit and not 0 < segment.limit.angle_deg <= 180:
        raise BadCharacter(f"{where}: joint limit {segment.limit.angle_deg}° must lie in (0, 180]")
