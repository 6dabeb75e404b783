"""Functions of `mint` under torch's argument names."""

from typing import Any

from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types.dtype import int64
from msbridge.ops.elementwise.elementwise import functions as elementwise
from msbridge.ops.random.choices import functions as choices


def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Tensor:
    """Draw indices with the probabilities in rows, Int64.

    Args:
        input: shape (n,) or (m, n); probabilities or weights, none negative.
        num_samples: how many indices are drawn of each row; at most n without `replacement`.
        replacement: whether an index may be drawn again.
        generator: draws the numbers; None for the default one.

    Returns:
        An Int64 Tensor of shape (num_samples,) or (m, num_samples).

    Follows: mindspore.mint.multinomial (2.10).
    """
    return elementwise.cast(choices.multinomial(input, num_samples, replacement, generator), int64)
