"""Axis patterns such as "o i k -> o i 1 k": what happens to the axes of a tensor, readable in both directions.

An axis may be a product of several, the last varying fastest: "(h r d) i -> (h d r) i".
"""

import functools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import torch

from msbridge.converters.errors import CheckpointError

Shape = tuple[int, ...]
AXIS = re.compile(r"\([^()]*\)|[^\s()]+")


@dataclass(frozen=True, slots=True)
class Axes:
    """An axis pattern: the axes of the left side in the order of the right side, with axes of length one put in or out.

    Attributes:
        left: names of the axes before; "1" is an axis of length one, "(a b)" one that is made of two.
        right: names of the axes after.
        lengths: lengths of axes that a shape does not determine: of all but one in each pair of parentheses.
    """

    left: tuple[str, ...]
    right: tuple[str, ...]
    lengths: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        return f"{' '.join(self.left)} -> {' '.join(self.right)}"

    @property
    def inverse(self) -> "Axes":
        """The pattern that undoes this one."""
        return Axes(self.right, self.left, self.lengths)

    @property
    def keeps_order(self) -> bool:
        """Whether the bytes stay as they are."""
        return _names(self.left) == _names(self.right)

    def shape(self, shape: Shape, name: str) -> Shape:
        """Return the shape of the result.

        Raises:
            CheckpointError: the tensor called `name` does not have such axes.
        """
        lengths = self._lengths(shape, name)
        return tuple(math.prod(lengths[one] for one in _inner(axis)) for axis in self.right)

    def apply(self, tensor: torch.Tensor, name: str) -> torch.Tensor:
        """Return the tensor with its axes moved."""
        lengths = self._lengths(tuple(tensor.shape), name)
        order = _names(self.left)
        moved = [order.index(axis) for axis in _names(self.right)]
        inner = [lengths[axis] for axis in order]
        return tensor.reshape(inner).permute(moved).reshape(self.shape(tuple(tensor.shape), name))

    def _lengths(self, shape: Shape, name: str) -> dict[str, int]:
        """Return the length of every single axis."""
        lengths = dict(self.lengths)
        fits = len(shape) == len(self.left)
        for axis, length in zip(self.left, shape, strict=False):
            unknown = [one for one in _inner(axis) if one != "1" and one not in lengths]
            known = math.prod(lengths.get(one, 1) for one in _inner(axis))
            fits = fits and length % known == 0 and (bool(unknown) or length == known)
            lengths |= dict.fromkeys(unknown, length // known if fits else 0)
        if not fits:
            given = f" with {', '.join(f'{axis} = {length}' for axis, length in self.lengths)}" if self.lengths else ""
            raise CheckpointError(f"{name!r} of shape {shape} does not fit the axes of {str(self)!r}{given}.")
        return lengths | {"1": 1}


def axes(pattern: str, lengths: Mapping[str, int] | None = None) -> Axes:
    """Read a pattern.

    Args:
        pattern: two lists of the same axes around "->".
        lengths: lengths of axes in parentheses; in each pair one may be left out.

    Raises:
        CheckpointError: it is not a pattern of axes, or a length is missing or belongs to no axis.
    """
    return _axes(pattern, tuple(sorted((lengths or {}).items())))


@functools.cache
def _axes(pattern: str, lengths: tuple[tuple[str, int], ...]) -> Axes:
    left, arrow, right = pattern.partition("->")
    axes = Axes(tuple(AXIS.findall(left)), tuple(AXIS.findall(right)), lengths)
    names = _names(axes.left)
    whole = all(re.sub(AXIS, "", side).strip() == "" for side in (left, right))
    if not arrow or not whole or sorted(names) != sorted(_names(axes.right)) or len(set(names)) != len(names):
        raise CheckpointError(
            f"{pattern!r} must have the same axes on both sides of '->', each once ('1' may come and go)."
        )
    given = dict(lengths)
    if unknown := sorted(given.keys() - set(names)):
        raise CheckpointError(f"{pattern!r} has no axis {', '.join(unknown)}.")
    for axis in axes.left + axes.right:
        missing = [one for one in _inner(axis) if one != "1" and one not in given]
        if len(missing) > 1:
            raise CheckpointError(f"{pattern!r} needs the length of {' or '.join(missing)} in {axis}.")
    return axes


@functools.cache
def _inner(axis: str) -> tuple[str, ...]:
    return tuple(axis.strip("()").split())


@functools.cache
def _names(side: tuple[str, ...]) -> tuple[str, ...]:
    """Return the single axes of a side in their order, without those of length one."""
    return tuple(one for axis in side for one in _inner(axis) if one != "1")
