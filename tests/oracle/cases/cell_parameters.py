"""Names and shapes of the parameters of Cells that torch has, too: alone, and as the attribute `m` of another."""

from collections.abc import Callable

from mindspore import nn

from tests.oracle.case import each


class Outer(nn.Cell):
    def __init__(self, inner: nn.Cell) -> None:
        super().__init__()
        self.m = inner


def shapes_of(cell: nn.Cell) -> dict[str, list[int]]:
    return {one.name: list(one.shape) for one in cell.get_parameters()}


def names_of(make: Callable[[], nn.Cell]) -> dict[str, dict[str, list[int]]]:
    alone, inside = make(), Outer(make())
    return {
        kind: {one.name: list(one.shape) for one in cell.get_parameters()}
        for kind, cell in (("alone", alone), ("as m", inside))
    }


CASES = each("""
    names_of(lambda: nn.Dense(3, 4))
    names_of(lambda: nn.BiDense(3, 4, 5))
    names_of(lambda: nn.Conv1d(4, 6, 3, has_bias=True, group=2))
    names_of(lambda: nn.Conv2d(4, 6, (3, 5), has_bias=True, group=2))
    names_of(lambda: nn.Conv3d(4, 6, (2, 3, 5), has_bias=True))
    names_of(lambda: nn.Conv1dTranspose(4, 6, 3, has_bias=True, group=2))
    names_of(lambda: nn.Conv2dTranspose(4, 6, (3, 5), has_bias=True, group=2))
    names_of(lambda: nn.Conv3dTranspose(4, 6, (2, 3, 5), has_bias=True))
    names_of(lambda: nn.BatchNorm1d(3))
    names_of(lambda: nn.BatchNorm2d(3))
    names_of(lambda: nn.BatchNorm3d(3))
    names_of(lambda: nn.SyncBatchNorm(3))
    names_of(lambda: nn.InstanceNorm1d(3))
    names_of(lambda: nn.InstanceNorm2d(3))
    names_of(lambda: nn.InstanceNorm3d(3))
    names_of(lambda: nn.LayerNorm((3, 4)))
    names_of(lambda: nn.GroupNorm(2, 4))
    names_of(lambda: nn.Embedding(5, 3))
    names_of(lambda: nn.EmbeddingLookup(5, 3))
    names_of(lambda: nn.PReLU(3))
    names_of(lambda: nn.LSTM(3, 5, 2, bidirectional=True))
    names_of(lambda: nn.GRU(3, 5, 1))
    names_of(lambda: nn.RNN(3, 5, 1))
    names_of(lambda: nn.LSTMCell(3, 5))
    names_of(lambda: nn.GRUCell(3, 5))
    names_of(lambda: nn.RNNCell(3, 5))
    names_of(lambda: nn.MultiheadAttention(4, 2))
    names_of(lambda: nn.TransformerEncoderLayer(4, 2, 8))
    names_of(lambda: nn.TransformerDecoderLayer(4, 2, 8))
""")
