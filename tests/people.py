"""Made-up people for the tests of tidy and edit: a plain skeleton, standing, hopping and walking. Metres, Z up, facing +x."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise import rotation
from poise.motion.clip import Clip, Placement
from poise.motion.placing import place
from poise.motion.skeleton import Skeleton

HIPS_M = 0.95  # height of the hips above the toes
HEIGHT_M = 1.77  # from an ankle to the top of the head, along the bones

_JOINTS = [
    ("Hips", -1, (0, 0, 0)),
    ("Spine", 0, (0, 0, 0.2)),
    ("Head", 1, (0, 0, 0.4)),
    ("LeftArm", 1, (0, 0.2, 0.3)),
    ("LeftForeArm", 3, (0, 0.28, 0)),
    ("RightArm", 1, (0, -0.2, 0.3)),
    ("RightForeArm", 5, (0, -0.28, 0)),
    ("LeftUpLeg", 0, (0, 0.1, 0)),
    ("LeftLeg", 7, (0, 0, -0.45)),
    ("LeftFoot", 8, (0, 0, -0.42)),
    ("RightUpLeg", 0, (0, -0.1, 0)),
    ("RightLeg", 10, (0, 0, -0.45)),
    ("RightFoot", 11, (0, 0, -0.42)),
]
_ENDS = [(2, (0, 0, 0.2)), (4, (0, 0.25, 0)), (6, (0, -0.25, 0)), (9, (0.15, 0, -0.08)), (12, (0.15, 0, -0.08))]
_BODY_SWAY_DEG = 2.0  # so that no frame is the OFFSET pose


def person(root: np.ndarray, fps: float, turns: dict[str, np.ndarray] | None = None) -> Clip:
    """A clip with the hips at root (F, 3), and some joints turned by rotation vectors (F, 3) or (3,); arms hang down."""
    names = tuple(name for name, _, _ in _JOINTS)
    offsets = np.array([offset for _, _, offset in _JOINTS], float)
    skeleton = Skeleton(names, tuple(parent for _, parent, _ in _JOINTS), offsets, tuple(_ENDS))
    rotvecs = np.zeros((len(root), len(names), 3))
    rotvecs[:, names.index("LeftArm"), 0] = -np.radians(80.0)
    rotvecs[:, names.index("RightArm"), 0] = np.radians(80.0)
    rotvecs[:, names.index("Spine"), 1] = np.radians(_BODY_SWAY_DEG) * np.sin(np.arange(len(root)) / fps)
    for name, rotvec in (turns or {}).items():
        rotvecs[:, names.index(name)] = rotvec
    translations = np.tile(offsets, (len(root), 1, 1))
    translations[:, 0] = root
    return Clip("person", skeleton, rotation.exp(rotvecs), translations, fps)


def standing(seconds: float = 2.0, fps: float = 60.0, at: tuple[float, float, float] = (0.3, -0.2, HIPS_M)) -> Clip:
    return person(np.tile(np.array(at, float), (round(seconds * fps) + 1, 1)), fps)


def hopping(hops: int = 3, height: float = 0.25, fps: float = 60.0, gravity: float = 9.81) -> Clip:
    """Hops of one height with a rest of 0.4 s on the floor between them."""
    flight = 2.0 * np.sqrt(2.0 * height / gravity)
    t = np.arange(round((0.4 + hops * (flight + 0.4)) * fps)) / fps
    since = np.mod(t, flight + 0.4) - 0.4
    rise = np.where(since > 0.0, 0.5 * gravity * since * (flight - since), 0.0)
    return person(np.stack([0.2 * t, 0.0 * t, HIPS_M + rise], axis=1), fps)


def walking(steps: int = 2, fps: float = 60.0, speed: float = 1.4, turn_deg: float = 0.0) -> Clip:
    """Whole strides of one second each along +x, or along a bow that turns by so many degrees in all; the last frame
    is in the pose of the first."""
    t = np.arange(round(steps * fps) + 1) / fps
    phase = 2.0 * np.pi * t
    heading = np.radians(turn_deg) * t / t[-1]
    along = np.cumsum(np.stack([np.cos(heading), np.sin(heading)], axis=1), axis=0) * speed / fps
    swing = np.zeros((len(t), 3))
    swing[:, 1] = 0.4 * np.sin(phase)
    bend = np.zeros((len(t), 3))
    bend[:, 1] = 0.3 - 0.3 * np.cos(phase)
    root = np.column_stack([along - along[0], HIPS_M - 0.03 + 0.02 * np.cos(2.0 * phase)])
    turns = {"LeftUpLeg": swing, "RightUpLeg": -swing, "LeftLeg": bend, "Hips": heading[:, None] * [0.0, 0.0, 1.0]}
    return person(root, fps, turns)


def in_file(clip: Clip, up: str = "y", unit: float = 0.01, floor: float = 0.0) -> Clip:
    """The clip as a file would hold it: another axis up, another unit, the floor at some height in metres."""
    there = np.eye(3)["xyz".index(up)]
    turn = rotation.between([0.0, 0.0, 1.0], there)
    shift = there * floor / unit
    moved = place(clip, Placement(1.0 / unit, tuple(turn), tuple(shift)))
    return moved.with_(placement=Placement())


def with_pose_in_front(clip: Clip) -> Clip:
    """The clip with the OFFSET pose as frame 0, at the place where the clip starts."""
    rest = np.tile(rotation.IDENTITY, (1, clip.skeleton.njoints, 1))
    return clip.with_(
        rotations=np.concatenate([rest, clip.rotations]),
        translations=np.concatenate([clip.translations[:1], clip.translations]),
    )


def renamed(clip: Clip, names: list[str]) -> Clip:
    return clip.with_(skeleton=replace(clip.skeleton, names=tuple(names)))


def with_handle(clip: Clip, at: tuple[float, float, float] = (0.0, 0.0, 0.0), turn: np.ndarray = rotation.IDENTITY) -> Clip:
    """The clip with a root above the hips that stands still, at a place and turned."""
    skeleton, n = clip.skeleton, clip.nframes
    handled = replace(
        skeleton,
        names=("Reference", *skeleton.names),
        parents=(-1, 0, *(parent + 1 for parent in skeleton.parents[1:])),
        offsets=np.concatenate([np.zeros((1, 3)), skeleton.offsets]),
        ends=tuple((joint + 1, offset) for joint, offset in skeleton.ends),
    )
    return clip.with_(
        skeleton=handled,
        rotations=np.concatenate([np.tile(turn, (n, 1, 1)), clip.rotations], axis=1),
        translations=np.concatenate([np.tile(np.array(at, float), (n, 1, 1)), clip.translations], axis=1),
    )
