"""Parameter and ParameterTuple: the state that Cells own and optimizers change."""

import itertools
import re
from collections.abc import Iterable
from typing import Any

import torch

from msbridge.core.checks.arguments import instance
from msbridge.core.checks.no_effect_warnings import without_effect
from msbridge.core.context.context import torch_device
from msbridge.core.html.notebook_table import html_table
from msbridge.core.parameter.parallel_attributes import Marks
from msbridge.core.tensor.construction import Portable, place, portable, restore
from msbridge.core.tensor.memory import renew
from msbridge.core.tensor.tensor import Tensor, as_torch, wrap
from msbridge.core.tensor.thread_local_data import own_class
from msbridge.core.types.dtype import float_, int_type
from msbridge.core.types.strings import Strings
from msbridge.core.types.symbolic import Unfilled

PARAMETER_NAME_DEFAULT = "Parameter"
PARAMETER_NAME_PREFIX_MAX_LEN = 1024
_OF_NUMBERS = {int: torch.int32, float: torch.float32}
_serial = itertools.count(2)  # in MindSpore, the default generator's seed and offset are 0 and 1
_keys = itertools.count()


class Parameter(Marks, Tensor):
    """A Tensor with a name, whose gradient may be asked for.

    Args:
        default_input: the values: Tensor, ndarray, number or list; copied. An int becomes Int32, a float Float32.
        name: None or "" becomes `Parameter#N`; a Cell that registers the parameter replaces it by the attribute path.
        requires_grad: whether optimizers train it.
        layerwise_parallel: kept for scripts that read it.
        parallel_optimizer: kept for scripts that read it.
        storage_format: kept for scripts that read it.
        device: "CPU" or "Remote", where the values wait while nothing uses them: without effect, which is said once.

    Raises:
        TypeError: `requires_grad` is not a bool.
        ValueError: the name is not a string or longer than 1024 characters, or the values are a bool.

    Examples:
        >>> weight = ms.Parameter(Tensor([1.0, 2.0]), name="weight")
        >>> weight.name, weight.shape, weight.requires_grad
        ('weight', (2,), True)

    Follows: mindspore.Parameter (2.10).
    """

    _is_registered = True

    def __init__(
        self,
        default_input: Any,
        name: str | None = None,
        requires_grad: bool = True,
        layerwise_parallel: bool = False,
        parallel_optimizer: bool = True,
        storage_format: str = "",
        device: str | None = None,
    ) -> None:
        if isinstance(default_input, bytes):
            raise TypeError("For 'Parameter', the values can not be bytes; wrap them in a Tensor.")
        if isinstance(default_input, bool):
            raise ValueError("Parameter data can not be `bool`.")
        if device not in (None, "CPU", "Remote"):
            raise ValueError(f"For 'Parameter', device must be 'CPU' or 'Remote', got {device!r}.")
        if device == "Remote" or (device == "CPU" and torch_device().type != "cpu"):
            without_effect("mindspore.Parameter.device", device)
        dtype = _OF_NUMBERS.get(type(default_input))
        self._data = as_torch(default_input, dtype)
        if isinstance(self._data, Unfilled) and not isinstance(self._data, Strings):
            if callable(getattr(default_input, "init", None)):
                default_input.init_data()  # which says why it has no values
            if all(length >= 0 for length in self._data.shape):
                raise TypeError(f"For 'Parameter': {self._data.complaint()}")
            raise ValueError(f"For 'Parameter', all lengths of the shape must be known, but got {self._data.shape}.")
        if isinstance(default_input, Tensor | torch.Tensor):
            self._data = self._data.detach().clone(memory_format=torch.contiguous_format)
        self.name = name
        self.requires_grad = requires_grad
        self.layerwise_parallel = layerwise_parallel
        self.parallel_optimizer = parallel_optimizer
        if storage_format:
            self.storage_format = storage_format

    @property
    def name(self) -> str:
        """The parameter's name, unique within a network."""
        return self._name

    @name.setter
    def name(self, name: str | None) -> None:
        if name is None or (isinstance(name, str) and not name.strip()):
            name = f"{PARAMETER_NAME_DEFAULT}#{next(_serial)}"
            self._is_named = False
        elif not isinstance(name, str):
            raise ValueError(f"The type of the Parameter's name should be 'string' or 'None', but got {type(name)}.")
        elif len(name := name.strip()) > PARAMETER_NAME_PREFIX_MAX_LEN:
            raise ValueError(
                f"The length of the '{name[:32]}…' name should be less than {PARAMETER_NAME_PREFIX_MAX_LEN}."
            )
        else:
            self._is_named = True
        self._name = name

    @property
    def requires_grad(self) -> bool:
        """Whether optimizers train this parameter."""
        return bool(self.__dict__["_requires_grad"])

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise TypeError("The argument `requires_grad` must be bool type")
        self._requires_grad = value

    @property
    def data(self) -> Tensor:
        """The values as a Tensor that shares memory with the parameter."""
        return wrap(self._data)

    @data.setter
    def data(self, data: Any) -> None:
        self.set_data(data)

    def value(self) -> Tensor:
        """Return the values that the parameter has now, as a Tensor with memory of its own; gradients flow through.

        Follows: mindspore.Parameter.value (2.10).
        """
        return wrap(self._data.clone())

    @property
    def inited_param(self) -> "Parameter | None":
        """The parameter that came out of initialisation; None, for parameters here are filled when constructed."""
        return None

    def set_data(self, data: Any, slice_shape: bool = False) -> "Parameter":
        """Replace the memory by that of `data`: a later change of either shows in both.

        What was taken of the parameter before, such as `data`, views and `asnumpy()`, keeps the old values. `data` of
        another dtype is cast, and copied thereby. Inside graphs and gradient functions the old memory is written.

        Args:
            data: Tensor, int or float; of any shape.
            slice_shape: kept as `sliced`; another shape needs no permission here.

        Returns:
            The parameter itself.

        Raises:
            TypeError: `data` is neither Tensor nor number, or a float for integers.

        Follows: mindspore.Parameter.set_data (2.10).
        """
        if not isinstance(data, Tensor | int | float):
            raise TypeError(
                "Parameter data must be [`Tensor`, `int`, `float`] or a kind of `Tensor` (like `Tensor`). "
                f"But with type {type(data)}."
            )
        if isinstance(data, Tensor):
            renew(self, data._data)
        else:
            if isinstance(data, float) and self.dtype in int_type:
                self._raise_type_error(float_)
            renew(self, torch.tensor(data, dtype=self._data.dtype, device=self._data.device))
        self.sliced = slice_shape
        return self

    def _update_tensor_data(self, data: Tensor) -> "Parameter":
        """Take over the memory of a Tensor, and return the Parameter itself."""
        renew(self, data._data)
        return self

    def register_hook(self, hook_fn: Any) -> Any:
        """Call `hook_fn(grad)` with the gradient when one is computed; what it returns replaces it.

        Follows: mindspore.Parameter.register_hook (2.10).
        """
        return super().register_hook(hook_fn)

    def clone(self, init: Any = "same") -> "Parameter":
        """Return a new Parameter of the same name and settings.

        Args:
            init: "same" keeps the values; else an initializer's name, Initializer, number or Tensor.

        Follows: mindspore.Parameter.clone (2.10).
        """
        from msbridge.core.parameter.initializer import initializer  # initializers are made of Tensors

        values = self if init == "same" else initializer(init, self.shape, self.dtype)
        kind = own_class(self)
        result: Parameter = kind.__new__(kind)
        result.__dict__.update(_settings_of_copy(self))
        result._data = values._data.detach().clone()
        result.is_init = False
        if result.cache_enable:
            result.key = next(_keys)
        return result

    def init_data(self, layout: Any = None, set_sliced: bool = False) -> "Parameter":
        """Return this parameter, which is filled when it is constructed.

        Follows: mindspore.Parameter.init_data (2.10).
        """
        self._get_init_data_args(layout)
        return self

    def __str__(self) -> str:
        return (
            f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, requires_grad={self.requires_grad})"
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        row = (self.name, str(self.shape), str(self.dtype), str(self.requires_grad), Tensor.__str__(self))
        return html_table(("name", "shape", "dtype", "requires_grad", "values"), [row])

    def copy(self) -> "Parameter":
        """Return a new Parameter of the same name and settings."""
        return self.clone()

    def __copy__(self) -> "Parameter":
        return self.clone()

    def __deepcopy__(self, memodict: Any) -> "Parameter":
        next(_serial)  # MindSpore's copy is unnamed at first
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_parameter, (portable(self._data), _settings_of_copy(self))


# What refers to the Cells, Parameters and modules around.
_OF_ONE = frozenset(("_has_fixed_memory", "_pending_hooks", "_stages", "_trained_with"))


def _settings_of_copy(parameter: Parameter) -> dict[str, Any]:
    """Return the settings that a copy has, too."""
    return {key: value for key, value in parameter.__dict__.items() if key not in _OF_ONE}


def adopt(data: torch.Tensor, name: str | None) -> Parameter:
    """Make a Parameter of memory that nothing else uses, without a copy."""
    parameter = Parameter(wrap(data[:0] if data.dim() else data), name)
    parameter._data = data
    return parameter


class ParameterTuple(tuple[Parameter, ...]):
    """A tuple of Parameters whose names differ.

    Args:
        iterable: Parameters.

    Raises:
        TypeError: an element is not a Parameter.
        ValueError: two elements have the same name.

    Examples:
        >>> weights = ms.ParameterTuple(nn.Dense(2, 3).trainable_params())
        >>> [weight.name for weight in weights]
        ['weight', 'bias']

    Follows: mindspore.ParameterTuple (2.10).
    """

    __slots__ = ()

    def __new__(cls, iterable: Iterable[Parameter]) -> "ParameterTuple":
        items = tuple(iterable)
        seen: dict[str, Parameter] = {}
        for item in items:
            if not isinstance(item, Parameter):
                raise TypeError(
                    "For ParameterTuple initialization, ParameterTuple input should be 'Parameter' collection, "
                    f"but got a {type(iterable)} with an element of type {type(item).__name__}."
                )
            if seen.setdefault(item.name, item) is not item:
                raise ValueError(
                    f"The value {item} , its name '{item.name}' already exists. "
                    "Please set a unique name for the parameter."
                )
        return super().__new__(cls, items)

    def clone(self, prefix: str, init: Any = "same") -> "ParameterTuple":
        """Return clones of all parameters, named `prefix.name`.

        Raises:
            TypeError: `prefix` is not a string.
            ValueError: `prefix` holds something else than letters, digits, underscores and dots.

        Follows: mindspore.ParameterTuple.clone (2.10).
        """
        instance(prefix, "prefix", "ParameterTuple.clone", str)
        if not re.fullmatch(r"\w+[\w.]*", prefix, re.ASCII):
            raise ValueError(f"For 'ParameterTuple.clone', prefix must be letters, digits, _ and dots, got {prefix!r}.")
        clones = []
        for parameter in self:
            clone = parameter.clone(init)
            clone.name = f"{prefix}.{parameter.name}"
            clones.append(clone)
        return ParameterTuple(clones)

    def __parameter_tuple__(self) -> None:
        """Mark this as a ParameterTuple for compilers."""


def _restore_parameter(kept: Portable, settings: dict[str, Any]) -> Parameter:
    result = Parameter.__new__(Parameter)
    result._data = place(restore(kept), None)
    result.__dict__.update(settings)
    return result
