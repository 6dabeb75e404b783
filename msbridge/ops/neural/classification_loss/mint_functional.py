"""Functions of `mint.nn.functional` under torch's argument names."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.ops.contents import same
from msbridge.ops.neural.classification_loss import functions


def nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean"
) -> Tensor:
    """Return the negative log-likelihood of classes.

    Follows: mindspore.mint.nn.functional.nll_loss (2.10).
    """
    return functions.nll_loss(input, target, weight, ignore_index, reduction)


SAME = same(functions, "cross_entropy")
