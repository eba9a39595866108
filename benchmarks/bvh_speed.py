"""How fast BVH readers go from a file to world positions: ours beside pybvh, bvhio and, where installed, Blender.

    python benchmarks/bvh_speed.py

Writes a seeded 12,000-frame, 31-joint file and prints one JSON line per reader: the best frames per second of its rounds, the
ratio to pybvh's, and how far its positions are from ours, in units of a body 26 high. Rounds are interleaved, so that
noise on the machine hits everybody; importing and compiling are not counted. bvhio and Blender take so long that they
get one round.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from poise import rotation
from poise.motion import bvh
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.rotation import Array

NFRAMES = 12_000
ROUNDS = 9
CHAINS = (5, 5, 7, 7, 6)  # two legs, two arms, a spine; with the root 31 joints
Reader = Callable[[Path], Array]


def main() -> None:
    """Time every reader that is installed and print what came out."""
    with tempfile.TemporaryDirectory() as folder:
        path, short = Path(folder, "long.bvh"), Path(folder, "short.bvh")
        clip = seeded_clip(NFRAMES)
        bvh.write(clip, path)
        bvh.write(clip.with_(rotations=clip.rotations[:2], translations=clip.translations[:2]), short)
        readers = installed_readers()
        for read in readers.values():  # imports, compiles and fills caches, outside of the timing
            read(short)
        report(*race(readers, path))


def race(readers: dict[str, Reader], path: Path) -> tuple[dict[str, float], dict[str, Array]]:
    """Best seconds and the positions (F, J, 3) of every reader."""
    seconds: dict[str, float] = {}
    positions: dict[str, Array] = {}
    for turn in range(ROUNDS):
        for name, read in readers.items():
            if turn and name in ("bvhio", "blender"):
                continue
            start = time.perf_counter()
            positions[name] = read(path)
            seconds[name] = min(seconds.get(name, np.inf), time.perf_counter() - start)
    return seconds, positions


def report(seconds: dict[str, float], positions: dict[str, Array]) -> None:
    """One JSON line per reader, the fastest first."""
    for name in sorted(seconds, key=lambda name: seconds[name]):
        line = {
            "reader": name,
            "frames_per_s": round(NFRAMES / seconds[name]),
            "ratio_to_pybvh": round(seconds["pybvh"] / seconds[name], 3) if "pybvh" in seconds else None,
            "largest_difference": float(f"{np.abs(positions[name] - positions['poise']).max():.1e}"),
        }
        print(json.dumps(line), flush=True)


def seeded_clip(nframes: int) -> Clip:
    """A tree of five chains whose joints sway slowly, each at its own pace, and a root that wanders."""
    random = np.random.default_rng(7)
    parents = [-1]
    for length in CHAINS:
        parents += [0, *range(len(parents), len(parents) + length - 1)]
    njoints = len(parents)
    offsets = random.normal(size=(njoints, 3)) * 2.0
    offsets[0] = 0.0
    time_s = np.arange(nframes)[:, None, None] / 120.0
    phase = 2.0 * np.pi * (random.random((njoints, 3)) + random.uniform(0.1, 1.5, (njoints, 3)) * time_s)
    translations = np.broadcast_to(offsets, (nframes, njoints, 3)).copy()
    translations[:, 0] = [0.0, 17.0, 0.0] + 20.0 * np.sin(0.2 * phase[:, 0])
    ends = tuple((j, (1.0, 0.5, 0.0)) for j in range(njoints) if j not in parents)
    skeleton = Skeleton(tuple(f"joint{j}" for j in range(njoints)), tuple(parents), offsets, ends)
    return Clip("seeded", skeleton, rotation.exp(0.8 * np.sin(phase)), translations, 120.0)


def installed_readers() -> dict[str, Reader]:
    """The readers to compare, by name."""
    readers: dict[str, Reader] = {"poise": lambda path: bvh.read(path).world_positions}
    for name, module, read in (("pybvh", "pybvh", with_pybvh), ("bvhio", "bvhio", with_bvhio), ("blender", "bpy", with_blender)):
        if importlib.util.find_spec(module):
            readers[name] = read
    return readers


def with_pybvh(path: Path) -> Array:
    import pybvh

    with warnings.catch_warnings(action="ignore"):  # it wonders about the up axis of our tree
        return pybvh.read_bvh_file(path).joint_positions()


def with_bvhio(path: Path) -> Array:
    import bvhio

    root = bvhio.readAsHierarchy(str(path))
    joints = [joint for joint, _, _ in root.layout()]
    first, last = root.getKeyframeRange()
    frames = []
    for frame in range(first, last + 1):
        root.loadPose(frame)
        frames.append([tuple(joint.PositionWorld) for joint in joints])
    return np.array(frames)


def with_blender(path: Path) -> Array:
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    with contextlib.redirect_stdout(io.StringIO()):  # it tells what it does
        bpy.ops.import_anim.bvh(filepath=str(path), axis_forward="Y", axis_up="Z")
    scene, armature = bpy.context.scene, bpy.context.object
    first, last = armature.animation_data.action.frame_range
    frames = []
    for frame in range(int(first), int(last) + 1):
        scene.frame_set(frame)
        frames.append([tuple(armature.matrix_world @ bone.head) for bone in armature.pose.bones])
    return np.array(frames)


if __name__ == "__main__":
    main()
