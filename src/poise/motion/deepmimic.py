"""DeepMimic's clips: JSON text with one row per frame, for one fixed humanoid.

The format is that of the code published with Peng, Abbeel, Levine and van de Panne, "DeepMimic", 2018. A row holds
the time until the next frame, the root's position and rotation, then every joint: ball joints a quaternion (wxyz),
knees and elbows an angle about z, radians. Metres, y up, x forward.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from poise import rotation
from poise.errors import BadFile
from poise.motion.clip import Clip
from poise.motion.json_text import parse_json
from poise.motion.sampling import FRAME_LIMIT, linear, spherical, steady_times, whole_rate
from poise.motion.skeleton import Skeleton
from poise.motion.source import VALUE_LIMIT, read_text, shown
from poise.rotation import Array

SIZE_LIMIT = 1 << 26  # bytes
POSE_FPS = 30.0  # of a single frame
_UNEVEN = 0.05  # of a frame; durations are written with few digits
_SHORTEST = 0.1  # length of a quaternion that still means a rotation; published clips go down to 0.58
_NVALUES = 44
_DURATION, _PLACE = 0, slice(1, 4)  # where in a row

# The public humanoid of DeepMimic, about 1.6 m tall, depth first: joint, parent, offset, where in a row its rotation stands.
_JOINTS = (
    ("root", -1, (0.0, 0.0, 0.0), slice(4, 8)),
    ("chest", 0, (0.0, 0.236151, 0.0), slice(8, 12)),
    ("neck", 1, (0.0, 0.223894, 0.0), slice(12, 16)),
    ("right_shoulder", 1, (-0.02405, 0.24350, 0.18311), slice(25, 29)),
    ("right_elbow", 3, (0.0, -0.274788, 0.0), slice(29, 30)),
    ("right_wrist", 4, (0.0, -0.258947, 0.0), None),
    ("left_shoulder", 1, (-0.02405, 0.24350, -0.18311), slice(39, 43)),
    ("left_elbow", 6, (0.0, -0.274788, 0.0), slice(43, 44)),
    ("left_wrist", 7, (0.0, -0.258947, 0.0), None),
    ("right_hip", 0, (0.0, 0.0, 0.084887), slice(16, 20)),
    ("right_knee", 9, (0.0, -0.421546, 0.0), slice(20, 21)),
    ("right_ankle", 10, (0.0, -0.409870, 0.0), slice(21, 25)),
    ("left_hip", 0, (0.0, 0.0, -0.084887), slice(30, 34)),
    ("left_knee", 12, (0.0, -0.421546, 0.0), slice(34, 35)),
    ("left_ankle", 13, (0.0, -0.409870, 0.0), slice(35, 39)),
)
# From the humanoid's shapes: top of the head, ends of the hands, front edges of the soles.
_ENDS = (
    (2, (0.0, 0.2775, 0.0)),
    (5, (0.0, -0.04, 0.0)),
    (8, (0.0, -0.04, 0.0)),
    (11, (0.1335, -0.05, 0.0)),
    (14, (0.1335, -0.05, 0.0)),
)


def read(path: str | Path) -> Clip:
    """The clip in a DeepMimic file; rows of unequal duration are resampled at the rate that most of them have."""
    path = Path(path)
    rows = _rows(path, parse_json(path, read_text(path, SIZE_LIMIT)))
    times, fps = _timing(path, rows[:, _DURATION])
    turns, root = _turns(path, rows), rows[:, _PLACE]
    if np.abs(np.diff(times) * fps - 1.0).max(initial=0.0) > _UNEVEN:
        at = steady_times(times[-1], fps)
        turns, root = spherical(times, turns, at), linear(times, root, at)
    names, parents, offsets, _ = zip(*_JOINTS, strict=True)
    skeleton = Skeleton(names, parents, np.array(offsets), _ENDS)
    translations = np.broadcast_to(skeleton.offsets, (*turns.shape[:2], 3)).copy()
    translations[:, 0] = root
    return Clip(path.stem, skeleton, turns, translations, fps, up="y")


def _rows(path: Path, content: dict[str, Any]) -> Array:
    """The frames (F, 44) of a file, all finite."""
    frames = content.get("Frames")
    if not isinstance(frames, list) or not frames:
        raise BadFile(path, "has no list 'Frames' with rows in it; is it a DeepMimic clip?")
    for number, row in enumerate(frames, 1):
        if not isinstance(row, list) or len(row) != _NVALUES:
            found = f"{len(row)} values" if isinstance(row, list) else f"'{shown(row)}'"
            raise BadFile(path, f"frame {number} has {found}, expected {_NVALUES}; only DeepMimic's humanoid is read")
        for value in row:
            if type(value) not in (int, float) or not abs(value) <= VALUE_LIMIT:
                raise BadFile(path, f"frame {number} holds '{shown(value)}', not a number within ±{VALUE_LIMIT:.0e}; repair it")
    return np.array(frames, float)


def _timing(path: Path, durations: Array) -> tuple[Array, float]:
    """When each frame is shown, from 0 on, and the rate of most of them. The last duration, often 0, does not matter."""
    steps = durations[:-1]
    if not len(steps):
        return np.zeros(1), POSE_FPS
    if steps.min() < 1e-5:
        frame = int(np.argmin(steps)) + 1
        raise BadFile(path, f"frame {frame} lasts {steps.min():g} s, expected the time until the next, at least 1e-05; repair it")
    fps = whole_rate(1.0 / float(np.median(steps)))
    times = np.concatenate([[0.0], np.cumsum(steps)])
    if times[-1] * fps > FRAME_LIMIT:
        raise BadFile(path, f"lasts {times[-1]:g} s, more than {FRAME_LIMIT} frames at {fps:g} per second; repair the durations")
    return times, fps


def _turns(path: Path, rows: Array) -> Array:
    """Rotations (F, J, 4) of all joints."""
    turns = np.empty((len(rows), len(_JOINTS), 4))
    for j, (name, _, _, where) in enumerate(_JOINTS):
        values = rows[:, where] if where else np.zeros((len(rows), 1))
        if values.shape[1] == 1:
            values = rotation.from_axis_angle([0.0, 0.0, 1.0], values[:, 0])
        length = np.linalg.norm(values, axis=1)
        if length.min() < _SHORTEST:
            frame = int(np.argmin(length))
            raise BadFile(
                path, f"frame {frame + 1}: quaternion of '{name}' has length {length[frame]:.3g}, expected 1; repair it"
            )
        turns[:, j] = values / length[:, None]
    return turns
