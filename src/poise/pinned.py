"""Arrays that stay where they are, handed to a compiled law by address.

A call of a compiled function spends a tenth of a microsecond on every array among its arguments, which for a law with thirty
of them is more than the law itself. Arrays that live as long as their run are therefore looked up once: `pin` writes down where
each lies, and `views`, inside compiled code, makes the same arrays from that.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.errors import RequireLiteralValue
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numpy.typing import NDArray

_KINDS = {"f": (np.float64, types.float64), "i": (np.int64, types.int64), "b": (np.bool_, types.boolean)}


class Pinned:
    """Where some arrays lie and how large they are, and the arrays themselves, so that they live at least as long."""

    def __init__(self, layout: str, *arrays: NDArray[Any]) -> None:
        parts = layout.split()
        if len(parts) != len(arrays):
            raise ValueError(f"{len(arrays)} arrays for a layout of {len(parts)}")
        for k, (part, array) in enumerate(zip(parts, arrays, strict=True)):
            if array.dtype != _KINDS[part[0]][0] or array.ndim != int(part[1]) or not array.flags.c_contiguous:
                raise ValueError(f"array {k} is {array.dtype} of {array.ndim} dimensions, the layout says contiguous {part}")
        self.arrays = arrays
        self.where = np.array([number for array in arrays for number in (array.ctypes.data, *array.shape)], np.int64)


def _views(_context: Any, where: Any, layout: Any) -> Any:
    """The arrays of a Pinned, as a tuple, from its `where` and its layout: 'f2 b1' is a matrix of floats, a row of booleans."""
    if not isinstance(layout, types.StringLiteral):
        raise RequireLiteralValue("the layout must be a constant")
    arrays = [types.Array(_KINDS[part[0]][1], int(part[1]), "C") for part in layout.literal_value.split()]
    return types.Tuple(arrays)(where, layout), _views_code(arrays)


views: Any = intrinsic(prefer_literal=True)(_views)  # called as views(where, LAYOUT), in compiled code only


def _views_code(arrays: list[Any]) -> Any:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        numbers = make_array(signature.args[0])(context, builder, args[0]).data
        made, at = [], 0
        for kind in arrays:
            address, *shape = (_number(builder, numbers, at + k) for k in range(1 + kind.ndim))
            made.append(_array(context, builder, kind, address, shape))
            at += 1 + kind.ndim
        return context.make_tuple(builder, signature.return_type, made)

    return code


def _number(builder: Any, numbers: Any, k: int) -> Any:
    return builder.load(builder.gep(numbers, [ir.Constant(ir.IntType(64), k)]))


def _array(context: Any, builder: Any, kind: Any, address: Any, shape: list[Any]) -> Any:
    """One contiguous array in memory that somebody else owns."""
    array = make_array(kind)(context, builder)
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [ir.Constant(ir.IntType(64), size)]
    for length in shape[:0:-1]:
        strides.insert(0, builder.mul(strides[0], length))
    data = builder.inttoptr(address, array.data.type)
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()
