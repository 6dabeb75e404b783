"""Input signatures announced by `jit(input_signature=…)`, `enable_dynamic` and `Cell.set_inputs`.

Follows: mindspore.jit (2.5), mindspore.enable_dynamic, mindspore.nn.Cell.set_inputs (2.10).
"""

import inspect
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, TypeVar

from msbridge.core.context import context
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.symbolic import Unfilled, shape_refusal

__all__ = ["announce_inputs", "check_call", "enable_dynamic", "expect", "signature_check"]

Function = TypeVar("Function", bound=Callable[..., Any])


def enable_dynamic(**kwargs: Any) -> Callable[[Function], Function]:
    """Announce arguments whose shapes change from call to call, for a function that `jit` marks.

    Args:
        kwargs: by argument a placeholder, `Tensor(shape=[None, 3], dtype=…)`, or a tuple or list of them.

    Returns:
        A decorator, which returns the function itself.

    Raises:
        TypeError: a value is something else, or has no unknown length.
        ValueError: there are none; what is decorated is not a function, or has no such argument.

    Follows: mindspore.enable_dynamic (2.10).
    """
    if not kwargs:
        raise ValueError("For 'enable_dynamic', at least one argument must be given.")

    def mark(function: Function) -> Function:
        if not isinstance(function, FunctionType | MethodType):
            raise ValueError(f"For 'enable_dynamic', a function or method is to be decorated, but got {function!r}.")
        names = inspect.signature(function).parameters
        for name, value in kwargs.items():
            if name not in names:
                raise ValueError(f"For 'enable_dynamic', {function.__name__} has no argument {name!r}.")
            tensors = value if isinstance(value, tuple | list) else (value,)
            if not all(isinstance(item, Tensor) for item in tensors):
                raise TypeError(
                    f"For 'enable_dynamic', {name} must be a Tensor or a tuple or list of Tensors, but got {value!r}."
                )
            if not any(isinstance(item._data, Unfilled) for item in tensors):
                raise TypeError(f"For 'enable_dynamic', the shape of {name} must have an unknown length, None.")
        function.__dict__["_dynamic"] = kwargs
        return function

    return mark


def check_call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Compare a call with what `enable_dynamic` announced.

    Raises:
        TypeError: an argument is not a Tensor, or of another dtype.
        ValueError: an argument has another shape.
    """
    given = inspect.signature(function).bind(*args, **kwargs).arguments
    for name, wanted in function.__dict__["_dynamic"].items():
        if name in given:
            expect(wanted, given[name], f"For '{function.__name__}', {name}")


def signature_check(function: FunctionType, signature: Any) -> Callable[[tuple[Any, ...]], None] | None:
    """Return the comparison of a call's inputs with an `input_signature`; None without one."""
    if signature is None:
        return None
    wanted = signature if isinstance(signature, tuple | list) else (signature,)
    if not all(isinstance(item, Tensor | tuple | list) for item in wanted):
        raise TypeError(f"For 'jit', input_signature must be Tensors, but got {signature!r}.")

    def check(args: tuple[Any, ...]) -> None:
        inputs = args[-len(wanted) :]  # a method's first argument is not announced
        try:
            if len(args) - len(inputs) > 1 or len(inputs) != len(wanted):
                raise ValueError(f"there must be {len(wanted)} inputs, but got {len(args)}")
            for index, (expected, actual) in enumerate(zip(wanted, inputs, strict=True)):
                expect(expected, actual, f"input {index}")
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"For '{function.__name__}', the inputs are not those of its input_signature: {error}"
            ) from error

    return check


def announce_inputs(construct: Callable[..., Any], inputs: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Return the arguments of `Cell.set_inputs`, as `get_inputs` returns them.

    Raises:
        TypeError: in graph mode, `construct` does not take so many.
        ValueError: some are named and some are not, or `construct` has no such argument.
    """
    if not named:
        if context.get_context("mode") == context.GRAPH_MODE:
            try:
                inspect.signature(construct).bind(*inputs)
            except TypeError as error:
                raise TypeError(f"For 'set_inputs', construct does not take {len(inputs)} inputs: {error}.") from None
        return inputs
    if inputs:
        raise ValueError("For 'set_inputs', the inputs must all be named or all be in order.")
    names = list(inspect.signature(construct).parameters)
    for name in named:
        if name not in names:
            raise ValueError(f"For 'set_inputs', construct has the arguments {names}, but got {name!r}.")
    return {
        "arg_specified_infos": [[names.index(name), value] for name, value in named.items()],
        "total_arg_length": len(names),
    }


def expect(wanted: Any, actual: Any, where: str) -> None:
    """Compare an input with what was announced.

    Raises:
        TypeError: it is of another type or dtype.
        ValueError: it has another shape, or is another constant.
    """
    if isinstance(wanted, Tensor):
        if not isinstance(actual, Tensor):
            raise TypeError(f"{where} must be a Tensor of {wanted.dtype}, but got {type(actual).__name__}.")
        if actual.dtype != wanted.dtype:
            raise TypeError(f"{where} must be of {wanted.dtype}, but got {actual.dtype}.")
        if reason := shape_refusal(wanted._data, actual._data):
            raise ValueError(f"{where} {reason}.")
    elif isinstance(wanted, tuple | list):
        if not isinstance(actual, tuple | list):
            raise TypeError(f"{where} must be a tuple or list, but got {type(actual).__name__}.")
        if getattr(wanted, "__ms_dynamic_len__", False):
            wanted = [wanted[0]] * len(actual) if wanted else actual
        if len(wanted) != len(actual):
            raise ValueError(f"{where} must have {len(wanted)} elements, but has {len(actual)}.")
        for index, (expected, item) in enumerate(zip(wanted, actual, strict=True)):
            expect(expected, item, f"{where}[{index}]")
    elif isinstance(actual, Tensor):
        raise TypeError(f"{where} must be the constant {wanted!r}, but got a Tensor.")
    elif type(actual) is not type(wanted):
        raise TypeError(f"{where} must be a {type(wanted).__name__}, but got {type(actual).__name__}.")
    elif actual is not wanted and actual != wanted:
        raise ValueError(f"{where} must be the constant {wanted!r}, but got {actual!r}.")
