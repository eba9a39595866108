"""Blender opens the rig that a take was written on, and its skinned vertices follow the simulated segments.

Needs `bpy`, here or in the Python that POISE_BLENDER names.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from poise import rotation
from poise.character.rig.enclosed import nearest
from poise.character.rig.proposal import propose
from poise.character.skin import bind_pose
from poise.export import gltf
from poise.export.skin import _bound_floor
from poise.report.resample import resampled, steady_times
from test_rig_skin import moving

CENTIMETRE = 0.01
FPS, FRAMES = 30, (0, 12, 27)
# Parts that hang from bones without a skin are left out: Blender puts those of RobotExpressive elsewhere, in the artist's own
# file too, than the nodes of the file do.
OPEN = """
import bpy, json, sys
path, out, fps, frames = sys.argv[1], sys.argv[2], int(sys.argv[3]), json.loads(sys.argv[4])
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = fps
bpy.ops.import_scene.gltf(filepath=path)
seen = []
for frame in frames:
    scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    points = []
    for thing in bpy.data.objects:
        if thing.type == "MESH" and any(m.type == "ARMATURE" for m in thing.modifiers):
            shown = thing.evaluated_get(graph)
            points += [list(shown.matrix_world @ v.co) for v in shown.to_mesh().vertices]
    seen.append(points)
json.dump(seen, open(out, "w"))
"""


@pytest.fixture(scope="module")
def blender(tmp_path_factory):
    """The skinned vertices of a file (frames, V, 3) as Blender shows them."""
    python = os.environ.get("POISE_BLENDER", sys.executable)
    if subprocess.run([python, "-c", "import bpy"], capture_output=True).returncode:
        pytest.skip("bpy is not installed: pip install 'poise[blender]', or set POISE_BLENDER to a Python that has it")

    def opened(path):
        out = tmp_path_factory.mktemp("blender") / "vertices.json"
        subprocess.run([python, "-c", OPEN, path, out, str(FPS), json.dumps(FRAMES)], capture_output=True, check=True)
        return np.array(json.loads(out.read_text()))

    return opened


@pytest.mark.parametrize("rig", ["Velociraptor", "CesiumMan", "RiggedFigure", "Casual_man", "RobotExpressive"])
def test_blenders_skinned_vertices_follow_the_simulated_segments(blender, rigs, tmp_path, rig):
    proposal = propose(next(rigs.rglob(f"{rig}.glb")))
    take = moving(proposal.character)
    gltf.write(take, tmp_path / "take.glb", fps=FPS)
    seen = blender(tmp_path / "take.glb")
    sampled = resampled(take, steady_times(take, FPS))
    turn, scale = proposal.placed.turn, proposal.placed.scale
    floor = _bound_floor(proposal.character, *bind_pose(proposal.character, proposal.character.skin)) * np.array([0.0, 0.0, 1.0])
    for points, frame in zip(seen, FRAMES, strict=True):
        ours = scale * rotation.rotate(turn, np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=-1))  # Blender's axes
        wanted = blended(sampled, proposal, frame) - proposal.character.skin.shift + floor
        assert np.linalg.norm(ours - wanted[nearest(ours, wanted)], axis=-1).max() < CENTIMETRE


def blended(take, proposal, frame):
    """Where linear blend skinning by segments puts the vertices (V, 3), in the world of the take."""
    character, placed = take.character, proposal.placed
    turns, joints = bind_pose(character, character.skin)
    vertices = placed.vertices + np.array(character.skin.shift)
    owner = np.array(proposal.resting.owner)[placed.rig.mesh.owners]
    away = rotation.multiply(take.rotation[frame], rotation.conjugate(turns))
    moved = take.position[frame][owner] + rotation.rotate(away[owner], vertices[:, None] - joints[owner])
    return np.einsum("vk,vki->vi", placed.rig.mesh.weights, moved)
