"""Transforms composed of others: Compose, RandomApply, RandomChoice, RandomOrder."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from msbridge.core.checks.arguments import require_type, within
from msbridge.dataset.row_random import RowRandom
from msbridge.dataset.transforms.base import RandomTransform, Transform, as_input, eager_draw, is_pil

__all__ = ["Compose", "RandomApply", "RandomChoice", "RandomOrder"]

Operation = Callable[..., Any]


class Compose:
    """Compose several operations.

    Args:
        transforms: transforms of this package or callables.

    Raises:
        TypeError: `transforms` is not a list, or an element is not callable.
        ValueError: it is empty.

    Follows: mindspore.dataset.transforms.Compose (2.10).
    """

    python_only = False

    def __init__(self, transforms: list[Operation]) -> None:
        self.transforms = check_operations(transforms)
        self.python_only = self.python_only or any(
            getattr(operation, "python_only", False) for operation in self.transforms
        )

    def parts(self) -> list[Operation]:
        """Return the operations, with nested Composes flattened."""
        flat: list[Operation] = []
        for operation in self.transforms:
            flat.extend(operation.parts() if isinstance(operation, Compose) else [operation])
        return flat

    def call(self, row: tuple[Any, ...], draw: RowRandom | None) -> Any:
        """Run all operations on the values of one row."""
        return run_all(self.transforms, row, draw)

    def __call__(self, *inputs: Any) -> Any:
        """Run all operations outside of a pipeline.

        Returns:
            What the last one returns; as in MindSpore a single result is in a tuple where the input is a PIL image,
            or one of the operations, such as ToPIL, has no C++ form.
        """
        if not inputs:
            kind = TypeError if self.python_only else RuntimeError
            raise kind("Compose: it takes one input or more, got none; it was called without an image.")
        in_python = self.python_only or (len(inputs) == 1 and is_pil(inputs[0]))
        result = self.call(inputs if in_python else tuple(map(as_input, inputs)), eager_draw())
        if not in_python:
            return np.asarray(result) if isinstance(result, np.generic) else result
        return result if isinstance(result, tuple) else (result,)

    @staticmethod
    def reduce(operations: Sequence[Operation]) -> list[Operation]:
        """Return the operations, neighbours among them that run in Python composed into one.

        Follows: mindspore.dataset.transforms.py_transforms.Compose.reduce (1.10).
        """
        if len(operations) == 1:
            return list(operations)
        reduced: list[Operation] = []
        for in_python, group in groupby(operations, _runs_in_python):
            neighbours = list(group)
            reduced += [PyCompose(neighbours)] if in_python else neighbours
        return reduced


class PyCompose(Compose):
    """Compose several operations; a single result of a call by hand is in a tuple.

    Follows: mindspore.dataset.transforms.py_transforms.Compose (1.10).
    """

    __module__, __qualname__ = "msbridge.dataset.transforms.py_transforms", "Compose"  # where scripts find it
    python_only = True


class MultiTransform(RandomTransform):
    """Base of the transforms that choose among others."""

    def __init__(self, transforms: list[Operation]) -> None:
        self.transforms = check_operations(transforms)
        self.python_only = self.python_only or all(
            getattr(operation, "python_only", False) for operation in self.transforms
        )
        self.deferrable = all(isinstance(each, Transform) and each.deferrable for each in self.transforms)

    def call(self, row: tuple[Any, ...], draw: RowRandom) -> Any:
        """Run what is chosen on the values of one row."""
        raise NotImplementedError

    def transform_value(self, value: Any, draw: RowRandom | None = None) -> Any:
        return self.call((value,), draw or eager_draw())

    def __call__(self, *inputs: Any) -> Any:
        if not inputs:
            raise RuntimeError(f"{type(self).__name__}: it takes one input or more, got none.")
        return self.call(inputs if self.python_only else tuple(map(as_input, inputs)), eager_draw())


class RandomApply(MultiTransform):
    """Apply all of the operations, with a probability.

    Args:
        transforms: transforms of this package or callables.
        prob: the probability, in [0, 1].

    Follows: mindspore.dataset.transforms.RandomApply (2.10).
    """

    def __init__(self, transforms: list[Operation], prob: float = 0.5) -> None:
        super().__init__(transforms)
        within(require_type(prob, "prob", (float, int)), "prob", 0.0, 1.0)
        self.prob = prob

    def call(self, row: tuple[Any, ...], draw: RowRandom) -> Any:
        if draw.uniform() >= self.prob:
            return row if len(row) > 1 else row[0]
        return run_all(self.transforms, row, draw)


class RandomChoice(MultiTransform):
    """Apply one random operation of several.

    Args:
        transforms: a list of operations, or of functions.

    Follows: mindspore.dataset.transforms.RandomChoice (2.10).
    """

    def call(self, row: tuple[Any, ...], draw: RowRandom) -> Any:
        return call(self.transforms[draw.integer(0, len(self.transforms) - 1)], row, draw.child(0))


class RandomOrder(MultiTransform):
    """Apply all operations in random order.

    Args:
        transforms: a list of operations, or of functions.

    Follows: mindspore.dataset.transforms.RandomOrder (2.10).
    """

    python_only = True

    def call(self, row: tuple[Any, ...], draw: RowRandom) -> Any:
        return run_all([self.transforms[index] for index in draw.order(len(self.transforms))], row, draw)


def _runs_in_python(operation: Operation) -> bool:
    return not isinstance(operation, (Transform, Compose)) or operation.python_only


def call(operation: Operation, row: tuple[Any, ...], draw: RowRandom | None) -> Any:
    """Run one operation on the values of one row, handing random numbers to what takes them."""
    if isinstance(operation, (Compose, MultiTransform)):
        return operation.call(row, draw or eager_draw())
    if not isinstance(operation, Transform):
        return operation(*row)
    value = operation.check_inputs(*row)
    return (
        operation.transform_value(value, draw or eager_draw())
        if isinstance(operation, RandomTransform)
        else operation.transform_value(value)
    )


def run_all(operations: list[Operation], row: tuple[Any, ...], draw: RowRandom | None) -> Any:
    """Run operations in sequence on the values of one row."""
    for number, operation in enumerate(operations):
        result = call(operation, row, None if draw is None else draw.child(number))
        row = result if isinstance(result, tuple) else (result,)
    return row if len(row) > 1 else row[0]


def check_operations(transforms: Any) -> list[Operation]:
    """Return the operations, a non-empty list of callables."""
    require_type(transforms, "transforms list", list)
    if not transforms:
        raise ValueError("transforms list can not be empty.")
    for position, operation in enumerate(transforms):
        if not callable(operation):
            raise TypeError(
                f"transforms[{position}] is neither a transforms op (TensorOperation) nor a callable pyfunc: "
                f"{operation!r}."
            )
        if type(operation) is type:
            raise ValueError(
                f"transforms[{position}] should be a dataset processing operation instance, but got: {operation}. It "
                "may be missing parentheses for instantiation."
            )
    return list(transforms)
