"""vmap where torch's has no rule, and what it leaves behind. Values and refusals: the oracle replay."""

import warnings

import numpy as np
import pytest

import msbridge as ms
from msbridge import Parameter, Tensor, nn, ops

ROWS = Tensor(np.arange(12, dtype=np.float32).reshape(3, 4) - 5)


def into_new(row: Tensor) -> Tensor:
    result = ops.zeros((4,))
    result[0] = row[1]
    return result


@pytest.mark.parametrize(
    "function",
    [
        into_new,
        lambda row: ops.histc(row, 4),
        lambda row: ops.scatter_nd(Tensor([[0], [2]]), row[:2], (4,)),
        lambda row: (row * 2, {"sum": row.sum()}),
    ],
    ids=["a write of mapped values", "no rule for batches", "scatter_nd", "containers"],
)
def test_all_at_once_gives_what_one_by_one_gives_in_silence(function: object) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        together = ms.vmap(function)(ROWS)
    alone = [function(row) for row in ROWS]
    if isinstance(together, tuple):
        together, alone = together[0], [each[0] for each in alone]
    np.testing.assert_allclose(together.asnumpy(), np.stack([each.asnumpy() for each in alone]))


def test_random_numbers_are_the_same_for_all() -> None:
    drawn = ms.vmap(lambda row: row * 0 + ops.standard_normal((4,)))(ROWS).asnumpy()
    assert (drawn == drawn[0]).all()


def test_shapes_that_depend_on_values_are_refused() -> None:
    with pytest.raises(ValueError, match="mapped values"):
        ms.vmap(lambda row: ops.nonzero(row))(ROWS)


class Scaled(nn.Cell):
    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = Parameter(Tensor([factor]), name="factor")

    def construct(self, x: Tensor) -> Tensor:
        return x * self.factor


def test_ensemble_has_gradients_for_each_of_its_cells() -> None:
    cells = nn.CellList([Scaled(1.0), Scaled(2.0)])
    gradients = ms.grad(lambda x: ms.vmap(cells, (None,))(x).sum(), None, cells.trainable_params())(ROWS)
    assert [gradient.asnumpy().tolist() for gradient in gradients] == [[6.0], [6.0]]
