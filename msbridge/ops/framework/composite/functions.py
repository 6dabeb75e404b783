"""Operators made of functions: mapping over nested tuples, dispatch by type, gradients, flags."""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import torch

from msbridge.core import torch_private
from msbridge.core.autograd import grad, jacobians, taylor, vmap
from msbridge.core.checks.arguments import instance
from msbridge.core.context.graph_mode import is_graph
from msbridge.core.errors.explain import explain
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.sparse.row_tensor import RowTensorInner
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.ops.faces import same

Function = Callable[..., Any]


class HyperMap:
    """Applies a function to the leaves of nested tuples and lists, side by side.

    Args:
        ops: the function; None takes it as the first argument of the call.
        reverse: graph mode's order of the calls; the results are the same.

    Inputs:
        args: the sequences, nested alike, after the function if it was not given before.

    Outputs:
        What the function returns for each set of leaves, as nested tuples.

    Raises:
        TypeError: (when called) the sequences are not nested alike.

    Examples:
        >>> ops.HyperMap()(lambda x, y: x + y, (1, (2, 3)), (10, (20, 30)))
        (11, (22, 33))

    Follows: mindspore.ops.HyperMap (2.10).
    """

    def __init__(self, ops: Function | None = None, reverse: bool = False) -> None:
        if ops is not None and not callable(ops):
            raise RuntimeError(f"For '{type(self).__name__}', ops must be a function, got {ops!r}.")
        self.ops = ops
        self.reverse = reverse

    def __call__(self, *args: Any) -> Any:
        """Return a tuple of the results, nested as the arguments."""
        if self.ops is None:
            function, *args = args  # type: ignore[assignment]
            return _map_leaves(function, args)
        return _map_leaves(self.ops, args)


class Map:
    """Applies a function to the elements of tuples and lists, side by side, without going deeper.

    Args:
        ops: the function; None takes it as the first argument of the call.
        reverse: graph mode's order of the calls; the results are the same.

    Inputs:
        args: the sequences, of one length, after the function if it was not given before.

    Outputs:
        A tuple of what the function returns for each set of elements.

    Follows: mindspore.ops.Map (2.10).
    """

    def __init__(self, ops: Function | None = None, reverse: bool = False) -> None:
        self.ops = ops
        self.reverse = reverse

    def __call__(self, *args: Any) -> tuple[Any, ...]:
        """Return a tuple of the results."""
        if self.ops is None:
            function, *args = args  # type: ignore[assignment]
            return tuple(map(function, *args))
        return tuple(map(self.ops, *args))


class MultitypeFuncGraph:
    """A function with one body for each combination of argument types.

    Args:
        name: its name.
        read_value: the bodies get the values of Parameters; kept, a Parameter is its value.

    Inputs:
        args: of types that a body was registered for.

    Outputs:
        What the body returns.

    Examples:
        >>> add = ops.MultitypeFuncGraph("add")
        >>> @add.register("Number", "Number")
        ... def _add_numbers(x, y):
        ...     return x + y
        >>> add(1, 2)
        3

    Follows: mindspore.ops.MultitypeFuncGraph (2.10).
    """

    def __init__(self, name: str, read_value: bool = False) -> None:
        instance(name, "name", "MultitypeFuncGraph", str)
        self.name = name
        self.read_value = read_value
        self.entries: list[tuple[tuple[Type, ...], Function]] = []
        self._found: dict[tuple[type, ...], Function] = {}

    def register(self, *type_names: str | Type) -> Callable[[Function], Function]:
        """Decorate the body for these types, given as MindSpore types or their names.

        Args:
            type_names: e.g. "Tensor", "Number", "Bool", "Tuple", "Function", "TypeType", mindspore.int64.

        Raises:
            TypeError: a type is neither a name nor a MindSpore type.
            RuntimeError: there is no type of that name.

        Follows: mindspore.ops.MultitypeFuncGraph.register (2.10).
        """
        types = tuple(map(_type_named, type_names))

        def keep(fn: Function) -> Function:
            self.entries.append((types, fn))
            self._found.clear()
            return fn

        return keep

    def __call__(self, *args: Any) -> Any:
        """Call the first registered body whose types fit, or with a Tensor for a number or a number for a Tensor would.

        Raises:
            ValueError: none fits.
        """
        key = tuple(map(type, args))
        body = self._found.get(key)
        if body is None:
            body = self._found[key] = self._body_for(args)
        return body(*args)

    def _body_for(self, args: tuple) -> Function:
        for fits in (_is_of_type, _stands_for):  # what an optimizer holds as a Tensor was a number before MindSpore 1.7
            for types, fn in self.entries:
                if len(types) == len(args) and all(map(fits, args, types)):
                    return fn
        given = ", ".join(type(value).__name__ for value in args)
        known = "; ".join(", ".join(map(str, types)) for types, _ in self.entries)
        raise ValueError(
            f"For 'MultitypeFuncGraph', cannot find fn match given args: {self.name!r} was called with ({given}), "
            f"and is registered for: {known}."
        )

    def __repr__(self) -> str:
        return f"MultitypeFuncGraph({self.name!r})"


def clip_by_global_norm(
    x: Sequence[Tensor], clip_norm: float = 1.0, use_norm: float | None = None
) -> Tensor | tuple[Tensor, ...]:
    """Scale tensors so that the norm of all their elements together is at most `clip_norm`.

    Args:
        x: a tuple or list; one Tensor returns one.
        clip_norm: positive.
        use_norm: None; MindSpore accepts no other.

    Returns:
        A tuple of Tensors of their shapes and dtypes, or one Tensor.

    Raises:
        ValueError: `clip_norm` is not positive, or `use_norm` is given.

    Follows: mindspore.ops.clip_by_global_norm (2.10).
    """
    if clip_norm <= 0:
        raise ValueError(f"For 'clip_by_global_norm', the argument 'clip_norm' must > 0.0, but got {clip_norm}.")
    if isinstance(x, Tensor):
        return clip_by_global_norm((x,), clip_norm, use_norm)[0]
    if use_norm is not None:
        raise ValueError(f"For 'clip_by_global_norm', use_norm must be None, got {use_norm!r}.")
    try:
        datas = [tensor._data for tensor in x]
        wide = [data.float() if data.dtype in _HALF else data for data in datas]
        if any(data.requires_grad for data in wide):  # torch's foreach kernels fail in the backward pass (2.13)
            norm = torch.stack([torch.linalg.vector_norm(data) for data in wide]).norm()
            scaled = tuple(data * (clip_norm / norm.clamp(min=clip_norm)) for data in wide)
        else:
            norm = torch.linalg.vector_norm(torch.stack(torch_private.foreach_norm(wide)))
            scaled = torch_private.foreach_mul(wide, clip_norm / norm.clamp(min=clip_norm))
        return tuple(wrap(result.to(data.dtype)) for result, data in zip(scaled, datas, strict=True))
    except Exception as error:
        raise explain(error, "clip_by_global_norm", tensors=x, clip_norm=clip_norm) from error


def add_flags(fn: Function | None = None, **flags: Any) -> Any:
    """Mark a function or Cell with compiler flags, directly or as a decorator; here they are kept and have no effect.

    Args:
        fn: the function or Cell; None makes a decorator.
        flags: what is kept, by name.

    Returns:
        The function or Cell itself, or a decorator.

    Follows: mindspore.ops.add_flags (2.10).
    """

    def mark(target: Function) -> Function:
        if hasattr(target, "add_flags"):
            target.add_flags(**flags)
        else:
            target._func_graph_flags = {**getattr(target, "_func_graph_flags", {}), **flags}  # type: ignore[attr-defined]
        return target

    return mark if fn is None else mark(fn)


def core(fn: Function | None = None, **flags: Any) -> Any:
    """Mark a function as part of the core, as `add_flags(core=True)`.

    Follows: mindspore.ops.core (2.2).
    """
    return add_flags(fn, core=True, **flags)


def mixed_precision_cast(dst_dtype: Type, x: Any) -> Any:
    """Cast the floating Tensors in `x`, a Tensor or nested tuples and lists of them; the rest stays.

    Args:
        dst_dtype: the floating type.
        x: lists become tuples. Dicts stay as they are, except in graphs, where what they hold is cast as well.

    Returns:
        What `x` is, with floating Tensors of `dst_dtype`; a Tensor that has it already itself.

    Follows: mindspore.ops.mixed_precision_cast (2.10).
    """
    if isinstance(x, Tensor):
        dtype = mstype.dtype_to_torch(dst_dtype)
        is_as_asked = x._data.dtype is dtype and not (isinstance(x, Parameter) and is_graph())
        return x if is_as_asked or not x._data.is_floating_point() else wrap(x._data.to(dtype))
    if isinstance(x, list | tuple):
        return tuple(mixed_precision_cast(dst_dtype, element) for element in x)
    if isinstance(x, dict) and is_graph():
        return {key: mixed_precision_cast(dst_dtype, element) for key, element in x.items()}
    return x


def hyper_add(*args: Any) -> Any:
    """Add numbers and Tensors, or nested tuples of them side by side.

    Args:
        args: two or more numbers, Tensors or tuples, nested alike.

    Returns:
        The sum, nested as they are.

    Follows: mindspore.ops.composite.hyper_add (2.10).
    """
    return _map_leaves(operator.add, args)


def augassign_add(x: Any, y: Any) -> Any:
    """Return the result of `x += y`; x stays as it is.

    Args:
        x: a number, Tensor or sequence.
        y: the other operand.

    Returns:
        A new value.

    Follows: mindspore.ops.composite.augassign_add (2.10).
    """
    return x + y


def augassign_sub(x: Any, y: Any) -> Any:
    """Return the result of `x -= y`; x stays as it is.

    Args:
        x: a number, Tensor or sequence.
        y: the other operand.

    Returns:
        A new value.

    Follows: mindspore.ops.composite.augassign_sub (2.10).
    """
    return x - y


def augassign_mul(x: Any, y: Any) -> Any:
    """Return the result of `x *= y`; x stays as it is.

    Args:
        x: a number, Tensor or sequence.
        y: the other operand.

    Returns:
        A new value.

    Follows: mindspore.ops.composite.augassign_mul (2.10).
    """
    return x * y


def augassign_div(x: Any, y: Any) -> Any:
    """Return the result of `x /= y`; x stays as it is.

    Args:
        x: a number, Tensor or sequence.
        y: the other operand.

    Returns:
        A new value.

    Follows: mindspore.ops.composite.augassign_div (2.10).
    """
    return x / y


def augassign_floordiv(x: Any, y: Any) -> Any:
    """Return the result of `x //= y`; x stays as it is.

    Args:
        x: a number, Tensor or sequence.
        y: the other operand.

    Returns:
        A new value.

    Follows: mindspore.ops.composite.augassign_floordiv (2.10).
    """
    return x // y


def augassign_mod(x: Any, y: Any) -> Any:
    """Return the result of `x %= y`; x stays as it is.

    Args:
        x: a number, Tensor or sequence.
        y: the other operand.

    Returns:
        A new value.

    Follows: mindspore.ops.composite.augassign_mod (2.10).
    """
    return x % y


def _map_leaves(function: Function, args: Sequence[Any]) -> Any:
    first = args[0]
    if not isinstance(first, list | tuple):
        return function(*args)
    return tuple(_map_leaves(function, leaves) for leaves in zip(*args, strict=False))


def _type_named(name: str | Type) -> Type:
    if isinstance(name, Type):
        return name
    if not isinstance(name, str):
        raise TypeError(
            f"For 'MultitypeFuncGraph', register takes names of types or MindSpore types, got {name!r} "
            f"of type {type(name).__name__}."
        )
    found = mstype.FROM_NAME.get(_NAMES.get(name, name))
    if found is None:
        raise RuntimeError(f"For 'MultitypeFuncGraph', there is no type named {name!r}.")
    return found


def _is_of_type(value: Any, wanted: Type) -> bool:
    if isinstance(value, Tensor):
        return wanted is mstype.tensor_type
    if isinstance(value, Type | type):
        return wanted is mstype.type_type
    if isinstance(value, bool | int | float | complex):
        own = mstype.pytype_to_dtype(type(value))
        return wanted == own or wanted is mstype.number or wanted is _ABSTRACT.get(type(value))
    for kind, dtype in _CONTAINERS:
        if isinstance(value, kind):
            return wanted == dtype
    return callable(value) and wanted is mstype.function


def _stands_for(value: Any, wanted: Type) -> bool:
    if wanted is mstype.number and isinstance(value, Tensor):
        return True
    is_number = isinstance(value, int | float) and wanted is mstype.tensor_type
    return is_number or _is_of_type(value, wanted)


_HALF = (torch.float16, torch.bfloat16)
_NAMES = {"Function": "Func"}
_ABSTRACT = {int: mstype.int_, float: mstype.float_}
_CONTAINERS = (
    (tuple, mstype.tuple_),
    (list, mstype.list_),
    (str, mstype.string),
    (type(None), mstype.type_none),
    (RowTensorInner, mstype.index_slices),
)

SAME = (
    same(grad, "GradOperation get_grad grad value_and_grad")
    | same(taylor, "derivative jet")
    | same(jacobians, "jacfwd jacrev jvp linearize vjp")
    | same(vmap, "vmap")
)
