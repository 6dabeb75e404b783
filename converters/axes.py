"""Axis patterns such as "o i k -> o i 1 k": what happens to the axes of a tensor, readable in both directions."""

import functools
from dataclasses import dataclass

import torch

from msbridge.converters.errors import CheckpointError

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Axes:
    """An axis pattern: the axes of the left side in the order of the right side, with axes of length one put in or out.

    Attributes:
        left: names of the axes before; "1" is an axis of length one.
        right: names of the axes after.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]

    def __str__(self) -> str:
        return f"{' '.join(self.left)} -> {' '.join(self.right)}"

    @property
    def inverse(self) -> "Axes":
        """The pattern that undoes this one."""
        return Axes(self.right, self.left)

    @property
    def keeps_order(self) -> bool:
        """Whether the bytes stay as they are."""
        return [axis for axis in self.left if axis != "1"] == [axis for axis in self.right if axis != "1"]

    def shape(self, shape: Shape, name: str) -> Shape:
        """Give the shape of the result.

        Raises:
            CheckpointError: the tensor called `name` does not have such axes.
        """
        if len(shape) != len(self.left) or any(
            axis == "1" and length != 1 for axis, length in zip(self.left, shape, strict=True)
        ):
            raise CheckpointError(f"{name!r} of shape {shape} does not fit the axes of {str(self)!r}.")
        lengths = dict(zip(self.left, shape, strict=True)) | {"1": 1}
        return tuple(lengths[axis] for axis in self.right)

    def apply(self, tensor: torch.Tensor, name: str) -> torch.Tensor:
        """Give the tensor with its axes moved."""
        shape = self.shape(tuple(tensor.shape), name)
        order = [axis for axis in self.left if axis != "1"]
        moved = [order.index(axis) for axis in self.right if axis != "1"]
        inner = [length for axis, length in zip(self.left, tensor.shape, strict=True) if axis != "1"]
        return tensor.reshape(inner).permute(moved).reshape(shape)


@functools.cache
def axes(pattern: str) -> Axes:
    """Read a pattern.

    Raises:
        CheckpointError: it is not two lists of the same axes around "->".
    """
    left, arrow, right = pattern.partition("->")
    found = Axes(tuple(left.split()), tuple(right.split()))
    names = [[axis for axis in side if axis != "1"] for side in (found.left, found.right)]
    if not arrow or sorted(names[0]) != sorted(names[1]) or len(set(names[0])) != len(names[0]):
        raise CheckpointError(
            f"{pattern!r} must have the same axes on both sides of '->', each once ('1' may come and go)."
        )
    return found
