"""The cross entropy of tokens, without those that a mask leaves out."""

from torch.nn import functional as F

from msbridge.core.checks.arguments import instance
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.core.types import dtype as mstype
from msbridge.nn.cell.cell import Cell
from msbridge.nn.transformer.checks import HALF_OR_SINGLE, check_input
from msbridge.nn.transformer.op_parallel_config import OpParallelConfig, default_dpmp_config

__all__ = ["CrossEntropyLoss"]


class CrossEntropyLoss(Cell):
    """Return the mean cross entropy of the rows that a mask keeps.

    Args:
        parallel_config: how the operators are divided over several processes.

    Inputs:
        logits: shape (rows, classes), float32 or float16.
        label: shape (rows,), int32.
        input_mask: as many elements as rows, float32; the weight of each row.

    Returns:
        A Tensor of shape (1,), float32; the divisor is the sum of the mask plus 1e-5.

    Raises:
        TypeError: an argument or an input is of another type.
        ValueError: `logits` has not two axes.

    Follows: mindspore.parallel._transformer.CrossEntropyLoss (2.0).
    """

    def __init__(self, parallel_config: OpParallelConfig = default_dpmp_config) -> None:
        super().__init__()
        instance(parallel_config, "parallel_config", self.cls_name, OpParallelConfig)

    def construct(self, logits: Tensor, label: Tensor, input_mask: Tensor) -> Tensor:
        allowed = {"logits": HALF_OR_SINGLE, "label": (mstype.int32,), "input_mask": (mstype.float32,)}
        for (name, dtypes), x in zip(allowed.items(), (logits, label, input_mask), strict=True):
            check_input(x, name, dtypes, self.cls_name)
        if logits.ndim != 2:
            raise ValueError(f"For '{self.cls_name}', 'logits' must have two axes, but its shape is {logits.shape}.")
        losses = F.cross_entropy(logits._data.float(), label._data.reshape(-1).long(), reduction="none")
        mask = input_mask._data.reshape(-1)
        return wrap(((losses * mask).sum() / (mask.sum() + 1e-5)).reshape(1))
