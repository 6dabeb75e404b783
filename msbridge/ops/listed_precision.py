"""The primitives that level O1 of mixed precision computes in a narrower type, wherever a network calls them.

MindSpore rewrites the source of a network: around each call of a listed primitive it puts casts, in functions too that
are written in Python with such primitives (`ops.mm` calls MatMul). What calls a kernel at once has none in its source
and stays: `ops.matmul`, `@`, `ops.dense`, methods of Tensors, mint and mindspore.numpy. Here a mode of torch sees what
operators ask of tensors, and the place of the call says by which name it was called:

    construct ── ops.mm(x, w) ──── torch.mm       "mm" has MatMul in it: on Float16, the result is Float32 again
        ├─────── x.mm(w) ───────── torch.mm       a method of a Tensor: as it is
        └─────── ops.addmm(b, x, w)               its product likewise, what is added in Float32
"""

import ast
import functools
import linecache
import sys
from collections.abc import Collection
from itertools import islice
from types import CodeType, FrameType, ModuleType
from typing import Any

import torch
from torch.nn import functional as F

from msbridge.core.tensor.tensor import Tensor
from msbridge.device.precision import CONVOLUTIONS, Narrowing
from msbridge.ops.precision import is_look, name_of_operator, operator_of, place_of_code

__all__ = ["ListedNarrowing", "names_of_primitives"]

# The functions, in lower case, in whose source MindSpore has the primitives.
_FUNCTIONS = {
    "MatMul": "mm addmm addmv mv dot inner tensor_dot numpy.inner numpy.outer numpy.tensordot",
    "BatchMatMul": "bmm baddbmm addbmm",
    "ReLU": "relu mint.relu",
    "PReLU": "prelu",
    "Ger": "ger addr",
    "Conv2D": "conv1d conv2d",
    "Conv3D": "conv3d",
}
_KERNELS = ("ops/kernel_calls/half_precision", "ops/neural/convolution/kernels")  # what layers call
_ADDING = {
    torch.addmm: torch.mm,
    torch.addmv: torch.mv,
    torch.baddbmm: torch.bmm,
    torch.addbmm: torch.bmm,
    torch.addr: torch.outer,
}


def names_of_primitives(primitives: Collection[str]) -> frozenset[str]:
    """Return the names of operators that compute with the primitives: of these, and of functions of their own."""
    functions = (_FUNCTIONS.get(name, name.lower()).split() for name in primitives)
    return frozenset(primitives).union(*functions)


class ListedNarrowing(Narrowing):
    """Within this block, listed operators compute in a narrower dtype and return float32.

    Args:
        names: of the operators.
        dtype: float16 or bfloat16.
        layer: the class of a layer whose own product is one of them; None for none.
    """

    def __init__(self, names: frozenset[str], dtype: torch.dtype, layer: type | None = None) -> None:
        super().__init__((), dtype)
        self._names = names
        self._layer = layer

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if is_look(func):
            return func(*args, **kwargs)
        operator = operator_of(sys._getframe(1))
        if operator is None or not self._is_listed(operator):
            return func(*args, **kwargs)
        if func in _ADDING:
            added, left, right = args
            product = self.narrow(_ADDING[func], (left, right), {})
            product = product.sum(0) if func is torch.addbmm else product
            return kwargs.get("beta", 1) * added + kwargs.get("alpha", 1) * product
        if (func in CONVOLUTIONS or func is F.linear) and len(args) > 2 and isinstance(args[2], torch.Tensor):
            product = self.narrow(func, (*args[:2], None, *args[3:]), kwargs)
            return product + (args[2] if func is F.linear else args[2].reshape(-1, *(1,) * (product.dim() - 2)))
        return self.narrow(func, args, kwargs)

    def _is_listed(self, operator: FrameType) -> bool:
        code = operator.f_code
        place = place_of_code(code)
        if place in _KERNELS:
            caller = operator.f_back
            return caller is not None and type(caller.f_locals.get("self")) is self._layer is not None
        if code.co_name == "__call__":  # a primitive
            return type(operator.f_locals["self"]).__name__ in self._names
        called = None if operator.f_back is None else _called_name(operator.f_back)
        return (name_of_operator(operator) if called is None else called) in self._names


def _called_name(caller: FrameType) -> str | None:
    """Return the name by which a frame calls a function, `mint.relu` of another surface; "" of a method of a Tensor.

    None where the source is not known.
    """
    path = _callee(caller.f_code, caller.f_lasti)
    if path is None:
        return None
    first, *rest = path
    if not rest:
        return first
    owner = caller.f_locals.get(first, caller.f_globals.get(first))
    for name in rest[:-1]:
        owner = getattr(owner, name, None)
    if isinstance(owner, ModuleType):
        surface = next((one for one in ("mint", "numpy") if one in owner.__name__.split(".")), "")
        return f"{surface}.{rest[-1]}" if surface else rest[-1]
    return "" if owner is None or isinstance(owner, Tensor) else rest[-1]


@functools.lru_cache(4096)
def _callee(code: CodeType, instruction: int) -> list[str] | None:
    """Return the names of what an instruction calls, `["ops", "mm"]`; `["", "mm"]` of an expression's attribute."""
    line, end_line, column, end_column = next(islice(code.co_positions(), instruction // 2, None), (None,) * 4)
    if line is None or end_line is None or column is None or end_column is None:
        return None
    lines = [text.encode() for text in linecache.getlines(code.co_filename)[line - 1 : end_line]]
    if not lines:
        return None
    lines[-1] = lines[-1][:end_column]
    lines[0] = lines[0][column:]
    try:
        call = ast.parse(b"(" + b"".join(lines) + b")", mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(call, ast.Call):
        return None
    names: list[str] = []
    node = call.func
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return [node.id if isinstance(node, ast.Name) else "", *names]
