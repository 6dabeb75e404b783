"""The base of the losses."""

from functools import cached_property

import torch

from msbridge.core.errors.explain import explain
from msbridge.core.tensor.tensor import Tensor, as_torch, wrap
from msbridge.nn.cell.cell import Cell, replaceable
from msbridge.nn.members.attaching import P
from msbridge.ops.neural.loss.kernels import check_reduction, reduce_losses

__all__ = [
    "LossBase",
]


class LossBase(Cell):
    """Base of the losses: `get_loss` weighs and reduces.

    Args:
        reduction: "mean", "sum" or "none".

    Inputs:
        logits: what a network returned.
        labels: what it should have returned.

    Outputs:
        What a subclass computes of both, reduced.

    Raises:
        ValueError: another `reduction`.

    Examples:
        >>> class SquaredLoss(nn.LossBase):
        ...     def construct(self, logits, labels):
        ...         return self.get_loss((logits - labels) ** 2)
        >>> SquaredLoss("sum")(Tensor([1.0, 2.0]), Tensor([0.0, 0.0])).item()
        5.0

    Follows: mindspore.nn.LossBase (2.10).
    """

    # Operators for the `construct` of subclasses, which scripts take for given; the losses here compute without them.
    _calls_operators = False
    cast = cached_property(lambda self: P.Cast())
    mul = cached_property(lambda self: P.Mul())
    reduce_mean = cached_property(lambda self: P.ReduceMean())
    reduce_sum = cached_property(lambda self: P.ReduceSum())

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = check_reduction(reduction, self.cls_name)
        self.average = reduction != "sum"
        self.reduce = reduction != "none"

    def get_axis(self, x: Tensor) -> tuple[int, ...]:
        """Return all axes of `x`.

        Follows: mindspore.nn.LossBase.get_axis (2.10).
        """
        return tuple(range(x.ndim))

    def get_loss(self, x: Tensor, weights: float | Tensor = 1.0) -> Tensor:
        """Return the reduced `weights`·`x`, computed in Float32, in the dtype of `x`.

        Follows: mindspore.nn.LossBase.get_loss (2.10).
        """
        try:
            scale = weights if isinstance(weights, int | float) else as_torch(weights, torch.float32)
            return wrap(reduce_losses(x._data.float() * scale, self.reduction).to(x._data.dtype))
        except Exception as error:
            raise explain(error, self.cls_name, x=x, weights=weights) from error

    @replaceable
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        raise NotImplementedError(f"{type(self).__name__} must define construct(self, logits, labels).")
