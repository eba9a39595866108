"""Blender opens what we write, and its bones are where ours are. Needs `bpy`, here or in the Python that POISE_BLENDER names."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import handmade
from poise.export import bvh, gltf
from poise.motion.bvh import read
from poise.report.resample import resampled, steady_times

MILLIMETRE = 1e-3
OPEN = """
import bpy, json, sys
kind, path, out, fps, first, count = sys.argv[1], sys.argv[2], sys.argv[3], *map(int, sys.argv[4:])
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = fps
bpy.ops.import_anim.bvh(filepath=path) if kind == "bvh" else bpy.ops.import_scene.gltf(filepath=path)
(armature,) = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
heads = {bone.name: [] for bone in armature.pose.bones}
for frame in range(first, first + count):
    scene.frame_set(frame)
    for bone in armature.pose.bones:
        heads[bone.name].append(list(armature.matrix_world @ bone.head))
parents = {thing.name: thing.parent.name if thing.parent else None for thing in bpy.data.objects}
json.dump({"heads": heads, "parents": parents}, open(out, "w"))
"""


@pytest.fixture(scope="module")
def blender(tmp_path_factory):
    """Opens a file in Blender; returns the bones' heads (frames, 3) by name, and who is whose parent."""
    python = os.environ.get("POISE_BLENDER", sys.executable)
    if subprocess.run([python, "-c", "import bpy"], capture_output=True).returncode:
        pytest.skip("bpy is not installed: pip install 'poise[blender]', or set POISE_BLENDER to a Python that has it")

    def opened(kind, path, fps, first, count):
        out = tmp_path_factory.mktemp("blender") / "bones.json"
        arguments = [python, "-c", OPEN, kind, path, out, *map(str, (fps, first, count))]
        subprocess.run(arguments, capture_output=True, check=True)
        found = json.loads(out.read_text())
        return {name: np.array(heads) for name, heads in found["heads"].items()}, found["parents"]

    return opened


def test_blenders_bones_of_the_glb_agree_with_the_take(blender, tmp_path):
    take = handmade.take(lean_deg=25.0)
    gltf.write(take, tmp_path / "take.glb")
    sampled = resampled(take, steady_times(take, 30.0))
    heads, parents = blender("glb", tmp_path / "take.glb", 30, 0, len(sampled.times))
    for k, name in enumerate(take.character.names):
        x, y, z = np.moveaxis(sampled.position[:, k], -1, 0)
        # Blender turns glTF's (x, y, z) into (x, -z, y); ours are (z, x, y) of glTF.
        assert np.abs(heads[name] - np.stack([y, -x, z], axis=-1)).max() < MILLIMETRE
    assert parents["ground"] is None and parents["ball"] is None and parents["human_boxes"] == "human"


def test_blenders_bones_of_the_bvh_agree_with_ours(blender, tmp_path):
    bvh.write(handmade.take(lean_deg=25.0), tmp_path / "take.bvh")
    clip = read(tmp_path / "take.bvh")
    heads, _ = blender("bvh", tmp_path / "take.bvh", 30, 1, clip.nframes)
    for j, name in enumerate(clip.skeleton.names):
        x, y, z = np.moveaxis(clip.world_positions[:, j], -1, 0)
        assert np.abs(heads[name] - np.stack([x, -z, y], axis=-1)).max() < MILLIMETRE
