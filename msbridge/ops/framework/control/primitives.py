"""Primitives for order, state, and questions about a tensor's shape and dtype."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.framework.control import functions, kernels
from msbridge.ops.primitive.primitive import Primitive, derive


class HookBackward(Primitive):
    """Return the inputs; a function sees their gradients, and may replace them.

    Args:
        hook_fn: called with a tuple of the gradients; returns None, or what replaces them.
        cell_id: accepted, as by MindSpore, which is about to remove it.

    Inputs:
        inputs: Tensors of any shape and dtype.

    Outputs:
        The only input, or a tuple of them.

    Raises:
        TypeError: `hook_fn` is not a function.

    Follows: mindspore.ops.HookBackward (2.10).
    """

    cell_id: str

    def __init__(self, hook_fn: Callable[..., Any], cell_id: str = "") -> None:
        super().__init__("HookBackward")
        if not callable(hook_fn):
            raise TypeError(f"For 'HookBackward', hook_fn must be a function, got {hook_fn!r}.")
        self.hook_fn = hook_fn
        self.add_prim_attr("cell_id", cell_id)

    def __call__(self, *inputs: Tensor) -> Any:
        """Return the inputs: one as it is, several in a tuple."""
        if not all(isinstance(value, Tensor) for value in inputs):
            raise TypeError(f"For 'HookBackward', the inputs must be Tensors, got {list(map(type, inputs))}.")
        if len(inputs) == 1:
            return kernels.hook_backward(inputs[0], lambda gradient: self.hook_fn((gradient,)))
        return kernels.hook_several(inputs, self.hook_fn)


def _insert_gradient_of(x: Tensor, f: Callable[..., Any]) -> Tensor:
    """Return x; its gradient goes through f.

    Args:
        x: any shape and dtype.
        f: called with the gradient; what it returns takes the gradient's place.

    Returns:
        A Tensor of the values of `x`.
    """
    return kernels.hook_backward(x, f)


def _identity_of_many(inputs: Sequence[Any]) -> tuple[Any, ...]:
    """Return copies of the inputs as a tuple.

    Args:
        inputs: a tuple or list of Tensors.

    Returns:
        A tuple of Tensors of their shapes and dtypes.
    """
    return tuple(kernels.identity(one) for one in inputs)


def _invert_permutation(input_x: Sequence[int]) -> tuple[int, ...]:
    """Return the permutation that undoes this one.

    Args:
        input_x: a tuple or list of the ints from 0 on, in any order.

    Returns:
        A tuple of ints.
    """
    result = [0] * len(input_x)
    for place, index in enumerate(input_x):
        result[index] = place
    return tuple(result)


def _partial(function: Callable[..., Any], *args: Any) -> Callable[..., Any]:
    """Return the function with its first arguments set.

    Args:
        function: what is called.
        args: its first arguments.

    Returns:
        A function of the others.
    """
    return partial(function, *args)


def _control_depend(src: Any, dst: Any, depend_mode: int = 0) -> Any:
    """Return `src`: operators run in the order in which they are called."""
    return src


def _count_up(lower: int, upper: int, loop_func: Callable[[int, Any], Any], init_val: Any, unroll: bool = True) -> Any:
    """Run `value = loop_func(i, value)` for i from lower to upper, exclusive.

    Args:
        lower: the first i.
        upper: where to stop, exclusive.
        loop_func: `(i, value) -> value`.
        init_val: the first value.
        unroll: without effect.

    Returns:
        The last value.
    """
    value = init_val
    for index in range(int(lower), int(upper)):
        value = loop_func(index, value)
    return value


def _scan(
    loop_func: Callable[[Any, Any], tuple[Any, Any]],
    init: Any,
    xs: Sequence[Any] | None,
    length: int | None = None,
    unroll: bool = True,
) -> tuple[Any, list[Any]]:
    """Run `(carry, y) = loop_func(carry, x)` over xs, return the last carry and all y; `unroll` changes no value.

    Args:
        loop_func: `(carry, x) -> (carry, y)`.
        init: the first carry.
        xs: the elements; None for as many None as `length` says.
        length: how many, without `xs`.
        unroll: without effect.

    Returns:
        (the last carry, a list of all y).
    """
    carry, results = init, []
    for element in xs if xs is not None else [None] * int(length or 0):
        carry, result = loop_func(carry, element)
        results.append(result)
    return carry, results


def _while(cond_func: Callable[[Any], Any], loop_func: Callable[[Any], Any], init_val: Any) -> Any:
    """Run `value = loop_func(value)` while `cond_func(value)` holds.

    Args:
        cond_func: `value -> bool`.
        loop_func: `value -> value`.
        init_val: the first value.

    Returns:
        The last value.
    """
    value = init_val
    while cond_func(value):
        value = loop_func(value)
    return value


DERIVED = (
    derive("Assert", kernels.check_that, "summarize"),
    derive("Assign", functions.assign),
    derive("AssignAdd", functions.assign_add),
    derive("AssignSub", functions.assign_sub),
    derive("CheckNumerics", kernels.check_numerics),
    derive("ControlDepend", _control_depend, "depend_mode"),
    derive("DType", functions.dtype),
    derive("Depend", functions.depend),
    derive("DynamicShape", kernels.dynamic_shape, "dtype"),
    derive("ForiLoop", _count_up),
    derive("Identity", kernels.identity),
    derive("IdentityN", _identity_of_many),
    derive("InsertGradientOf", _insert_gradient_of, "f"),
    derive("InvertPermutation", _invert_permutation),
    derive("Load", functions.load),
    derive("Partial", _partial),
    derive("Print", functions.print_),
    derive("Rank", functions.rank),
    derive("Scan", _scan),
    derive("Shape", functions.shape),
    derive("Size", functions.size),
    derive("StopGradient", functions.stop_gradient),
    derive("TensorShape", functions.dyn_shape),
    derive("WhileLoop", _while),
)
