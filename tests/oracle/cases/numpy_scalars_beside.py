"""Numbers of numpy's beside Tensors in every operator of Python's; bools where ints are wanted; ints of 64 bits."""

import operator

import numpy as np
from mindspore import Tensor

from tests.oracle.case import each

KINDS = [
    np.int8,
    np.int16,
    np.int32,
    np.int64,
    np.uint8,
    np.uint16,
    np.uint32,
    np.uint64,
    np.float16,
    np.float32,
    np.float64,
    np.bool_,
    np.complex64,
    np.complex128,
    np.str_,
]


def answers(name, *data):
    """What an operator says of a Tensor and a 5 of each kind of numpy's: in the order of KINDS."""
    return [answer(name, Tensor(*data), kind(5)) for kind in KINDS]


def answer(name, left, right):
    found = getattr(operator, name)(left, right)
    return found.tolist() if isinstance(found, Tensor) else found


CASES = [
    *each(
        """
        answers("eq", [5.0, 6.0])
        answers("ne", [5.0, 6.0])
        answers("eq", [5, 6], ms.int8)
        answers("ne", [5, 6], ms.int64)
        answers("eq", [True, False])
        answers("ne", [5, 6], ms.float16)
        Tensor([True]) + (5,)
        [5] + Tensor([True])
        Tensor([True]) - (5,)
        [1.5] - Tensor([True])
        Tensor([True]) + (Tensor([5]),)
        Tensor([True, False]).add((True, False))
        Tensor([True, False]).sub([True, False])
        Tensor([5.0]) != 2**70
        Tensor([5.0]) < 2**70
        2**70 + Tensor([5])
        Tensor([5], ms.int8) - 2**70
        ops.add(Tensor([5.0]), 2**70)
        ops.subtract(Tensor([True]), True)
        ops.subtract(Tensor([True]), Tensor([True]))
        ops.subtract(Tensor([5.0]), Tensor([1]), alpha=2)
        ops.subtract(Tensor([5], ms.uint8), True)
        ops.subtract(Tensor([5.0]), None)
        Tensor([True]).subtract(True)
        Tensor([True]).subtract(Tensor([True]))
        Tensor([5]).subtract(Tensor([True]), alpha=3)
        mint.equal(Tensor([5.0]), np.float32(5))
        mint.equal(Tensor([5.0]), 5.0)
        ops.where(Tensor([True, False]), Tensor([5, 6], ms.int32), np.bool_(True))
        ops.where(Tensor([True, False]), np.bool_(True), Tensor([True, False]))
        ops.where(Tensor([True, False]), np.float32(1.5), Tensor([5, 6], ms.float16))
        ops.flip(Tensor([[1, 2], [3, 4]]), True)
        ops.flip(Tensor([[1, 2], [3, 4]]), (True, False))
        mint.flip(Tensor([[1, 2], [3, 4]]), [True])
        Tensor([[1, 2], [3, 4]]).flip((True,))
        ops.permute(Tensor([[1.0], [2.0]]), (True, False))
        ops.reshape(Tensor([[1.0]]), (True,))
        Tensor([[1.0]]).reshape(True, True)
        ops.tile(Tensor([[1.0]]), (True,))
        ops.broadcast_to(Tensor([[1.0]]), (True, True))
        ops.zeros((True, 2))
        ops.zeros(True)
        mint.full((True, 2), 1.0)
        Tensor([1, 2]).reshape()
        Tensor([1]).reshape()
        Tensor([1]).reshape(())
        Tensor([[1, 2]]).reshape(shape=(2, 1))
        ops.ldexp(Tensor([1.5], ms.float16), Tensor([2]))
        ops.ldexp(Tensor([1.5], ms.float16), Tensor([2.0], ms.float16))
        ops.ldexp(Tensor([1.5], ms.bfloat16), Tensor([2]))
        ops.ldexp(Tensor([1.5], ms.float64), Tensor([2]))
        ops.ldexp(Tensor([1], ms.int32), Tensor([2], ms.int32))
        ops.ldexp(Tensor([1.0]), 2)
        ops.ldexp(Tensor([1.0], ms.float16), 2)
        ops.float_power(Tensor([2, 3], ms.uint16), 2)
        ops.float_power(Tensor([2, 3], ms.uint16), Tensor([2.0, 3.0]))
        ops.float_power(Tensor([2, 3], ms.uint32), Tensor([2, 3]))
        ops.float_power(Tensor([2.0, 3.0]), Tensor([2, 3], ms.uint64))
        ops.float_power(2, Tensor([2, 3], ms.uint64))
        ms.dtype_to_nptype("a")
        ms.dtype_to_nptype(None)
        ms.dtype_to_nptype([])
        mnp.array(2**63)
        mnp.array(2**63 + 5)
        mnp.array(2**64 - 1)
        mnp.array(2**64)
        mnp.array(-(2**63) - 1)
        mnp.array(2**63, ms.int64)
        mnp.array(2**63, ms.float32)
        mnp.array(2**40, ms.int64)
        mnp.full((2,), 2**63)
        """,
        may_raise=True,
    ),
]
