"""MindSpore's private engine, as libraries use it through its private modules."""

import contextlib
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, NoReturn, TypeVar

import numpy as np
import torch

from msbridge import ops
from msbridge.core.context.context import get_auto_parallel_context
from msbridge.core.runtime.lazy_names import names_in
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type, dtype_to_nptype, dtype_to_torch
from msbridge.device.precision import Narrowing
from msbridge.nn.cell.cell import Cell
from msbridge.ops.primitive.primitive import Primitive
from msbridge.ops.public_names import FUNCTIONS, PRIMITIVES
from msbridge.train.amp import NARROW_PRIMITIVES, _lower
from msbridge.train.checkpoint.loading import load_prefixed

Function = TypeVar("Function", bound=Callable[..., Any])
PrimitiveType = TypeVar("PrimitiveType", bound=Primitive)

_primitives: dict[tuple[Any, ...], Primitive] = {}


def get_cache_prim(cls: type[PrimitiveType]) -> Callable[..., PrimitiveType]:
    """Return a factory of primitives of that class that caches them by their arguments.

    Follows: mindspore.ops._primitive_cache._get_cache_prim (2.10).
    """

    def make(*args: Any, **kwargs: Any) -> Any:
        key = (cls, *map(repr, args), *((name, repr(value)) for name, value in kwargs.items()))
        if key not in _primitives:
            _primitives[key] = cls(*args, **kwargs)
        return _primitives[key]

    return make


def function_forbid_reuse(func: Function) -> Function:
    """Mark a function as one whose graph MindSpore compiles for each call; it runs as it is.

    Raises:
        TypeError: `func` is not a function.

    Follows: mindspore.common.api._function_forbid_reuse (2.10).
    """
    if not inspect.isfunction(func):
        raise TypeError(f"Decorator _function_forbid_reuse can only be used for function type, but got {func}.")
    vars(func)["__function_forbid_reuse__"] = True
    return func


def swap_cache(host: Tensor, device: Tensor, block_mapping: Tensor, is_device_to_host: bool) -> None:
    """Copy blocks of a cache of keys or values from the device to the host, or back, in place.

    Args:
        host: shape (blocks, …).
        device: shape (blocks, …).
        block_mapping: shape (n, 2): the number of a block, and that to which it is copied.
        is_device_to_host: the direction.

    Follows: mindspore._c_expression.swap_cache (2.10).
    """
    source, target = (device, host) if is_device_to_host else (host, device)
    numbers = block_mapping._data
    target._data[numbers[:, 1]] = source._data[numbers[:, 0]].to(target._data.device)


def _fill_seeded(seed: int, data: np.ndarray, fill: Callable[[torch.Tensor, torch.Generator], Any]) -> None:
    fill(torch.from_numpy(data), torch.Generator().manual_seed(int(seed)))


def _random_normal(seed: int, data: np.ndarray, mean: float, sigma: float) -> None:
    """Fill a float32 array in place with draws from N(mean, sigma²); the same seed yields the same numbers.

    Follows: mindspore._c_expression._random_normal (2.10).
    """
    _fill_seeded(seed, data, lambda values, generator: values.normal_(mean, sigma, generator=generator))


def _random_uniform(seed: int, data: np.ndarray, a: float, b: float) -> None:
    """Fill a float32 array in place with draws from [a, b); the same seed yields the same numbers.

    Follows: mindspore._c_expression._random_uniform (2.10).
    """
    _fill_seeded(seed, data, lambda values, generator: values.uniform_(a, b, generator=generator))


def _truncated_normal(seed: int, data: np.ndarray, a: float, b: float, mean: float, sigma: float) -> None:
    """Fill a float32 array in place with draws from N(mean, sigma²) that lie in [a, b].

    Follows: mindspore._c_expression._truncated_normal (2.10).
    """
    within = torch.nn.init.trunc_normal_
    _fill_seeded(seed, data, lambda values, generator: within(values, mean, sigma, a, b, generator=generator))


def mstype_to_detype(type_: Type) -> str:
    """Return a dtype as pipelines name it, e.g. "int32": what MindSpore's own object prints.

    Follows: mindspore.dataset.core.datatypes.mstype_to_detype (2.10).
    """
    return str(dtype_to_nptype(type_)(0).dtype.name)


@contextlib.contextmanager
def no_init_parameters() -> Iterator[None]:
    """Construct networks without initializing their weights, which come from a checkpoint.

    MindSpore draws a parameter's first values when they are asked for, so that those which a checkpoint replaces are
    never drawn. Here they are drawn at once: the values are the same kind, only that time is not saved.

    Returns:
        A context manager.

    Follows: mindspore.nn.utils.no_init_parameters (2.10).
    """
    yield


def auto_black_list(network: Cell, black_list: Sequence[type[Cell]], dtype: Type) -> Cell:
    """Let a network compute in `dtype`, except for Cells of the classes listed, which compute in Float32; return it.

    Follows: mindspore.train.amp._auto_black_list (2.10).
    """
    _lower(network, list(black_list), dtype)
    return network


def load_dismatch_prefix_params(
    net: Cell, parameter_dict: Mapping[str, Any], param_not_load: list[str], strict_load: bool
) -> None:
    """Load the parameters that a checkpoint has under a longer name; names that are loaded leave `param_not_load`.

    Follows: mindspore.train.serialization._load_dismatch_prefix_params (2.10).
    """
    parameters = [parameter for _, parameter in net.parameters_and_names()]
    load_prefixed(parameters, dict(parameter_dict), param_not_load, strict_load)


def handle_loss(loss: Any) -> Any:
    """Return the mean of a loss as a float, and the first of several Tensors; anything else as it is.

    Follows: mindspore.train.callback._callback._handle_loss (2.10).
    """
    if isinstance(loss, list | tuple):
        return loss[0] if isinstance(loss[0], Tensor) else loss
    return float(np.mean(loss.asnumpy())) if isinstance(loss, Tensor) else loss


def is_sharding_propagation() -> bool:
    """Whether strategies are searched for by propagation.

    Follows: mindspore.parallel._utils._is_sharding_propagation (2.10).
    """
    return bool(get_auto_parallel_context("search_mode") == "sharding_propagation")


class _Executor:
    """The executor that runs operators one by one."""

    def sync(self) -> None:
        """Wait until the device has done all that it was given."""
        if torch.accelerator.is_available():
            torch.accelerator.synchronize()

    def enable_grad(self) -> bool:
        """Whether a gradient function that is running records; True outside of them."""
        return torch.is_grad_enabled()

    def set_enable_grad(self, flag: bool) -> None:
        """Set whether what runs from here on is recorded."""
        torch.set_grad_enabled(flag)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"mindspore.common.api._pynative_executor.{name} is a part of MindSpore's own engine, which is not here. "
            "Use mindspore.grad or mindspore.value_and_grad.",
            name=name,
        )


pynative_executor = _Executor()


class _Operators:
    """The operators by name, as methods of Tensor look them up in MindSpore; others may be set as attributes."""

    def get(self, obj_str: str) -> Any:
        """Return an operator.

        Raises:
            TypeError: the name is not a str.
            AttributeError: there is none.
        """
        if not isinstance(obj_str, str):
            raise TypeError(f"For 'tensor_operator_registry', the name must be a str, got {obj_str!r}.")
        return getattr(self, obj_str)

    def __getattr__(self, name: str) -> Any:
        if name not in _OPERATORS:
            raise AttributeError(f"'tensor_operator_registry' has no operator {name!r}.", name=name)
        return getattr(ops, name)


_OPERATORS = frozenset(names_in(FUNCTIONS | PRIMITIVES))
tensor_operator_registry = _Operators()


class AmpLevel(IntEnum):
    """Levels of mixed precision, in the numbers of the engine.

    Follows: mindspore._c_expression.amp.AmpLevel (2.10).
    """

    AmpO0 = 0
    AmpO1 = 1
    AmpO2 = 2
    AmpO3 = 3
    AmpAuto = 4


def create_amp_strategy(level: AmpLevel, dtype: Type, white_list: Sequence[Any], black_list: Sequence[Any]) -> NoReturn:
    """Refuse to set the precision of single operators from within the engine.

    Raises:
        NotImplementedError: always.
    """
    raise NotImplementedError(
        "mindspore._c_expression.amp.create_amp_strategy is a part of MindSpore's own engine, which is not here. "
        "Use mindspore.amp.auto_mixed_precision(network, level, dtype)."
    )


class AmpDecorator:
    """Within this block, operators compute in a narrower type and return Float32.

    Args:
        amp_level: AmpO0 narrows nothing; AmpO1 and AmpAuto the operators listed; the others all but those kept.
        amp_dtype: float16 or bfloat16.
        white_list: pairs of a primitive's name and which of its inputs, as `[("MatMul", [])]`; all inputs are meant.
        black_list: likewise, what is kept in Float32.

    Follows: mindspore.train.amp.AmpDecorator (2.10).
    """

    def __init__(
        self, amp_level: AmpLevel, amp_dtype: Type, white_list: Sequence[Any], black_list: Sequence[Any]
    ) -> None:
        self.amp_level, self.amp_dtype = amp_level, amp_dtype
        self.white_list, self.black_list = white_list, black_list
        self._within: list[Narrowing] = []

    def __enter__(self) -> None:
        listed = {name for name, *_ in self.white_list}
        kept = {name for name, *_ in self.black_list}
        by_list = self.amp_level in (AmpLevel.AmpO1, AmpLevel.AmpAuto)
        names = listed if by_list else {*NARROW_PRIMITIVES} - kept
        if self.amp_level == AmpLevel.AmpO0:
            names = set()
        found = (functions for name, functions in NARROW_PRIMITIVES.items() if name in names)
        narrowing = Narrowing(frozenset().union(*found), dtype_to_torch(self.amp_dtype))
        self._within.append(narrowing)
        narrowing.__enter__()  # type: ignore[no-untyped-call]

    def __exit__(self, *failure: Any) -> None:
        self._within.pop().__exit__(*failure)  # type: ignore[no-untyped-call]


class HookType(IntEnum):
    """The kinds of a primitive's function on gradients, in the numbers of the engine.

    Follows: mindspore._c_expression.HookType (2.10).
    """

    CustomOpBprop = 0
    CellCustomBprop = 1
    HookBackward = 2
    TensorHook = 3
    BackwardPreHook = 4
    BackwardHook = 5
