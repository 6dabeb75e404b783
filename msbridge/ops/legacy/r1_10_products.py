"""Products, bounds and losses of 1.10, which promote their operands and check less."""

from typing import Any

from torch.nn import functional as F

from msbridge.core.releases.overrides import Part
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.ops.elementwise.arithmetic.functions import maximum, minimum
from msbridge.ops.linalg.products_and_norms import functions as linalg
from msbridge.ops.neural.classification_loss import functions as losses


def matmul(x1: Tensor, x2: Tensor) -> Tensor:
    """Multiply matrices over the last two axes, or vectors; operands of two dtypes become Float32.

    Follows: mindspore.ops.matmul (1.10).
    """
    if isinstance(x1, Tensor) and isinstance(x2, Tensor) and x1.dtype != x2.dtype:
        x1, x2 = wrap(x1._data.float()), wrap(x2._data.float())
    return linalg.matmul(x1, x2)


def clip_by_value(x: Tensor, clip_value_min: Any = None, clip_value_max: Any = None) -> Any:
    """Bound the elements of a Tensor; the dtype is that of elements and bounds.

    Raises:
        ValueError: neither bound is given.

    Follows: mindspore.ops.clip_by_value (1.10).
    """
    if clip_value_min is None and clip_value_max is None:
        raise ValueError("For 'clip_by_value', at least one of 'clip_value_min' and 'clip_value_max' must be given.")
    x = x if clip_value_max is None else minimum(x, clip_value_max)
    return x if clip_value_min is None else maximum(x, clip_value_min)


def nll_loss(
    inputs: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return minus the log probabilities at the target classes; what is spread has no weights, and all samples count.

    Follows: mindspore.ops.nll_loss (1.10).
    """
    reduction = reduction if reduction in ("mean", "sum") else "none"
    loss = _today_nll(inputs, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return loss
    axis = min(1, inputs.ndim - 1)
    spread = -inputs._data.sum(axis) * (target._data != ignore_index)
    spread = spread.mean() if reduction == "mean" else spread.sum() if reduction == "sum" else spread
    return (1.0 - label_smoothing) * loss + label_smoothing / inputs.shape[axis] * wrap(spread)


def cross_entropy(
    inputs: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Return minus the log softmax of `inputs` at the target classes; see `nll_loss`.

    Follows: mindspore.ops.cross_entropy (1.10).
    """
    if inputs.size == target.size or not label_smoothing:
        reduction = reduction if reduction in ("mean", "sum") else "none"
        return _today_entropy(inputs, target, weight, ignore_index, reduction, label_smoothing)
    logarithms = wrap(F.log_softmax(inputs._data, min(1, inputs.ndim - 1)))
    return nll_loss(logarithms, target, weight, ignore_index, reduction, label_smoothing)


_today_nll, _today_entropy = losses.nll_loss, losses.cross_entropy
OVERRIDES = {
    "ops.clip_by_value": clip_by_value,
    "ops.cross_entropy": Part(losses, "cross_entropy", cross_entropy),
    "ops.matmul": matmul,
    "ops.nll_loss": nll_loss,
}
