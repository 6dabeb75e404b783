"""Primitives that change the shape, the order or the place of elements."""

from collections.abc import Sequence

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.primitive.primitive import derive
from msbridge.ops.shape.reshaping import functions


def _flatten(input_x: Tensor) -> Tensor:
    """Join all axes but the first; the elements of a vector become rows.

    Args:
        input_x: shape (n, ...).

    Returns:
        A Tensor of shape (n, elements of a row) and the dtype of `input_x`.
    """
    return functions.flatten(input_x) if input_x.ndim != 1 else functions.unsqueeze(input_x, 1)


def _tensor_to_tuple(x: Tensor) -> tuple[int | float, ...]:
    """Return the elements of one axis as Python numbers.

    Args:
        x: one axis.

    Returns:
        A tuple of numbers.
    """
    return tuple(x.tolist())


def _conjugate_transpose(x: Tensor, perm: Sequence[int]) -> Tensor:
    """Permute the axes and conjugate.

    Args:
        x: any shape and dtype.
        perm: all axes, in their new order.

    Returns:
        A Tensor of the dtype of `x`.
    """
    return elementwise.conj(functions.transpose(x, perm))


DERIVED = (
    derive("BroadcastTo", functions.broadcast_to, "shape"),
    derive("ConjugateTranspose", _conjugate_transpose),
    derive("Expand", functions.expand),
    derive("ExpandDims", functions.expand_dims),
    derive("Flatten", _flatten),
    derive("Reshape", functions.reshape),
    derive("ReverseV2", functions.reverse, "axis"),
    derive("Roll", functions.roll, "shifts dims"),
    derive("Squeeze", functions.squeeze, "axis", axis=()),
    derive("TensorToTuple", _tensor_to_tuple),
    derive("Transpose", functions.transpose),
    derive("TransposeView", functions.transpose),
)
