"""Python's forms as MindSpore's compiler computes them, at once: branches, iteration, questions about values."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msbridge.contrib.ops.internal import language
from msbridge.core.checks.arguments import instance
from msbridge.core.errors.explain import explaining
from msbridge.core.parameter.parameter import Parameter
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.ops.framework.creation.functions import zeros_like
from msbridge.ops.primitive.primitive import Primitive


def hastype(x: Any, t: Type) -> bool:
    """Whether a value is of a type: a number of that width or kind, a Tensor, a tuple or a list.

    Args:
        x: the value; a float counts as a Float32.
        t: e.g. mindspore.number, mindspore.int64, mindspore.tensor_type, mindspore.tuple_.

    Returns:
        True or False.

    Raises:
        RuntimeError: `t` is the type of texts or of None.
        TypeError: `t` is not a type.

    Follows: mindspore.ops.hastype (2.10).
    """
    if t in (mstype.string, mstype.type_none):
        raise RuntimeError(f"For 'hastype', t must be a type of numbers, Tensors, tuples or lists, got {t!r}.")
    return language._is_instance(x, t)


def switch(condition: bool | Tensor, true_branch: Any, false_branch: Any) -> Any:
    """Return one of two values or functions by a condition.

    Args:
        condition: a bool, or a Tensor of one element.
        true_branch: what is returned where it is true.
        false_branch: what is returned where it is not.

    Returns:
        One of the two, itself.

    Raises:
        TypeError: `condition` is neither a bool nor a Tensor.

    Follows: mindspore.ops.switch (2.10).
    """
    return true_branch if instance(condition, "condition", "switch", (bool, Tensor)) else false_branch


def switch_layer(index: Tensor, layers: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """Return the layer at a position.

    Args:
        index: 0-d, an integer; counts from behind where it is negative.
        layers: a tuple or list of Cells or functions.

    Returns:
        The Cell or function itself.

    Raises:
        TypeError: `index` is not a Tensor.
        IndexError: there is no layer there.

    Follows: mindspore.ops.switch_layer (2.10).
    """
    return layers[int(instance(index, "index", "switch_layer", Tensor))]


def is_tensor_bool_cond(x: Tensor) -> bool:
    """Return True of a Tensor that can be a condition, of one element.

    Args:
        x: a Tensor of one element.

    Returns:
        True.

    Raises:
        TypeError: `x` is not a Tensor.
        ValueError: it has another shape than () and (1,).

    Follows: mindspore.ops.is_tensor_bool_cond (2.10).
    """
    if instance(x, "x", "is_tensor_bool_cond", Tensor).shape not in ((), (1,)):
        raise ValueError(f"A condition must be a Tensor of shape () or (1,), got one of shape {x.shape}.")
    return True


def is_dynamic_sequence_element_unknown(x: Sequence[Any]) -> bool:
    """Return whether the elements of a sequence are known: they always are, here.

    Args:
        x: a tuple or list that `mutable` made, with `dynamic_len=True`.

    Returns:
        True where the sequence is empty, else False.

    Raises:
        TypeError: it is another one.

    Follows: mindspore.ops.is_dynamic_sequence_element_unknown (2.10).
    """
    if not getattr(x, "__ms_dynamic_len__", False):
        raise TypeError("For 'is_dynamic_sequence_element_unknown', x must be mutable(..., dynamic_len=True).")
    return not x


def iter_converter(x: Any) -> Any:
    """Return the iterable of a loop over a value: the keys of a dict, other sequences and Tensors themselves.

    Args:
        x: a tuple, list, dict, string or Tensor.

    Returns:
        The value itself; of a dict, a tuple.

    Raises:
        TypeError: `x` cannot be gone through.

    Follows: mindspore.ops.composite.iter_converter (2.10), as graph mode has it.
    """
    if isinstance(x, dict):
        return tuple(x)
    if not isinstance(x, Tensor | tuple | list | str):
        raise TypeError(f"{type(x).__name__!r} object is not iterable")
    return x


def ms_hasnext(x: Any) -> bool:
    """Whether there is a first element.

    Args:
        x: a sequence or Tensor.

    Returns:
        True or False.

    Follows: mindspore.ops.composite.ms_hasnext (2.10), as graph mode has it.
    """
    return len(x) > 0


def ms_next(x: Any) -> tuple[Any, Any]:
    """Return the first element, and the rest as a sequence or Tensor of the same kind.

    Args:
        x: a sequence or Tensor, not empty.

    Returns:
        A pair.

    Follows: mindspore.ops.composite.ms_next (2.10), as graph mode has it.
    """
    return x[0], x[1:]


def array_to_scalar(x: Tensor) -> bool | int | float | complex:
    """Return the value of a 0-d Tensor as a number of Python.

    Args:
        x: 0-d.

    Returns:
        A number.

    Raises:
        TypeError: `x` is not a Tensor.
        RuntimeError: it has axes.

    Follows: mindspore.ops.array_to_scalar (2.10), which has no kernel on the CPU.
    """
    if instance(x, "x", "array_to_scalar", Tensor).shape:
        raise RuntimeError(f"For 'array_to_scalar', x must be 0-d, got shape {x.shape}.")
    return x.item()  # type: ignore[no-any-return]


class Key:
    """The key of a value in an environment: the value itself, distinguished by its place in memory.

    Args:
        value: a Parameter or Tensor.
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and other.value is self.value


Environment = Mapping[Key, Any]


def embed(x: Any) -> Key:
    """Return the key of a value in an environment.

    Args:
        x: anything.

    Returns:
        A key.

    Follows: mindspore.ops.embed (2.10), a step of MindSpore's compiler.
    """
    return Key(x)


def ref_to_embed(parameter: Parameter) -> Key:
    """Return the key of a Parameter in an environment.

    Args:
        parameter: a Parameter.

    Returns:
        A key.

    Raises:
        TypeError: it is not one.

    Follows: mindspore.ops.ref_to_embed (2.10), a step of MindSpore's compiler.
    """
    return Key(instance(parameter, "parameter", "ref_to_embed", Parameter))


def environ_create() -> Environment:
    """Return an environment, in which MindSpore's compiler gathers the gradients of weights, without anything in it.

    Returns:
        An environment.

    Follows: mindspore.ops.environ_create (2.10), a step of MindSpore's compiler.
    """
    return {}


def environ_set(env: Environment, key: Key, value: Any) -> Environment:
    """Return an environment with one value more; `env` stays as it is.

    Args:
        env: an environment.
        key: what `embed` returned.
        value: anything.

    Returns:
        An environment.

    Follows: mindspore.ops.environ_set (2.10), a step of MindSpore's compiler.
    """
    return {**env, key: value}


@explaining
def environ_get(env: Environment, key: Key, default: Any) -> Any:
    """Return the value under a key, or `default`.

    Args:
        env: an environment.
        key: what `embed` returned.
        default: anything.

    Returns:
        The value.

    Follows: mindspore.ops.environ_get (2.10), a step of MindSpore's compiler.
    """
    return env.get(key, default)


@explaining
def environ_add(first: Environment, two: Environment) -> Environment:
    """Return an environment with what is in either; what is in both is added.

    Args:
        first: an environment.
        two: another one.

    Returns:
        An environment.

    Follows: mindspore.ops.environ_add (2.10), a step of MindSpore's compiler.
    """
    both = {key: first[key] + two[key] for key in first.keys() & two.keys()}
    return {**first, **two, **both}


def env_get(env: Environment, parameter: Parameter) -> Any:
    """Return the value under a Parameter, or zeros of its shape and dtype.

    Args:
        env: an environment.
        parameter: a Parameter.

    Returns:
        The value; a Tensor of zeros without one.

    Follows: mindspore.ops.composite.env_get (2.10).
    """
    return environ_get(env, ref_to_embed(parameter), zeros_like(parameter))


def add_attr(fn: Callable[..., Any], **kwargs: Any) -> Callable[..., Any]:
    """Return a function that calls `fn`, with attributes for MindSpore's compiler.

    Args:
        fn: a function or Cell.
        kwargs: the attributes.

    Returns:
        A function.

    Raises:
        TypeError: `fn` cannot be called, or is a primitive.

    Follows: mindspore.ops.function.other_func._add_attr (2.10).
    """
    if not callable(fn) or isinstance(fn, Primitive):
        raise TypeError(f"For '_add_attr', fn must be a function or Cell, got {type(fn).__name__}.")

    @functools.wraps(fn, updated=())
    def call(*args: Any, **keywords: Any) -> Any:
        return fn(*args, **keywords)

    call._attributes = kwargs  # type: ignore[attr-defined]
    return call


SliceGetItem = language._BY_NAME["SliceGetItem"]()
