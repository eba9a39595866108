"""The motion block of a BVH file, compiled: text to numbers, angles to quaternions."""

from __future__ import annotations

import numpy as np
from numba import njit

# Up to this mantissa and exponent, mantissa times or divided by a power of ten is correctly rounded (both are exact).
_EXACT_MANTISSA = 1 << 53
_EXACT_EXPONENT = 22
_MOST_DIGITS = 18  # fit into 64 bits
_POWERS = np.array([float(10**k) for k in range(_EXACT_EXPONENT + 1)])

_TAB, _NEWLINE, _RETURN, _SPACE = 9, 10, 13, 32
_PLUS, _MINUS, _DOT, _ZERO, _NINE = 43, 45, 46, 48, 57
_UPPER_E, _LOWER_E = 69, 101


@njit(cache=True)
def parse_numbers(data, start):  # noqa: ANN001, ANN201 - numba infers the types
    """Numbers in the bytes from `start` on, separated by white space.

    Returns values; the indices and byte positions (N, 2) of values that only a slower parser rounds correctly (their
    value is a placeholder); the position of the first token that is no number, or -1; how many values the first line
    with values holds; and the position of the first line that holds another number of values, or -1.
    """
    size = len(data)
    values = np.empty((size - start) // 2 + 1)
    slow = np.empty((16, 2), np.int64)
    count = nslow = 0
    line_count = first_count = line_start = 0
    odd_line = -1
    at = start
    while at <= size:
        c = data[at] if at < size else _NEWLINE
        if c <= _SPACE:
            if c in (_NEWLINE, _RETURN):
                if line_count:
                    if first_count == 0:
                        first_count = line_count
                    elif odd_line < 0 and line_count != first_count:
                        odd_line = line_start
                line_count = 0
            elif c != _SPACE and not _TAB <= c < _RETURN:
                return values[:count], slow[:nslow], at, first_count, odd_line
            at += 1
            continue
        token = at
        if line_count == 0:
            line_start = token
        negative = c == _MINUS
        if negative or c == _PLUS:
            at += 1
        mantissa = np.int64(0)
        digits = scale = exponent = 0
        seen_dot = seen_digit = False
        while at < size:
            d = data[at] - _ZERO
            if 0 <= d <= 9:
                seen_digit = True
                if digits < _MOST_DIGITS:
                    mantissa = mantissa * 10 + d
                    if mantissa:
                        digits += 1
                    if seen_dot:
                        scale -= 1
                else:
                    digits += 1  # too long for the exact path
            elif data[at] == _DOT and not seen_dot:
                seen_dot = True
            else:
                break
            at += 1
        if seen_digit and at < size and (data[at] == _LOWER_E or data[at] == _UPPER_E):
            at += 1
            down = at < size and data[at] == _MINUS
            if down or (at < size and data[at] == _PLUS):
                at += 1
            seen_digit = False
            while at < size and _ZERO <= data[at] <= _NINE:
                seen_digit = True
                exponent = min(exponent * 10 + (data[at] - _ZERO), 100_000)
                at += 1
            scale += -exponent if down else exponent
        if not seen_digit or (at < size and data[at] > _SPACE):
            return values[:count], slow[:nslow], token, first_count, odd_line
        if mantissa == 0 and digits == 0:
            value = 0.0
            sure = True
        elif digits > _MOST_DIGITS or not -_EXACT_EXPONENT <= scale <= _EXACT_EXPONENT:
            value, sure = 0.0, False
        elif mantissa <= _EXACT_MANTISSA:
            value = mantissa / _POWERS[-scale] if scale < 0 else mantissa * _POWERS[scale]
            sure = True
        else:
            value, sure = _long_quotient(mantissa, _POWERS[-scale]) if scale <= 0 else (0.0, False)
        if not sure:
            if nslow == len(slow):
                longer = np.empty((2 * nslow, 2), np.int64)
                for k in range(nslow):
                    longer[k, 0], longer[k, 1] = slow[k, 0], slow[k, 1]
                slow = longer
            slow[nslow, 0], slow[nslow, 1] = count, token
            nslow += 1
        values[count] = -value if negative else value
        count += 1
        line_count += 1
    return values[:count], slow[:nslow], -1, first_count, odd_line


@njit(cache=True)
def _long_quotient(mantissa, power):  # noqa: ANN001, ANN202
    """mantissa / power for a mantissa beyond 53 bits and an exact power; and whether it is sure to be correctly rounded.

    The quotient is computed as a sum of two doubles, good to about 105 bits. Rounding that sum is rounding the exact
    quotient unless this lies within a hair of the middle between two doubles.
    """
    head = np.float64(mantissa)
    tail = np.float64(mantissa - np.int64(head))
    first = head / power
    # The remainder head - first * power without error: Dekker's product of the halves of both factors.
    split = 134217729.0 * first
    a = split - (split - first)
    split = 134217729.0 * power
    b = split - (split - power)
    product = first * power
    missing = ((a * b - product) + a * (power - b) + (first - a) * b) + (first - a) * (power - b)
    second = ((head - product) - missing + tail) / power
    value = first + second
    rest = second - (value - first)
    return value, value == value + rest * 1.000001


@njit(cache=True)
def apply_channels(rows, joints, kinds, base):  # noqa: ANN001, ANN201 - numba infers the types
    """Local rotations (F, J, 4) and translations (F, J, 3) from rows (F, C) of channel values, angles in degrees.

    Channel c belongs to joint `joints[c]`; `kinds[c]` is 0, 1, 2 for a position along x, y, z that is added to the
    joint's `base` (J, 3), and 3, 4, 5 for a turn about x, y, z after the turns of the channels before it.
    """
    nframes, nchannels = rows.shape
    njoints = len(base)
    rotations = np.zeros((nframes, njoints, 4))
    translations = np.empty((nframes, njoints, 3))
    half_degree = np.pi / 360.0
    for f in range(nframes):
        for j in range(njoints):
            rotations[f, j, 0] = 1.0
            translations[f, j, 0], translations[f, j, 1], translations[f, j, 2] = base[j, 0], base[j, 1], base[j, 2]
        for k in range(nchannels):
            j, kind, value = joints[k], kinds[k], rows[f, k]
            if kind < 3:
                translations[f, j, kind] += value
                continue
            s, c = np.sin(value * half_degree), np.cos(value * half_degree)
            q = rotations[f, j]
            w, x, y, z = q[0], q[1], q[2], q[3]
            if kind == 3:
                q[0], q[1], q[2], q[3] = w * c - x * s, x * c + w * s, y * c + z * s, z * c - y * s
            elif kind == 4:
                q[0], q[1], q[2], q[3] = w * c - y * s, x * c - z * s, y * c + w * s, z * c + x * s
            else:
                q[0], q[1], q[2], q[3] = w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s
    return rotations, translations
