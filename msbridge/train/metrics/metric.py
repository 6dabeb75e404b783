"""The base of metrics, and the form that their inputs are brought into.

Sums stay on the device until `eval`. What can only be checked by reading values (labels that are not class, rows that
are not one-hot) is checked there too, so that `update` never makes the host wait.
"""

import functools
from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from msbridge.core.runtime import device_to_host
from msbridge.core.tensor.tensor import Tensor


def rearrange_inputs(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate `update`, so that it gets the inputs that `set_indexes` chose, in that order.

    Args:
        func: `update(self, *inputs)` of a class of metrics.

    Returns:
        A function in its place.

    Follows: mindspore.train.rearrange_inputs (2.10).
    """

    @functools.wraps(func)
    def update(self: "Metric", *inputs: Any) -> Any:
        return func(self, *inputs) if self.indexes is None else func(self, *[inputs[i] for i in self.indexes])

    return update


class Metric(metaclass=ABCMeta):
    """Base of all metrics; a script's own ones define `clear`, `update` and `eval`.

    Follows: mindspore.train.Metric (2.10).
    """

    _indexes: list[int] | None = None

    @property
    def indexes(self) -> list[int] | None:
        """The numbers of the inputs that `update` takes, or None for all, in their order."""
        return self._indexes

    def set_indexes(self, indexes: list[int]) -> "Metric":
        """Choose which inputs `update` takes, and return this metric.

        Args:
            indexes: the numbers of the inputs, in the order in which `update` takes them.

        Returns:
            This metric.

        Raises:
            ValueError: `indexes` is not a list of int.

        Follows: mindspore.train.Metric.set_indexes (2.10).
        """
        if not isinstance(indexes, list) or not all(isinstance(index, int) for index in indexes):
            raise ValueError(f"For 'set_indexes', indexes must be a list whose elements are int, got {indexes!r}.")
        self._indexes = indexes
        return self

    def __call__(self, *inputs: Any) -> Any:
        """Return the result of a single batch: `clear`, `update` and `eval`."""
        self.clear()
        self.update(*inputs)
        return self.eval()

    @abstractmethod
    def clear(self) -> None:
        """Reset the state."""

    @abstractmethod
    def update(self, *inputs: Any) -> None:
        """Add the outputs of one batch."""

    @abstractmethod
    def eval(self) -> Any:
        """Return the result over all batches since `clear`.

        Returns:
            What the metric measures; a float of most.
        """

    def _convert_data(self, data: Any) -> np.ndarray:
        """Return an input as an ndarray, for metrics that scripts define."""
        return device_to_host.to_numpy(as_data(data))


def as_data(value: Any) -> torch.Tensor:
    """Return an input of a metric as a torch tensor.

    Raises:
        TypeError: it is neither Tensor, list nor ndarray.
    """
    if isinstance(value, Tensor):
        return value._data.detach()
    if isinstance(value, list | np.ndarray):
        return torch.from_numpy(np.array(value))
    raise TypeError(
        "For 'Metric' and its derived classes, the input data type must be tensor, list or numpy.ndarray, "
        f"but got {type(value)}."
    )


def take_pair(metric: str, inputs: tuple[Any, ...]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return predicted and true values as torch tensors on one device.

    Raises:
        ValueError: there are not two inputs.
        TypeError: an input is neither Tensor, list nor ndarray.
    """
    if len(inputs) != 2:
        raise ValueError(
            f"For '{metric}.update', it needs 2 inputs (predicted value, true value), but got {len(inputs)}."
        )
    predicted, true = map(as_data, inputs)
    return predicted, true.to(predicted.device)


def check_counts(metric: str, predicted: torch.Tensor, true: torch.Tensor) -> None:
    """Refuse predictions of another number of samples than there are labels; one of either goes with all.

    Raises:
        ValueError: they do not go together.
    """
    counts = predicted.numel(), true.numel()
    if counts[0] != counts[1] and 1 not in counts:
        raise ValueError(f"For '{metric}.update', there are {counts[0]} predicted values and {counts[1]} true ones.")


def check_eval_type(eval_type: str) -> str:
    """Refuse what is neither "classification" nor "multilabel".

    Raises:
        TypeError: `eval_type` is another one.
    """
    if eval_type not in ("classification", "multilabel"):
        raise TypeError(f"The argument 'eval_type' must be in {{'classification', 'multilabel'}}, but got {eval_type}")
    return eval_type


class EvaluationBase(Metric):
    """Base of metrics of a classification or of several labels, which a script defines.

    Args:
        eval_type: "classification" or "multilabel".

    Raises:
        TypeError: it is another one.

    Follows: mindspore.train.metrics.metric.EvaluationBase (2.10).
    """

    def __init__(self, eval_type: str) -> None:
        super().__init__()
        self._type = check_eval_type(eval_type)

    def _check_shape(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        is_classification = self._type == "classification"
        expected = (y_pred.shape[:1] + y_pred.shape[2:]) if is_classification else y_pred.shape
        if y.ndim != y_pred.ndim - is_classification or y.shape != expected:
            raise ValueError(
                f"In a {self._type}, predictions of shape {y_pred.shape} need labels of {expected}, got {y.shape}."
            )

    def _check_value(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        if self._type != "classification" and not all(np.isin(one, (0, 1)).all() for one in (y_pred, y)):
            raise ValueError("In a multilabel case, all values must be 0 or 1.")

    def clear(self) -> None:
        """Reset the state."""
        raise NotImplementedError

    def update(self, *inputs: Any) -> None:
        """Add a batch."""
        raise NotImplementedError

    def eval(self) -> Any:
        """Return the result."""
        raise NotImplementedError


def no_samples(metric: str) -> RuntimeError:
    """Return the error of a metric that has seen nothing."""
    return RuntimeError(
        f"The '{metric}' can not be calculated, because the number of samples is 0; "
        "call 'update' with data before 'eval'."
    )


class Total:
    """A sum on the device, in float64, and how many it is of."""

    def __init__(self) -> None:
        self.sum: torch.Tensor | int = 0
        self.count = 0

    def add(self, value: torch.Tensor, count: int) -> None:
        """Add a 0-d tensor that represents `count` samples."""
        self.sum = self.sum + value.double()
        self.count += count

    def mean(self, metric: str) -> np.float64:
        """Return the sum over the count.

        Raises:
            RuntimeError: nothing was added.
        """
        if not self.count:
            raise no_samples(metric)
        return np.float64(float(device_to_host.read(self.sum)) / self.count)  # type: ignore[arg-type]


class Doubts:
    """Conditions on values that are looked at when the metric is evaluated."""

    def __init__(self) -> None:
        self._wrong: dict[str, torch.Tensor] = {}

    def note(self, message: str, is_wrong: torch.Tensor) -> None:
        """Keep that `message` is to be raised if `is_wrong`, a 0-d bool tensor, is true."""
        self._wrong[message] = self._wrong[message] | is_wrong if message in self._wrong else is_wrong

    def check(self) -> None:
        """Raise the first message whose condition came true.

        Raises:
            ValueError: there is one.
        """
        for message, is_wrong in self._wrong.items():
            if bool(device_to_host.read(is_wrong)):
                raise ValueError(message)
