"""How a rig lies in its file: which way is up, where it faces, how long its unit is; and with that, what its joints are."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise import rotation
from poise.character.binding import facing_rotation
from poise.character.rig.rig import Rig
from poise.character.roles import Roles, find_roles
from poise.errors import BadCharacter, BadInput, choices
from poise.motion.up_axis import DIRECTIONS, UpAxis
from poise.rotation import Array

HEIGHT_LIMITS_M = (1.0, 2.5)  # of bodies whose unit is taken at its word, floor to top of the head
USUAL_HEIGHT_M = 1.7
_GIVEN_LIMITS_M = (0.1, 20.0)
_UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001}  # glTF is in metres; files made from FBX are often not
_CLEARLY_DOWN = 0.6  # cosine: legs that lead down this much leave no doubt
_LEAST_DOWN = 0.0  # legs that do not lead down at all are none, or up is elsewhere
_FORMATS_OWN = 0.3  # how much better another axis must be than Y, which glTF says is up
_BACKWARD = 0.5  # cosine: feet that point backward at least this much
_NAMED = 0.02  # for each role that a name tells


@dataclass(frozen=True, eq=False)
class Placed:
    """A rig in our axes: Z up, facing +x, metres; still where its file has it.

    x_ours = scale * turn(x_file). `positions` (J, 3) are the joints, `height` reaches from the lowest to the highest flesh.
    """

    rig: Rig
    roles: Roles
    turn: Array
    scale: float
    height: float
    positions: Array
    vertices: Array
    doubts: tuple[str, ...]


def place(rig: Rig, *, height: float | None = None, up: str | None = None) -> Placed:
    """Finds the roles of a rig's joints, and how it stands; `height` (metres) and `up` overrule what would be found."""
    if height is not None and not _GIVEN_LIMITS_M[0] <= height <= _GIVEN_LIMITS_M[1]:
        low, high = _GIVEN_LIMITS_M
        raise BadInput(f"height {height:g} m must lie between {low:g} and {high:g} m")
    axis, roles, doubt = _upright(rig) if up is None else (_given(up), None, None)
    upright = np.array(axis.turn)
    standing = rotation.rotate(upright, rig.positions)
    roles, exchanged = _with_true_sides(rig, upright, roles or _roles(rig, upright))
    facing = rotation.conjugate(facing_rotation(standing, roles))
    turn = rotation.multiply(facing, upright)
    size = _size(rig, turn)
    scale, told = (height / size, None) if height else _unit(size)
    doubts = tuple(d for d in (doubt, told, exchanged, *roles.doubts) if d)
    positions, vertices = (scale * rotation.rotate(turn, p) for p in (rig.positions, rig.mesh.vertices))
    return Placed(rig, replace(roles, doubts=()), turn, scale, scale * size, positions, vertices, doubts)


def toes_of(rig: Rig, roles: Roles, side: str, points: Array, vertices: Array) -> Array:
    """From an ankle to the middle of its foot's flesh, or to the middle of the joints below it (3,).

    `points` (J, 3) and `vertices` (V, 3) are the rig's joints and flesh in any axes.
    """
    foot = roles.of[f"{side}_foot"]
    inside = rig.skeleton.descendants(foot)
    flesh = vertices[np.isin(rig.main_joint, inside)]
    return (flesh if len(flesh) else points[inside]).mean(axis=0) - points[foot]


def _with_true_sides(rig: Rig, upright: Array, roles: Roles) -> tuple[Roles, str | None]:
    """The roles with left and right exchanged where both feet point backward; and a sentence then."""
    points, vertices = (rotation.rotate(upright, p) for p in (rig.positions, rig.mesh.vertices))
    forward = rotation.rotate(facing_rotation(points, roles), [1.0, 0.0, 0.0])
    ahead = [toes_of(rig, roles, side, points, vertices) * [1.0, 1.0, 0.0] for side in ("left", "right")]
    if any(toes @ forward > -_BACKWARD * np.linalg.norm(toes) or not np.any(toes) for toes in ahead):
        return roles, None
    of = {_other_side(role): joint for role, joint in roles.of.items()}
    told = "The feet point the other way than the names of left and right say: the sides were exchanged."
    return replace(roles, of=of), told


def _other_side(role: str) -> str:
    side, _, part = role.partition("_")
    return {"left": f"right_{part}", "right": f"left_{part}"}.get(side, role)


def _given(up: str) -> UpAxis:
    if up not in DIRECTIONS:
        raise BadInput(f"up axis '{up}' unknown{choices(up, DIRECTIONS)}")
    return UpAxis(up)


def _roles(rig: Rig, upright: Array) -> Roles:
    try:
        return find_roles(rig.skeleton, rotation.rotate(upright, rig.positions), rotation.rotate(upright, rig.tips()))
    except BadCharacter as problem:
        raise BadCharacter(f"{rig.path.name}: {problem}") from None


def _upright(rig: Rig) -> tuple[UpAxis, Roles, str | None]:
    """Y, as glTF has it, unless the legs lead down along another axis; the roles; and a sentence where it is not Y."""
    found: dict[str, tuple[float, Roles]] = {}
    problem: BadCharacter | None = None
    for name in ("y", *(d for d in DIRECTIONS if d != "y")):
        upright = np.array(UpAxis(name).turn)
        try:
            roles = _roles(rig, upright)
        except BadCharacter as error:
            problem = problem or error
            continue
        down = _leg_drop(rotation.rotate(upright, rig.positions), roles)
        if name == "y" and down > _CLEARLY_DOWN:
            return UpAxis("y"), roles, None
        if down < _LEAST_DOWN:
            continue
        told = sum(how == "name" for how in roles.how.values())
        found[name] = down + _NAMED * told + (_FORMATS_OWN if name == "y" else 0.0), roles
    if not found:
        raise problem or BadCharacter(f"{rig.path.name}: no legs that lead down were found; say which way is up (--up)")
    best = max(found, key=lambda name: found[name][0])
    sentence = None if best == "y" else f"Up is {best} in this file, not y as in glTF: the legs lead down that way (--up)."
    return UpAxis(best), found[best][1], sentence


def _leg_drop(positions: Array, roles: Roles) -> float:
    """The mean cosine between the way from hip to foot and straight down, less how far the feet are from being lowest."""
    legs = [positions[roles.of[f"{side}_foot"]] - positions[roles.of[f"{side}_thigh"]] for side in ("left", "right")]
    down = np.mean([-leg[2] / max(float(np.linalg.norm(leg)), 1e-12) for leg in legs])
    low = np.mean([positions[roles.of[f"{side}_foot"], 2] for side in ("left", "right")])
    return float(down - (low - positions[:, 2].min()) / max(float(np.ptp(positions[:, 2])), 1e-12))


def _size(rig: Rig, turn: Array) -> float:
    """Height in file units, over the mesh, or over the joints where there is none."""
    points = rig.mesh.vertices if len(rig.mesh.vertices) else rig.positions
    size = float(np.ptp(rotation.rotate(turn, points)[:, 2]))
    if not size > 0.0:
        raise BadCharacter(f"{rig.path.name}: the rig is flat, it has no height")
    return size


def _unit(size: float) -> tuple[float, str | None]:
    """Metres per file unit, and a sentence where that is not what the file says."""
    low, high = HEIGHT_LIMITS_M
    for name, scale in _UNITS.items():
        if low <= size * scale <= high:
            sentence = f"The unit is taken as {name}: that makes the body {size * scale:.2f} m tall (--height)."
            return scale, None if name == "m" else sentence
    sentence = f"The body is {size:.3g} units tall, which no unit explains: made it {USUAL_HEIGHT_M:g} m tall (--height)."
    return USUAL_HEIGHT_M / size, sentence
