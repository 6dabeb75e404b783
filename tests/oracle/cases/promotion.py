"""Implicit type conversion: every pair of dtypes under every operator; one case is one dtype against all others."""

import operator
from collections.abc import Callable

import mindspore as ms
import numpy as np
from mindspore import Tensor

from tests.oracle.case import GAP, Case, attempt, each

EXACT = False

DTYPES = ["bool_", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
UNSIGNED = ["uint16", "uint32", "uint64"]
OTHERS = [*DTYPES, *UNSIGNED, "complex64", "complex128"]
ARITHMETIC = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]
COMPARISON = ["eq", "ne", "lt", "le", "gt", "ge"]
SCALARS = [2, 2.5, True, np.int64(3), np.float64(0.5), np.float32(0.5), np.int32(3)]


def of(data: object, dtype: str) -> Tensor:
    return Tensor(np.array(data), getattr(ms, dtype))


def against_all(name: str, dtype: str, shape: tuple[int, ...] = (2,)) -> dict[str, object]:
    """[5, 2] of this dtype on the left, 3 or [3, 1] of each other dtype on the right."""
    act = getattr(operator, name)
    left = of([5, 2], dtype)
    rights = {other: of(3 if shape == () else [3, 1], other) for other in OTHERS}
    return {other: outcome(act, left, right) for other, right in rights.items()}


def absent_or(act: Callable, *dtypes: str) -> object:
    """Return the result of an action; a gap where a release lacks one of the dtypes."""
    return attempt(act) if all(hasattr(ms, dtype) for dtype in dtypes) else GAP


def both_scalars(name: str) -> dict[str, object]:
    """5 of each dtype on the left, 3 of each other one on the right."""
    act, dtypes = getattr(operator, name), DTYPES[4:]
    return {f"{a}, {b}": absent_or(lambda a=a, b=b: act(of(5, a), of(3, b)), a, b) for a in dtypes for b in dtypes}


def with_scalars(name: str, dtype: str) -> dict[str, object]:
    """[5, 2] of this dtype with Python and numpy numbers, on either side."""
    act, tensor = getattr(operator, name), of([5, 2], dtype)
    right = {f"tensor, {type(number).__name__}": outcome(act, tensor, number) for number in SCALARS}
    left = {f"{type(number).__name__}, tensor": outcome(act, number, tensor) for number in SCALARS[:3]}
    return right | left


def outcome(act: Callable, left: object, right: object) -> object:
    """Dtype and values; only what MindSpore computes on any device counts."""
    dtypes = {str(getattr(side, "dtype", "")) for side in (left, right)}
    if dtypes == {"Float16", "BFloat16"} and right.ndim == 0:
        return GAP  # 2.10 on CPU ends the process
    if act is operator.eq and isinstance(right, np.generic) and not isinstance(right, float):
        return GAP  # 2.10 answers with one False
    if act is operator.mod and dtypes & {"UInt16", "UInt32", "UInt64"}:
        return GAP  # 2.10 refuses
    if act in (operator.floordiv, operator.mod) and any("Complex" in dtype for dtype in dtypes):
        return GAP  # there is no rounding of complex numbers
    if act is operator.sub and dtypes <= {"Bool", "True", ""} and "Bool" in dtypes:
        return GAP  # r1.x refuses, 2.10 computes xor
    return attempt(lambda: act(left, right))


CASES = [
    *[Case(f"against_all('{name}', '{dtype}')") for name in ARITHMETIC for dtype in DTYPES + UNSIGNED + ["complex64"]],
    *[Case(f"against_all('{name}', '{dtype}')") for name in COMPARISON for dtype in DTYPES],
    *[Case(f"against_all('{name}', '{dtype}', ())") for name in ARITHMETIC for dtype in DTYPES],
    *[Case(f"with_scalars('{name}', '{dtype}')") for name in ARITHMETIC for dtype in DTYPES],
    *[Case(f"with_scalars('{name}', '{dtype}')") for name in ("eq", "lt") for dtype in DTYPES],
    *[Case(f"both_scalars('{name}')") for name in ARITHMETIC],
    *each("""
        Tensor([7, -7]) // 2, Tensor([7, -7]) % 3, Tensor([7, -7]) / 2
        Tensor([7.5, -7.5]) // 2, Tensor([7.5, -7.5]) % 2
        Tensor([7, -7]) // Tensor([-2, 2]), Tensor([7, -7]) % Tensor([-3, 3])
        Tensor([7.5, -7.5]) // Tensor([-2.0, 2.0]), Tensor([7.5, -7.5]) % Tensor([-2.0, 2.0])
        ops.Mod()(Tensor([7, -7]), Tensor([3, 3])), ops.FloorMod()(Tensor([7, -7]), Tensor([3, 3]))
        ops.FloorDiv()(Tensor([7, -7]), Tensor([2, 2])), ops.Div()(Tensor([7, -7]), Tensor([2, 2]))
        ops.RealDiv()(Tensor([7, -7]), Tensor([2, 2])), ops.RealDiv()(Tensor([7.0]), Tensor([2.0]))
        ops.div(Tensor([7, -7]), Tensor([2, 2])), ops.div(Tensor([7.0]), 2, rounding_mode='floor')
        ops.div(Tensor([-7.0]), 2, rounding_mode='trunc'), ops.div(Tensor([-7]), 2, rounding_mode='floor')
        ops.truncate_mod(Tensor([-7], ms.int32), Tensor([3], ms.int32))
        ops.truncate_div(Tensor([-7], ms.int32), Tensor([2], ms.int32))
        Tensor([1, 0]) / 0, Tensor([1.0, -1.0, 0.0]) / 0
        Tensor([1.0, -1.0, 0.0]) // 0, Tensor([1.0]) % 0
        Tensor([2]) ** -1, Tensor([4]) ** 0.5, Tensor([2.0]) ** -1, Tensor([-8.0]) ** (1 / 3)
        2 ** Tensor([3]), 2.0 ** Tensor([3]), Tensor([0]) ** 0, Tensor([0.0]) ** 0
        Tensor([127], ms.int8) + 1, Tensor([255], ms.uint8) + 1, Tensor([100], ms.int8) + 200
        Tensor([2**31 - 1], ms.int32) + 1
        Tensor([100], ms.int8) * 2, Tensor([3], ms.uint8) - 5, -Tensor([3], ms.int8)
        Tensor([True, False]) + Tensor([True, True]), Tensor([True, False]) * Tensor([True, True])
        Tensor([True, False]) + 1, Tensor([True, False]) * 2.5, Tensor([True]) / 2
        ops.where(Tensor([True, False]), Tensor([1, 2]), Tensor([1.5, 2.5]))
        ops.where(Tensor([True, False]), 1.0, 0.0)
        ops.where(Tensor([True, False]), Tensor([1.0], ms.float16), 0.0)
        ops.maximum(Tensor([1, 5]), Tensor([2.5, 2.5])), ops.minimum(Tensor([1, 5]), 3)
        ops.maximum(Tensor([1.0], ms.float16), Tensor([2.0]))
        ops.Add()(Tensor([1]), Tensor([1.5])), ops.Add()(Tensor([1]), 2)
        ops.Mul()(Tensor([2]), 1.5), ops.Sub()(1, Tensor([2.0]))
        ops.add(1, Tensor([2])), ops.mul(2.5, Tensor([2])), ops.sub(Tensor([1]), True)
        ops.pow(Tensor([2, 3]), 2), ops.pow(2, Tensor([2.0])), ops.Pow()(Tensor([2.0]), 3)
        ops.equal(Tensor([1, 2]), Tensor([1.0, 2.5])), ops.less(Tensor([1]), 1.5), ops.Greater()(Tensor([2]), 1)
        ops.logical_and(Tensor([1, 0]), Tensor([2, 2])), ops.logical_or(Tensor([True, False]), Tensor([False, False]))
        ops.matmul(Tensor([[1, 2]], ms.int32), Tensor([[3], [4]], ms.int32)).dtype
        (Tensor([1.0], ms.float16) + 1e-3).dtype, (Tensor([1.0], ms.float16) * np.float64(2)).dtype
        Parameter(Tensor([1.0]), name='p') + Tensor([1.0], ms.float64)
        Parameter(Tensor([1]), name='p') * 1.5
        type(Parameter(Tensor([1.0]), name='p') + 1)
        ops.addcmul(Tensor([1.0]), Tensor([2.0]), Tensor([3.0]), 0.5)
        ops.addcdiv(Tensor([1.0]), Tensor([2.0]), Tensor([4.0]), 2)
        ops.lerp(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]), 0.5)
        ops.atan2(Tensor([1.0]), Tensor([2.0])), ops.fmod(Tensor([-7.0, 7.0]), 3), ops.remainder(Tensor([-7.0, 7.0]), 3)
        ops.bitwise_and(Tensor([6]), Tensor([3])), ops.bitwise_or(Tensor([6]), Tensor([3]))
        ops.bitwise_xor(Tensor([6]), Tensor([3]))
    """),
    Case("ops.matmul(Tensor([[1.0]], ms.float16), Tensor([[1.0]]))", raises=TypeError),
]
