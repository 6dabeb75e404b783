"""Dropout layers under torch's argument names; they draw while training only."""

from msbridge.core.tensor.tensor import Tensor
from msbridge.mint.nn import functional
from msbridge.nn.cell.cell import Cell

__all__ = ["Dropout2dExt", "DropoutExt"]


class DropoutExt(Cell):
    """While training, zero elements drawn with probability `p`, and divide the rest by 1 - p.

    Raises:
        ValueError: `p` is not in [0, 1] (on call).

    Follows: mindspore.mint.nn.Dropout (2.10).
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        self.p = p
        self.inplace = inplace

    def construct(self, input: Tensor) -> Tensor:
        return functional.dropout(input, self.p, self.training, self.inplace)


class Dropout2dExt(Cell):
    """While training, zero channels drawn with probability `p`, and divide the rest by 1 - p.

    Follows: mindspore.mint.nn.Dropout2d (2.10).
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        self.p = p
        self.inplace = inplace

    def construct(self, input: Tensor) -> Tensor:
        return functional.dropout2d(input, self.p, self.training, self.inplace)
