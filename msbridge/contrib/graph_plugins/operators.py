"""Functions of a script that are around primitives, or compute attributes of their outputs, in graphs.

A primitive of which nothing was registered is called as ever: its class gets another `__call__` by the first function,
and its own one back when there is none.
"""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import torch

from msbridge import ops
from msbridge.core.context.graph_mode import is_graph
from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.primitive.primitive import Primitive

__all__ = ["clear_op_infer", "clear_op_wrapper", "register_op_infer", "register_op_wrapper"]

Function = TypeVar("Function", bound=Callable[..., Any])

_wrappers: dict[str, Callable[..., Any]] = {}
_infers: dict[str, dict[str, Callable[..., Any]]] = {}
_own: dict[type, Any] = {}  # the classes that have another `__call__`, each with the one of its own, if it had one
_running = threading.local()


def register_op_wrapper(op_name: str) -> Callable[[Function], Function]:
    """Return a decorator: in graphs, calls of the primitive run what the decorated function returns.

    The function is given the inputs and returns another function, which is given them, too. As in MindSpore it counts
    for calls of primitives, such as `ops.Add()(x, y)`, in functions marked by `jit` and in graph mode; not for `x + y`.

    Args:
        op_name: the name of the primitive.

    Raises:
        RuntimeError: (of the decorator) there is a function for it already.
        ValueError: `op_name` is not a str, or empty.

    Follows: mindspore.graph.register_op_wrapper (2.10; in graph mode also outside of Cells).
    """
    _check("op_name", op_name)

    def register(function: Function) -> Function:
        if op_name in _wrappers:
            raise RuntimeError(f"For 'register_op_wrapper', there is a function for '{op_name}' already.")
        _wrappers[op_name] = function
        _follow(op_name)
        return function

    return register


def clear_op_wrapper() -> None:
    """Forget the functions that `register_op_wrapper` has.

    Follows: mindspore.graph.clear_op_wrapper (2.10).
    """
    names = list(_wrappers)
    _wrappers.clear()
    for name in names:
        _follow(name)


def register_op_infer(op_name: str, infer_name: str) -> Callable[[Function], Function]:
    """Return a decorator: in graphs, outputs of the primitive get what the decorated function returns as an attribute.

    Args:
        op_name: the name of the primitive.
        infer_name: the name of the attribute.

    Raises:
        RuntimeError: (of the decorator) there is a function for both already.
        ValueError: one of them is not a str, or empty.

    Follows: mindspore.graph.register_op_infer (2.10; the function is called whenever the primitive is, not once).
    """
    _check("op_name", op_name)
    _check("infer_name", infer_name)

    def register(function: Function) -> Function:
        functions = _infers.setdefault(op_name, {})
        if infer_name in functions:
            raise RuntimeError(
                f"For 'register_op_infer', there is a function for '{infer_name}' of '{op_name}' already."
            )
        functions[infer_name] = function
        _follow(op_name)
        return function

    return register


def clear_op_infer() -> None:
    """Forget the functions that `register_op_infer` has.

    Follows: mindspore.graph.clear_op_infer (2.10).
    """
    names = list(_infers)
    _infers.clear()
    for name in names:
        _follow(name)


def _check(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"'{name}' must be a non-empty string, but got {value!r}.")


def _follow(name: str) -> None:
    """Set the `__call__` that the registered functions ask for on the class of a primitive."""
    kind = getattr(ops, name, None)
    if not (isinstance(kind, type) and issubclass(kind, Primitive)):
        return  # no primitive is called so, as with MindSpore
    if name not in _wrappers and name not in _infers:
        call = _own.pop(kind, None)
        if call is None:
            del kind.__call__  # it has its base's again
        else:
            setattr(kind, "__call__", call)  # noqa: B010  mypy refuses to assign to a method
    elif kind not in _own:
        _own[kind] = vars(kind).get("__call__")
        setattr(kind, "__call__", _call_around(name, kind.__call__))  # noqa: B010


def _call_around(name: str, inner_call: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: Primitive, *args: Any, **kwargs: Any) -> Any:
        if not (is_graph() or torch.compiler.is_compiling()):
            return inner_call(self, *args, **kwargs)
        wrapper = None if name in _names_running() else _wrappers.get(name)
        if wrapper is None:
            output = inner_call(self, *args, **kwargs)
        else:
            _names_running().append(name)  # within its own wrapper it is the primitive
            try:
                output = wrapper(*args, **kwargs)(*args, **kwargs)
            finally:
                _names_running().pop()
        for infer_name, function in _infers.get(name, {}).items():
            found = function(*args, **kwargs)
            for one in output if isinstance(output, tuple) else (output,):
                if isinstance(one, Tensor):
                    setattr(one, infer_name, found)
        return output

    return call


def _names_running() -> list[str]:
    if not hasattr(_running, "names"):
        _running.names = []
    names: list[str] = _running.names
    return names
