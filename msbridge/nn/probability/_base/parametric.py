"""The base of distributions of known parameters: keeping, printing and returning them, values and samples."""

from collections.abc import Callable, Mapping
from functools import partialmethod
from typing import Any, ClassVar

import numpy as np

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.probability._base.checks import a_tensor, a_tuple, continuous, positive
from msbridge.nn.probability._base.distribution import Distribution
from msbridge.ops.random.distributions.functions import uniform

__all__ = ["LocationAndScale", "MeanAndDeviation", "Parametric", "Value", "format_distribution", "open_uniform"]

Value = Tensor | np.ndarray | list[Any] | float | None
_TINY = float(np.finfo(np.float32).tiny)


def open_uniform(shape: tuple[int, ...], seed: int) -> Tensor:
    """Draw from (0, 1), so that logarithms stay finite."""
    return uniform(shape, Tensor(_TINY, mstype.float32), Tensor(1.0, mstype.float32), seed)


def format_distribution(distribution: Distribution, labels: tuple[str, ...]) -> str:
    """Return the line of a distribution in a printed Cell: its parameters where they are numbers, else their shape."""
    if not distribution.is_scalar_batch:
        return f"batch_shape = {distribution.broadcast_shape}"
    pairs = zip(labels, distribution.default_parameters, strict=True)
    return ", ".join(f"{label} = {value}" for label, value in pairs)


def _return_kind(_: Distribution, kind: str) -> str:
    return kind


class Parametric(Distribution):
    """Base of the distributions that are given by named parameters.

    Args:
        given: the parameters by name, in the order of the class's arguments.
        seed: starts the sequence that samples are drawn from.
        dtype: of the samples.
        name: of the distribution.
    """

    _labels: ClassVar[tuple[str, ...]] = ()
    _kl_loss: Callable[..., Tensor]
    _entropy: Callable[..., Tensor]
    _cross_entropy: Callable[..., Tensor]
    _get_dist_type: Callable[..., str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        if "_kl_loss" in vars(cls):
            cls._cross_entropy = Parametric._add_entropy
        if "_labels" in vars(cls):  # a distribution that is printed says its kind, which its subclasses keep
            cls._get_dist_type = partialmethod(_return_kind, cls.__name__)  # type: ignore[assignment]
        super().__init_subclass__(**kwargs)

    def __init__(self, given: Mapping[str, Any], seed: int | None, dtype: Type, name: str) -> None:
        arguments = {**given, "seed": seed, "dtype": dtype, "name": name, "param_dict": dict(given)}
        super().__init__(seed, dtype, name, arguments)

    def extend_repr(self) -> str:
        return format_distribution(self, self._labels) if self._labels else ""

    def _cast_value(self, value: Any) -> Tensor:
        """Cast the argument of a function to the dtype of samples."""
        return a_tensor(value, "value").astype(self.dtype)

    def _other_parameters(self, *given: tuple[Any, str]) -> Any:
        """Return the parameters of the other distribution of a divergence."""
        found = tuple(a_tensor(value, name).astype(self.parameter_type) for value, name in given)
        return found[0] if len(found) == 1 else found

    def _add_entropy(self, dist: str, *args: Any, **kwargs: Any) -> Tensor:
        """Return KL(a‖b) plus the entropy of a, whose parameters follow those of b or end in `_a`."""
        named = {name.removesuffix("_a"): value for name, value in kwargs.items() if not name.endswith("_b")}
        return self._kl_loss(dist, *args, **kwargs) + self._entropy(*args[len(self.parameter_names) :], **named)

    def _or_default(self, *given: Tensor | None) -> tuple[Any, ...]:
        """Return the parameters of a call, unbroadcast; those that are None as they were at construction."""
        return tuple(
            default if value is None else a_tensor(value, name)
            for value, name, default in zip(given, self.parameter_names, self.default_parameters, strict=True)
        )

    def _uniform(self, shape: Any, parameter: Tensor) -> Tensor:
        """Draw from (0, 1) what a quantile function takes to samples."""
        return open_uniform(a_tuple(shape, "shape") + parameter.shape, self.seed)


class MeanAndDeviation(Parametric):
    """Base of the distributions of a mean and a standard deviation; a class has its name as the default of `name`."""

    def __init__(
        self,
        mean: Value = None,
        sd: Value = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "",
    ) -> None:
        super().__init__({"mean": mean, "sd": sd}, seed, continuous(dtype, type(self).__name__), name)
        self._mean_value = self._add_parameter(mean, "mean")
        self._sd_value = self._add_parameter(sd, "sd")
        positive(self._sd_value, "Standard deviation")


class LocationAndScale(Parametric):
    """Base of the distributions of a location and a scale; a class has its name as the default of `name`."""

    def __init__(
        self,
        loc: Value = None,
        scale: Value = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "",
    ) -> None:
        super().__init__({"loc": loc, "scale": scale}, seed, continuous(dtype, type(self).__name__), name)
        self._loc = self._add_parameter(loc, "loc")
        self._scale = self._add_parameter(scale, "scale")
        positive(self._scale, "scale")

    def _get_dist_args(self, loc: Tensor | None = None, scale: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return self._or_default(loc, scale)
