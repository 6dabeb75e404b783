"""Fractional pooling. Judge: the windows that it says it took, in numpy."""

import numpy as np
import pytest

from msbridge import Tensor, ops

X = np.random.default_rng(1).permutation(2 * 9 * 10 * 3).reshape(2, 9, 10, 3).astype(np.float32)


@pytest.mark.parametrize("pseudo_random", [False, True])
@pytest.mark.parametrize("overlapping", [False, True])
@pytest.mark.parametrize(("name", "reduce"), [("FractionalMaxPool", np.max), ("FractionalAvgPool", np.mean)])
def test_the_windows_are_those_that_are_given(name: str, reduce, pseudo_random: bool, overlapping: bool) -> None:
    pool = getattr(ops, name)([1.0, 1.4, 2.5, 1.0], pseudo_random, overlapping, False, 3)
    y, rows, columns = (one.asnumpy() for one in pool(Tensor(X)))
    assert y.shape == (2, 6, 4, 3)
    assert (rows[0], rows[-1], columns[0], columns[-1]) == (0, 9, 0, 10)
    for row in range(6):
        for column in range(4):
            low, right = rows[row + 1] + overlapping, columns[column + 1] + overlapping
            expected = reduce(X[:, rows[row] : low, columns[column] : right], (1, 2))
            np.testing.assert_allclose(y[:, row, column], expected, rtol=1e-6)


def test_a_deterministic_one_takes_the_same_windows() -> None:
    pool = ops.FractionalMaxPool([1.0, 1.4, 1.7, 1.0], deterministic=True, seed=2)
    assert pool(Tensor(X))[1].asnumpy().tolist() == pool(Tensor(X))[1].asnumpy().tolist()


def test_what_is_refused() -> None:
    with pytest.raises(TypeError):
        ops.FractionalMaxPool((1.0, 1.4, 1.4, 1.0))
    with pytest.raises(ValueError, match="ksize"):
        ops.FractionalMaxPoolWithFixedKsize((2, 2, 2), 2)
