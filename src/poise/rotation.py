"""Rotations as unit quaternions (w, x, y, z), vectorised over all axes but the last.

A quaternion turns vectors of the child frame into the parent frame: `rotate(q, v_child) = v_parent`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

IDENTITY: Array = np.array([1.0, 0.0, 0.0, 0.0])
IDENTITY.setflags(write=False)
_TINY = 1e-12


def multiply(a: ArrayLike, b: ArrayLike) -> Array:
    """The rotation b followed by a (Hamilton product a b)."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def conjugate(q: ArrayLike) -> Array:
    """The inverse rotation."""
    return np.asarray(q, float) * np.array([1.0, -1.0, -1.0, -1.0])


def normalize(q: ArrayLike) -> Array:
    """Unit quaternions; a zero quaternion becomes the identity."""
    q = np.asarray(q, float)
    norm = np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(norm > _TINY, q / np.maximum(norm, _TINY), IDENTITY)


def rotate(q: ArrayLike, v: ArrayLike) -> Array:
    """The vector v turned by q."""
    q, v = np.asarray(q, float), np.asarray(v, float)
    w, u = q[..., :1], q[..., 1:]
    t = 2.0 * np.cross(u, v)
    return v + w * t + np.cross(u, t)


def exp(rotvec: ArrayLike) -> Array:
    """The quaternion of a rotation vector (axis times angle, radians)."""
    rotvec = np.asarray(rotvec, float)
    half = 0.5 * np.linalg.norm(rotvec, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * rotvec], axis=-1)


def log(q: ArrayLike) -> Array:
    """The rotation vector of q by the short way round, angle in [0, pi]."""
    q = np.asarray(q, float)
    q = np.where(q[..., :1] < 0.0, -q, q)
    norm = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(norm, q[..., :1])
    return np.where(norm > _TINY, angle / np.maximum(norm, _TINY), 2.0) * q[..., 1:]


def from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Array:
    """The rotation by an angle (radians) about a unit axis."""
    return exp(np.asarray(axis, float) * np.asarray(angle, float)[..., None])


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """The angle of the rotation that takes a to b, radians in [0, pi]."""
    return np.linalg.norm(log(multiply(conjugate(a), b)), axis=-1)


def between(a: ArrayLike, b: ArrayLike) -> Array:
    """The smallest rotation that takes the direction of vector a to that of vector b."""
    a, b = _unit(np.asarray(a, float)), _unit(np.asarray(b, float))
    dot = np.sum(a * b, axis=-1, keepdims=True)
    q = np.concatenate([1.0 + dot, np.cross(a, b)], axis=-1)
    # Opposite vectors: half a turn about any axis square to a.
    other = np.where(np.abs(a[..., :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    flip = np.concatenate([np.zeros_like(dot), np.cross(a, other)], axis=-1)
    return normalize(np.where(dot < -1.0 + 1e-9, flip, q))


def _unit(v: Array) -> Array:
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), _TINY)


def to_matrix(q: ArrayLike) -> Array:
    """3 x 3 matrices; their columns are the child's axes in the parent frame."""
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(m: ArrayLike) -> Array:
    """Quaternions of 3 x 3 rotation matrices, w >= 0."""
    m = np.asarray(m, float)
    trace = np.trace(m, axis1=-2, axis2=-1)
    d = np.diagonal(m, axis1=-2, axis2=-1)
    # Four times each squared component; take the row of the largest for accuracy.
    squares = np.stack([1 + trace, *(1 - trace + 2 * d[..., k] for k in range(3))], axis=-1)
    m01, m10 = m[..., 0, 1], m[..., 1, 0]
    m02, m20 = m[..., 0, 2], m[..., 2, 0]
    m12, m21 = m[..., 1, 2], m[..., 2, 1]
    w, x, y, z = np.moveaxis(squares, -1, 0)
    rows = np.stack(
        [
            np.stack([w, m21 - m12, m02 - m20, m10 - m01], axis=-1),
            np.stack([m21 - m12, x, m10 + m01, m02 + m20], axis=-1),
            np.stack([m02 - m20, m10 + m01, y, m12 + m21], axis=-1),
            np.stack([m10 - m01, m02 + m20, m12 + m21, z], axis=-1),
        ],
        axis=-2,
    )
    best = np.argmax(squares, axis=-1)[..., None, None]
    q = normalize(np.take_along_axis(rows, best, axis=-2)[..., 0, :])
    return np.where(q[..., :1] < 0.0, -q, q)


_AXES = {"x": 0, "y": 1, "z": 2}


def from_euler(angles: ArrayLike, order: str) -> Array:
    """Intrinsic rotations in file order: order 'zyx' means R = Rz Ry Rx with angles (z, y, x), radians."""
    angles = np.asarray(angles, float)
    q = np.broadcast_to(IDENTITY, (*angles.shape[:-1], 4))
    for k, letter in enumerate(order.lower()):
        q = multiply(q, from_axis_angle(np.eye(3)[_AXES[letter]], angles[..., k]))
    return q


def to_euler(q: ArrayLike, order: str) -> Array:
    """Angles of `from_euler` for three different axes; the middle angle lies in [-pi/2, pi/2]."""
    i, j, k = (_AXES[letter] for letter in order.lower())
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    m = to_matrix(q)
    middle = np.arcsin(np.clip(sign * m[..., i, k], -1.0, 1.0))
    first = np.arctan2(-sign * m[..., j, k], m[..., k, k])
    last = np.arctan2(-sign * m[..., i, j], m[..., i, i])
    locked = np.abs(m[..., i, k]) > 1.0 - 1e-9
    first = np.where(locked, np.arctan2(sign * m[..., k, j], m[..., j, j]), first)
    return np.stack([first, middle, np.where(locked, 0.0, last)], axis=-1)


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> Array:
    """From a (t = 0) to b (t = 1) along the short arc; t broadcasts against the leading axes."""
    step = log(multiply(conjugate(a), b))
    return multiply(a, exp(step * np.asarray(t, float)[..., None]))


def continuous(q: ArrayLike) -> Array:
    """The same rotations with signs chosen so that neighbours along the first axis lie on one side."""
    q = np.array(q, float)
    dots = np.sum(q[1:] * q[:-1], axis=-1)
    q[1:] *= np.cumprod(np.where(dots < 0.0, -1.0, 1.0), axis=0)[..., None]
    return q


def mean(q: ArrayLike) -> Array:
    """The average rotation over the first axis (Markley's eigenvector mean)."""
    q = np.asarray(q, float)
    scatter = np.einsum("n...i,n...j->...ij", q, q)
    m = np.linalg.eigh(scatter)[1][..., -1]
    return np.where(m[..., :1] < 0.0, -m, m)


def angular_velocity(q: ArrayLike, fps: float) -> Array:
    """Angular velocity in the parent frame, rad/s, by central differences along the first axis."""
    q = np.asarray(q, float)
    if len(q) < 2:
        return np.zeros((*q.shape[:-1], 3))
    step = log(multiply(q[1:], conjugate(q[:-1]))) * fps
    return np.concatenate([step[:1], 0.5 * (step[1:] + step[:-1]), step[-1:]])


def heading(q: ArrayLike) -> Array:
    """The turn about the vertical (z) of q's x axis, radians."""
    forward = rotate(q, [1.0, 0.0, 0.0])
    return np.arctan2(forward[..., 1], forward[..., 0])


def about_z(angle: ArrayLike) -> Array:
    """The rotation by an angle (radians) about the vertical."""
    return from_axis_angle([0.0, 0.0, 1.0], angle)
