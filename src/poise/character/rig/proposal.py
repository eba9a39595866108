"""A character proposed from an artist's rig, and what is unsure about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from poise import rotation
from poise.character import anthropometry
from poise.character.character import Box, Character, Limit, Segment, Vec3, as_quat, as_vec
from poise.character.limbs import implied_limbs
from poise.character.rig.doubts import doubts_of
from poise.character.rig.fitting import Body, filled_body, foot_box, has_flesh, limb_box, measured_body, usual_body
from poise.character.rig.flesh import Flesh, measure_flesh
from poise.character.rig.masses import heavy_enough, like_a_human, mirrored
from poise.character.rig.placing import Placed, place, toes_of
from poise.character.rig.rest import Resting, rest
from poise.character.rig.rig import fingerprint, load_rig
from poise.character.skin import Skin, SkinPart
from poise.errors import BadInput
from poise.rotation import Array

_MASSES = (0.1, 100_000.0)  # kg
_ANKLE = 0.04  # of the height: how high an ankle is that no flesh tells of
# Around the rest pose, per joint: artists' creatures come without ranges of motion. Spines turn little from bone to bone.
_CREATURE_DEG = {"head": 70.0, "neck": 55.0, "abdomen": 35.0, "chest": 35.0, "tail": 30.0}
_CREATURE_LIMB_DEG = 100.0


@dataclass(frozen=True, eq=False)
class Proposal:
    """A character made from a rig, the rig itself in our axes, and one plain sentence for each thing that is unsure."""

    character: Character
    placed: Placed
    resting: Resting
    flesh: Flesh
    doubts: tuple[str, ...]

    @property
    def bones(self) -> dict[str, str]:
        """Segment: the name of the rig's joint that it turns about."""
        return {group.name: self.placed.rig.names[group.anchor] for group in self.resting.groups}


def propose(
    path: str | Path, *, height: float | None = None, mass: float | None = None, up: str | None = None, name: str | None = None
) -> Proposal:
    """Reads a rig and makes a character of it. `height` (m), `mass` (kg) and `up` overrule what would be found."""
    if mass is not None and not _MASSES[0] <= mass <= _MASSES[1]:
        raise BadInput(f"mass {mass:g} kg must lie between {_MASSES[0]:g} and {_MASSES[1]:g} kg")
    rig = load_rig(path)
    placed = place(rig, height=height, up=up)
    toes = {side: toe_direction(placed, side) for side in ("left", "right")}
    resting = rest(placed, toes)
    flesh = measure_flesh(rig.mesh, placed.vertices, resting.owner, len(resting.groups), placed.height)
    bodies = mirrored(resting, _bodies(placed, resting, flesh))
    if resting.human:
        bodies, tempered = like_a_human(resting.names, bodies, placed.height)
    else:
        bodies, tempered = heavy_enough(resting.names, bodies)
    factor = 1.0 if mass is None else mass / sum(body.mass for body in bodies)
    segments = _on_the_floor([_segment(resting, k, bodies[k], factor) for k in range(len(bodies))])
    skin = _skin(placed, resting, segments[0].joint)
    names = [s.name for s in segments]
    feet = tuple(n for n in names if n.endswith("_foot"))
    character = Character(name or rig.path.stem, segments, feet, limbs=implied_limbs(names), skin=skin)
    doubts = (
        *placed.doubts,
        *resting.doubts,
        *doubts_of(placed, resting, flesh, toes, bodies),
        *([tempered] if tempered else []),
    )
    return Proposal(character, placed, resting, flesh, doubts)


def toe_direction(placed: Placed, side: str) -> Array:
    """Where a foot points (3,), level: from the ankle to the middle of the foot's flesh, or else to its last joint."""
    ahead = toes_of(placed.rig, placed.roles, side, placed.positions, placed.vertices) * [1.0, 1.0, 0.0]
    length = float(np.linalg.norm(ahead))
    return ahead / length if length > 0.01 * placed.height else np.array([1.0, 0.0, 0.0])


def _bodies(placed: Placed, resting: Resting, flesh: Flesh) -> list[Body]:
    """Shape and mass of every segment, measured where there is flesh."""
    bodies: list[Body | None] = []
    for k, name in enumerate(resting.names):
        mine = flesh.surface_owner == k
        points = _in_frame(resting, k, flesh.surface[mine])
        if not has_flesh(points):
            bodies.append(None)
            continue
        if name.endswith("_foot"):
            near = mine | (flesh.surface_owner == resting.parents[k])
            box = foot_box(_in_frame(resting, k, flesh.surface[near]), flesh.area[near], placed.height)
        else:
            box = limb_box(points, flesh.area[mine], _axis(resting, k, points), placed.height)
        inside = _in_frame(resting, k, flesh.inside[flesh.inside_owner == k])
        solid = measured_body(box, inside, flesh.volume) if flesh.is_closed else None
        bodies.append(solid or filled_body(box))
    return _with_the_rest(placed, resting, bodies)


def _with_the_rest(placed: Placed, resting: Resting, bodies: list[Body | None]) -> list[Body]:
    """Segments without flesh get the masses that they would have in a human of this mass, and boxes from their joints."""
    shares = [_share(name) for name in resting.names]
    whole = [body.mass / share for share, body in zip(shares, bodies, strict=True) if body]
    whole_mass = float(np.median(whole)) if whole else anthropometry.BODY_MASS  # by the median, as one large head says little
    complete = []
    for k, (name, body) in enumerate(zip(resting.names, bodies, strict=True)):
        tips = resting.anchors[[c for c, p in enumerate(resting.parents) if p == k]].reshape(-1, 3)
        complete.append(body or usual_body(name, whole_mass * shares[k], placed.height, tips, _ANKLE * placed.height))
    return complete


def _share(name: str) -> float:
    kind = anthropometry.kind(name)
    return anthropometry.TABLE.get(kind, anthropometry.TAIL).mass


def _in_frame(resting: Resting, k: int, points: Array) -> Array:
    return rotation.rotate(rotation.conjugate(resting.turns[k]), points - resting.bound[k])


def _axis(resting: Resting, k: int, points: Array) -> Array:
    """The direction (3,) of a limb's, tail's or neck's bone in its segment's frame; trunk and head are boxed upright."""
    part = resting.names[k].removeprefix("left_").removeprefix("right_")
    if part in ("pelvis", "abdomen", "chest", "head"):
        return np.array([0.0, 0.0, -1.0])
    below = [c for c, p in enumerate(resting.parents) if p == k]
    return resting.anchors[below[0]] if below else points.mean(axis=0)


def _segment(resting: Resting, k: int, body: Body, factor: float) -> Segment:
    group = resting.groups[k]
    limit = None if group.parent is None else _limit(group.name, resting.human)
    box = Box(_rounded(body.box.center), _rounded(body.box.size), body.box.turn)
    inertia = as_vec(factor * np.array(body.inertia))
    return Segment(
        group.name, group.parent, as_vec(resting.anchors[k]), box, factor * body.mass, _rounded(body.com), inertia, limit
    )


def _rounded(v: Vec3 | Array) -> Vec3:
    """To a hundredth of a millimetre, so that files are easy to read."""
    return as_vec(np.round(v, 5) + 0.0)  # + 0.0 turns -0 into 0


def _limit(name: str, human: bool) -> Limit:
    kind = anthropometry.kind(name)
    if human and kind in anthropometry.RANGES:
        flexion, angle = anthropometry.RANGES[kind]
        return Limit(angle, as_quat(rotation.exp([0.0, np.radians(flexion), 0.0])))
    return Limit(_CREATURE_DEG.get(kind.partition("_")[0], _CREATURE_LIMB_DEG))


def _on_the_floor(segments: list[Segment]) -> tuple[Segment, ...]:
    """Joints from parent-relative to rest-pose world coordinates, root above the origin, soles at z = 0."""
    at: dict[str, Array] = {}
    for s in segments:
        at[s.name] = np.array(s.joint) + (at[s.parent] if s.parent else 0.0)
    soles = [at[s.name][2] + s.box.center[2] - 0.5 * s.box.size[2] for s in segments if s.name.endswith("_foot")]
    return tuple(replace(s, joint=_rounded(at[s.name] - [0.0, 0.0, min(soles)])) for s in segments)


def _skin(placed: Placed, resting: Resting, root: Vec3) -> Skin:
    rig = placed.rig
    parts = []
    for k, name in enumerate(resting.names):
        mine = [j for j, owner in enumerate(resting.owner) if owner == k]
        tops = [j for j in mine if rig.parents[j] < 0 or resting.owner[rig.parents[j]] != k]
        parts.append(SkinPart(name, tuple(rig.names[j] for j in tops), as_quat(resting.turns[k])))
    shift = np.array(root) - resting.bound[0]
    return Skin(str(rig.path), fingerprint(rig.path), placed.scale, as_quat(placed.turn), as_vec(shift), tuple(parts))
