"""Bijector, an invertible function, and the distribution that one makes of another.

Each knows the other: a bijector called on a distribution returns a transformed one.
"""

import math
from collections.abc import Mapping
from typing import Any

from msbridge.core.checks.arguments import boolean, instance
from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.probability._base.checks import a_tensor, as_tensor, continuous
from msbridge.nn.probability._base.distribution import Distribution
from msbridge.ops import operations as P
from msbridge.ops.elementwise.elementwise.functions import exp, log
from msbridge.ops.shape.gather_and_select.functions import where

__all__ = ["Bijector", "TransformedDistribution"]

FUNCTIONS = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")


class Bijector(Cell):
    """Base of the invertible functions.

    A subclass defines `_forward`, `_inverse`, `_forward_log_jacobian` and `_inverse_log_jacobian`. They are called by
    method, `exp.forward(value)`, or by name, `exp("forward", value)`; called on a distribution, a bijector returns the
    TransformedDistribution.

    Args:
        is_constant_jacobian: whether the derivative is the same everywhere.
        is_injective: whether no two values are taken to the same one.
        name: of the bijector.
        dtype: of the values; None for any floating one.
        param: the arguments of the subclass; `param["param_dict"]` has the parameters by name.

    Raises:
        TypeError: an argument is of another type.

    Follows: mindspore.nn.probability.bijector.Bijector (2.10).
    """

    # Operators for the methods of subclasses, which scripts take for given.
    cast_base = P.Cast()
    dtype_base = P.DType()
    shape_base = P.Shape()
    checktensor = staticmethod(a_tensor)

    def __init__(
        self,
        is_constant_jacobian: bool = False,
        is_injective: bool = True,
        name: str | None = None,
        dtype: Type | None = None,
        param: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self._name: str = instance(name, "name", type(self).__name__, str)
        self._is_constant_jacobian = boolean(is_constant_jacobian, "is_constant_jacobian", self._name)
        self._is_injective = boolean(is_injective, "is_injective", self._name)
        self._dtype = None if dtype is None else continuous(dtype, type(self).__name__)
        given = dict(param or {})
        self._parameters = {key: value for key, value in given.items() if key not in ("self", "param")}
        self._parameters = {key: value for key, value in self._parameters.items() if not key.startswith("_")}
        self.default_parameters: list[Any] = []
        self.parameter_names: list[str] = []
        self.common_dtype: Type | None = None
        self._batch_shape = self._calc_batch_shape()
        self._is_scalar_batch = self._check_is_scalar_batch()

    name: str = read_only("_name", "The name of the bijector.")
    dtype: Type | None = read_only("_dtype", "The dtype of the values; None for any floating one.")
    parameters: dict[str, Any] = read_only("_parameters", "The arguments that the bijector was made with.")
    is_constant_jacobian: bool = read_only("_is_constant_jacobian", "Whether the derivative is the same everywhere.")
    is_injective: bool = read_only("_is_injective", "Whether no two values are taken to the same one.")
    batch_shape: tuple[int, ...] | None = read_only(
        "_batch_shape", "The shape that the parameters broadcast to; None when there are none."
    )
    is_scalar_batch: bool = read_only("_is_scalar_batch", "Whether all parameters are numbers.")

    def _calc_batch_shape(self) -> tuple[int, ...] | None:
        given = self._parameters.get("param_dict")
        if given is None or any(value is None for value in given.values()):
            return None
        total = as_tensor(0.0)
        for value in given.values():
            total = total + as_tensor(value)
        return total.shape

    def _check_is_scalar_batch(self) -> bool:
        given = self._parameters.get("param_dict")
        if given is None:
            return False
        return all(isinstance(value, int | float) for value in given.values() if value is not None)

    def _add_parameter(self, value: Any, name: str) -> Tensor:
        """Keep a parameter and return it as a Tensor.

        Raises:
            TypeError: it is a bool or None, or its dtype is not floating or not that of the others.
        """
        if isinstance(value, bool) or value is None:
            raise TypeError(f"{name} cannot be type {type(value)}")
        tensor = Tensor(value)
        if self._dtype is not None:
            if tensor.dtype != self._dtype:
                raise TypeError(f"{name} should have the same dtype as the bijector's dtype, {self._dtype}.")
        elif self.common_dtype is None:
            self.common_dtype = continuous(tensor.dtype, type(self).__name__)
        elif tensor.dtype != self.common_dtype:
            raise TypeError(f"{name} should have the same dtype as other arguments, {self.common_dtype}.")
        self.default_parameters.append(value)
        self.parameter_names.append(name)
        return tensor

    def _check_value(self, value: Any, name: str) -> Tensor:
        return a_tensor(value, name)

    def _check_value_dtype(self, value: Any) -> Tensor:
        """Return the argument of a function, of a checked dtype.

        Raises:
            TypeError: no Tensor, or of another dtype than the bijector's; than the floating ones, where it has none.
        """
        value = a_tensor(value, "input value of bijector")
        wanted = mstype.float_type if self._dtype is None else (self._dtype,)
        if value.dtype not in wanted:
            raise TypeError(
                f"For input value of bijector, the dtype must be one of {list(wanted)}, but got {value.dtype}"
            )
        return value

    def _shape_mapping(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        zeros = P.Zeros()
        return (zeros(shape, mstype.float32) + zeros(self._batch_shape, mstype.float32)).shape

    def shape_mapping(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape of the function of values of `shape`."""
        return self._shape_mapping(shape)

    def cast_param_by_value(self, value: Tensor, para: Tensor) -> Tensor:
        """Return a parameter in the dtype of `value`."""
        return para.astype(value.dtype)

    def forward(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Return the function of `value`."""
        return self._forward(value, *args, **kwargs)

    def inverse(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Return the argument for which the function is `value`."""
        return self._inverse(value, *args, **kwargs)

    def forward_log_jacobian(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Return the logarithm of the derivative's absolute value."""
        return self._forward_log_jacobian(value, *args, **kwargs)

    def inverse_log_jacobian(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Return the logarithm of the absolute value of the inverse function's derivative."""
        return self._inverse_log_jacobian(value, *args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if args and isinstance(args[0], Distribution):
            return TransformedDistribution(self, args[0])
        return super().__call__(*args, **kwargs)

    def construct(self, name: str, *args: Any, **kwargs: Any) -> Tensor:
        """Evaluate "forward", "inverse", "forward_log_jacobian" or "inverse_log_jacobian".

        Raises:
            Exception: `name` is another one.

        Follows: mindspore.nn.probability.bijector.Bijector.construct (2.10).
        """
        if name not in FUNCTIONS:
            raise Exception(f"Invalid name {name!r}: a bijector has {', '.join(FUNCTIONS)}.")
        return getattr(self, name)(*args, **kwargs)


class TransformedDistribution(Distribution):
    """The distribution of bijector(x) for x of another distribution.

    Args:
        bijector: the function.
        distribution: of x, of a floating dtype.
        seed: kept, and read by subclasses: samples are those of `distribution`.
        name: of the distribution.
        dtype: of the samples in r1.0; None for that of `distribution`.

    Raises:
        TypeError: an argument is of another type, or the samples of `distribution` are not floating.

    Follows: mindspore.nn.probability.distribution.TransformedDistribution (2.10; 1.0 for `dtype`).
    """

    def __init__(
        self,
        bijector: Bijector,
        distribution: Distribution,
        seed: int | None = None,
        name: str = "transformed_distribution",
        *,
        dtype: mstype.Type | None = None,
    ) -> None:
        owner = type(self).__name__
        instance(bijector, "bijector", owner, Bijector)
        instance(distribution, "distribution", owner, Distribution)
        dtype = continuous(dtype or distribution.dtype, owner)
        given = {"bijector": bijector, "distribution": distribution, "seed": seed, "name": name}
        super().__init__(seed, dtype, name, given)
        self._bijector = bijector
        self._distribution = distribution
        self._is_linear_transformation = bijector.is_constant_jacobian
        self._is_scalar_batch = distribution.is_scalar_batch and bijector.is_scalar_batch
        self._batch_shape = distribution.batch_shape
        self.default_parameters = distribution.default_parameters
        self.parameter_names = distribution.parameter_names
        self.parameter_type = distribution.parameter_type
        self._broadcast_shape = self._broadcast_bijector_dist()

    bijector: Bijector = read_only("_bijector", "The function.")
    distribution: Distribution = read_only("_distribution", "The distribution below.")
    is_linear_transformation: bool = read_only(
        "_is_linear_transformation", "Whether the derivative of the function is the same everywhere."
    )

    def _broadcast_bijector_dist(self) -> tuple[int, ...] | None:
        if self._batch_shape is None or self._bijector.batch_shape is None:
            return None
        zeros = P.Zeros()
        return (zeros(self._batch_shape, self.dtype) + zeros(self._bijector.batch_shape, self.dtype)).shape

    def _cdf(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return self._distribution("cdf", self._bijector("inverse", value), *args, **kwargs)

    def _log_cdf(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return log(self._cdf(value, *args, **kwargs))

    def _survival_function(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return 1.0 - self._cdf(value, *args, **kwargs)

    def _log_survival(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return log(self._survival_function(value, *args, **kwargs))

    def _log_prob(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        below = self._distribution("log_prob", self._bijector("inverse", value), *args, **kwargs)
        scaled = below + self._bijector("inverse_log_jacobian", value)
        return where(below == -math.inf, -math.inf, scaled)  # where nothing is, an infinite derivative makes no NaN

    def _prob(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return exp(self._log_prob(value, *args, **kwargs))

    def _sample(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._bijector("forward", self._distribution("sample", *args, **kwargs))

    def _mean(self, *args: Any, **kwargs: Any) -> Tensor:
        if not self._is_linear_transformation:
            raise ValueError("mean function must be implemented for non-linear transformation")
        return self._bijector("forward", self._distribution("mean", *args, **kwargs))
