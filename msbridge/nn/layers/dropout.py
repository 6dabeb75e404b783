"""Dropout layers; they draw while training only."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from msbridge.core.checks.arguments import in_range, instance, number
from msbridge.core.tensor.tensor import Tensor
from msbridge.core.types import dtype as mstype
from msbridge.core.types.dtype import Type
from msbridge.nn.cell.cell import Cell
from msbridge.ops.neural.dropout import functions as dropout
from msbridge.ops.operations import Dropout as DropoutOperator
from msbridge.ops.primitive.primitive import Primitive

__all__ = ["Dropout", "Dropout1d", "Dropout2d", "Dropout3d"]


class Dropout(Cell):
    """While training, zero drawn elements and divide the rest by the probability to keep.

    Args:
        keep_prob: the probability to keep an element, in (0, 1].
        p: the probability to zero an element, in [0, 1); if it is given, `keep_prob` does not count.
        dtype: accepted for scripts of old releases.

    Inputs:
        x: a Tensor of any shape and dtype.

    Outputs: as in every dropout.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument is out of range.

    Examples:
        >>> x = ops.ones(1000, ms.float32)
        >>> dropout = nn.Dropout(p=0.5)
        >>> bool((dropout(x) == x).all())  # not training
        True
        >>> sorted({*dropout.set_train()(x).asnumpy().tolist()})
        [0.0, 2.0]

    Follows: mindspore.nn.Dropout (2.10).
    """

    @cached_property
    def dropout(self) -> Primitive:
        """The operator, for scripts that take it; it returns the mask, too."""
        return DropoutOperator(1 - self._zeroed)

    def __init__(self, keep_prob: float = 0.5, p: float | None = None, dtype: Type = mstype.float32) -> None:
        super().__init__()
        self.keep_prob = keep_prob
        self.p = p
        if p is None:
            instance(keep_prob, "keep_prob", self.cls_name, float)
            in_range(keep_prob, "keep_prob", self.cls_name, 0, 1, "(]")
            self._zeroed = 1 - keep_prob
            return
        _check_number(p, self.cls_name)
        in_range(p, "p", self.cls_name, 0, 1)
        self._zeroed = p

    def construct(self, x: Tensor) -> Tensor:
        return dropout.dropout(x, self._zeroed, self.training) if self._zeroed else x

    def _by_operators(self, x: Tensor) -> Tensor:
        return self.dropout(x)[0] if self._zeroed and self.training else x  # type: ignore[no-any-return]

    def extend_repr(self) -> str:
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


def _check_number(p: Any, op: str) -> None:
    number(p, "p", op)


class _ChannelDropout(Cell):
    """While training, zero drawn channels and divide the rest by 1 - p."""

    _dropout: Callable[[Tensor, float, bool], Tensor]

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        instance(p, "p", self.cls_name, float)
        in_range(p, "p", self.cls_name, 0, 1, "[]")
        self.p = p
        self.keep_prob = 1.0 - p

    def construct(self, x: Tensor) -> Tensor:
        return self._dropout(x, self.p, self.training) if self.p else x


class Dropout1d(_ChannelDropout):
    """While training, zero whole channels of (N, C, L) or (C, L).

    Args:
        p: as in every dropout.

    Inputs:
        x: shape (N, C, L) or (C, L); floats.

    Outputs: as in every dropout.

    Follows: mindspore.nn.Dropout1d (2.10).
    """

    _dropout = staticmethod(dropout.dropout1d)


class Dropout2d(_ChannelDropout):
    """While training, zero whole channels of (N, C, H, W).

    Args:
        p: as in every dropout.

    Inputs:
        x: shape (N, C, H, W) or (C, H, W); floats.

    Outputs: as in every dropout.

    Follows: mindspore.nn.Dropout2d (2.10).
    """

    _dropout = staticmethod(dropout.dropout2d)

    def extend_repr(self) -> str:
        return f"p={self.keep_prob}"  # MindSpore prints what is kept under this name


class Dropout3d(_ChannelDropout):
    """While training, zero whole channels of (N, C, D, H, W).

    Args:
        p: as in every dropout.

    Inputs:
        x: shape (N, C, D, H, W) or (C, D, H, W); floats.

    Outputs: as in every dropout.

    Follows: mindspore.nn.Dropout3d (2.10).
    """

    _dropout = staticmethod(dropout.dropout3d)

    def extend_repr(self) -> str:
        return f"p={self.keep_prob}"  # MindSpore prints what is kept under this name
