"""A small human, a small clip and a take of it, made by hand: what export and report are tested on."""

from __future__ import annotations

import numpy as np

from poise import rotation
from poise.character.character import Box, Character, Segment
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.report.resample import Between
from poise.take import Prop, Take

# name, parent, joint in the rest pose, box centre from the joint, box size
_TRUNK = [
    ("pelvis", None, (0, 0, 0.98), (0, 0, 0.02), (0.18, 0.30, 0.20)),
    ("abdomen", "pelvis", (0, 0, 1.08), (0, 0, 0.09), (0.17, 0.26, 0.18)),
    ("chest", "abdomen", (0, 0, 1.26), (0, 0, 0.12), (0.20, 0.32, 0.24)),
    ("head", "chest", (0, 0, 1.52), (0.01, 0, 0.13), (0.19, 0.16, 0.25)),
]
_ARM = [
    ("upper_arm", "chest", (0, 0.20, 1.44), (0, 0, -0.14), (0.09, 0.09, 0.28)),
    ("forearm", "upper_arm", (0, 0.20, 1.16), (0, 0, -0.20), (0.075, 0.075, 0.40)),
]
_LEG = [
    ("thigh", "pelvis", (0, 0.10, 0.92), (0, 0, -0.21), (0.15, 0.14, 0.42)),
    ("shin", "thigh", (0, 0.10, 0.50), (0, 0, -0.21), (0.11, 0.10, 0.42)),
    ("foot", "shin", (0, 0.10, 0.08), (0.06, 0, -0.04), (0.26, 0.10, 0.08)),
]

# Joints of the made-up source skeleton, their parent, their segment (-1: above the root), their place in the rest pose (metres).
_SOURCE = [
    ("World", None, -1, (0, 0, 0)),
    ("Hips", "World", "pelvis", (0, 0, 0.98)),
    ("LeftUpLeg", "Hips", "left_thigh", (0, 0.10, 0.92)),
    ("LeftLeg", "LeftUpLeg", "left_shin", (0, 0.10, 0.50)),
    ("LeftFoot", "LeftLeg", "left_foot", (0, 0.10, 0.08)),
    ("LeftToe", "LeftFoot", "left_foot", (0.14, 0.10, 0.02)),
    ("RightUpLeg", "Hips", "right_thigh", (0, -0.10, 0.92)),
    ("RightLeg", "RightUpLeg", "right_shin", (0, -0.10, 0.50)),
    ("RightFoot", "RightLeg", "right_foot", (0, -0.10, 0.08)),
    ("Spine", "Hips", "abdomen", (0, 0, 1.08)),
    ("Chest", "Spine", "chest", (0, 0, 1.26)),
    ("Neck", "Chest", "head", (0, 0, 1.48)),
    ("Head", "Neck", "head", (0, 0, 1.52)),
    ("LeftArm", "Chest", "left_upper_arm", (0, 0.20, 1.44)),
    ("LeftForeArm", "LeftArm", "left_forearm", (0, 0.20, 1.16)),
    ("LeftHand", "LeftForeArm", "left_forearm", (0, 0.20, 0.90)),
    ("RightArm", "Chest", "right_upper_arm", (0, -0.20, 1.44)),
    ("RightForeArm", "RightArm", "right_forearm", (0, -0.20, 1.16)),
]
_SWING_DEG = {
    "UpLeg": 28,
    "Leg": 22,
    "Foot": 12,
    "Arm": 35,
    "ForeArm": 25,
    "Spine": 6,
    "Chest": 8,
    "Hand": 20,
    "Neck": 5,
    "Hips": 7,
}


def human() -> Character:
    """Fourteen segments."""
    parts = list(_TRUNK)
    for side, y in (("left", 1.0), ("right", -1.0)):
        for name, parent, joint, centre, size in _ARM + _LEG:
            above = parent if parent in ("chest", "pelvis") else f"{side}_{parent}"
            parts.append((f"{side}_{name}", above, (joint[0], y * joint[1], joint[2]), centre, size))
    return Character("human", tuple(_segment(*part) for part in parts))


def source_clip(seconds: float = 2.0, fps: float = 30.0) -> Clip:
    """A walk-like swing of all joints on a skeleton with an extra root, fingers-like small joints and travel in the hips."""
    names = [name for name, *_ in _SOURCE]
    parents = tuple(-1 if parent is None else names.index(parent) for _, parent, _, _ in _SOURCE)
    place = np.array([p for *_, p in _SOURCE], float)
    offsets = np.array([place[j] - (place[p] if p >= 0 else 0.0) for j, p in enumerate(parents)])
    ends = ((names.index("Head"), (0.0, 0.0, 0.2)), (names.index("LeftHand"), (0.0, 0.0, -0.1)))
    times = np.arange(round(seconds * fps) + 1) / fps
    rotations = np.stack([_swing(name, times) for name in names], axis=1)
    translations = np.tile(offsets, (len(times), 1, 1))
    hips = names.index("Hips")
    translations[:, hips, 0] += 0.8 * times
    translations[:, hips, 2] += 0.02 * np.sin(8.0 * times)
    return Clip("swing", Skeleton(tuple(names), parents, offsets, ends), rotations, translations, fps)


def joint_segments(character: Character) -> list[int]:
    return [-1 if segment == -1 else character.index(segment) for _, _, segment, _ in _SOURCE]


def take(*, clip: Clip | None = None, lean_deg: float = 10.0, rate: float = 100.0, seconds: float = 2.0, **changes) -> Take:
    """A take of `source_clip` whose character leans more and more to its left and drifts away; lean 0 is perfect tracking."""
    character = human()
    clip = clip or source_clip(seconds)
    times = np.arange(round(seconds * rate) + 1) / rate
    ref_position, ref_rotation = reference(character, clip, times)
    away = np.deg2rad(lean_deg) * times / max(seconds, 1e-9)
    lean = rotation.from_axis_angle([1.0, 0.0, 0.0], -away)[:, None]
    turn = rotation.multiply(lean, ref_rotation)
    root = ref_position[:, 0] + away[:, None] * [0.0, 0.6, -0.2]
    position = forward(character, root, turn)
    n, segments = len(times), character.nsegments
    fields = {
        "character": character,
        "clip": clip,
        "times": times,
        "position": position,
        "rotation": turn,
        "velocity": np.zeros((n, segments, 6)),
        "ref_position": ref_position,
        "ref_rotation": ref_rotation,
        "com": position[:, 0] + [0.0, 0.0, 0.05],
        "ref_com": ref_position[:, 0] + [0.0, 0.0, 0.05],
        "contact": np.stack([700.0 * (np.sin(8 * times) > 0), 700.0 * (np.sin(8 * times) <= 0)], axis=-1),
        "stance": np.stack([np.sin(8 * times) > 0.1, np.sin(8 * times) < 0.1], axis=-1),
        "joint_torque": 150.0 + 30.0 * np.sin(5 * times),
        "help_torque": 40.0 * times * np.abs(np.sin(3 * times)),
        "help_force": 60.0 * times * np.abs(np.cos(3 * times)),
        "help_peak": np.stack([60.0 * times, 90.0 * times], axis=-1),
        "help_root": np.stack([10.0 * times, 20.0 * times], axis=-1),
        "events": ({"type": "push", "body": "chest", "force": [0.0, 250.0, 0.0], "at": 0.9, "duration": 0.2},),
        "props": (ball(times),),
        "info": {"joint_segment": joint_segments(character), "controller": "pose", "dt_s": 0.002, "duration_s": seconds},
    }
    return Take(**(fields | changes))


def reference(character: Character, clip: Clip, times) -> tuple[np.ndarray, np.ndarray]:
    """Joint origins and rotations (N, S, …) of the segments when the clip is followed to the letter."""
    between = Between(clip.times, times)
    first = [joint_segments(character).index(k) for k in range(character.nsegments)]
    turn = between.turned(clip.world_rotations[:, first])
    return forward(character, between.linear(clip.world_positions[:, 1]), turn), turn


def forward(character: Character, root, turn) -> np.ndarray:
    """Joint origins (N, S, 3) from the root's and all rotations (N, S, 4), world frame."""
    position = np.zeros((*turn.shape[:2], 3))
    position[:, 0] = root
    for k, parent in enumerate(character.parents):
        if parent >= 0:
            position[:, k] = position[:, parent] + rotation.rotate(turn[:, parent], character.offsets[k])
    return position


def ball(times) -> Prop:
    position = np.stack([2.0 - 1.5 * times, np.full_like(times, -0.3), 1.2 + 0.0 * times], axis=-1)
    return Prop("ball", "sphere", (0.13,), position, np.tile(rotation.IDENTITY, (len(times), 1)), times > 0.4)


def _segment(name, parent, joint, centre, size) -> Segment:
    mass = 1000.0 * float(np.prod(size))
    x, y, z = (s * s for s in size)
    inertia = (mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12)
    return Segment(name, parent, joint, Box(centre, size), mass, centre, inertia)


def _swing(name: str, times) -> np.ndarray:
    kind = name.removeprefix("Left").removeprefix("Right")
    phase = 0.0 if name.startswith("Left") else np.pi
    phase += np.pi if "Arm" in kind else 0.0
    angle = np.deg2rad(_SWING_DEG.get(kind, 0.0)) * np.sin(6.0 * times + phase)
    axis = np.array([0.15, 1.0, 0.1]) / np.linalg.norm([0.15, 1.0, 0.1])
    return rotation.from_axis_angle(axis, angle)
