"""Primitives for order, state, and questions about a tensor's shape and dtype."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msbridge.core.tensor import Tensor
from msbridge.ops import control, sequences
from msbridge.ops.primitive import REQUIRED, derive


def _hook_backward(x: Tensor, hook_fn: Callable[..., Any], cell_id: str = "") -> Tensor:
    """Give x; the hook sees its gradient."""
    return control.hook_backward(x, lambda gradient: hook_fn((gradient,)))


def _insert_gradient_of(x: Tensor, f: Callable[..., Any]) -> Tensor:
    """Give x; its gradient goes through f."""
    return control.hook_backward(x, f)


def _identity_of_many(inputs: Sequence[Any]) -> tuple[Any, ...]:
    """Give the inputs as a tuple."""
    return tuple(inputs)


def _invert_permutation(input_x: Sequence[int]) -> tuple[int, ...]:
    """Give the permutation that undoes this one."""
    result = [0] * len(input_x)
    for place, index in enumerate(input_x):
        result[index] = place
    return tuple(result)


def _partial(function: Callable[..., Any], *args: Any) -> Callable[..., Any]:
    """Give the function with its first arguments set."""
    return partial(function, *args)


def _control_depend(src: Any, dst: Any, depend_mode: int = 0) -> None:
    """Do nothing: operators run in the order in which they are called."""


def _count_up(lower: int, upper: int, loop_func: Callable[[int, Any], Any], init_val: Any, unroll: bool = True) -> Any:
    """Run `value = loop_func(i, value)` for i from lower to upper, exclusive."""
    value = init_val
    for index in range(int(lower), int(upper)):
        value = loop_func(index, value)
    return value


def _scan(
    loop_func: Callable[[Any, Any], tuple[Any, Any]], init: Any, xs: Sequence[Any] | None, length: int | None = None
) -> tuple[Any, list[Any]]:
    """Run `(carry, y) = loop_func(carry, x)` over xs, and give the last carry and all y."""
    carry, results = init, []
    for element in xs if xs is not None else [None] * int(length or 0):
        carry, result = loop_func(carry, element)
        results.append(result)
    return carry, results


def _while(cond_func: Callable[[Any], Any], loop_func: Callable[[Any], Any], init_val: Any) -> Any:
    """Run `value = loop_func(value)` while `cond_func(value)` holds."""
    value = init_val
    while cond_func(value):
        value = loop_func(value)
    return value


Assert = derive("Assert", control.check_that, {"summarize": 3})
Assign = derive("Assign", control.assign)
AssignAdd = derive("AssignAdd", control.assign_add)
AssignSub = derive("AssignSub", control.assign_sub)
CheckNumerics = derive("CheckNumerics", control.check_numerics)
ControlDepend = derive("ControlDepend", _control_depend, {"depend_mode": 0})
DType = derive("DType", control.dtype)
Depend = derive("Depend", control.depend)
DynamicShape = derive("DynamicShape", control.dyn_shape)
ForiLoop = derive("ForiLoop", _count_up)
HookBackward = derive("HookBackward", _hook_backward, {"hook_fn": REQUIRED, "cell_id": ""})
Identity = derive("Identity", control.identity)
IdentityN = derive("IdentityN", _identity_of_many)
InsertGradientOf = derive("InsertGradientOf", _insert_gradient_of, {"f": REQUIRED})
InvertPermutation = derive("InvertPermutation", _invert_permutation)
Load = derive("Load", control.load)
Partial = derive("Partial", _partial)
Print = derive("Print", control.print_)
Rank = derive("Rank", control.rank)
ScalarCast = derive("ScalarCast", sequences.scalar_cast)
Scan = derive("Scan", _scan)
Shape = derive("Shape", control.shape)
Size = derive("Size", control.size)
StopGradient = derive("StopGradient", control.stop_gradient)
TensorShape = derive("TensorShape", control.dyn_shape)
WhileLoop = derive("WhileLoop", _while)

__all__ = [
    "Assert",
    "Assign",
    "AssignAdd",
    "AssignSub",
    "CheckNumerics",
    "ControlDepend",
    "DType",
    "Depend",
    "DynamicShape",
    "ForiLoop",
    "HookBackward",
    "Identity",
    "IdentityN",
    "InsertGradientOf",
    "InvertPermutation",
    "Load",
    "Partial",
    "Print",
    "Rank",
    "ScalarCast",
    "Scan",
    "Shape",
    "Size",
    "StopGradient",
    "TensorShape",
    "WhileLoop",
]
