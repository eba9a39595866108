"""Forward kinematics of whole clips, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from poise.rotation import Array


@njit(cache=True)
def world_transforms(parents: NDArray[np.int64], rotations: Array, translations: Array) -> tuple[Array, Array]:
    """World positions (F, J, 3) and rotations (F, J, 4, wxyz) of joints given relative to their parents."""
    nframes, njoints, _ = rotations.shape
    position = np.empty((nframes, njoints, 3))
    rotation = np.empty((nframes, njoints, 4))
    for f in range(nframes):
        for j in range(njoints):
            w, x, y, z = rotations[f, j]
            tx, ty, tz = translations[f, j]
            p = parents[j]
            if p < 0:
                position[f, j, 0], position[f, j, 1], position[f, j, 2] = tx, ty, tz
                rotation[f, j, 0], rotation[f, j, 1], rotation[f, j, 2], rotation[f, j, 3] = w, x, y, z
                continue
            pw, px, py, pz = rotation[f, p]
            ux, uy, uz = 2 * (py * tz - pz * ty), 2 * (pz * tx - px * tz), 2 * (px * ty - py * tx)
            position[f, j, 0] = position[f, p, 0] + tx + pw * ux + py * uz - pz * uy
            position[f, j, 1] = position[f, p, 1] + ty + pw * uy + pz * ux - px * uz
            position[f, j, 2] = position[f, p, 2] + tz + pw * uz + px * uy - py * ux
            rotation[f, j, 0] = pw * w - px * x - py * y - pz * z
            rotation[f, j, 1] = pw * x + px * w + py * z - pz * y
            rotation[f, j, 2] = pw * y - px * z + py * w + pz * x
            rotation[f, j, 3] = pw * z + px * y - py * x + pz * w
    return position, rotation
