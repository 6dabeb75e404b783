"""Names that scripts import from MindSpore's private modules, on what msbridge has for them."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np
import torch

from msbridge.core.context.context import (
    get_auto_parallel_context,
    is_set,
    reset_auto_parallel_context,
    set_auto_parallel_context,
)
from msbridge.core.context.settings import AUTO_PARALLEL_KEYS
from msbridge.core.parameter.fans import fans, gain_of
from msbridge.core.tensor.tensor import Tensor

Initialiser = TypeVar("Initialiser", bound=Callable[..., None])


def cell_attr_register(
    fn: Initialiser | None = None, attrs: str | list[str] | None = None
) -> Initialiser | Callable[[Initialiser], Initialiser]:
    """Return a Cell's `__init__` unchanged: MindSpore distinguished equal Cells by the arguments it recorded here.

    Args:
        fn: the `__init__` that is decorated; None when arguments are given first.
        attrs: which arguments MindSpore recorded.

    Returns:
        `fn`, or a decorator that returns its argument.

    Follows: mindspore._extends.cell_attr_register (1.0).
    """
    return (lambda inner: inner) if fn is None else fn


def opt_init_args_register(fn: Initialiser) -> Initialiser:
    """Return an optimizer's `__init__` behind `(self, *args, **kwargs)`, as scripts that ask for its arguments find it.

    The arguments themselves are kept for every optimizer, and `init_args` names them by the signature of `fn`.

    Follows: mindspore.nn.optim.optimizer.opt_init_args_register (2.10).
    """

    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        fn(self, *args, **kwargs)

    init.registered = fn  # type: ignore[attr-defined]
    return cast(Initialiser, init)


def assignment(arr: np.ndarray, num: np.ndarray | float) -> np.ndarray:
    """Fill `arr` with `num`, and return it: what an Initializer's `_initialize` of a script calls.

    Follows: mindspore.common.initializer._assignment (1.10).
    """
    arr[...] = num
    return arr


def init_random_normal(mean: float, sigma: float, shape: Sequence[int]) -> np.ndarray:
    """Return float32 draws from N(mean, sigma²).

    Follows: mindspore.common.initializer._init_random_normal (2.10).
    """
    return torch.empty(tuple(shape)).normal_(mean, sigma).numpy()


def random_normal(shape: Sequence[int], seed: int, seed2: int, output: Tensor) -> bool:
    """Fill a Tensor in place with draws from N(0, 1), as Initializers of scripts call it; seeds of 0 are none.

    Follows: mindspore.common.initializer.random_normal (1.3).
    """
    generator = torch.Generator()
    if seed or seed2:
        generator.manual_seed((seed ^ (seed2 << 32)) % 2**63)
    else:
        generator.seed()
    output._data.copy_(torch.empty(tuple(shape)).normal_(generator=generator))
    return True


def init_random_uniform(a: float, b: float, shape: Sequence[int]) -> np.ndarray:
    """Return float32 draws from [a, b).

    Follows: mindspore.common.initializer._init_random_uniform (2.10).
    """
    return torch.empty(tuple(shape)).uniform_(a, b).numpy()


def init_truncated_normal(a: float, b: float, mean: float, sigma: float, shape: Sequence[int]) -> np.ndarray:
    """Return float32 draws from N(mean, sigma²) that lie in [a, b].

    Follows: mindspore.common.initializer._init_truncated_normal (2.10).
    """
    return torch.nn.init.trunc_normal_(torch.empty(tuple(shape)), mean, sigma, a, b).numpy()


def calculate_fan_in_and_fan_out(shape: Sequence[int]) -> tuple[int, int]:
    """Return (fan_in, fan_out) of a weight laid out (out, in, …).

    Raises:
        ValueError: the shape has fewer than two axes.

    Follows: mindspore.common.initializer._calculate_fan_in_and_fan_out (2.10).
    """
    fan_in, fan_out = fans(tuple(shape))
    return int(fan_in), int(fan_out)


def calculate_correct_fan(shape: Sequence[int], mode: str) -> int:
    """Return the fan that `mode` names.

    Raises:
        ValueError: `mode` is not "fan_in" or "fan_out".

    Follows: mindspore.common.initializer._calculate_correct_fan (2.10).
    """
    if mode.lower() not in ("fan_in", "fan_out"):
        raise ValueError(f"mode must be 'fan_in' or 'fan_out', got {mode!r}.")
    return calculate_fan_in_and_fan_out(shape)[mode.lower() == "fan_out"]


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Return the gain of a nonlinearity; `param` is the slope of "leaky_relu", 0.01 if it is not given.

    Raises:
        ValueError: an unknown nonlinearity.

    Follows: mindspore.common.initializer._calculate_gain (2.10).
    """
    return gain_of(nonlinearity, 0.01 if param is None else param)


def auto_parallel_context() -> "AutoParallelContext":
    """Return the parallel settings of the process as an object.

    Follows: mindspore.parallel._auto_parallel_context.auto_parallel_context (2.10).
    """
    return AutoParallelContext()


class AutoParallelContext:
    """The settings of `set_auto_parallel_context`, one method each; it holds nothing itself."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        verb, _, key = name.partition("_")
        if verb == "get" and key in AUTO_PARALLEL_KEYS:
            return lambda: get_auto_parallel_context(key)
        if verb == "get" and (of := key.removesuffix("_is_set")) in AUTO_PARALLEL_KEYS:
            return lambda: is_set(of)
        if verb == "set" and key in AUTO_PARALLEL_KEYS:
            return lambda value: set_auto_parallel_context(**{key: value})
        raise AttributeError(f"'{type(self).__name__}' object has no attribute {name!r}")

    def set_all_reduce_fusion_split_indices(self, indices: Sequence[int], group: str = "") -> None:
        """Set after which parameters a bucket of gradients ends, for every group."""
        set_auto_parallel_context(all_reduce_fusion_config=list(indices))

    def get_all_reduce_fusion_split_indices(self) -> list[int]:
        """Return the ends of the buckets."""
        return list(get_auto_parallel_context("all_reduce_fusion_config"))

    def set_device_num(self, device_num: int) -> None:
        """Set the number of devices."""
        set_auto_parallel_context(device_num=device_num)

    def get_device_num(self) -> int:
        """Return the number of devices."""
        return int(get_auto_parallel_context("device_num"))

    def set_gradients_mean(self, gradients_mean: bool) -> None:
        """Set whether gradients are averaged over the devices, not added."""
        set_auto_parallel_context(gradients_mean=gradients_mean)

    def get_gradients_mean(self) -> bool:
        """Whether gradients are averaged."""
        return bool(get_auto_parallel_context("gradients_mean"))

    def set_loss_repeated_mean(self, loss_repeated_mean: bool) -> None:
        """Set whether a loss that every device computes is averaged."""
        set_auto_parallel_context(loss_repeated_mean=loss_repeated_mean)

    def set_parallel_mode(self, parallel_mode: str) -> None:
        """Set the parallel mode."""
        set_auto_parallel_context(parallel_mode=parallel_mode)

    def get_parallel_mode(self) -> str:
        """Return the parallel mode."""
        return str(get_auto_parallel_context("parallel_mode"))

    def get_pipeline_stages(self) -> int:
        """Return the number of pipeline stages."""
        return int(get_auto_parallel_context("pipeline_stages"))

    def reset(self) -> None:
        """Set everything back to its default."""
        reset_auto_parallel_context()
