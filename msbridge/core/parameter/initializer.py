"""Initializers: what fills a parameter before training.

An Initializer fills a float32 ndarray in place, so that scripts can define their own by `_initialize(arr)`.
"""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import torch

from msbridge.core.checks.arguments import above, instance, one_of
from msbridge.core.checks.suggestions import did_you_mean
from msbridge.core.parameter.fans import fans, gain_of
from msbridge.core.random.generators import graph_seeds
from msbridge.core.random.seeds import get_seed
from msbridge.core.releases.rows import Default
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype

_INITIALIZER_ALIAS: dict[str, type["Initializer"]] = {}
_BOUNDS = Default("initializer.TruncatedNormal", "absolute")


class Initializer:
    """Base of the initializers; a subclass fills the array it is given in `_initialize`.

    Follows: mindspore.common.initializer.Initializer (2.10).
    """

    _seed: int | None = None

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs

    @property
    def seed(self) -> tuple[int, int]:
        """Two seeds for a subclass that draws by itself: those of the script's seed, or what was set."""
        return graph_seeds(get_seed(), "init") if self._seed is None else (self._seed + 1, 0)

    @seed.setter
    def seed(self, value: int | None) -> None:
        self._seed = value

    def _initialize(self, arr: np.ndarray) -> None:
        raise NotImplementedError(
            f"{type(self).__name__} must define _initialize(self, arr), which fills arr in place."
        )

    def __call__(self, arr: np.ndarray) -> None:
        self._initialize(arr)


Class = TypeVar("Class", bound=type[Initializer])


def _register(*aliases: str) -> Callable[[Class], Class]:
    def register(cls: Class) -> Class:
        for alias in (cls.__name__.lower(), *aliases):
            _INITIALIZER_ALIAS[alias] = cls
        return cls

    return register


@_register("zeros")
class Zero(Initializer):
    """Fill with zeros."""

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = 0


@_register("ones")
class One(Initializer):
    """Fill with ones."""

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = 1


class Constant(Initializer):
    """Fill with one number.

    Args:
        value: the number, or an array of the shape to fill.
    """

    def __init__(self, value: float) -> None:
        super().__init__(value=value)
        self.value = value

    def _initialize(self, arr: np.ndarray) -> None:
        arr[...] = self.value


@_register()
class Identity(Initializer):
    """Fill a matrix with ones on its diagonal, zeros elsewhere.

    Raises:
        ValueError: the array has not two axes.
    """

    def _initialize(self, arr: np.ndarray) -> None:
        if arr.ndim != 2:
            raise ValueError(f"For 'Identity', the shape must have 2 axes, got {arr.shape}.")
        arr[...] = np.eye(*arr.shape)


@_register()
class Normal(Initializer):
    """Draw from N(mean, sigma²).

    Args:
        sigma: standard deviation.
        mean: mean.

    Follows: mindspore.common.initializer.Normal (2.10).
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0) -> None:
        super().__init__(sigma=sigma, mean=mean)
        self.sigma = sigma
        self.mean = mean

    def _initialize(self, arr: np.ndarray) -> None:
        _as_torch(arr).normal_(self.mean, self.sigma)


@_register()
class Uniform(Initializer):
    """Draw evenly from [-scale, scale).

    Args:
        scale: half the width of the interval.

    Follows: mindspore.common.initializer.Uniform (2.10).
    """

    def __init__(self, scale: float = 0.07) -> None:
        super().__init__(scale=scale)
        self.scale = scale

    def _initialize(self, arr: np.ndarray) -> None:
        _as_torch(arr).uniform_(-self.scale, self.scale)


@_register()
class TruncatedNormal(Initializer):
    """Draw from N(mean, sigma²), cut at `a` and `b`.

    Args:
        sigma: standard deviation.
        mean: mean.
        a: lower bound. Before release 2.2 the cut was at two standard deviations, and is so for those releases.
        b: upper bound.

    Examples:
        >>> weight = initializer(TruncatedNormal(1.0, a=-0.5, b=0.5), (3, 4), ms.float32)
        >>> bool(abs(weight.asnumpy()).max() <= 0.5)
        True

    Follows: mindspore.common.initializer.TruncatedNormal (2.10).
    """

    def __init__(self, sigma: float = 0.01, mean: float = 0.0, a: float = -2.0, b: float = 2.0) -> None:
        super().__init__(sigma=sigma, mean=mean, a=a, b=b)
        self.sigma = sigma
        self.mean = mean
        scaled = _BOUNDS.value == "sigma"
        self.a = mean + a * sigma if scaled else a
        self.b = mean + b * sigma if scaled else b

    def _initialize(self, arr: np.ndarray) -> None:
        torch.nn.init.trunc_normal_(_as_torch(arr), self.mean, self.sigma, self.a, self.b)


@_register("xavier_uniform")
class XavierUniform(Initializer):
    """Draw evenly from ±gain·√(6 / (fan_in + fan_out)).

    Args:
        gain: the factor.

    Follows: mindspore.common.initializer.XavierUniform (2.10).
    """

    def __init__(self, gain: float = 1) -> None:
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr: np.ndarray) -> None:
        fan_in, fan_out = fans(arr.shape)
        bound = self.gain * math.sqrt(6.0 / (fan_in + fan_out))
        _as_torch(arr).uniform_(-bound, bound)


@_register("xavier_normal")
class XavierNormal(Initializer):
    """Draw from N(0, gain²·2 / (fan_in + fan_out)).

    Args:
        gain: the factor.

    Follows: mindspore.common.initializer.XavierNormal (2.10).
    """

    def __init__(self, gain: float = 1) -> None:
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr: np.ndarray) -> None:
        fan_in, fan_out = fans(arr.shape)
        _as_torch(arr).normal_(0, self.gain * math.sqrt(2.0 / (fan_in + fan_out)))


class _He(Initializer):
    """The He initializers: scale by the gain of a nonlinearity over the root of a fan."""

    def __init__(self, negative_slope: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> None:
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        self.negative_slope = negative_slope
        self.mode = mode
        self.nonlinearity = nonlinearity

    def _deviation(self, shape: tuple[int, ...]) -> float:
        one_of(self.mode, "mode", type(self).__name__, ("fan_in", "fan_out"))
        fan = fans(shape)[self.mode == "fan_out"]
        return gain_of(self.nonlinearity, self.negative_slope) / math.sqrt(fan)


@_register("he_uniform")
class HeUniform(_He):
    """Draw evenly from ±gain·√(3 / fan).

    Args:
        negative_slope: of the leaky ReLU that follows.
        mode: "fan_in" or "fan_out".
        nonlinearity: what follows: "relu", "leaky_relu", "tanh", "sigmoid", "linear" or "conv…".

    Follows: mindspore.common.initializer.HeUniform (2.10).
    """

    def _initialize(self, arr: np.ndarray) -> None:
        bound = math.sqrt(3.0) * self._deviation(arr.shape)
        _as_torch(arr).uniform_(-bound, bound)


@_register("he_normal")
class HeNormal(_He):
    """Draw from N(0, gain² / fan).

    Args:
        negative_slope: of the leaky ReLU that follows.
        mode: "fan_in" or "fan_out".
        nonlinearity: what follows: "relu", "leaky_relu", "tanh", "sigmoid", "linear" or "conv…".

    Follows: mindspore.common.initializer.HeNormal (2.10).
    """

    def _initialize(self, arr: np.ndarray) -> None:
        _as_torch(arr).normal_(0, self._deviation(arr.shape))


@_register()
class Orthogonal(Initializer):
    """Fill with a (semi-)orthogonal matrix times `gain`; axes after the first are taken together.

    Args:
        gain: the factor.

    Raises:
        ValueError: the array has fewer than two axes.

    Follows: mindspore.common.initializer.Orthogonal (2.10).
    """

    def __init__(self, gain: float = 1.0) -> None:
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr: np.ndarray) -> None:
        if arr.ndim < 2:
            raise ValueError(f"For 'Orthogonal', the shape must have at least 2 axes, got {arr.shape}.")
        torch.nn.init.orthogonal_(_as_torch(arr), self.gain)


@_register()
class Sparse(Initializer):
    """Draw a matrix from N(0, sigma²), with the share `sparsity` of every column set to zero.

    Args:
        sparsity: in [0, 1].
        sigma: standard deviation.

    Raises:
        ValueError: the array has not two axes.

    Follows: mindspore.common.initializer.Sparse (2.10).
    """

    def __init__(self, sparsity: float, sigma: float = 0.01) -> None:
        super().__init__(sparsity=sparsity, sigma=sigma)
        self.sparsity = sparsity
        self.sigma = sigma

    def _initialize(self, arr: np.ndarray) -> None:
        if arr.ndim != 2:
            raise ValueError(f"For 'Sparse', the shape must have 2 axes, got {arr.shape}.")
        torch.nn.init.sparse_(_as_torch(arr), self.sparsity, self.sigma)


@_register()
class Dirac(Initializer):
    """Fill a convolution's weight so that it passes its input on, in `groups` groups.

    Args:
        groups: how many groups of channels, a divisor of the first axis.

    Raises:
        ValueError: the array has not 3 to 5 axes, or its first axis does not divide by `groups`.

    Follows: mindspore.common.initializer.Dirac (2.10).
    """

    def __init__(self, groups: int = 1) -> None:
        super().__init__(groups=groups)
        self.groups = groups

    def _initialize(self, arr: np.ndarray) -> None:
        if arr.ndim not in (3, 4, 5) or arr.shape[0] % self.groups:
            raise ValueError(
                f"For 'Dirac', the shape must have 3 to 5 axes, the first divisible by {self.groups}, got {arr.shape}."
            )
        torch.nn.init.dirac_(_as_torch(arr), self.groups)


@_register("variance_scaling")
class VarianceScaling(Initializer):
    """Draw with variance scale / fan.

    Args:
        scale: numerator of the variance.
        mode: "fan_in", "fan_out" or "fan_avg".
        distribution: "uniform" or "untruncated_normal"; "truncated_normal" draws uniformly, as there.

    Raises:
        ValueError: an argument is out of its range.

    Follows: mindspore.common.initializer.VarianceScaling (2.10).
    """

    def __init__(self, scale: float = 1.0, mode: str = "fan_in", distribution: str = "truncated_normal") -> None:
        super().__init__(scale=scale, mode=mode, distribution=distribution)
        above(scale, "scale", "VarianceScaling")
        one_of(mode, "mode", "VarianceScaling", ("fan_in", "fan_out", "fan_avg"))
        one_of(distribution, "distribution", "VarianceScaling", ("uniform", "truncated_normal", "untruncated_normal"))
        self.scale = scale
        self.mode = mode
        self.distribution = distribution

    def _initialize(self, arr: np.ndarray) -> None:
        fan_in, fan_out = fans(arr.shape)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        variance = self.scale / max(1.0, fan)
        data = _as_torch(arr)
        if self.distribution != "untruncated_normal":  # "truncated_normal", too, in every release
            bound = math.sqrt(3.0 * variance)
            data.uniform_(-bound, bound)
        else:
            data.normal_(0, math.sqrt(variance))


def initializer(
    init: Tensor | str | Initializer | float, shape: Any = None, dtype: mstype.Type = mstype.float32
) -> Tensor:
    """Return a Tensor that `init` fills.

    Args:
        init: an Initializer, the name of one ("normal", "xavier_uniform", …), a number, or a Tensor of `shape`.
        shape: an int, or a tuple or list of ints.
        dtype: of the Tensor; one that is given as `init` keeps its own.

    Returns:
        A Tensor of `shape` and `dtype`.

    Raises:
        AttributeError: there is no shape.
        TypeError: `init` is of another type.
        ValueError: unknown name, a bad shape, or a Tensor of another shape. That `init` cannot fill the shape is said
            by `init_data`, and where a Parameter is made of it.

    Examples:
        >>> initializer("ones", (2, 3)).asnumpy().sum()
        np.float32(6.0)

    Follows: mindspore.common.initializer.initializer (2.10).
    """
    instance(init, "init", "initializer", (Tensor, str, Initializer, int, float, bool))
    if isinstance(init, Tensor):
        wanted = None if shape is None else _shape(shape)
        if wanted is not None and init.shape != wanted:
            raise ValueError(
                "For 'initializer', the shape of the 'init' argument should be same as the argument 'shape', "
                f"but got the 'init' shape {list(init.shape)} and the 'shape' {list(wanted)}."
            )
        return init
    if isinstance(init, str):
        init = _initializer_of_name(init)()
    elif isinstance(init, int | float):
        init = Constant(init)
    if shape is None:
        raise AttributeError(f"For 'initializer', {type(init).__name__} has no shape: give one.")
    try:
        return Tensor(shape=_shape(shape), dtype=dtype, init=init)
    except ValueError:
        if not all(size > 0 for size in _shape(shape)):
            raise
        unfilled = Tensor(shape=_shape(shape), dtype=dtype, init=type(init).__name__)
        unfilled.init = init  # which says what is wrong when the values are asked for
        return unfilled


def _initializer_of_name(name: str) -> type[Initializer]:
    if name.lower() not in _INITIALIZER_ALIAS:
        raise ValueError(
            f"For 'initializer', the class corresponding to '{name}' was not found."
            f"{did_you_mean(name, _INITIALIZER_ALIAS)} The names are: {', '.join(sorted(_INITIALIZER_ALIAS))}."
        )
    return _INITIALIZER_ALIAS[name.lower()]


def _shape(shape: Any) -> tuple[int, ...]:
    if isinstance(shape, Tensor):
        shape = shape.tolist()
    sizes = tuple(shape) if isinstance(shape, tuple | list) else (shape,)
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1:
            raise ValueError(f"For 'initializer', the shape must consist of ints > 0, got {shape!r}.")
    return tuple(int(size) for size in sizes)


def _as_torch(arr: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(arr)
