"""Acclaim motion (.amc) on an Acclaim skeleton (.asf).

Bone b turns by L = C M C⁻¹ relative to its parent: C is the frame of the bone's axis, M the product of its degrees of
freedom, the first one listed applied first. Frames of all joints are the world's in the rest pose.
"""

from __future__ import annotations

from array import array
from pathlib import Path

import numpy as np

from poise import rotation
from poise.errors import BadFile, choices
from poise.motion.asf import MOVES, TURNS, Bone, Line, lines_of, read_skeleton, turn_of
from poise.motion.clip import Clip
from poise.motion.source import read_text, shown
from poise.rotation import Array

FPS = 120.0  # the format holds no frame rate; this is how nearly all of the CMU database was captured


def read(path: str | Path, skeleton: str | Path | None = None) -> Clip:
    """The clip in an AMC file, in the skeleton's length unit, at 120 frames per second, which the file does not tell.

    Without a `skeleton` it is looked for beside the motion: `11_01.asf`, then `11.asf`, then the only one in the folder.
    """
    path = Path(path)
    acclaim = read_skeleton(skeleton or _skeleton_beside(path))
    values, degrees = _values(path, {bone.name: bone for bone in acclaim.bones})
    degrees = acclaim.degrees if degrees is None else degrees
    joints = [_joint_motion(bone, values.get(bone.name), degrees) for bone in acclaim.bones]
    nframes = max(len(turns) for turns, _ in joints)
    offsets = acclaim.skeleton.offsets
    return Clip(
        name=path.stem,
        skeleton=acclaim.skeleton,
        rotations=np.stack([np.broadcast_to(turns, (nframes, 4)) for turns, _ in joints], axis=1),
        translations=offsets + np.stack([np.broadcast_to(moves, (nframes, 3)) for _, moves in joints], axis=1),
        fps=FPS,
    )


def _skeleton_beside(path: Path) -> Path:
    if not path.is_file():
        read_text(path)  # says why it cannot be read
    found = sorted(file for file in path.parent.iterdir() if file.suffix.lower() == ".asf")
    for stem in (path.stem, path.stem.split("_")[0]):
        for file in found:
            if file.stem.lower() == stem.lower():
                return file
    if len(found) == 1:
        return found[0]
    names = ", ".join(file.name for file in found) or "none"
    raise BadFile(path, f"its skeleton '{path.stem.split('_')[0]}.asf' is not beside it (there: {names}); put it there")


def _values(path: Path, bones: dict[str, Bone]) -> tuple[dict[str, Array], bool | None]:
    """The values (F, N) of every bone that the motion lists, and whether it says that angles are degrees."""
    columns: dict[str, array[float]] = {}
    degrees, nframes = None, 0
    for line in lines_of(path):
        word = line.words[0]
        if word.startswith(":"):
            degrees = {":degrees": True, ":radians": False}.get(word.lower(), degrees)
        elif len(line.words) == 1 and word.isascii() and word.isdigit():
            _check_frame(columns, bones, nframes, path, line.number)
            nframes += 1
        else:
            _read_bone(line, columns, bones, nframes)
    if not columns:
        raise BadFile(path, "holds no frames; it is no AMC motion or is truncated, get it again")
    _check_frame(columns, bones, nframes, path, None)
    return {name: np.array(column).reshape(nframes, -1) for name, column in columns.items()}, degrees


def _read_bone(line: Line, columns: dict[str, array[float]], bones: dict[str, Bone], nframes: int) -> None:
    """Append one bone's values of the present frame."""
    name = line.words[0]
    if nframes == 0:
        raise line.bad(f"'{shown(name)}' stands before the first frame number; is this an AMC file?")
    if name not in bones or not bones[name].dofs:
        raise line.bad(f"the skeleton has no moving bone '{shown(name)}'{choices(shown(name), bones)}")
    ndofs = len(bones[name].dofs)
    if nframes == 1:
        columns.setdefault(name, array("d"))
    if name not in columns or len(columns[name]) != (nframes - 1) * ndofs:
        raise line.bad(f"bone '{shown(name)}' is listed twice in frame {nframes}, or not in the first frame; repair the file")
    if len(line.words) != 1 + ndofs:
        wanted = f"{ndofs} ({' '.join(bones[name].dofs)})"
        problem = f"bone '{shown(name)}' has {len(line.words) - 1} values, the skeleton gives it {wanted}"
        raise line.bad(f"{problem}; is it the right skeleton?")
    columns[name].extend(line.numbers(1, ndofs))


def _check_frame(columns: dict[str, array[float]], bones: dict[str, Bone], nframes: int, path: Path, line: int | None) -> None:
    """Every bone of the first frame must be in the frame that ends before this line."""
    for name, column in columns.items():
        if len(column) != nframes * len(bones[name].dofs):
            raise BadFile(
                path, f"frame {nframes} ends without bone '{shown(name)}'; the file is truncated or damaged, get it again", line
            )


def _joint_motion(bone: Bone, values: Array | None, degrees: bool) -> tuple[Array, Array]:
    """A bone's rotations (F, 4) and moves (F, 3) away from its offset; one frame where it does not move."""
    if values is None:
        return rotation.IDENTITY[None], np.zeros((1, 3))
    turning = [k for k, dof in enumerate(bone.dofs) if dof in TURNS]
    moving = [k for k, dof in enumerate(bone.dofs) if dof in MOVES]
    turns = turn_of(values[:, turning], tuple(bone.dofs[k] for k in turning), degrees)
    moves = np.zeros((len(values), 3))
    moves[:, [MOVES.index(bone.dofs[k]) for k in moving]] = values[:, moving]
    turned = rotation.multiply(bone.axis, rotation.multiply(turns, rotation.conjugate(bone.axis)))
    return turned, moves if bone.name == "root" else rotation.rotate(bone.axis, moves)
