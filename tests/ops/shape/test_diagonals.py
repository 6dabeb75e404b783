"""Diagonals and bands of matrices: values recorded from MindSpore 2.10 (CPU) unless a test names another judge."""

from collections.abc import Callable

import pytest

from msbridge import Tensor, ops
from tests.tensors import f, i64

VALUES = [
    (lambda: ops.matrix_diag(f(2) + 1, 0, 3), [[1, 0], [0, 2], [0, 0]]),
    (lambda: ops.matrix_diag(f(2, 3) + 1, i64([-1, 0])), [[1, 0, 0], [4, 2, 0], [0, 5, 3]]),
    (lambda: ops.matrix_diag(f(2, 3) + 1, i64([-1, 0]), align="LEFT_RIGHT"), [[1, 0, 0], [5, 2, 0], [0, 6, 3]]),
    (lambda: ops.matrix_diag_part(f(3, 4), i64([-1, 1]), Tensor(9.0)), [[1, 6, 11], [0, 5, 10], [4, 9, 9]]),
    (lambda: ops.matrix_set_diag(f(3, 3), f(2) + 8, 1), [[0, 8, 2], [3, 4, 9], [6, 7, 8]]),
    (lambda: ops.matrix_band_part(f(3, 3), 1, -1), [[0, 1, 2], [3, 4, 5], [0, 7, 8]]),
]


@pytest.mark.parametrize(("call", "values"), VALUES)
def test_values(call: Callable[[], Tensor], values: list) -> None:
    result = call()
    assert (result.asnumpy().tolist() if isinstance(result, Tensor) else list(result)) == values


def test_bands_of_matrices() -> None:
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert ops.matrix_band_part(x, 0, -1).tolist() == [[1.0, 2.0, 3.0], [0.0, 5.0, 6.0]]
    parts = ops.matrix_diag_part(x, Tensor([-1, 1]), Tensor(0.0))
    assert parts.tolist() == [[2.0, 6.0], [1.0, 5.0], [4.0, 0.0]]
    assert ops.matrix_set_diag(x, Tensor([8.0, 9.0])).tolist() == [[8.0, 2.0, 3.0], [4.0, 9.0, 6.0]]


@pytest.mark.parametrize(
    ("align", "diagonals"),
    [
        ("RIGHT_LEFT", [[0.0, 8.0, 9.0], [1.0, 2.0, 3.0], [4.0, 5.0, 0.0]]),
        ("LEFT_RIGHT", [[8.0, 9.0, 0.0], [1.0, 2.0, 3.0], [0.0, 4.0, 5.0]]),
    ],
)
def test_short_diagonals_are_aligned(align, diagonals) -> None:
    got = ops.matrix_diag(Tensor(diagonals), Tensor([-1, 1]), 3, 3, 0.0, align)
    assert got.tolist() == [[1.0, 8.0, 0.0], [4.0, 2.0, 9.0], [0.0, 5.0, 3.0]]
