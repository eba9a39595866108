"""Prints a Markdown table of the roles that Poise finds in motion files and rigs: roles_table.py FOLDER...

Files with the same skeleton and the same result share a row. The last columns tell how many roles names gave, and how many
of the main roles the shape alone gives in upright frames, with all names replaced by numbers.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np

from poise.character.roles import Roles, find_roles
from poise.errors import PoiseError
from poise.motion.clip import Clip
from poise.motion.read import ENDINGS, read
from poise.motion.tidy import tidy

LEG, ARM = ("thigh", "shin", "foot", "toe"), ("clavicle", "upper_arm", "forearm", "hand")
MAIN = ("pelvis", "head", *(f"{side}_{part}" for side in ("left", "right") for part in (*LEG[:3], *ARM[1:])))
UPRIGHT_FRAMES = 12  # per clip
HEADINGS = (
    "file",
    "joints",
    "pelvis",
    "spine",
    "neck, head",
    "left leg",
    "left arm",
    "tail",
    "by name",
    "by shape alone",
    "doubts",
)


def main(folders: list[str]) -> None:
    rows: dict[tuple[str, ...], list[tuple[str, int, int]]] = defaultdict(list)
    for path in sorted(p for folder in folders for p in Path(folder).rglob("*") if p.suffix in ENDINGS):
        row, right, total = describe(path)
        rows[row].append((f"{path.parent.name}/{path.name}", right, total))
    print("| " + " | ".join(HEADINGS) + " |\n|" + "---|" * len(HEADINGS))
    for row, files in rows.items():
        name = files[0][0] if len(files) == 1 else f"{files[0][0].split('/')[0]}: {len(files)} files"
        right, total = sum(f[1] for f in files), sum(f[2] for f in files)
        print("| " + " | ".join([name, *row[:-1], f"{right} of {total}" if total else "", row[-1]]) + " |")


def describe(path: Path) -> tuple[tuple[str, ...], int, int]:
    """The cells of one file but its name, and the count of main roles that shape alone gave, right and in all."""
    try:
        # glTF says which axis is up; other formats leave it to be found.
        clip, _ = tidy(read(path), up="y" if path.suffix == ".glb" else None)
        roles = find_roles(clip.skeleton, clip.world_positions[0], clip.end_positions()[0])
    except PoiseError as error:
        return ("", "", "", "", "", "", "", "", str(error)), 0, 0
    return cells(clip, roles), *compare(clip, roles)


def cells(clip: Clip, roles: Roles) -> tuple[str, ...]:
    names = clip.skeleton.names
    of = {role: f"{names[joint]}{'' if roles.how[role] == 'name' else '*'}" for role, joint in roles.of.items()}
    told = sum(how == "name" for how in roles.how.values())
    return (
        str(clip.skeleton.njoints),
        of["pelvis"],
        " ".join(names[j] for j in roles.spine),
        " ".join([*(names[j] for j in roles.neck), of.get("head", "")]),
        " ".join(of[f"left_{part}"] for part in LEG if f"left_{part}" in of),
        " ".join(of[f"left_{part}"] for part in ARM if f"left_{part}" in of),
        ", ".join(" ".join(names[j] for j in tail) for tail in roles.tails),
        f"{told} of {len(roles.of)}",
        " ".join(roles.doubts),
    )


def compare(clip: Clip, roles: Roles) -> tuple[int, int]:
    """How many main roles come out the same without names, over upright frames, and how many were asked for."""
    blind = replace(clip.skeleton, names=tuple(f"bone_{k}" for k in range(clip.skeleton.njoints)))
    wanted = [role for role in MAIN if role in roles.of]
    frames = upright(clip, roles)
    right = 0
    for frame in frames:
        try:
            found = find_roles(blind, clip.world_positions[frame], clip.end_positions()[frame]).of
        except PoiseError:
            found = {}
        right += sum(found.get(role) == roles.of[role] for role in wanted)
    return right, len(wanted) * len(frames)


def upright(clip: Clip, roles: Roles) -> list[int]:
    """Frames in which the head is nearly as high above the pelvis, and both feet as far below it, as ever in the clip."""
    z, of = clip.world_positions[:, :, 2], roles.of
    rise = z[:, of["head"]] - z[:, of["pelvis"]]
    drop = z[:, of["pelvis"]] - np.maximum(z[:, of["left_foot"]], z[:, of["right_foot"]])
    good = np.flatnonzero((rise > 0.85 * rise.max()) & (drop > 0.75 * drop.max()))
    return [int(f) for f in good[np.unique(np.linspace(0, len(good) - 1, UPRIGHT_FRAMES).astype(int))]]


if __name__ == "__main__":
    main(sys.argv[1:])
