"""Reads a motion file, finds out what it means, edits the motion and writes it back in the file's own dialect."""

import sys
from pathlib import Path

import numpy as np

import poise
from poise.motion import bvh, library
from poise.motion.edit import cut, loop, mirror, resample, turn
from poise.motion.tidy import untidy

OUT = Path("out")
OUT.mkdir(exist_ok=True)

# Any .bvh, .amc (with its .asf), DeepMimic .txt or .glb; here the built-in walk, which is a BVH in centimetres, Y up.
path = Path(sys.argv[1]) if len(sys.argv) > 1 else library.path("walk")
raw = poise.read(path)

# tidy finds units, up axis, floor, frame rate and added poses, and tells what it did; every guess can be overruled by name.
clip, found = poise.tidy(raw)
print(f"{path.name}: {found.height_m:.2f} m tall, units {found.units}, {found.up} up, {found.fps:g} frames/s")
print(*found.repairs, *found.warnings, sep="\n")

# Edits are pure functions from clip to clip, in metres and seconds.
half = cut(clip, 0.0, clip.duration / 2)
edited = resample(loop(mirror(turn(clip, 90.0)), times=2), fps=30.0)
print(
    f"{clip.duration:.2f} s become {edited.duration:.2f} s at {edited.fps:g} frames/s; the first half has {half.nframes} frames"
)

# untidy puts the motion back into the file's units and axes.
written = untidy(edited)
bvh.write(written, OUT / "edited.bvh")
again = poise.read(OUT / "edited.bvh")
worst = found.scale * np.abs(again.world_positions - written.world_positions).max()
print(f"written and read back: the same to {worst:.1e} m")

assert np.allclose(mirror(mirror(clip)).world_positions, clip.world_positions, atol=1e-6)
assert again.nframes == edited.nframes
assert worst < 1e-4
