"""Functions of `mint` under torch's argument names."""

from typing import Any

import torch

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.kernel_calls.families import Number, unary_with
from msbridge.ops.shape.gather_and_select import functions


def select(input: Tensor, dim: int, index: int) -> Tensor:
    """Take one slice along an axis; a view.

    Follows: mindspore.mint.select (2.10).
    """
    return unary_with(torch.select, "select", input, dim, index)


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Take single elements, each at its place except along an axis.

    Follows: mindspore.mint.gather (2.10).
    """
    return functions.gather_elements(input, dim, index)


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Take slices along an axis.

    Follows: mindspore.mint.index_select (2.10).
    """
    return functions.index_select(input, dim, index)


def where(condition: Tensor, input: Tensor | Number | None = None, other: Tensor | Number | None = None) -> Any:
    """Choose from `input` where `condition` is true, else from `other`; alone, give where it is true.

    Follows: mindspore.mint.where (2.10).
    """
    if input is None or other is None:
        return functions.nonzero(condition, as_tuple=True)
    return functions.where(condition, input, other)


SAME = same(functions, "masked_select nonzero take")
