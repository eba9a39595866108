"""Clips with left and right exchanged.

Joint j takes the motion of its counterpart k, seen in a mirror: W'_j = M W_k S_j, where M mirrors the world and S_j, a constant
mirroring of the joint's own frame, makes it a rotation again. Positions then are mirrored exactly, whatever S_j is, if
S_j maps the offsets of j's children to those of their counterparts. In local rotations: R'_j = S_p^T R_k S_j, p being j's
parent. Since -S is a rotation, all of it is done with quaternions. S_k = S_j^T makes mirroring twice give the clip back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise import rotation
from poise.errors import BadInput
from poise.motion.clip import Clip
from poise.motion.symmetry import lateral_axis, partners, reflection, rest_mirror
from poise.motion.travel import pelvis, travel, trunk_line
from poise.rotation import Array

Joints = NDArray[np.int64]

_OPEN, _GUIDE = 1e-3, 1e-6  # offsets along one line leave the frame free to turn about it; weight of what then guides it


def mirror(clip: Clip) -> Clip:
    """The tidied clip mirrored left to right, starting at the same place in the same direction.

    The mirror stands upright where the clip starts, along the direction that the pelvis faces there. Counterparts are found by
    names, or by shape; a joint without one keeps its own rotation.
    """
    other = np.array(partners(clip.skeleton))
    if not np.any((other >= 0) & (other != np.arange(len(other)))):
        raise BadInput(f"clip '{clip.name}' cannot be mirrored: no joints of its skeleton form a left and a right side")
    flips = _frame_flips(clip, other)
    world = _mirror_plane(clip, flips[pelvis(clip.skeleton)])
    for joint in trunk_line(clip.skeleton)[:-1]:
        turned = rotation.to_matrix(clip.world_rotations[0, joint])
        flips[joint] = turned.T @ world @ turned  # handles above the pelvis: as they are, in the first frame
    return clip.with_(
        rotations=_rotations(clip, other, flips, world), translations=_translations(clip, other, flips, world), lead_in=None
    )


def _rotations(clip: Clip, other: Joints, flips: Array, world: Array) -> Array:
    """Local rotations (F, J, 4) of the mirrored clip."""
    own = rotation.from_matrix(-flips)
    above = np.concatenate([rotation.from_matrix(-world)[None], rotation.conjugate(own[list(clip.skeleton.parents[1:])])])
    mirrored = rotation.multiply(above, rotation.multiply(clip.rotations[:, other], own))
    return rotation.normalize(np.where(other[:, None] >= 0, mirrored, clip.rotations))


def _translations(clip: Clip, other: Joints, flips: Array, world: Array) -> Array:
    """Local translations (F, J, 3) of the mirrored clip; rigid bones keep their own offsets, even if the sides differ."""
    offsets = clip.skeleton.offsets.copy()
    offsets[trunk_line(clip.skeleton)] = 0.0  # their translations are places, not bones
    moves = clip.translations[:, other] - offsets[other]
    above = flips[np.maximum(clip.skeleton.parents, 0)]
    mirrored = offsets + np.einsum("fji,jik->fjk", moves, above)  # S^T applied to each
    start = travel(clip)[0][0]
    mirrored[:, 0] = (clip.translations[:, 0] - start) @ world + start
    return np.where(other[:, None] >= 0, mirrored, clip.translations)


def _mirror_plane(clip: Clip, flip: Array) -> Array:
    """The mirroring of the world (3, 3) along the level direction that goes through the pelvis from side to side.

    It is taken from the first frame in which that direction is fairly level: a clip may start lying on one side.
    """
    lateral = np.linalg.eigh(flip + flip.T)[1][:, 0]
    sideways = rotation.rotate(clip.world_rotations[:, pelvis(clip.skeleton)], lateral) * [1.0, 1.0, 0.0]
    level = np.linalg.norm(sideways, axis=-1)
    frame = int(np.argmax(level > 0.5)) if level.max() > 0.5 else int(np.argmax(level))
    if level[frame] < 1e-6:
        raise BadInput(f"clip '{clip.name}' cannot be mirrored: its pelvis lies on one side all the time")
    return reflection(sideways[frame] / level[frame])


def _frame_flips(clip: Clip, other: Joints) -> Array:
    """S_j of every joint (J, 3, 3): all alike where the OFFSET pose is symmetric, else found joint by joint."""
    flip = rest_mirror(clip.skeleton, tuple(other))
    return _found_flips(clip, other) if flip is None else np.broadcast_to(flip, (len(other), 3, 3)).copy()


def _found_flips(clip: Clip, other: Joints) -> Array:
    """S_j that map the offsets of j's children to those of their counterparts, for frames that lie as they like.

    What the offsets leave open follows from the clip: on average, the mirrored joint is turned like the joint itself.
    """
    usual = rotation.to_matrix(rotation.mean(clip.rotations))
    flips = np.broadcast_to(np.eye(3), (len(other), 3, 3)).copy()
    for j in range(pelvis(clip.skeleton), len(other)):
        k = other[j]
        if k < 0:
            continue
        if k < j:
            flips[j] = flips[k].T
        elif j == pelvis(clip.skeleton):
            flips[j] = _nearest_flip(_offset_map(clip, other, j), _sideways_flip(clip, other))
        else:
            flips[j] = _nearest_flip(_offset_map(clip, other, j), usual[k].T @ flips[clip.skeleton.parents[j]] @ usual[j])
    return flips


def _sideways_flip(clip: Clip, other: Joints) -> Array:
    """The mirroring, in the pelvis' frame, along the direction in which counterparts lie apart during the clip."""
    joint, pairs = pelvis(clip.skeleton), {j: int(k) for j, k in enumerate(other) if k not in (-1, j)}
    back = rotation.conjugate(clip.world_rotations[:, joint])
    return reflection(lateral_axis(rotation.rotate(back[:, None], clip.world_positions), pairs))


def _offset_map(clip: Clip, other: Joints, joint: int) -> Array:
    """The sum (3, 3) of S o oT over the offsets o of the joint's children, S o being those of their counterparts."""
    offsets = clip.skeleton.offsets
    children = [c for c in clip.skeleton.children(joint) if other[c] >= 0]
    tips, others = ([offset for j, offset in clip.skeleton.ends if j == at] for at in (joint, other[joint]))
    if len(tips) != len(others):
        tips = others = []
    own = np.concatenate([offsets[children], np.array(tips).reshape(-1, 3)])
    theirs = np.concatenate([offsets[other[children]], np.array(others).reshape(-1, 3)])
    return theirs.T @ own


def _nearest_flip(wanted: Array, guide: Array) -> Array:
    """The mirroring (orthogonal, determinant -1) nearest to the wanted map, and to the guide where that leaves a turn open."""
    u, strength, vt = np.linalg.svd(wanted)
    if strength[0] == 0.0:
        return _nearest_flip(guide, guide)
    if strength[1] < _OPEN * strength[0]:
        u, _, vt = np.linalg.svd(np.outer(u[:, 0], vt[0]) + _GUIDE * guide)
    return u @ np.diag([1.0, 1.0, -np.linalg.det(u @ vt)]) @ vt
