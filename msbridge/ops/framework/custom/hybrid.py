"""The hybrid language: loops over elements in plain Python, with words such as `output_tensor` and `grid`.

A function in it is run as Python: on numpy arrays, and on torch tensors where its gradient is asked for.
"""

import ast
import inspect
import itertools
import json
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from types import CodeType, FunctionType
from typing import Any, Self

import numpy as np
import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor, as_torch, wrap

Function = Callable[..., Any]
FORBIDDEN = {ast.While: "while", ast.Break: "break", ast.Continue: "continue"}


def kernel(
    fn: Function | None = None, reg_info: Any = None, compile_attrs: Mapping[str, Any] | None = None
) -> Function:
    """Decorate a function in the hybrid language; called with numpy arrays it computes, and `Custom` takes it.

    Args:
        fn: the function; without it a decorator is given.
        reg_info: its description, as `CustomRegOp` makes it.
        compile_attrs: settings of the compiler, kept; nothing is compiled.

    Returns:
        A function of numpy arrays, or a decorator.

    Raises:
        TypeError: `compile_attrs` is not a dict, or `reg_info` is not a string, dict or tuple.

    Follows: mindspore.ops.kernel (2.10).
    """
    attrs = {} if compile_attrs is None else compile_attrs
    if not isinstance(attrs, dict):
        raise TypeError(f"For 'kernel', compile_attrs must be a dict, got {type(attrs).__name__}.")
    instance(reg_info, "reg_info", "kernel", (str, dict, tuple, type(None)))

    def mark(func: Function) -> Function:
        func.ms_kernel_flag = True  # type: ignore[attr-defined]
        func.compile_attrs = json.dumps(attrs)  # type: ignore[attr-defined]
        if reg_info is not None:
            func.reg_info = reg_info  # type: ignore[attr-defined]

        @wraps(func)
        def run(*args: Any) -> Any:
            return with_words(func, ARRAY_WORDS)(*args)

        return run

    return mark if fn is None else mark(fn)


def ms_kernel(
    fn: Function | None = None, reg_info: Any = None, compile_attrs: Mapping[str, Any] | None = None
) -> Function:
    """Decorate a function in the hybrid language; the older name of `kernel`.

    Args:
        fn: the function; without it a decorator is given.
        reg_info: its description, as `CustomRegOp` makes it.
        compile_attrs: settings of the compiler, kept; nothing is compiled.

    Returns:
        A function of numpy arrays, or a decorator.

    Follows: mindspore.ops.ms_kernel (2.10).
    """
    return kernel(fn, reg_info, compile_attrs)


def ms_hybrid(
    fn: Function | None = None, reg_info: Any = None, compile_attrs: Mapping[str, Any] | None = None
) -> Function:
    """Decorate a function in the hybrid language; the first name of `kernel`.

    Follows: mindspore.ops.ms_hybrid (1.8).
    """
    return kernel(fn, reg_info, compile_attrs)


def with_words(func: Function, words: Mapping[str, Any]) -> Function:
    """Return the function with the words of the language in place of its globals of those names."""
    func = inspect.unwrap(func)
    code: CodeType = func.__code__
    return FunctionType(code, {**func.__globals__, **words}, func.__name__, func.__defaults__, func.__closure__)


def check(func: Function) -> None:
    """Refuse what the language does not have.

    Raises:
        TypeError: the function has a `while`, `break` or `continue`.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(func))))
    except (OSError, SyntaxError):  # typed at a prompt, or within an expression
        return
    for node in ast.walk(tree):
        if word := FORBIDDEN.get(type(node)):
            raise TypeError(f"Keyword {word!r} is not accepted in {func.__name__}, line {node.lineno}: use for and if.")  # type: ignore[attr-defined]


def bprop_of(func: Function) -> Function:
    """Return the `bprop` of a function in the language: it is run again on torch tensors, element by element."""

    def bprop(*args: Any) -> tuple[Any, ...]:
        *inputs, _, dout = args
        leaves = [value._data.detach().clone().requires_grad_() if _is_floating(value) else value for value in inputs]
        with torch.enable_grad():
            given = [
                _Elements(leaf) if isinstance(leaf, torch.Tensor) else leaf for leaf in map(scalar_or_data, leaves)
            ]
            output = with_words(func, TENSOR_WORDS)(*given)
        outputs = output if isinstance(output, tuple) else (output,)
        douts = dout if isinstance(dout, tuple) else (dout,)
        pairs = [(one.data, weight._data) for one, weight in zip(outputs, douts, strict=True) if one.data.requires_grad]
        wanted = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
        if not pairs:
            return tuple(inputs)
        found = iter(
            torch.autograd.grad([one for one, _ in pairs], wanted, [one for _, one in pairs], allow_unused=True)
        )
        return tuple(_gradient(next(found), leaf) if isinstance(leaf, torch.Tensor) else None for leaf in leaves)

    return bprop


def scalar_or_data(value: Any) -> Any:
    """Return the torch tensor in a Tensor; leave other values."""
    return value._data if isinstance(value, Tensor) else value


def _is_floating(value: Any) -> bool:
    return isinstance(value, Tensor) and value._data.is_floating_point()


def _gradient(gradient: torch.Tensor | None, leaf: torch.Tensor) -> Tensor:
    return wrap(torch.zeros_like(leaf) if gradient is None else gradient)


class _Elements:
    """A torch tensor whose elements are read as they are now: later writes do not change earlier reads."""

    def __init__(self, data: torch.Tensor) -> None:
        self.data = data

    shape = property(lambda self: tuple(self.data.shape))
    dtype = property(lambda self: self.data.dtype)

    def __getitem__(self, key: Any) -> torch.Tensor:
        return self.data[key].clone()

    def __setitem__(self, key: Any, value: Any) -> None:
        if self.data.is_leaf and self.data.requires_grad:
            self.data = self.data.clone()
        self.data[key] = value


class _Stub:
    """A word that only speaks to the compiler, as a call and in `with`."""

    def __call__(self, *args: Any, **kwargs: Any) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        pass


def _grid(extents: Sequence[int]) -> Any:
    return itertools.product(*map(range, extents))


def _array(shape: Sequence[int], dtype: Any = "float32", scope: str = "global") -> np.ndarray:
    return np.zeros(shape, dtype)


def _elements(shape: Sequence[int], dtype: Any = "float32", scope: str = "global") -> _Elements:
    kind = dtype if isinstance(dtype, torch.dtype) else as_torch(np.zeros(0, dtype), None).dtype
    return _Elements(torch.zeros(tuple(shape), dtype=kind))


def _on_tensors(fn: Function) -> Function:
    def apply(*values: Any) -> Any:
        return fn(*(value if isinstance(value, torch.Tensor) else torch.as_tensor(value) for value in values))

    return apply


def _as_type(dtype: torch.dtype) -> Function:
    return lambda value: torch.as_tensor(value).to(dtype)


_LOOPS = dict.fromkeys(("range", "serial", "vectorize", "parallel", "reduce"), range) | {
    "grid": _grid,
    "attr": _Stub(),
    "block_realize": _Stub(),
    "ceil_div": lambda a, b: (a + b - 1) // b,
}
_TYPES = ["int8", "int16", "int32", "int64", "float16", "float32", "float64"]
_SAME = ["sqrt", "sign", "log", "tanh", "exp", "expm1", "abs", "sin", "cos", "floor", "ceil", "trunc"]
_SAME += ["isnan", "isinf", "isfinite"]
ARRAY_WORDS = {
    **_LOOPS,
    **{name: getattr(np, name) for name in (*_TYPES, *_SAME, "power", "round")},
    "allocate": _array,
    "output_tensor": _array,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "rsqrt": lambda x: np.ones_like(x) / np.sqrt(x),
    "erf": np.vectorize(math.erf, otypes=[np.float64]),
}
TENSOR_WORDS = {
    **_LOOPS,
    **{name: _as_type(getattr(torch, name)) for name in _TYPES},
    **{name: _on_tensors(getattr(torch, name)) for name in (*_SAME, "round", "atan", "atan2", "rsqrt", "erf")},
    "allocate": _elements,
    "output_tensor": _elements,
    "power": _on_tensors(torch.pow),
}
