"""Looking rows up in a table."""

from torch.nn import functional as F

from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.neural.embedding.kernels import explain_lookup


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    """Return the rows of `weight` that `input` names.

    Args:
        input: row numbers; any shape, Int32 or Int64.
        weight: shape (rows, size).
        padding_idx: a row without gradient.
        max_norm: the rows used are first shrunk, in place, to at most this norm.
        norm_type: which norm `max_norm` means.
        scale_grad_by_freq: whether a row's gradient is divided by how often it is used.

    Returns:
        A Tensor of shape (*input.shape, size) and the dtype of `weight`.

    Raises:
        RuntimeError: a row number is out of range.
        TypeError: `input` is not of integers.

    Follows: mindspore.ops.embedding (2.10).
    """
    try:
        settings = (padding_idx, max_norm, norm_type, scale_grad_by_freq)
        return wrap(F.embedding(input._data, weight._data, *settings))
    except Exception as error:
        raise explain_lookup(error, "Embedding", input, weight) from error
