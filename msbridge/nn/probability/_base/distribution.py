"""Distribution: the base of all, which finds out how each function can be had from what a subclass defines."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Never

from msbridge.core.checks.arguments import instance, non_negative_int
from msbridge.core.runtime.read_only import read_only
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.nn.probability._base.checks import a_tensor, a_tuple, as_tensor, parameter_type
from msbridge.ops import operations as P
from msbridge.ops.elementwise.elementwise.functions import exp, log, sqrt, square
from msbridge.ops.shape.reshaping.functions import broadcast_to

__all__ = ["Distribution"]

AfterMethod = Callable[[Tensor], Tensor]


def _identity(value: Tensor) -> Tensor:
    return value


def _complement(value: Tensor) -> Tensor:
    return 1.0 - value


def _log_rest(value: Tensor) -> Tensor:
    return log(1.0 - value)


# What a function is computed from: the first of these methods that a subclass has, and what is done to its result.
WAYS: Mapping[str, tuple[tuple[str, AfterMethod], ...]] = {
    "prob": (("_prob", _identity), ("_log_prob", exp)),
    "log_prob": (("_log_prob", _identity), ("_prob", log)),
    "sd": (("_sd", _identity), ("_var", sqrt)),
    "var": (("_var", _identity), ("_sd", square)),
    "cdf": (
        ("_cdf", _identity),
        ("_log_cdf", exp),
        ("_survival_function", _complement),
        ("_log_survival", lambda value: 1.0 - exp(value)),
    ),
    "survival_function": (
        ("_survival_function", _identity),
        ("_log_survival", exp),
        ("_cdf", _complement),
        ("_log_cdf", lambda value: 1.0 - exp(value)),
    ),
    "log_cdf": (
        ("_log_cdf", _identity),
        ("_cdf", log),
        ("_survival_function", _log_rest),
        ("_log_survival", lambda value: _log_rest(exp(value))),
    ),
    "log_survival": (
        ("_log_survival", _identity),
        ("_survival_function", log),
        ("_cdf", _log_rest),
        ("_log_cdf", lambda value: _log_rest(exp(value))),
    ),
    "mean": (("_mean", _identity),),
    "mode": (("_mode", _identity),),
    "entropy": (("_entropy", _identity),),
    "kl_loss": (("_kl_loss", _identity),),
    "cross_entropy": (("_cross_entropy", _identity),),
    "sample": (("_sample", _identity),),
    "get_dist_args": (("_get_dist_args", _identity),),
    "get_dist_type": (("_get_dist_type", _identity),),
}


class Distribution(Cell):
    """Base of all distributions.

    A subclass defines `_prob` or `_log_prob`, `_cdf`, `_mean`, `_sd` or `_var` and so on; each of the functions below
    is computed from what is there. They are called by method, `normal.prob(value)`, or by name,
    `normal("prob", value)`. Parameters to use instead of those of the construction may follow their arguments, as
    Tensors.

    Args:
        seed: starts the sequence that samples are drawn from; None means 0.
        dtype: of the samples.
        name: of the distribution.
        param: the arguments of the subclass; `param["param_dict"]` has the parameters by name.

    Raises:
        TypeError: `name` is not a str, `seed` is not an int, or the parameters have different dtypes.
        ValueError: `seed` is negative.

    Follows: mindspore.nn.probability.distribution.Distribution (2.10).
    """

    # Operators for the methods of subclasses, which scripts take for given.
    exp_base = staticmethod(exp)
    log_base = staticmethod(log)
    sq_base = staticmethod(square)
    sqrt_base = staticmethod(sqrt)
    cast_base = P.Cast()
    dtype_base = P.DType()
    shape_base = P.Shape()
    checktensor = staticmethod(a_tensor)
    checktuple = staticmethod(a_tuple)

    _ways: ClassVar[dict[str, tuple[str, AfterMethod]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._ways = {
            name: next(way for way in ways if hasattr(cls, way[0]))
            for name, ways in WAYS.items()
            if any(hasattr(cls, method) for method, _ in ways)
        }

    def __init__(self, seed: int | None, dtype: Type | None, name: str, param: Mapping[str, Any]) -> None:
        super().__init__()
        self._name = instance(name, "name", type(self).__name__, str)
        self._seed = non_negative_int(0 if seed is None else seed, "seed", name)
        self._dtype = dtype
        self._parameters = {key: value for key, value in param.items() if key != "self" and not key.startswith("_")}
        self._reset_parameters()
        if "distribution" not in self._parameters:  # a transformed one takes these from the one below
            given = self._parameters["param_dict"]
            self.parameter_type = parameter_type(given, dtype)
            self._batch_shape = self._calc_batch_shape()
            self._is_scalar_batch = self._check_is_scalar_batch()
            self._broadcast_shape = self._batch_shape

    name: str = read_only("_name", "The name of the distribution.")
    dtype: Any = read_only("_dtype", "The dtype of samples.")
    seed: int = read_only("_seed", "The seed of the sequence of samples.")
    parameters: dict[str, Any] = read_only("_parameters", "The arguments that the distribution was made with.")
    is_scalar_batch: bool = read_only("_is_scalar_batch", "Whether all parameters given at construction are numbers.")
    batch_shape: tuple[int, ...] | None = read_only(
        "_batch_shape", "The shape that the parameters broadcast to; None when one of them is missing."
    )
    broadcast_shape: tuple[int, ...] | None = read_only(
        "_broadcast_shape", "The shape of one draw; None when a parameter is missing."
    )

    def _reset_parameters(self) -> None:
        self.default_parameters: list[Any] = []
        self.parameter_names: list[str] = []

    def _add_parameter(self, value: Any, name: str) -> Any:
        """Keep a parameter, a Tensor of `parameter_type`, and return it."""
        kept = None if value is None else as_tensor(value, self.parameter_type)
        self.default_parameters.append(kept)
        self.parameter_names.append(name)
        return kept

    def _check_param_type(self, *args: Tensor | None) -> Any:
        """Return the parameters of a call, broadcast to one shape; those that are None as they were at construction.

        Raises:
            TypeError: one is not a Tensor, is missing, or differs in dtype from the first.
        """
        checked: list[Tensor] = []
        for given, name, default in zip(args, self.parameter_names, self.default_parameters, strict=False):
            value = default if given is None else a_tensor(given, name)
            if value is None:
                raise TypeError(f"The parameter {name} must be given to the call: it was not at construction.")
            if checked and value.dtype != checked[0].dtype:
                raise TypeError(f"For {name}, the dtype must be {checked[0].dtype}, but got {value.dtype}.")
            checked.append(value)
        if len(checked) > 1:
            total = checked[0]
            for value in checked[1:]:
                total = total + value
            shape = total.shape
            checked = [value if value.shape == shape else broadcast_to(value, shape) for value in checked]
        cast = tuple(value.astype(self.parameter_type) for value in checked)
        return cast[0] if len(cast) == 1 else cast

    def _check_value(self, value: Any, name: str) -> Tensor:
        return a_tensor(value, name)

    def _check_is_scalar_batch(self) -> bool:
        given = self._parameters["param_dict"].values()
        return all(isinstance(value, int | float) for value in given if value is not None)

    def _calc_batch_shape(self) -> tuple[int, ...] | None:
        given = list(self._parameters["param_dict"].values())
        if any(value is None for value in given):
            return None
        total = as_tensor(0.0)
        for value in given:
            total = total + as_tensor(value)
        return total.shape

    def _evaluate(self, function: str, *args: Any, **kwargs: Any) -> Any:
        way = self._ways.get(function)
        if way is None:
            self._refuse(function)
        method, finish = way
        return finish(getattr(self, method)(*args, **kwargs))

    def _refuse(self, function: str) -> Never:
        raise NotImplementedError(f"{function} is not implemented for {self.name} distribution.")

    def construct(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Evaluate the function `name`: "prob", "log_prob", "cdf", "sample" or another of the methods below.

        Raises:
            NotImplementedError: there is no such function for this distribution.

        Follows: mindspore.nn.probability.distribution.Distribution.construct (2.10).
        """
        if not isinstance(name, str) or name not in WAYS:
            raise NotImplementedError(f"{name} is not implemented for {self.name} distribution.")
        if name == "get_dist_type":  # asked of a posterior with the parameters that it passes to every function
            return self.get_dist_type()
        return self._evaluate(name, *args, **kwargs)

    def prob(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Return the density, or the probability of a discrete outcome, at `value`."""
        return self._evaluate("prob", value, *args, **kwargs)

    def log_prob(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Return the logarithm of `prob`."""
        return self._evaluate("log_prob", value, *args, **kwargs)

    def cdf(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Return the probability of a sample of at most `value`."""
        return self._evaluate("cdf", value, *args, **kwargs)

    def log_cdf(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Return the logarithm of `cdf`."""
        return self._evaluate("log_cdf", value, *args, **kwargs)

    def survival_function(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Return the probability of a sample above `value`."""
        return self._evaluate("survival_function", value, *args, **kwargs)

    def log_survival(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """Return the logarithm of `survival_function`."""
        return self._evaluate("log_survival", value, *args, **kwargs)

    def kl_loss(self, dist: str, *args: Any, **kwargs: Any) -> Tensor:
        """Return the divergence KL(a‖b) of this distribution, a, from another one, b.

        Args:
            dist: the kind of b, such as "Normal".
            args: the parameters of b as Tensors; then, optionally, those of a.
            kwargs: the same by name.
        """
        return self._evaluate("kl_loss", dist, *args, **kwargs)

    def cross_entropy(self, dist: str, *args: Any, **kwargs: Any) -> Tensor:
        """Return the cross entropy of this distribution and another one; arguments as of `kl_loss`."""
        return self._evaluate("cross_entropy", dist, *args, **kwargs)

    def mean(self, *args: Any, **kwargs: Any) -> Tensor:
        """Return the mean."""
        return self._evaluate("mean", *args, **kwargs)

    def mode(self, *args: Any, **kwargs: Any) -> Tensor:
        """Return the most likely value."""
        return self._evaluate("mode", *args, **kwargs)

    def sd(self, *args: Any, **kwargs: Any) -> Tensor:
        """Return the standard deviation."""
        return self._evaluate("sd", *args, **kwargs)

    def var(self, *args: Any, **kwargs: Any) -> Tensor:
        """Return the variance."""
        return self._evaluate("var", *args, **kwargs)

    def entropy(self, *args: Any, **kwargs: Any) -> Tensor:
        """Return the entropy in nats."""
        return self._evaluate("entropy", *args, **kwargs)

    def sample(self, *args: Any, **kwargs: Any) -> Tensor:
        """Draw samples.

        Args:
            args: a tuple, the shape in front of the shape of one draw, () unless given; then parameters.
            kwargs: the same by name, `shape` first.
        """
        return self._evaluate("sample", *args, **kwargs)

    def get_dist_args(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return the parameters: those given to the call, else those of the construction."""
        return self._evaluate("get_dist_args", *args, **kwargs)

    def get_dist_type(self) -> str:
        """Return the kind of the distribution."""
        return self._evaluate("get_dist_type")
